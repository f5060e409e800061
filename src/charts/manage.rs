//! The chart library as members manage it. Its charts are those that a project file would hold: each has its name for itself.

use super::{Chart, store};
use crate::{
    audit::{self, Deed},
    catalog,
    error::{Error, Kind, Result},
    organizations::members::{Member, Reads, Works},
    projects::{self, Problems, is_name},
    state::App,
    time::Timestamp,
};
use inlay_contract::{
    chart::definition::{ChartDefinition, ChartType, Encoding},
    data::ChartData,
    ids::{ChartId, ConnectionId, ProjectId, ProjectUserId},
};
use inlay_query::Query;
use serde_json::{Map, Value};

/// The most versions of a chart that are listed.
const MOST_VERSIONS: i64 = 50;

/// A chart of the library with where it stands.
#[derive(Clone, Debug)]
pub struct LibraryChart {
    /// The chart in its newest version.
    pub chart: Chart,
    /// The dashboards that show a copy of it under its name.
    pub used_on: Vec<String>,
}

/// The library of a project, by name.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn list(app: &App, by: &Member<impl Reads>, project: ProjectId) -> Result<Vec<LibraryChart>> {
    projects::of_organization(app, by.organization, project).await?;
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    let mut library = Vec::new();
    for chart in store::of_library(conn, project).await? {
        let used_on = store::dashboards_showing(conn, project, &chart.name).await?;
        library.push(LibraryChart { chart, used_on });
    }
    Ok(library)
}

/// A chart of the library.
///
/// # Errors
/// 404 when the library has no such chart.
pub async fn find(app: &App, by: &Member<impl Reads>, project: ProjectId, id: ChartId) -> Result<LibraryChart> {
    let all = list(app, by, project).await?;
    all.into_iter().find(|one| one.chart.id == id).ok_or_else(|| Error::not_found("Chart"))
}

/// What somebody says of a chart.
#[derive(Clone, Debug)]
pub struct ChartSettings {
    /// Its name for itself.
    pub name: String,
    /// Where its query goes.
    pub connection: ConnectionId,
    /// How it is drawn.
    pub kind: ChartType,
    /// Its query.
    pub sql: String,
    /// Which column plays which part.
    pub encoding: Encoding,
    /// Number formats, stacking, units, colours.
    pub options: Map<String, Value>,
}

/// Makes a chart, or a new version of the one of an id.
///
/// # Errors
/// 400 for what is wrong in a field, 404 for a connection of another project, 409 `CHART_NAME_TAKEN`.
pub async fn save(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    id: Option<ChartId>,
    settings: ChartSettings,
) -> Result<ChartId> {
    check(app, by, project, &settings).await?;
    let ChartSettings { name, connection, kind, sql, encoding, options } = settings;
    let sql_override = Some(sql.trim().to_owned()).filter(|sql| !sql.is_empty());
    let definition = ChartDefinition { title: name.clone(), kind, sql_override, encoding, options, cache_seconds: None };
    let old = match id {
        Some(id) => Some(find(app, by, project, id).await?.chart),
        None => None,
    };
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let namesake = store::find_of_file(conn, project, &name).await?;
    if namesake.is_some_and(|namesake| Some(namesake.id) != id) {
        return Err(projects::taken("CHART_NAME_TAKEN", format!("A chart called `{name}` exists in this project's library.")));
    }
    let (chart, action) = match old {
        Some(old) => {
            let definition = ChartDefinition { cache_seconds: old.definition.cache_seconds, ..definition };
            let chart = Chart { connection, name, version: old.version + 1, definition, ..old };
            store::update(conn, &chart).await?;
            store::set_file_name(conn, chart.id, &chart.name).await?;
            (chart, "chart.changed")
        }
        None => {
            let chart = Chart { id: ChartId::generate(), project, connection, name, version: 1, definition };
            let origin = store::Origin { file_name: Some(&chart.name), ..store::Origin::default() };
            store::insert(conn, &chart, origin).await?;
            (chart, "chart.created")
        }
    };
    let deed = Deed::new(action, chart.id.0).in_project(project).named(&chart.name).with("version", chart.version);
    audit::record(conn, &by.actor(), deed).await?;
    tx.commit().await?;
    Ok(chart.id)
}

