//! The five v1 writes: create, clone, add-charts, append-charts-from, remove-charts.

use super::migrated::{self, Call};
use crate::{
    access::{Authorized, TenantOrHost, credential::HeaderOrBody},
    dashboards::{
        Dashboard, bodies,
        writer::Writer,
        writes::{self, CloneRequest, Home, Named},
    },
    error::{Result, refusals},
    state::App,
    web::{Answer, Fields, fields::Text},
};
use axum::extract::State;
use inlay_contract::ids::{ChartId, DashboardId, WorkspaceId};
use serde::Serialize;
use utoipa::ToSchema;

/// Who calls, with the body.
type Sent = Authorized<TenantOrHost, HeaderOrBody>;

/// A dashboard that was made.
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

/// Charts that were added.
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
        Self { message: bodies::message("added", added.len()), added_chart_ids: added, dashboard_id: dashboard.v1_id() }
    }
}

/// Charts that were taken off.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = v1::RemovedCharts)]
pub struct RemovedCharts {
    message: String,
    removed_chart_ids: Vec<ChartId>,
    dashboard_id: DashboardId,
}

const fn named(dashboard: DashboardId) -> Named {
    Named { application: None, dashboard }
}

/// A dashboard to make.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", as = v1::CreateBody)]
#[expect(dead_code, reason = "describes the body that the handler reads")]
struct CreateBody {
    /// The workspace that it belongs to.
    workspace_id: WorkspaceId,
    /// Its name.
    #[schema(min_length = 1, max_length = 512)]
    name: String,
    /// The connection that a guest has access to. Read for the older component's sake; the dashboard decides.
    connection_id: Option<String>,
}

/// Makes an empty dashboard in a workspace.
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
pub async fn create(State(app): State<App>, Authorized { caller, actor, body, .. }: Sent) -> Result<Answer<MadeDashboard>> {
    let mut fields = Fields::of(&body);
    let workspace = fields.required::<WorkspaceId>("workspaceId");
    let name = fields.required::<Text>("name");
    let (workspace, name) = fields.finish_with(workspace.zip(name))?;
    let writer = Writer::v1(&caller);
    migrated::refuse(&app, &actor, &writer, Call::Create { workspace }).await?;
    let made = writes::create(&app, &actor, &writer, Home::Workspace(workspace), &name.0).await?;
    Ok(Answer(made.into()))
}

/// A dashboard to copy.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", as = v1::CloneBody)]
#[expect(dead_code, reason = "describes the body that the handler reads")]
struct CloneBody {
    /// The original.
    source_dashboard_id: DashboardId,
    /// The workspace that the copy goes to; the original's when it is left out.
    target_workspace_id: Option<WorkspaceId>,
    /// Its name; `[original name] (Copy)` when it is left out.
    #[schema(min_length = 1, max_length = 512)]
    name: Option<String>,
    /// The connection that a guest has access to. Read for the older component's sake; the dashboard decides.
    connection_id: Option<String>,
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
pub async fn clone(State(app): State<App>, Authorized { caller, actor, body, .. }: Sent) -> Result<Answer<MadeDashboard>> {
    let mut fields = Fields::of(&body);
    let source = fields.required::<DashboardId>("sourceDashboardId");
    let workspace = fields.optional::<WorkspaceId>("targetWorkspaceId");
    let name = fields.optional::<Text>("name").map(|name| name.0);
    let source = fields.finish_with(source)?;
    let writer = Writer::v1(&caller);
    migrated::refuse(&app, &actor, &writer, Call::Clone { source }).await?;
    let request = CloneRequest { name, workspace, beside: false };
    let made = writes::clone(&app, &actor, &writer, named(source), request).await?;
    Ok(Answer(made.into()))
}

/// Charts to copy onto a dashboard.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", as = v1::AddChartsBody)]
#[expect(dead_code, reason = "describes the body that the handler reads")]
struct AddChartsBody {
    /// The dashboard.
    target_dashboard_id: DashboardId,
    /// The charts, in order.
    #[schema(min_items = 1)]
    charts: Vec<PickedChart>,
    /// The connection that a guest has access to. Read for the older component's sake; the dashboard decides.
    connection_id: Option<String>,
}

/// A chart in a version.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", as = v1::PickedChart)]
#[expect(dead_code, reason = "describes the body that the handler reads")]
struct PickedChart {
    /// The chart, in the library or on a dashboard.
    chart_id: ChartId,
    /// Its version.
    #[schema(minimum = 1)]
    chart_version: i64,
}

/// Adds copies of charts at the bottom.
#[utoipa::path(
    post,
    path = "/v1/api/dashboard/add-charts",
    tag = "v1 dashboards",
    operation_id = "v1AddCharts",
    request_body = AddChartsBody,
    security(("apiKey" = []), ("memberToken" = []), ("tenantToken" = []), ("userToken" = []), ()),
    responses(
        (status = 200, body = AddedCharts),
        (status = "default", description = refusals![NotDashboardOwner, ViewOnly, PermissionDenied, NotFound, SharedDashboardReadOnly, MigratedToV2]),
    ),
)]
pub async fn add_charts(State(app): State<App>, Authorized { caller, actor, body, .. }: Sent) -> Result<Answer<AddedCharts>> {
    let mut fields = Fields::of(&body);
    let target = fields.required::<DashboardId>("targetDashboardId");
    let picks = bodies::picks(&mut fields, app.settings.limits.max_charts, bodies::Version::Required);
    let (target, picks) = fields.finish_with(target.zip(picks))?;
    let writer = Writer::v1(&caller);
    migrated::refuse(&app, &actor, &writer, Call::AddCharts { target }).await?;
    let added = writes::add_charts(&app, &actor, &writer, named(target), &picks).await?;
    Ok(Answer(AddedCharts::of(added)))
}

