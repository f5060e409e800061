//! The writes on dashboards: one service behind both generations of the API and the page. Each is one transaction that first
//! finds, then asks whether the writer may (404, 403, 409 in the contract's order), then changes.

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
    grid::Place,
    ids::{ApplicationId, ChartId, DashboardId, ProjectId, WorkspaceId},
    permissions::Flag,
};
use serde_json::{Map, Value, json};

/// Where a dashboard comes to live.
#[derive(Clone, Copy, Debug)]
pub enum Home {
    /// An application.
    Application(ApplicationId),
    /// The application that stands for a v1 workspace; made when there is none yet.
    Workspace(WorkspaceId),
}

/// A dashboard by its id of either generation; v2 names its application too.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// The application that it must belong to.
    pub application: Option<ApplicationId>,
    /// The dashboard.
    pub dashboard: DashboardId,
}

/// What a clone is to be.
#[derive(Clone, Debug, Default)]
pub struct CloneRequest {
    /// Its name; `[original name] (Copy)` when left out.
    pub name: Option<String>,
    /// The workspace that it goes to; the original's application when left out.
    pub workspace: Option<WorkspaceId>,
    /// One more dashboard, even where the copy of a shared one would replace it.
    pub beside: bool,
}

/// A chart to be added.
#[derive(Clone, Copy, Debug)]
pub struct Pick {
    /// The chart, in the library or on a dashboard.
    pub chart: ChartId,
    /// Its version; the newest when left out.
    pub version: Option<i64>,
}

/// Makes an empty dashboard.
///
/// # Errors
/// 404 for the application or workspace; 403 as the writer's role says.
pub async fn create(app: &App, actor: &Actor, writer: &Writer, home: Home, name: &str) -> Result<Dashboard> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let application = home_of(conn, writer, home).await?;
    writer.require(conn, Flag::AddDashboard).await?;
    let made = Dashboard { owner: writer.space()?, ..empty(writer, application.id, name) };
    store::insert(conn, &made, store::Origin::LAST).await?;
    record(conn, actor, "dashboard.created", &application, &made, Map::new()).await?;
    tx.commit().await?;
    Ok(made)
}

/// Copies a dashboard with all its charts, which get new ids; the layout is kept. A project user's first clone of a shared
/// dashboard replaces it in their list.
///
/// # Errors
/// 404 for the dashboard or workspace; 403 as the writer's role says.
pub async fn clone(app: &App, actor: &Actor, writer: &Writer, source: Named, request: CloneRequest) -> Result<Dashboard> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let (application, source) = find(conn, writer, source).await?;
    let target = match request.workspace {
        Some(workspace) => home_of(conn, writer, Home::Workspace(workspace)).await?,
        None => application.clone(),
    };
    // Charts query connections of their own project, so they never leave it.
    if target.project != application.project {
        return Err(Error::not_found("Workspace"));
    }
    writer.require(conn, Flag::CanDuplicateDashboard).await?;
    let name = request.name.unwrap_or_else(|| format!("{} (Copy)", source.name));
    let made = Dashboard {
        owner: writer.space()?,
        replaces: if request.beside || target.id != application.id { None } else { replaced(conn, writer, &source).await? },
        filters: source.filters.clone(),
        ..empty(writer, target.id, &name)
    };
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
    // Two clones at once: the second waits here and then finds the first.
    customers::lock_user(conn, user).await?;
    Ok(store::copy_of(conn, user, source.id).await?.is_none().then_some(source.id))
}

/// Copies charts under new ids to the bottom of a dashboard; the dashboard and the new ids, in order.
///
/// # Errors
/// 404 for the dashboard or a chart; 403 or 409 as the writer's role and the dashboard's owner say.
pub async fn add_charts(
    app: &App,
    actor: &Actor,
    writer: &Writer,
    target: Named,
    picks: &[Pick],
) -> Result<(Dashboard, Vec<ChartId>)> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
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

/// Copies all charts of a dashboard below those of another; the other and the new ids, in reading order.
///
/// # Errors
/// As [`add_charts`].
pub async fn append_charts(
    app: &App,
    actor: &Actor,
    writer: &Writer,
    target: Named,
    source: DashboardId,
) -> Result<(Dashboard, Vec<ChartId>)> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let (application, dashboard) = find(conn, writer, target).await?;
    let (origin, source) = find(conn, writer, Named { application: None, dashboard: source }).await?;
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

/// Takes charts off a dashboard, all or none; their records stay in the library.
///
/// # Errors
/// 404 for the dashboard, or a chart that does not stand there; 403 or 409 as for [`add_charts`].
pub async fn remove_charts(app: &App, actor: &Actor, writer: &Writer, target: Named, removed: &[ChartId]) -> Result<Dashboard> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let (application, dashboard) = find(conn, writer, target).await?;
    let there = store::charts_on(conn, dashboard.id).await?;
    if removed.iter().any(|id| there.iter().all(|placed| placed.chart.id != *id)) {
        return Err(Error::not_found("Chart"));
    }
    writer.require(conn, Flag::RemoveChart).await?;
    writer.require_own(&dashboard)?;
    lock(conn, dashboard.id).await?;
    for id in removed {
        // Another writer may have been faster.
        if !store::unplace(conn, dashboard.id, *id).await? {
            return Err(Error::not_found("Chart"));
        }
    }
    record(conn, actor, "dashboard.chartsRemoved", &application, &dashboard, details("chartIds", &removed)).await?;
    tx.commit().await?;
    Ok(dashboard)
}

/// A dashboard that a writer sees, with its application.
///
/// # Errors
/// 404 for what is out of reach or sight.
pub async fn find(conn: &mut Conn<'_>, writer: &Writer, named: Named) -> Result<(Application, Dashboard)> {
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

/// The audit log's line for a change of a dashboard, and the word to the project's webhooks.
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
        created_at: Timestamp::now(),
    }
}

/// A chart of the project that the writer may put on a dashboard: a user takes those of the library and of dashboards that
/// they see, a member those that everybody sees.
pub(super) async fn pickable(conn: &mut Conn<'_>, writer: &Writer, project: ProjectId, pick: Pick) -> Result<charts::Chart> {
    let chart = charts::find(conn, project, pick.chart, pick.version).await?;
    let open = matches!(writer.who, Who::Host) || store::shows_chart(conn, chart.id, writer).await?;
    if open { Ok(chart) } else { Err(Error::not_found("Chart")) }
}

/// Makes other writers of a dashboard wait until this transaction ends; what stands on it then.
pub(super) async fn lock(conn: &mut Conn<'_>, dashboard: DashboardId) -> Result<Vec<PlacedChart>> {
    if !store::touch(conn, dashboard).await? {
        return Err(Error::not_found("Dashboard"));
    }
    store::charts_on(conn, dashboard).await
}

fn places(charts: &[PlacedChart]) -> Vec<Place> {
    charts.iter().map(|placed| placed.place).collect()
}

async fn copy_charts(conn: &mut Conn<'_>, writer: &Writer, target: &Dashboard, charts: &[PlacedChart]) -> Result<Vec<ChartId>> {
    // Taken off again, a chart is whose the dashboard was, whoever put it there.
    let maker = charts::Maker { space: target.owner.space(), ..writer.maker() };
    let mut copies = Vec::with_capacity(charts.len());
    for PlacedChart { chart, place } in charts {
        let copy = charts::copy(conn, chart, maker).await?;
        store::place(conn, target.id, copy, *place, None).await?;
        copies.push(copy);
    }
    Ok(copies)
}
