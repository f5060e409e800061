//! The writes on dashboards, shared by v1, v2 and the page. Each is one transaction: it finds the objects, checks permissions
//! (404, 403, 409 in the contract's order), then changes.

use super::{
    Dashboard, Owner, PlacedChart, layout, store,
    writer::{Generation, Who, Writer},
};
use crate::{
    concepts::{
        applications::{self, Application},
        charts, customers,
        webhooks::{self, EventKind},
        workspaces,
    },
    ground::{
        audit::{self, Actor, Deed},
        error::{Error, Result},
        state::App,
        store::Conn,
        time::Timestamp,
    },
};
use inlay_contract::{
    grid::GridPosition,
    ids::{ApplicationId, ChartId, DashboardId, ProjectId, WorkspaceId},
    permissions::Flag,
};
use serde_json::{Map, Value, json};

/// Where to create a dashboard.
#[derive(Clone, Copy, Debug)]
pub enum Home {
    /// An application.
    Application(ApplicationId),
    /// The application of a v1 workspace, created if there is none yet.
    Workspace(WorkspaceId),
}

/// A dashboard by its v1 or v2 id. v2 also names its application.
#[derive(Clone, Copy, Debug)]
pub struct DashboardRef {
    /// The application that it must belong to.
    pub application: Option<ApplicationId>,
    /// The dashboard.
    pub dashboard: DashboardId,
}

/// The settings of a clone.
#[derive(Clone, Debug, Default)]
pub struct CloneRequest {
    /// Its name. Defaults to `[original name] (Copy)`.
    pub name: Option<String>,
    /// The workspace of the copy. Defaults to the original's application.
    pub workspace: Option<WorkspaceId>,
    /// Whether the copy must not replace the shared original in the user's list.
    pub beside: bool,
}

/// A chart to add.
#[derive(Clone, Copy, Debug)]
pub struct Pick {
    /// The chart, in the library or on a dashboard.
    pub chart: ChartId,
    /// Its version. Defaults to the newest.
    pub version: Option<i64>,
}

/// Creates an empty dashboard.
///
/// # Errors
/// 404 for the application or workspace; 403 without the permission.
pub async fn create(app: &App, actor: &Actor, writer: &Writer, home: Home, name: &str) -> Result<Dashboard> {
    let mut tx = app.db.write().await?;
    let made = create_with(&mut tx.conn(), app, actor, writer, home, name, &[]).await?;
    tx.commit().await?;
    Ok(made)
}

/// Creates a dashboard with copies of stored charts, within the caller's transaction.
///
/// # Errors
/// 404 for the application or workspace; 403 without the permission to create dashboards or, with charts, to add charts.
pub async fn create_with(
    conn: &mut Conn<'_>,
    app: &App,
    actor: &Actor,
    writer: &Writer,
    home: Home,
    name: &str,
    charts: &[charts::Chart],
) -> Result<Dashboard> {
    writer.begin(conn).await?;
    let application = home_of(conn, writer, home).await?;
    writer.require(conn, Flag::AddDashboard).await?;
    if !charts.is_empty() {
        writer.require(conn, Flag::AddChart).await?;
    }
    let made = Dashboard { owner: writer.space()?, ..empty(writer, application.id, name) };
    has_room(conn, app, made.owner).await?;
    store::insert(conn, &made, store::Origin::LAST).await?;
    let kinds: Vec<_> = charts.iter().map(|chart| chart.definition.kind).collect();
    let places = layout::add_below(&[], &kinds);
    let placed: Vec<_> = charts.iter().cloned().zip(places).map(|(chart, place)| PlacedChart { chart, place }).collect();
    copy_charts(conn, writer, &made, &placed).await?;
    record(conn, actor, "dashboard.created", &application, &made, Map::new()).await?;
    Ok(made)
}

/// Refuses a further dashboard of a user or tenant who has as many as they may.
///
/// # Errors
/// 400
pub(super) async fn has_room(conn: &mut Conn<'_>, app: &App, owner: Owner) -> Result<()> {
    let count = match owner {
        Owner::Shared => return Ok(()),
        Owner::User { user, .. } => {
            // Of two dashboards at once the second waits here.
            customers::lock_user(conn, user).await?;
            store::count_of_user(conn, user).await?
        }
        Owner::Tenant(tenant) => store::count_of_tenant(conn, tenant).await?,
    };
    let most = app.settings.retention.dashboards_of_user;
    if usize::try_from(count).is_ok_and(|count| count < most) {
        return Ok(());
    }
    Err(Error::invalid("name", format!("cannot be used: the limit of {most} own dashboards is reached. Delete one first")))
}

