//! The shared dashboards of an application, managed by members. A dashboard that is created here equals one of a project file:
//! it is exported, and applied again, by name.

use crate::{
    concepts::{
        applications::{self, Application},
        charts,
        dashboards::{self, Dashboard, Owner, PlacedChart, layout, writes},
        organizations::members::{Member, Reads, Works},
        projects,
    },
    flows::management::{application_filters::check_filters, applications::find},
    ground::{
        audit::{self, Deed},
        checks::is_name,
        error::{Code, Error, Result},
        names,
        problems::Problems,
        state::App,
        store::Conn,
        time::Timestamp,
    },
};
use inlay_contract::{
    filter::FilterDefinition,
    grid::GridPosition,
    ids::{ChartId, DashboardId},
    refresh,
};
use std::collections::HashMap;

/// The shared dashboards of an application, in the navigation's order.
///
/// # Errors
/// 404 for an application of another project.
pub async fn list_dashboards(app: &App, by: &Member<impl Reads>, application: &Application) -> Result<Vec<Dashboard>> {
    find(app, by, application.project, application.id).await?;
    dashboards::shared_of(&mut app.db.read().await?.conn(), application.id).await
}

/// The numbers of an application's dashboards.
#[derive(Clone, Debug, Default)]
pub struct DashboardCounts {
    /// How many are users' own.
    pub own: usize,
    /// The charts on each shared one that has any.
    pub charts: HashMap<DashboardId, usize>,
}

/// Counts the dashboards of an application, and the charts on the shared ones.
///
/// # Errors
/// 404 for an application of another project.
pub async fn count(app: &App, by: &Member<impl Reads>, application: &Application) -> Result<DashboardCounts> {
    find(app, by, application.project, application.id).await?;
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    let number = |count: i64| usize::try_from(count).unwrap_or_default();
    let charts = dashboards::chart_counts(conn, application.id).await?;
    let charts = charts.into_iter().map(|(id, charts)| (id, number(charts))).collect();
    Ok(DashboardCounts { own: number(dashboards::count_own(conn, application.id).await?), charts })
}

/// A shared dashboard with its charts.
///
/// # Errors
/// 404 when the application has no such dashboard.
pub async fn dashboard(
    app: &App,
    by: &Member<impl Reads>,
    application: &Application,
    id: DashboardId,
) -> Result<(Dashboard, Vec<PlacedChart>)> {
    find(app, by, application.project, application.id).await?;
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    let found = shared(conn, application, id).await?;
    let charts = dashboards::charts_on(conn, found.id).await?;
    Ok((found, charts))
}

async fn shared(conn: &mut Conn<'_>, application: &Application, id: DashboardId) -> Result<Dashboard> {
    let right = |found: &Dashboard| found.application == application.id && found.owner == Owner::Shared;
    dashboards::find(conn, id).await?.filter(right).ok_or_else(|| Error::not_found("Dashboard"))
}

/// Creates an empty shared dashboard. The first one of an application becomes its default.
///
/// # Errors
/// 400 for an invalid name, 409 `DASHBOARD_NAME_TAKEN`.
pub async fn add_dashboard(app: &App, by: &Member<impl Works>, application: &Application, name: &str) -> Result<DashboardId> {
    is_name(name).map_err(|problem| Error::invalid("name", problem))?;
    find(app, by, application.project, application.id).await?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let application = &locked(conn, application).await?;
    dashboard_name_is_free(conn, application, name, None).await?;
    let made = Dashboard {
        id: DashboardId::generate(),
        application: application.id,
        legacy_id: application.workspace.map(|_| DashboardId::generate()),
        name: name.to_owned(),
        owner: Owner::Shared,
        replaces: None,
        filters: Vec::new(),
        refresh: None,
        created_at: Timestamp::now(),
    };
    let position = next_position(conn, application).await?;
    dashboards::insert(conn, &made, dashboards::Origin { shared_name: Some(name), position }).await?;
    if application.default_dashboard.is_none() {
        applications::set_default(conn, application.id, Some(made.id)).await?;
    }
    record(conn, by, "dashboard.created", application, &made).await?;
    tx.commit().await?;
    Ok(made.id)
}

/// The application as it is now. Locks its project, so that names, positions and the default stay until this transaction ends.
async fn locked(conn: &mut Conn<'_>, application: &Application) -> Result<Application> {
    projects::lock(conn, application.project).await?;
    applications::find(conn, application.id).await?.ok_or_else(|| Error::not_found("Application"))
}

