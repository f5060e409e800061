//! The v2 writes: create, clone, add charts, append charts, remove a chart.

use super::{ApplicationPath, ChartPath, DashboardPath, Kind};
use crate::{
    concepts::{
        access::{Authorized, HostOrViewer},
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
            Answer, Path,
            body::{BodyObject, Charts, Integer, Switch, Text, Written, body},
        },
    },
};
use axum::extract::State;
use inlay_contract::ids::{ApplicationId, ChartId, DashboardId};
use serde::Serialize;
use utoipa::ToSchema;

/// A created dashboard.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MadeDashboard {
    application_id: ApplicationId,
    dashboard_id: DashboardId,
    name: String,
    #[schema(value_type = Kind)]
    kind: &'static str,
}

impl From<Dashboard> for MadeDashboard {
    fn from(made: Dashboard) -> Self {
        Self { application_id: made.application, dashboard_id: made.id, kind: made.owner.kind(), name: made.name }
    }
}

/// Added charts.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddedCharts {
    dashboard_id: DashboardId,
    added_chart_ids: Vec<ChartId>,
    message: String,
}

impl AddedCharts {
    fn of((dashboard, added): (Dashboard, Vec<ChartId>)) -> Self {
        Self { dashboard_id: dashboard.id, message: chart_bodies::message("added", added.len()), added_chart_ids: added }
    }
}

/// A removed chart.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemovedChart {
    dashboard_id: DashboardId,
    removed_chart_id: ChartId,
}

impl DashboardPath {
    const fn named(&self) -> DashboardRef {
        DashboardRef { application: Some(self.application_id), dashboard: self.dashboard_id }
    }
}

body! {
    /// A dashboard to create.
    struct CreateBody {
        /// Its name.
        name: Text,
    }
}

/// Creates an empty dashboard.
#[utoipa::path(
    post,
    path = "/v2/api/applications/{applicationId}/dashboards",
    tag = "Applications and dashboards",
    operation_id = "createDashboard",
    params(ApplicationPath),
    request_body = CreateBody,
    security(("apiKey" = []), ("userToken" = []), ("tenantToken" = [])),
    responses(
        (status = 200, body = MadeDashboard),
        (status = "default", description = refusals![ProjectUserWithoutOrganization, ViewOnly, PermissionDenied, NotFound]),
    ),
)]
pub async fn create(
    State(app): State<App>,
    Path(path): Path<ApplicationPath>,
    Authorized { caller, actor, body, .. }: Authorized<HostOrViewer>,
) -> Result<Answer<MadeDashboard>> {
    let CreateBody { name: Text(name) } = CreateBody::of(&body, &app.settings.limits)?;
    let made = writes::create(&app, &actor, &Writer::v2(&caller), Home::Application(path.application_id), &name).await?;
    Ok(Answer(made.into()))
}

body! {
    /// Settings of the copy.
    struct CloneBody {
        /// Its name. Without one, or with an empty one: `[original name] (Copy)`.
        name: Written<512>,
        /// Whether a project user's first copy of a shared dashboard replaces the original in their list.
        replace: Switch<true>,
    }
}

/// Copies a dashboard.
///
/// With `replace: false` the copy of a shared dashboard never replaces the original.
#[utoipa::path(
    post,
    path = "/v2/api/applications/{applicationId}/dashboards/{dashboardId}/clone",
    tag = "Applications and dashboards",
    operation_id = "cloneDashboard",
    params(DashboardPath),
    request_body = CloneBody,
    security(("apiKey" = []), ("userToken" = []), ("tenantToken" = [])),
    responses(
        (status = 200, body = MadeDashboard),
        (status = "default", description = refusals![ProjectUserWithoutOrganization, ViewOnly, PermissionDenied, NotFound]),
    ),
)]
pub async fn clone(
    State(app): State<App>,
    Path(path): Path<DashboardPath>,
    Authorized { caller, actor, body, .. }: Authorized<HostOrViewer>,
) -> Result<Answer<MadeDashboard>> {
    let CloneBody { name, replace } = CloneBody::of(&body, &app.settings.limits)?;
    let request = CloneRequest { name: name.0, workspace: None, beside: !replace.0 };
    let made = writes::clone(&app, &actor, &Writer::v2(&caller), path.named(), request).await?;
    Ok(Answer(made.into()))
}