/// Copies a dashboard with all its charts, which get new ids. The layout stays. A project user's first clone of a shared
/// dashboard replaces it in their list.
///
/// # Errors
/// 404 for the dashboard or workspace; 403 without the permission.
pub async fn clone(
    app: &App,
    actor: &Actor,
    writer: &Writer,
    source: DashboardRef,
    request: CloneRequest,
) -> Result<Dashboard> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    writer.begin(conn).await?;
    let (application, source) = find(conn, writer, source).await?;
    let target = match request.workspace {
        Some(workspace) => home_of(conn, writer, Home::Workspace(workspace)).await?,
        None => application.clone(),
    };
    // Charts query connections of their own project, so they cannot be copied to another one.
    if target.project != application.project {
        return Err(Error::not_found("Workspace"));
    }
    writer.require(conn, Flag::CanDuplicateDashboard).await?;
    let name = request.name.unwrap_or_else(|| format!("{} (Copy)", source.name));
    let made = Dashboard {
        owner: writer.space()?,
        replaces: if request.beside || target.id != application.id { None } else { replaced(conn, writer, &source).await? },
        filters: source.filters.clone(),
        refresh: source.refresh,
        ..empty(writer, target.id, &name)
    };
    has_room(conn, app, made.owner).await?;
    store::insert(conn, &made, store::Origin::LAST).await?;
    let charts = store::charts_on(conn, source.id).await?;
    copy_charts(conn, writer, &made, &charts).await?;
    let details = details("sourceDashboardId", &source.id);
    record(conn, actor, "dashboard.cloned", &target, &made, details).await?;
    tx.commit().await?;
    Ok(made)
}

/// The shared dashboard that a clone replaces in its owner's list: the original, unless another copy replaces it already.
pub(super) async fn replaced(conn: &mut Conn<'_>, writer: &Writer, source: &Dashboard) -> Result<Option<DashboardId>> {
    let (Who::User { user, .. }, Owner::Shared) = (writer.who, source.owner) else { return Ok(None) };
    // With two clones at once, the second one waits here and then finds the first.
    customers::lock_user(conn, user).await?;
    Ok(store::copy_of(conn, user, source.id).await?.is_none().then_some(source.id))
}

/// Copies charts to the bottom of a dashboard. Returns the dashboard and the new ids, in order.
///
/// # Errors
/// 404 for the dashboard or a chart; 403 or 409 as the writer's role and the dashboard's owner require.
pub async fn add_charts(
    app: &App,
    actor: &Actor,
    writer: &Writer,
    target: DashboardRef,
    picks: &[Pick],
) -> Result<(Dashboard, Vec<ChartId>)> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    writer.begin(conn).await?;
    let (application, dashboard) = find(conn, writer, target).await?;
    let mut picked = Vec::with_capacity(picks.len());
    for pick in picks {
        picked.push(pickable(conn, writer, application.project, *pick).await?);
    }
    writer.require(conn, Flag::AddChart).await?;
    writer.require_own(&dashboard)?;
    let there = lock(conn, dashboard.id).await?;
    let kinds: Vec<_> = picked.iter().map(|chart| chart.definition.kind).collect();
    let places = layout::add_below(&places(&there), &kinds);
    let placed: Vec<_> = picked.into_iter().zip(places).map(|(chart, place)| PlacedChart { chart, place }).collect();
    let added = copy_charts(conn, writer, &dashboard, &placed).await?;
    record(conn, actor, "dashboard.chartsAdded", &application, &dashboard, details("chartIds", &added)).await?;
    tx.commit().await?;
    Ok((dashboard, added))
}

/// Copies all charts of a dashboard below those of another. Returns the other one and the new ids, in reading order.
pub async fn append_charts(
    app: &App,
    actor: &Actor,
    writer: &Writer,
    target: DashboardRef,
    source: DashboardId,
) -> Result<(Dashboard, Vec<ChartId>)> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    writer.begin(conn).await?;
    let (application, dashboard) = find(conn, writer, target).await?;
    let (origin, source) = find(conn, writer, DashboardRef { application: None, dashboard: source }).await?;
    if origin.project != application.project {
        return Err(Error::not_found("Dashboard"));
    }
    writer.require(conn, Flag::AddChart).await?;
    writer.require_own(&dashboard)?;
    let there = lock(conn, dashboard.id).await?;
    let appended = store::charts_on(conn, source.id).await?;
    let places = layout::append_below(&places(&there), &places(&appended));
    let placed: Vec<_> = appended.into_iter().zip(places).map(|(placed, place)| PlacedChart { place, ..placed }).collect();
    let added = copy_charts(conn, writer, &dashboard, &placed).await?;
    record(conn, actor, "dashboard.chartsAdded", &application, &dashboard, details("chartIds", &added)).await?;
    tx.commit().await?;
    Ok((dashboard, added))
}

/// Removes charts from a dashboard, all or none. The charts themselves are kept.
///
/// # Errors
/// 404 for the dashboard, or a chart that is not on it; 403 or 409 as for [`add_charts`].
pub async fn remove_charts(
    app: &App,
    actor: &Actor,
    writer: &Writer,
    target: DashboardRef,
    removed: &[ChartId],
) -> Result<Dashboard> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    writer.begin(conn).await?;
    let (application, dashboard) = find(conn, writer, target).await?;
    let there = store::charts_on(conn, dashboard.id).await?;
    if removed.iter().any(|id| there.iter().all(|placed| placed.chart.id != *id)) {
        return Err(Error::not_found("Chart"));
    }
    writer.require(conn, Flag::RemoveChart).await?;
    writer.require_own(&dashboard)?;
    lock(conn, dashboard.id).await?;
    for id in removed {
        // Another writer may have removed it in the meantime.
        if !store::unplace(conn, dashboard.id, *id).await? {
            return Err(Error::not_found("Chart"));
        }
    }
    record(conn, actor, "dashboard.chartsRemoved", &application, &dashboard, details("chartIds", &removed)).await?;
    tx.commit().await?;
    Ok(dashboard)
}

