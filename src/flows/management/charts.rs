//! The chart library, managed by members. Its charts are those that a project file would hold: each has a unique name.

use crate::{
    concepts::{
        charts::{self, Chart, PlacedCopy},
        connections::OpenConnection,
        dashboards::data,
        organizations::members::{Member, Reads, Works},
        projects::{self, Project},
    },
    flows::management::chart_columns,
    ground::{
        audit::{self, Deed},
        checks::is_name,
        drawing,
        error::{Code, Error, Result},
        problems::Problems,
        state::App,
        time::Timestamp,
    },
};
use chrono::Utc;
use inlay_contract::{
    chart::{
        self,
        definition::{ChartDefinition, ChartType, Encoding},
    },
    data::ChartData,
    ids::{ChartId, ConnectionId, ProjectId, ProjectUserId},
    theme::Theme,
};
use inlay_query::{Probed, Query, compile};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The maximum number of versions that are listed.
const MOST_VERSIONS: i64 = 50;

/// A chart of the library with its copies.
#[derive(Clone, Debug)]
pub struct LibraryChart {
    /// The chart in its newest version.
    pub chart: Chart,
    /// Its copies on shared dashboards.
    pub copies: Vec<PlacedCopy>,
    /// The number of copies on users' own dashboards.
    pub own_copies: i64,
}

impl LibraryChart {
    /// Where it is used, as text for people.
    pub fn used_on(&self) -> Vec<String> {
        let mut all: Vec<String> = self.copies.iter().map(|copy| copy.named.clone()).collect();
        all.dedup();
        all.extend(match self.own_copies {
            0 => None,
            1 => Some("1 user's own copy".to_owned()),
            many => Some(format!("{many} users' own copies")),
        });
        all
    }
}

/// The library of a project, by name.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn list(app: &App, by: &Member<impl Reads>, project: ProjectId) -> Result<Vec<LibraryChart>> {
    projects::of_organization(app, by.organization, project).await?;
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    let library = charts::of_library(conn, project).await?;
    let mut shared: BTreeMap<ChartId, Vec<PlacedCopy>> = BTreeMap::new();
    for (origin, copy) in crate::concepts::charts::shared(conn, project).await? {
        shared.entry(origin).or_default().push(copy);
    }
    let own: BTreeMap<_, _> = crate::concepts::charts::own(conn, project).await?.into_iter().collect();
    let with_copies = |chart: Chart| {
        let copies = shared.remove(&chart.id).unwrap_or_default();
        LibraryChart { copies, own_copies: own.get(&chart.id).copied().unwrap_or_default(), chart }
    };
    Ok(library.into_iter().map(with_copies).collect())
}

/// A chart of the library.
///
/// # Errors
/// 404 when the library has no such chart.
pub async fn find(app: &App, by: &Member<impl Reads>, project: ProjectId, id: ChartId) -> Result<LibraryChart> {
    let all = list(app, by, project).await?;
    all.into_iter().find(|one| one.chart.id == id).ok_or_else(|| Error::not_found("Chart"))
}

/// The settings of a chart.
#[derive(Clone, Debug)]
pub struct ChartSettings {
    /// Its unique name.
    pub name: String,
    /// The connection that its query runs on.
    pub connection: ConnectionId,
    /// Its type.
    pub kind: ChartType,
    /// Its query.
    pub sql: String,
    /// Which column is used for which axis, mark or label.
    pub encoding: Encoding,
    /// Number formats, stacking, units, colours.
    pub options: Map<String, Value>,
    /// How long its rows may come from the cache, in seconds. `None` uses the connection's setting.
    pub cache_seconds: Option<u32>,
}

impl ChartSettings {
    /// The chart definition with these settings.
    pub fn into_definition(self) -> ChartDefinition {
        let Self { name: title, kind, sql, encoding, options, cache_seconds, .. } = self;
        let sql_override = Some(sql.trim().to_owned()).filter(|sql| !sql.is_empty());
        ChartDefinition { title, kind, sql_override, encoding, options, cache_seconds }
    }
}

/// A saved chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Saved {
    /// Its id.
    pub id: ChartId,
    /// Its version.
    pub version: i64,
    /// Whether the database checked its query. `false` when the database did not respond.
    pub checked: bool,
}