/// Two dashboards.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", as = v1::AppendChartsBody)]
#[expect(dead_code, reason = "describes the body that the handler reads")]
struct AppendChartsBody {
    /// Whose charts are copied.
    source_dashboard_id: DashboardId,
    /// Where they go.
    target_dashboard_id: DashboardId,
    /// The connection that a guest has access to. Read for the older component's sake; the dashboard decides.
    connection_id: Option<String>,
}

/// Adds copies of all charts of another dashboard below those that are there.
#[utoipa::path(
    post,
    path = "/v1/api/dashboard/append-charts-from",
    tag = "v1 dashboards",
    operation_id = "v1AppendChartsFrom",
    request_body = AppendChartsBody,
    security(("apiKey" = []), ("memberToken" = []), ("tenantToken" = []), ("userToken" = []), ()),
    responses(
        (status = 200, body = AddedCharts),
        (status = "default", description = refusals![NotDashboardOwner, ViewOnly, PermissionDenied, NotFound, SharedDashboardReadOnly, MigratedToV2]),
    ),
)]
pub async fn append_charts_from(
    State(app): State<App>,
    Authorized { caller, actor, body, .. }: Sent,
) -> Result<Answer<AddedCharts>> {
    let mut fields = Fields::of(&body);
    let source = fields.required::<DashboardId>("sourceDashboardId");
    let target = fields.required::<DashboardId>("targetDashboardId");
    let (source, target) = fields.finish_with(source.zip(target))?;
    let writer = Writer::v1(&caller);
    migrated::refuse(&app, &actor, &writer, Call::AppendChartsFrom { target }).await?;
    let added = writes::append_charts(&app, &actor, &writer, named(target), source).await?;
    Ok(Answer(AddedCharts::of(added)))
}

/// Charts to take off a dashboard.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase", as = v1::RemoveChartsBody)]
#[expect(dead_code, reason = "describes the body that the handler reads")]
struct RemoveChartsBody {
    /// The dashboard.
    dashboard_id: DashboardId,
    /// The charts, all taken off or none.
    #[schema(min_items = 1)]
    chart_ids: Vec<ChartId>,
    /// The connection that a guest has access to. Read for the older component's sake; the dashboard decides.
    connection_id: Option<String>,
}

/// Takes charts off a dashboard; their records stay in the library.
#[utoipa::path(
    post,
    path = "/v1/api/dashboard/remove-charts",
    tag = "v1 dashboards",
    operation_id = "v1RemoveCharts",
    request_body = RemoveChartsBody,
    security(("apiKey" = []), ("memberToken" = []), ("tenantToken" = []), ("userToken" = []), ()),
    responses(
        (status = 200, body = RemovedCharts),
        (status = "default", description = refusals![NotDashboardOwner, ViewOnly, PermissionDenied, NotFound, SharedDashboardReadOnly, MigratedToV2]),
    ),
)]
pub async fn remove_charts(
    State(app): State<App>,
    Authorized { caller, actor, body, .. }: Sent,
) -> Result<Answer<RemovedCharts>> {
    let mut fields = Fields::of(&body);
    let dashboard = fields.required::<DashboardId>("dashboardId");
    let charts = bodies::chart_ids(&mut fields, app.settings.limits.max_charts);
    let (dashboard, charts) = fields.finish_with(dashboard.zip(charts))?;
    let writer = Writer::v1(&caller);
    migrated::refuse(&app, &actor, &writer, Call::RemoveCharts { dashboard, first: charts.first().copied() }).await?;
    let dashboard = writes::remove_charts(&app, &actor, &writer, named(dashboard), &charts).await?;
    Ok(Answer(RemovedCharts {
        message: bodies::message("removed", charts.len()),
        removed_chart_ids: charts,
        dashboard_id: dashboard.v1_id(),
    }))
}