/// The end of the navigation.
async fn next_position(conn: &mut Conn<'_>, application: &Application) -> Result<i64> {
    dashboards::count_shared(conn, application.id).await
}

/// Moves a shared dashboard one place up or down in the navigation. At the end of the list nothing changes.
///
/// # Errors
/// 404 for a dashboard of another application.
pub async fn move_dashboard(
    app: &App,
    by: &Member<impl Works>,
    application: &Application,
    id: DashboardId,
    up: bool,
) -> Result<()> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let application = &locked(conn, application).await?;
    let dashboard = shared(conn, application, id).await?;
    let all = dashboards::shared_of(conn, application.id).await?;
    let mut order: Vec<_> = all.into_iter().map(|one| one.id).collect();
    let here = order.iter().position(|known| *known == dashboard.id);
    let there = here.and_then(|here| if up { here.checked_sub(1) } else { Some(here + 1).filter(|next| *next < order.len()) });
    let Some((here, there)) = here.zip(there) else { return Ok(()) };
    order.swap(here, there);
    for (position, id) in (0..).zip(order) {
        dashboards::set_position(conn, id, position).await?;
    }
    record(conn, by, "dashboard.moved", application, &dashboard).await?;
    tx.commit().await
}

/// Creates a shared dashboard with copies of all charts of another one.
///
/// # Errors
/// 400 for an invalid name, 404 for a dashboard of another application, 409 `DASHBOARD_NAME_TAKEN`.
pub async fn clone_dashboard(
    app: &App,
    by: &Member<impl Works>,
    application: &Application,
    source: DashboardId,
    name: &str,
) -> Result<DashboardId> {
    is_name(name).map_err(|problem| Error::invalid("name", problem))?;
    find(app, by, application.project, application.id).await?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let application = &locked(conn, application).await?;
    dashboard_name_is_free(conn, application, name, None).await?;
    let source = shared(conn, application, source).await?;
    let made = Dashboard {
        id: DashboardId::generate(),
        legacy_id: application.workspace.map(|_| DashboardId::generate()),
        name: name.to_owned(),
        replaces: None,
        created_at: Timestamp::now(),
        ..source.clone()
    };
    let position = next_position(conn, application).await?;
    dashboards::insert(conn, &made, dashboards::Origin { shared_name: Some(name), position }).await?;
    let named = dashboards::charts_of_file(conn, source.id).await?;
    for placed in dashboards::charts_on(conn, source.id).await? {
        let copy = charts::copy(conn, &placed.chart, charts::Maker::default()).await?;
        let tile_name = named.iter().find(|(_, id)| *id == placed.chart.id).map(|(name, _)| name.as_str());
        dashboards::place(conn, made.id, copy, placed.place, tile_name).await?;
    }
    record(conn, by, "dashboard.cloned", application, &made).await?;
    tx.commit().await?;
    Ok(made.id)
}

async fn dashboard_name_is_free(
    conn: &mut Conn<'_>,
    application: &Application,
    name: &str,
    own: Option<DashboardId>,
) -> Result<()> {
    let known = dashboards::of_file(conn, application.id).await?;
    if known.iter().any(|(known, id, _)| known == name && Some(*id) != own) {
        let told = format!("A dashboard named `{name}` already exists in this application. Choose another name.");
        return Err(crate::ground::checks::taken(Code::DashboardNameTaken, told));
    }
    Ok(())
}

/// Writes the audit event of a created or changed dashboard, and notifies the project's webhooks.
async fn record(
    conn: &mut Conn<'_>,
    by: &Member<impl Works>,
    action: &'static str,
    application: &Application,
    dashboard: &Dashboard,
) -> Result<()> {
    let details = writes::details("applicationId", &application.id);
    writes::record(conn, &by.actor(), action, application, dashboard, details).await
}

/// The settings of a shared dashboard.
#[derive(Clone, Debug)]
pub struct DashboardSettings {
    /// Unique within the application.
    pub name: String,
    /// Its filters, in order.
    pub filters: Vec<FilterDefinition>,
    /// The positions of its charts.
    pub places: Vec<(ChartId, GridPosition)>,
    /// Seconds after which an open page asks for its rows again.
    pub refresh: Option<u32>,
    /// Whether it is the application's default.
    pub default: bool,
}

