//! The five v1 writes: create, clone, add-charts, append-charts-from, remove-charts.

use super::migrated::{self, Call};
use crate::{
    concepts::{
        access::{Authorized, TenantOrHost, credential::MigratedWrite},
        dashboards::{
            Dashboard,
            writer::Writer,
            writes::{self, CloneRequest, DashboardRef, Home, Pick},
        },
    },
    faces::api::chart_bodies,
    ground::{
        error::{Result, refusals},
        state::App,
        web::{
            Answer,
            body::{BodyObject, Charts, Ignored, Integer, Text, Written, body},
        },
    },
};
use axum::extract::State;
use inlay_contract::ids::{ChartId, DashboardId, WorkspaceId};
use serde::Serialize;
use utoipa::ToSchema;

/// The caller, with the body.
type Sent = Authorized<TenantOrHost, MigratedWrite>;

/// A created dashboard.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = v1::MadeDashboard)]
pub struct MadeDashboard {
    dashboard_id: DashboardId,
    name: String,
}

impl From<Dashboard> for MadeDashboard {
    fn from(made: Dashboard) -> Self {
        Self { dashboard_id: made.v1_id(), name: made.name }
    }
}

/// Added charts.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = v1::AddedCharts)]
pub struct AddedCharts {
    message: String,
    added_chart_ids: Vec<ChartId>,
    dashboard_id: DashboardId,
}

impl AddedCharts {
    fn of((dashboard, added): (Dashboard, Vec<ChartId>)) -> Self {
        Self { message: chart_bodies::message("added", added.len()), added_chart_ids: added, dashboard_id: dashboard.v1_id() }
    }
}

/// Removed charts.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = v1::RemovedCharts)]
pub struct RemovedCharts {
    message: String,
    removed_chart_ids: Vec<ChartId>,
    dashboard_id: DashboardId,
}

const fn named(dashboard: DashboardId) -> DashboardRef {
    DashboardRef { application: None, dashboard }
}

body! {
    /// A dashboard to create.
    struct CreateBody as "v1.CreateBody" {
        /// The workspace that it belongs to.
        workspace_id: WorkspaceId,
        /// Its name.
        name: Text,
        /// Accepted for compatibility with older components and ignored: the dashboard's own connections apply.
        _connection_id: Ignored,
    }
}

/// Creates an empty dashboard in a workspace.
#[utoipa::path(
    post,
    path = "/v1/api/dashboard/create",
    tag = "v1 dashboards",
    operation_id = "v1CreateDashboard",
    request_body = CreateBody,
    security(("apiKey" = []), ("memberToken" = []), ("tenantToken" = []), ("userToken" = []), ()),
    responses(
        (status = 200, body = MadeDashboard),
        (status = "default", description = refusals![ProjectUserWithoutOrganization, ViewOnly, PermissionDenied, NotFound, MigratedToV2]),
    ),
)]
pub async fn create(
    State(app): State<App>,
    Authorized { caller, actor, body, unreadable, .. }: Sent,
) -> Result<Answer<MadeDashboard>> {
    let writer = Writer::v1(&caller);
    migrated::refuse(&app, &actor, &writer, Call::Create, (&body, unreadable)).await?;
    let CreateBody { workspace_id: workspace, name, .. } = CreateBody::of(&body, &app.settings.limits)?;
    let made = writes::create(&app, &actor, &writer, Home::Workspace(workspace), &name.0).await;
    let made = migrated::told(&app, &writer, Call::Create, &body, made).await?;
    Ok(Answer(made.into()))
}

body! {
    /// A dashboard to copy.
    struct CloneBody as "v1.CloneBody" {
        /// The original.
        source_dashboard_id: DashboardId,
        /// The workspace of the copy. Defaults to the original's.
        target_workspace_id: Option<WorkspaceId>,
        /// Its name. Without one, or with an empty one: `[original name] (Copy)`.
        name: Written<512>,
        /// Accepted for compatibility with older components and ignored: the dashboard's own connections apply.
        _connection_id: Ignored,
    }
}

/// Copies a dashboard with its charts, into the same or another workspace.
#[utoipa::path(
    post,
    path = "/v1/api/dashboard/clone",
    tag = "v1 dashboards",
    operation_id = "v1CloneDashboard",
    request_body = CloneBody,
    security(("apiKey" = []), ("memberToken" = []), ("tenantToken" = []), ("userToken" = []), ()),
    responses(
        (status = 200, body = MadeDashboard),
        (status = "default", description = refusals![ProjectUserWithoutOrganization, ViewOnly, PermissionDenied, NotFound, MigratedToV2]),
    ),
)]
pub async fn clone(
    State(app): State<App>,
    Authorized { caller, actor, body, unreadable, .. }: Sent,
) -> Result<Answer<MadeDashboard>> {
    let writer = Writer::v1(&caller);
    migrated::refuse(&app, &actor, &writer, Call::Clone, (&body, unreadable)).await?;
    let sent = CloneBody::of(&body, &app.settings.limits)?;
    let source = sent.source_dashboard_id;
    let request = CloneRequest { name: sent.name.0, workspace: sent.target_workspace_id, beside: false };
    let made = writes::clone(&app, &actor, &writer, named(source), request).await;
    let made = migrated::told(&app, &writer, Call::Clone, &body, made).await?;
    Ok(Answer(made.into()))
}

body! {
    /// Charts to copy onto a dashboard.
    struct AddChartsBody as "v1.AddChartsBody" {
        /// The dashboard.
        target_dashboard_id: DashboardId,
        /// The charts, in order.
        charts: Charts<PickedChart>,
        /// Accepted for compatibility with older components and ignored: the dashboard's own connections apply.
        _connection_id: Ignored,
    }
}