async fn check(app: &App, by: &Member<impl Reads>, project: ProjectId, settings: &ChartSettings) -> Result<()> {
    let open = catalog::manage::opened(app, by, project, settings.connection).await?;
    let mut problems = Problems::default();
    problems.note("name", is_name(&settings.name));
    let sql = settings.sql.trim();
    let query = if sql.is_empty() {
        if settings.kind == ChartType::Text { Ok(()) } else { Err("is required for every kind but text".to_owned()) }
    } else {
        let read = inlay_query::tables_read(open.source.kind, sql, &open.catalog);
        read.map(drop).map_err(|problem| format!("is refused: {}", problem.detail()))
    };
    problems.note("sql", query);
    problems.finish()
}

/// The first rows that a user sees of a query, for whoever writes it. The audit log tells of it before they are read.
///
/// # Errors
/// 422 on `sql` with what the operator may read of the source's refusal, 404 for a user or connection of another project.
pub async fn try_as(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    connection: ConnectionId,
    sql: &str,
    user: ProjectUserId,
) -> Result<ChartData> {
    let open = catalog::manage::opened(app, by, project, connection).await?;
    let viewer = crate::access::security_context_of(app, project, user).await?;
    let viewer = viewer.ok_or_else(|| Error::not_found("Project user"))?;
    let mut tx = app.db.write().await?;
    let deed = Deed::new("chart.triedAs", user.0).in_project(project).with("connectionId", connection.to_string());
    audit::record(&mut tx.conn(), &by.actor(), deed).await?;
    tx.commit().await?;
    let project = projects::of_organization(app, by.organization, project).await?;
    let today = crate::dashboards::data::today(None, &project);
    let query = Query::new(sql.trim().to_owned(), today);
    app.engine.run(&open.source, &open.catalog, &viewer, &query).await.map_err(|problem| {
        let details = Map::from_iter([("sql".to_owned(), Value::String(problem.detail().to_owned()))]);
        Error::new(Kind::Unprocessable, "QUERY_FAILED", format!("The query did not run: {}", problem.detail()))
            .with_details(details)
    })
}

/// The versions of a library chart, newest first, each with the time at which it was saved.
///
/// # Errors
/// 404 when the library has no such chart.
pub async fn versions(app: &App, by: &Member<impl Reads>, project: ProjectId, id: ChartId) -> Result<Vec<(Chart, Timestamp)>> {
    find(app, by, project, id).await?;
    store::versions(&mut app.db.read().await?.conn(), project, id, MOST_VERSIONS).await
}

/// Makes an earlier version of a library chart its newest; the number that it has then.
///
/// # Errors
/// 404 when the library has no such chart, or the chart no such version; 409 `CHART_NAME_TAKEN`.
pub async fn restore(app: &App, by: &Member<impl Works>, project: ProjectId, id: ChartId, number: i64) -> Result<i64> {
    let newest = find(app, by, project, id).await?.chart;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let earlier = store::find_version(conn, project, id, number).await?.ok_or_else(|| Error::not_found("Version"))?;
    let namesake = store::find_of_file(conn, project, &earlier.name).await?;
    if namesake.is_some_and(|namesake| namesake.id != id) {
        let told = format!("A chart called `{}` exists in this project's library.", earlier.name);
        return Err(projects::taken("CHART_NAME_TAKEN", told));
    }
    let chart = Chart { version: newest.version + 1, ..earlier };
    store::update(conn, &chart).await?;
    store::set_file_name(conn, id, &chart.name).await?;
    let deed = Deed::new("chart.restored", id.0).in_project(project).named(&chart.name).with("version", chart.version);
    audit::record(conn, &by.actor(), deed.with("restored", number)).await?;
    tx.commit().await?;
    Ok(chart.version)
}

/// Takes a chart out of the library; copies on dashboards stay.
///
/// # Errors
/// 404 when the library has no such chart.
pub async fn remove(app: &App, by: &Member<impl Works>, project: ProjectId, id: ChartId) -> Result<()> {
    let chart = find(app, by, project, id).await?.chart;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    store::delete(conn, id).await?;
    audit::record(conn, &by.actor(), Deed::new("chart.deleted", id.0).in_project(project).named(&chart.name)).await?;
    tx.commit().await
}