/// Creates a chart, or a new version of the one with this id.
///
/// # Errors
/// 400 for an invalid field, 404 for a connection of another project, 409 `CHART_NAME_TAKEN`.
pub async fn save(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    id: Option<ChartId>,
    settings: ChartSettings,
) -> Result<Saved> {
    let given = check(app, by, project, &settings).await?;
    let (name, connection, definition) = (settings.name.clone(), settings.connection, settings.into_definition());
    if let Some(id) = id {
        find(app, by, project, id).await?;
    }
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    projects::lock(conn, project).await?;
    // Read under the lock: another save may have made a newer version.
    let old = match id {
        Some(id) => Some(charts::find(conn, project, id, None).await?),
        None => None,
    };
    let namesake = charts::find_in_library(conn, project, &name).await?;
    if namesake.is_some_and(|namesake| Some(namesake.id) != id) {
        return Err(crate::ground::checks::taken(
            Code::ChartNameTaken,
            format!("A chart named `{name}` already exists in this project's library. Choose another name."),
        ));
    }
    let (chart, action) = match old {
        Some(old) => {
            let chart = Chart { connection, name, version: old.version + 1, definition, ..old };
            charts::update(conn, &chart).await?;
            charts::set_library_name(conn, chart.id, &chart.name).await?;
            (chart, "chart.changed")
        }
        None => {
            let chart = Chart { id: ChartId::generate(), project, connection, name, version: 1, definition };
            let origin = charts::Origin { library_name: Some(&chart.name), ..charts::Origin::default() };
            charts::insert(conn, &chart, origin).await?;
            (chart, "chart.created")
        }
    };
    if let Some(given) = &given {
        charts::keep_columns(conn, chart.id, chart.version, given).await?;
    }
    let deed = Deed::new(action, chart.id.0).in_project(project).named(&chart.name).with("version", chart.version);
    audit::record(conn, &by.actor(), deed).await?;
    tx.commit().await?;
    Ok(Saved { id: chart.id, version: chart.version, checked: given.is_some() })
}

/// The columns that a query returns. `None` when the database does not respond. Refuses a chart that could never be drawn.
async fn check(
    app: &App,
    by: &Member<impl Reads>,
    project: ProjectId,
    settings: &ChartSettings,
) -> Result<Option<Vec<String>>> {
    let open = crate::flows::management::catalog::opened(app, by, project, settings.connection).await?;
    let mut problems = Problems::default();
    problems.note("name", is_name(&settings.name));
    let sql = sql_of(&open, settings).unwrap_or_else(|(field, told)| {
        problems.note(field, Err(told));
        None
    });
    let Some(sql) = sql else {
        problems.finish()?;
        return Ok(Some(Vec::new()));
    };
    let read = app.engine.tables_read(&open.source, &open.catalog, &sql).await;
    problems.note("sql", read.map(drop).map_err(|problem| format!("is refused: {}", problem.detail())));
    problems.finish()?;
    let probed = app.engine.probe(&open.source, &open.catalog, &sql).await;
    chart_columns::told(&settings.encoding, &probed).finish()?;
    Ok(chart_columns::names(&probed))
}

/// The SQL of a chart's settings. `None` for a text.
fn sql_of(open: &OpenConnection, settings: &ChartSettings) -> Result<Option<String>, (&'static str, String)> {
    let definition = settings.clone().into_definition();
    match (&definition.sql_override, definition.model_query()) {
        (Some(sql), _) => Ok(Some(sql.clone())),
        (None, Some(query)) => {
            let compiled = compile(open.source.kind, &open.model, &query, Utc::now().date_naive());
            let told = |problem| ("options", format!("holds a query that has no meaning in the semantic model: {problem}"));
            compiled.map(|compiled| Some(compiled.sql)).map_err(told)
        }
        (None, None) if settings.kind == ChartType::Text => Ok(None),
        (None, None) => Err(("sql", "is required for every chart type except text".to_owned())),
    }
}