body! {
    /// A chart in one version.
    struct PickedChart as "v1.PickedChart" {
        /// The chart, in the library or on a dashboard.
        chart_id: ChartId,
        /// Its version.
        chart_version: Integer<1>,
    }
}

/// Adds copies of charts at the bottom of a dashboard.
#[utoipa::path(
    post,
    path = "/v1/api/dashboard/add-charts",
    tag = "v1 dashboards",
    operation_id = "v1AddCharts",
    request_body = AddChartsBody,
    security(("apiKey" = []), ("memberToken" = []), ("tenantToken" = []), ("userToken" = []), ()),
    responses(
        (status = 200, body = AddedCharts),
        (status = "default", description = refusals![ProjectUserWithoutOrganization, NotDashboardOwner, ViewOnly, PermissionDenied, NotFound, SharedDashboardReadOnly, MigratedToV2]),
    ),
)]
pub async fn add_charts(
    State(app): State<App>,
    Authorized { caller, actor, body, unreadable, .. }: Sent,
) -> Result<Answer<AddedCharts>> {
    let writer = Writer::v1(&caller);
    migrated::refuse(&app, &actor, &writer, Call::AddCharts, (&body, unreadable)).await?;
    let sent = AddChartsBody::of(&body, &app.settings.limits)?;
    let target = sent.target_dashboard_id;
    let pick = |chart: PickedChart| Pick { chart: chart.chart_id, version: Some(chart.chart_version.0) };
    let picks: Vec<Pick> = sent.charts.0.into_iter().map(pick).collect();
    let added = writes::add_charts(&app, &actor, &writer, named(target), &picks).await;
    let added = migrated::told(&app, &writer, Call::AddCharts, &body, added).await?;
    Ok(Answer(AddedCharts::of(added)))
}

body! {
    /// The dashboards to copy from and to.
    struct AppendChartsBody as "v1.AppendChartsBody" {
        /// The dashboard whose charts are copied.
        source_dashboard_id: DashboardId,
        /// The dashboard that gets the copies.
        target_dashboard_id: DashboardId,
        /// Accepted for compatibility with older components and ignored: the dashboard's own connections apply.
        _connection_id: Ignored,
    }
}

/// Adds copies of all charts of another dashboard below the existing ones.
#[utoipa::path(
    post,
    path = "/v1/api/dashboard/append-charts-from",
    tag = "v1 dashboards",
    operation_id = "v1AppendChartsFrom",
    request_body = AppendChartsBody,
    security(("apiKey" = []), ("memberToken" = []), ("tenantToken" = []), ("userToken" = []), ()),
    responses(
        (status = 200, body = AddedCharts),
        (status = "default", description = refusals![ProjectUserWithoutOrganization, NotDashboardOwner, ViewOnly, PermissionDenied, NotFound, SharedDashboardReadOnly, MigratedToV2]),
    ),
)]
pub async fn append_charts_from(
    State(app): State<App>,
    Authorized { caller, actor, body, unreadable, .. }: Sent,
) -> Result<Answer<AddedCharts>> {
    let writer = Writer::v1(&caller);
    migrated::refuse(&app, &actor, &writer, Call::AppendChartsFrom, (&body, unreadable)).await?;
    let sent = AppendChartsBody::of(&body, &app.settings.limits)?;
    let (source, target) = (sent.source_dashboard_id, sent.target_dashboard_id);
    let added = writes::append_charts(&app, &actor, &writer, named(target), source).await;
    let added = migrated::told(&app, &writer, Call::AppendChartsFrom, &body, added).await?;
    Ok(Answer(AddedCharts::of(added)))
}

body! {
    /// Charts to remove from a dashboard.
    struct RemoveChartsBody as "v1.RemoveChartsBody" {
        /// The dashboard.
        dashboard_id: DashboardId,
        /// The charts. Either all of them are removed or none.
        chart_ids: Charts<ChartId>,
        /// Accepted for compatibility with older components and ignored: the dashboard's own connections apply.
        _connection_id: Ignored,
    }
}

/// Removes charts from a dashboard.
///
/// The charts themselves are kept.
#[utoipa::path(
    post,
    path = "/v1/api/dashboard/remove-charts",
    tag = "v1 dashboards",
    operation_id = "v1RemoveCharts",
    request_body = RemoveChartsBody,
    security(("apiKey" = []), ("memberToken" = []), ("tenantToken" = []), ("userToken" = []), ()),
    responses(
        (status = 200, body = RemovedCharts),
        (status = "default", description = refusals![ProjectUserWithoutOrganization, NotDashboardOwner, ViewOnly, PermissionDenied, NotFound, SharedDashboardReadOnly, MigratedToV2]),
    ),
)]
pub async fn remove_charts(
    State(app): State<App>,
    Authorized { caller, actor, body, unreadable, .. }: Sent,
) -> Result<Answer<RemovedCharts>> {
    let writer = Writer::v1(&caller);
    migrated::refuse(&app, &actor, &writer, Call::RemoveCharts, (&body, unreadable)).await?;
    let RemoveChartsBody { dashboard_id: dashboard, chart_ids, .. } = RemoveChartsBody::of(&body, &app.settings.limits)?;
    let charts = chart_bodies::each_once(chart_ids.0);
    let dashboard = writes::remove_charts(&app, &actor, &writer, named(dashboard), &charts).await;
    let dashboard = migrated::told(&app, &writer, Call::RemoveCharts, &body, dashboard).await?;
    Ok(Answer(RemovedCharts {
        message: chart_bodies::message("removed", charts.len()),
        removed_chart_ids: charts,
        dashboard_id: dashboard.v1_id(),
    }))
}