/// A dashboard that a writer may see, with its application.
///
/// # Errors
/// 404 for a dashboard that the writer cannot reach or see.
pub async fn find(conn: &mut Conn<'_>, writer: &Writer, named: DashboardRef) -> Result<(Application, Dashboard)> {
    if let Some(id) = named.application {
        applications::find_within(conn, writer.reach(), id).await?.ok_or_else(|| Error::not_found("Application"))?;
    }
    let missing = || Error::not_found("Dashboard");
    let right = |dashboard: &Dashboard| {
        writer.sees(dashboard) && named.application.is_none_or(|application| application == dashboard.application)
    };
    let dashboard = store::find(conn, named.dashboard).await?.filter(right).ok_or_else(missing)?;
    let application = applications::find_within(conn, writer.reach(), dashboard.application).await?;
    Ok((application.ok_or_else(missing)?, dashboard))
}

async fn home_of(conn: &mut Conn<'_>, writer: &Writer, home: Home) -> Result<Application> {
    match home {
        Home::Application(id) => {
            let found = applications::find_within(conn, writer.reach(), id).await?;
            found.ok_or_else(|| Error::not_found("Application"))
        }
        Home::Workspace(id) => {
            let workspace = workspaces::find_within(conn, writer.reach(), id).await?;
            let workspace = workspace.ok_or_else(|| Error::not_found("Workspace"))?;
            applications::of_workspace(conn, &workspace).await
        }
    }
}

/// Writes the audit event of a changed dashboard, and notifies the project's webhooks.
pub(crate) async fn record(
    conn: &mut Conn<'_>,
    actor: &Actor,
    action: &'static str,
    application: &Application,
    dashboard: &Dashboard,
    details: Map<String, Value>,
) -> Result<()> {
    let deed = Deed::new(action, dashboard.id.0).in_project(application.project).named(&dashboard.name);
    audit::record(conn, actor, Deed { details, ..deed }).await?;
    let data = json!({
        "applicationId": application.id,
        "dashboardId": dashboard.id,
        "name": dashboard.name,
        "kind": dashboard.owner.kind(),
        "ownerProjectUserId": dashboard.owner.user(),
        "action": action,
    });
    webhooks::emit(conn, application.project, EventKind::DashboardSaved, data).await
}

pub(crate) fn details(key: &str, value: &impl serde::Serialize) -> Map<String, Value> {
    Map::from_iter([(key.to_owned(), json!(value))])
}

pub(super) fn empty(writer: &Writer, application: ApplicationId, name: &str) -> Dashboard {
    Dashboard {
        id: DashboardId::generate(),
        application,
        legacy_id: (writer.generation == Generation::V1).then(DashboardId::generate),
        name: name.to_owned(),
        owner: Owner::Shared,
        replaces: None,
        filters: Vec::new(),
        refresh: None,
        created_at: Timestamp::now(),
    }
}

/// A chart of the project that the writer may add to a dashboard: users may add charts of the library and of dashboards that
/// they see, members those that everybody sees.
pub(super) async fn pickable(conn: &mut Conn<'_>, writer: &Writer, project: ProjectId, pick: Pick) -> Result<charts::Chart> {
    let chart = charts::find(conn, project, pick.chart, pick.version).await?;
    let open = matches!(writer.who, Who::Host) || store::shows_chart(conn, chart.id, writer).await?;
    if open { Ok(chart) } else { Err(Error::not_found("Chart")) }
}

/// Locks a dashboard against other writers until this transaction ends. Returns its charts.
pub(super) async fn lock(conn: &mut Conn<'_>, dashboard: DashboardId) -> Result<Vec<PlacedChart>> {
    if !store::touch(conn, dashboard).await? {
        return Err(Error::not_found("Dashboard"));
    }
    store::charts_on(conn, dashboard).await
}

fn places(charts: &[PlacedChart]) -> Vec<GridPosition> {
    charts.iter().map(|placed| placed.place).collect()
}

async fn copy_charts(conn: &mut Conn<'_>, writer: &Writer, target: &Dashboard, charts: &[PlacedChart]) -> Result<Vec<ChartId>> {
    // If the chart is removed again, it belongs to the dashboard's owner, whoever added it.
    let maker = charts::Maker { space: target.owner.space(), ..writer.maker() };
    let mut copies = Vec::with_capacity(charts.len());
    for PlacedChart { chart, place } in charts {
        let copy = charts::copy(conn, chart, maker).await?;
        store::place(conn, target.id, copy, *place, None).await?;
        copies.push(copy);
    }
    Ok(copies)
}