/// The first rows of a query that a user sees, for the query's author. Written to the audit log before the rows are read.
///
/// # Errors
/// 422 on `sql` with the part of the source's error that the operator may read, 404 for a user or connection of another project.
pub async fn try_as(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    connection: ConnectionId,
    sql: &str,
    user: ProjectUserId,
) -> Result<ChartData> {
    let open = crate::flows::management::catalog::opened(app, by, project, connection).await?;
    let viewer = crate::concepts::access::security_context_of(app, project, user).await?;
    let viewer = viewer.ok_or_else(|| Error::not_found("Project user"))?;
    let mut tx = app.db.write().await?;
    let deed = Deed::new("chart.triedAs", user.0).in_project(project).with("connectionId", connection.to_string());
    audit::record(&mut tx.conn(), &by.actor(), deed).await?;
    tx.commit().await?;
    let project = projects::of_organization(app, by.organization, project).await?;
    let today = data::today(None, &project);
    let query = Query::new(sql.trim().to_owned(), today);
    let problem = match data::ask(app, &open.source, &open.catalog, &viewer, &query).await {
        Ok(answer) => return Ok(answer.into_data()),
        Err(problem) => problem,
    };
    // A hidden column does not count as missing: the author may know of it.
    let told = match app.engine.probe(&open.source, &open.catalog, sql.trim()).await {
        Probed::Refused(told) => told,
        Probed::Gives(_) | Probed::Unasked => problem.detail().to_owned(),
    };
    let details = Map::from_iter([("sql".to_owned(), Value::String(told.clone()))]);
    Err(Error::new(Code::QueryFailed, format!("The query failed: {told}")).with_details(details))
}

/// The size of a preview, in pixels.
const DRAWN: (u32, u32) = (720, 320);

/// A chart of these rows as SVG, in Inlay's default theme. `None` for a type that is shown as HTML, or without a value.
///
/// # Errors
/// Why it cannot be drawn, as a sentence for the chart's author.
pub async fn drawn(
    app: &App,
    project: &Project,
    definition: &ChartDefinition,
    data: &ChartData,
) -> Result<Option<String>, String> {
    if definition.kind.is_html() || data.rows.is_empty() {
        return Ok(None);
    }
    let option =
        chart::option(definition, data, &Theme::default().chart(), &project.locale).map_err(|problem| problem.to_string())?;
    if !chart::has_marks(definition, data) {
        return Ok(None);
    }
    let drawn = drawing::svg(app, project.organization, &option.to_string(), DRAWN).await;
    drawn.map(Some).map_err(|_| "This chart could not be drawn.".to_owned())
}

/// The versions of a library chart, newest first, each with the time at which it was saved.
///
/// # Errors
/// 404 when the library has no such chart.
pub async fn versions(app: &App, by: &Member<impl Reads>, project: ProjectId, id: ChartId) -> Result<Vec<(Chart, Timestamp)>> {
    find(app, by, project, id).await?;
    charts::versions(&mut app.db.read().await?.conn(), project, id, MOST_VERSIONS).await
}

/// Restores an earlier version of a library chart as its newest. Returns the new version number.
///
/// # Errors
/// 404 when the library has no such chart, or the chart no such version; 409 `CHART_NAME_TAKEN`.
pub async fn restore(app: &App, by: &Member<impl Works>, project: ProjectId, id: ChartId, number: i64) -> Result<i64> {
    find(app, by, project, id).await?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    projects::lock(conn, project).await?;
    let newest = charts::find(conn, project, id, None).await?;
    let earlier = charts::find_version(conn, project, id, number).await?.ok_or_else(|| Error::not_found("Version"))?;
    let namesake = charts::find_in_library(conn, project, &earlier.name).await?;
    if namesake.is_some_and(|namesake| namesake.id != id) {
        let told = format!("A chart named `{}` already exists in this project's library. Choose another name.", earlier.name);
        return Err(crate::ground::checks::taken(Code::ChartNameTaken, told));
    }
    let chart = Chart { version: newest.version + 1, ..earlier };
    charts::update(conn, &chart).await?;
    charts::set_library_name(conn, id, &chart.name).await?;
    if let Some(given) = charts::columns(conn, id, number).await? {
        charts::keep_columns(conn, id, chart.version, &given).await?;
    }
    let deed = Deed::new("chart.restored", id.0).in_project(project).named(&chart.name).with("version", chart.version);
    audit::record(conn, &by.actor(), deed.with("restored", number)).await?;
    tx.commit().await?;
    Ok(chart.version)
}

/// Removes a chart from the library. Copies on dashboards stay.
///
/// # Errors
/// 404 when the library has no such chart.
pub async fn remove(app: &App, by: &Member<impl Works>, project: ProjectId, id: ChartId) -> Result<()> {
    find(app, by, project, id).await?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    projects::lock(conn, project).await?;
    let chart = charts::find(conn, project, id, None).await?;
    charts::delete(conn, id).await?;
    audit::record(conn, &by.actor(), Deed::new("chart.deleted", id.0).in_project(project).named(&chart.name)).await?;
    tx.commit().await
}