/// Changes a shared dashboard: name, filters, layout, and whether it is the default.
///
/// # Errors
/// 400 for an invalid field, 404 for a dashboard of another application, 409 `DASHBOARD_NAME_TAKEN`.
pub async fn change_dashboard(
    app: &App,
    by: &Member<impl Works>,
    application: &Application,
    id: DashboardId,
    settings: DashboardSettings,
) -> Result<()> {
    find(app, by, application.project, application.id).await?;
    let mut problems = Problems::default();
    problems.note("name", is_name(&settings.name));
    problems.note("refresh", settings.refresh.map_or(Ok(()), refresh::check));
    for (chart, place) in &settings.places {
        problems.note(&format!("place.{chart}"), place.fits());
    }
    check_filters(app, by, application, &settings.filters, &mut problems).await?;
    problems.finish()?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let application = &locked(conn, application).await?;
    dashboards::touch(conn, id).await?;
    let old = shared(conn, application, id).await?;
    dashboard_name_is_free(conn, application, &settings.name, Some(id)).await?;
    dashboards::rewrite(conn, id, &settings.name, &settings.filters, settings.refresh).await?;
    for placed in dashboards::charts_on(conn, id).await? {
        if let Some((chart, place)) = settings.places.iter().find(|(chart, _)| *chart == placed.chart.id) {
            dashboards::place(conn, id, *chart, *place, None).await?;
        }
    }
    if settings.default {
        applications::set_default(conn, application.id, Some(id)).await?;
    }
    record(conn, by, "dashboard.changed", application, &Dashboard { name: settings.name, ..old }).await?;
    tx.commit().await
}

/// Adds a copy of a library chart at the bottom of a shared dashboard.
///
/// # Errors
/// 404 for a chart that is not in the library, or a dashboard of another application.
pub async fn add_chart(
    app: &App,
    by: &Member<impl Works>,
    application: &Application,
    id: DashboardId,
    chart: ChartId,
) -> Result<()> {
    let original = crate::flows::management::charts::find(app, by, application.project, chart).await?.chart;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    dashboards::touch(conn, id).await?;
    let dashboard = shared(conn, application, id).await?;
    let there = dashboards::charts_on(conn, id).await?;
    let places: Vec<_> = there.iter().map(|placed| placed.place).collect();
    let taken = dashboards::charts_of_file(conn, id).await?;
    let tile_name = names::free(&original.name, |name| taken.iter().any(|(known, _)| known == name));
    let copy = charts::copy(conn, &original, charts::Maker::default()).await?;
    let place = layout::add_below(&places, &[original.definition.kind]);
    let place = place.first().copied().ok_or_else(|| Error::internal("a chart got no place"))?;
    dashboards::place(conn, id, copy, place, Some(&tile_name)).await?;
    record(conn, by, "dashboard.chartsAdded", application, &dashboard).await?;
    tx.commit().await
}

/// Removes a chart from a shared dashboard. The library keeps the original.
///
/// # Errors
/// 404 for a chart that is not on this dashboard.
pub async fn remove_chart(
    app: &App,
    by: &Member<impl Works>,
    application: &Application,
    id: DashboardId,
    chart: ChartId,
) -> Result<()> {
    find(app, by, application.project, application.id).await?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let dashboard = shared(conn, application, id).await?;
    if !dashboards::unplace(conn, id, chart).await? {
        return Err(Error::not_found("Chart"));
    }
    dashboards::touch(conn, id).await?;
    record(conn, by, "dashboard.chartsRemoved", application, &dashboard).await?;
    tx.commit().await
}

/// Deletes a shared dashboard.
///
/// # Errors
/// 404 for a dashboard of another application.
pub async fn remove_dashboard(app: &App, by: &Member<impl Works>, application: &Application, id: DashboardId) -> Result<()> {
    find(app, by, application.project, application.id).await?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let application = &locked(conn, application).await?;
    let dashboard = shared(conn, application, id).await?;
    dashboards::delete(conn, id).await?;
    if application.default_dashboard == Some(id) {
        let next = dashboards::shared_of(conn, application.id).await?.first().map(|left| left.id);
        applications::set_default(conn, application.id, next).await?;
    }
    // Webhooks report creations and changes only.
    let deed = Deed::new("dashboard.deleted", id.0).in_project(application.project).named(&dashboard.name);
    audit::record(conn, &by.actor(), deed.with("applicationId", application.id.to_string())).await?;
    tx.commit().await
}
