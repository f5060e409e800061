//! The five v1 writes: create, clone, add-charts, append-charts-from, remove-charts.

use super::migrated::{self, Call};
use crate::{
    access::{Authorized, TenantOrHost, credential::HeaderOrBody},
    dashboards::{
        Dashboard, bodies,
        writer::Writer,
        writes::{self, CloneRequest, Home, Named},
    },
    error::Result,
    state::App,
    web::{Answer, Fields, fields::Text},
};
use axum::extract::State;
use inlay_contract::ids::{ChartId, DashboardId, WorkspaceId};
use serde::Serialize;

/// Who calls, with the body.
type Sent = Authorized<TenantOrHost, HeaderOrBody>;

/// A dashboard that was made.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
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
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
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
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RemovedCharts {
    message: String,
    removed_chart_ids: Vec<ChartId>,
    dashboard_id: DashboardId,
}

const fn named(dashboard: DashboardId) -> Named {
    Named { application: None, dashboard }
}

/// Makes an empty dashboard in a workspace.
pub async fn create(State(app): State<App>, Authorized { caller, actor, body, .. }: Sent) -> Result<Answer<MadeDashboard>> {
    let mut fields = Fields::of(&body);
    let workspace = fields.required::<WorkspaceId>("workspaceId");
    let name = fields.required::<Text>("name");
    let (workspace, name) = fields.finish_with(workspace.zip(name))?;
    let writer = Writer::v1(&caller);
    migrated::refuse(&app, &writer, Call::Create { workspace }).await?;
    let made = writes::create(&app, &actor, &writer, Home::Workspace(workspace), &name.0).await?;
    Ok(Answer(made.into()))
}

/// Copies a dashboard with its charts, into the same or another workspace.
pub async fn clone(State(app): State<App>, Authorized { caller, actor, body, .. }: Sent) -> Result<Answer<MadeDashboard>> {
    let mut fields = Fields::of(&body);
    let source = fields.required::<DashboardId>("sourceDashboardId");
    let workspace = fields.optional::<WorkspaceId>("targetWorkspaceId");
    let name = fields.optional::<Text>("name").map(|name| name.0);
    let source = fields.finish_with(source)?;
    let writer = Writer::v1(&caller);
    migrated::refuse(&app, &writer, Call::Clone { source }).await?;
    let request = CloneRequest { name, workspace, beside: false };
    let made = writes::clone(&app, &actor, &writer, named(source), request).await?;
    Ok(Answer(made.into()))
}

/// Adds copies of charts at the bottom.
pub async fn add_charts(State(app): State<App>, Authorized { caller, actor, body, .. }: Sent) -> Result<Answer<AddedCharts>> {
    let mut fields = Fields::of(&body);
    let target = fields.required::<DashboardId>("targetDashboardId");
    let picks = bodies::picks(&mut fields, app.settings.limits.max_charts, bodies::Version::Required);
    let (target, picks) = fields.finish_with(target.zip(picks))?;
    let writer = Writer::v1(&caller);
    migrated::refuse(&app, &writer, Call::AddCharts { target }).await?;
    let added = writes::add_charts(&app, &actor, &writer, named(target), &picks).await?;
    Ok(Answer(AddedCharts::of(added)))
}

/// Adds copies of all charts of another dashboard below those that are there.
pub async fn append_charts_from(
    State(app): State<App>,
    Authorized { caller, actor, body, .. }: Sent,
) -> Result<Answer<AddedCharts>> {
    let mut fields = Fields::of(&body);
    let source = fields.required::<DashboardId>("sourceDashboardId");
    let target = fields.required::<DashboardId>("targetDashboardId");
    let (source, target) = fields.finish_with(source.zip(target))?;
    let writer = Writer::v1(&caller);
    migrated::refuse(&app, &writer, Call::AppendChartsFrom { target }).await?;
    let added = writes::append_charts(&app, &actor, &writer, named(target), source).await?;
    Ok(Answer(AddedCharts::of(added)))
}

/// Takes charts off a dashboard; their records stay in the library.
pub async fn remove_charts(
    State(app): State<App>,
    Authorized { caller, actor, body, .. }: Sent,
) -> Result<Answer<RemovedCharts>> {
    let mut fields = Fields::of(&body);
    let dashboard = fields.required::<DashboardId>("dashboardId");
    let charts = bodies::chart_ids(&mut fields, app.settings.limits.max_charts);
    let (dashboard, charts) = fields.finish_with(dashboard.zip(charts))?;
    let writer = Writer::v1(&caller);
    migrated::refuse(&app, &writer, Call::RemoveCharts { dashboard, first: charts.first().copied() }).await?;
    let dashboard = writes::remove_charts(&app, &actor, &writer, named(dashboard), &charts).await?;
    Ok(Answer(RemovedCharts {
        message: bodies::message("removed", charts.len()),
        removed_chart_ids: charts,
        dashboard_id: dashboard.v1_id(),
    }))
}