body! {
    /// Charts to copy onto the dashboard.
    struct AddChartsBody {
        /// The charts, in order.
        charts: Charts<PickedChart>,
    }
}

body! {
    /// A chart, in its newest or another version.
    struct PickedChart {
        /// The chart, in the library or on a dashboard.
        chart_id: ChartId,
        /// Its version. Defaults to the newest.
        chart_version: Option<Integer<1>>,
    }
}

/// Adds copies of charts.
#[utoipa::path(
    post,
    path = "/v2/api/applications/{applicationId}/dashboards/{dashboardId}/charts",
    tag = "Applications and dashboards",
    operation_id = "addCharts",
    params(DashboardPath),
    request_body = AddChartsBody,
    security(("apiKey" = []), ("userToken" = []), ("tenantToken" = [])),
    responses(
        (status = 200, body = AddedCharts),
        (status = "default", description = refusals![ProjectUserWithoutOrganization, NotDashboardOwner, ViewOnly, PermissionDenied, NotFound, SharedDashboardReadOnly]),
    ),
)]
pub async fn add_charts(
    State(app): State<App>,
    Path(path): Path<DashboardPath>,
    Authorized { caller, actor, body, .. }: Authorized<HostOrViewer>,
) -> Result<Answer<AddedCharts>> {
    let AddChartsBody { charts: Charts(charts) } = AddChartsBody::of(&body, &app.settings.limits)?;
    let pick = |chart: PickedChart| Pick { chart: chart.chart_id, version: chart.chart_version.map(|version| version.0) };
    let picks: Vec<Pick> = charts.into_iter().map(pick).collect();
    let added = writes::add_charts(&app, &actor, &Writer::v2(&caller), path.named(), &picks).await?;
    Ok(Answer(AddedCharts::of(added)))
}

body! {
    /// The dashboard to copy from.
    struct AppendChartsBody {
        /// The dashboard whose charts are copied.
        source_dashboard_id: DashboardId,
    }
}

/// Adds copies of all charts of another dashboard.
#[utoipa::path(
    post,
    path = "/v2/api/applications/{applicationId}/dashboards/{dashboardId}/append-charts",
    tag = "Applications and dashboards",
    operation_id = "appendCharts",
    params(DashboardPath),
    request_body = AppendChartsBody,
    security(("apiKey" = []), ("userToken" = []), ("tenantToken" = [])),
    responses(
        (status = 200, body = AddedCharts),
        (status = "default", description = refusals![ProjectUserWithoutOrganization, NotDashboardOwner, ViewOnly, PermissionDenied, NotFound, SharedDashboardReadOnly]),
    ),
)]
pub async fn append_charts(
    State(app): State<App>,
    Path(path): Path<DashboardPath>,
    Authorized { caller, actor, body, .. }: Authorized<HostOrViewer>,
) -> Result<Answer<AddedCharts>> {
    let AppendChartsBody { source_dashboard_id: source } = AppendChartsBody::of(&body, &app.settings.limits)?;
    let added = writes::append_charts(&app, &actor, &Writer::v2(&caller), path.named(), source).await?;
    Ok(Answer(AddedCharts::of(added)))
}

/// Removes a chart from a dashboard.
///
/// The chart itself is kept.
#[utoipa::path(
    delete,
    path = "/v2/api/applications/{applicationId}/dashboards/{dashboardId}/charts/{chartId}",
    tag = "Applications and dashboards",
    operation_id = "removeChart",
    params(ChartPath),
    security(("apiKey" = []), ("userToken" = []), ("tenantToken" = [])),
    responses(
        (status = 200, body = RemovedChart),
        (status = "default", description = refusals![ProjectUserWithoutOrganization, NotDashboardOwner, ViewOnly, PermissionDenied, NotFound, SharedDashboardReadOnly]),
    ),
)]
pub async fn remove_chart(
    State(app): State<App>,
    Path(path): Path<ChartPath>,
    Authorized { caller, actor, .. }: Authorized<HostOrViewer>,
) -> Result<Answer<RemovedChart>> {
    let named = DashboardRef { application: Some(path.application_id), dashboard: path.dashboard_id };
    let dashboard = writes::remove_charts(&app, &actor, &Writer::v2(&caller), named, &[path.chart_id]).await?;
    Ok(Answer(RemovedChart { dashboard_id: dashboard.id, removed_chart_id: path.chart_id }))
}
