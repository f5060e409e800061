//! `POST /v2/api/applications/{applicationId}/dashboards/{dashboardId}/charts/{chartId}/data`.

use super::ChartPath;
use crate::{
    access::{Authorized, HostOrViewer},
    applications,
    dashboards::{data, filters, find_chart},
    error::{Error, Result},
    projects,
    state::App,
    web::{Answer, Fields, Path, fields::FreeText},
};
use axum::extract::State;
use inlay_contract::data::ChartData;
use serde_json::{Map, Value};

/// The rows that the page draws, for headless hosts.
pub async fn chart_data(
    State(app): State<App>,
    Path(path): Path<ChartPath>,
    Authorized { caller, body, .. }: Authorized<HostOrViewer>,
) -> Result<Answer<ChartData>> {
    let mut fields = Fields::of(&body);
    let raw = fields.optional::<Map<String, Value>>("filters").unwrap_or_default();
    let database_auth = fields.optional::<FreeText>("dbAuthToken").map(|token| token.0);
    let timezone = fields.optional::<FreeText>("timezone").map(|zone| zone.0);
    fields.finish()?;
    let active = filters::read(&raw)?;
    let caller = match caller {
        HostOrViewer::Viewer(viewer) => HostOrViewer::Viewer(Box::new(viewer.with_database_auth(database_auth))),
        host @ HostOrViewer::Host(_) => host,
    };
    let application = applications::within(&app, caller.reach(), path.application_id).await?;
    let (dashboard, placed) = find_chart(&app, &application, &caller, path.dashboard_id, path.chart_id).await?;
    let project = projects::by_id(&app, application.project).await?.ok_or_else(|| Error::not_found("Project"))?;
    let context = data::security_context(&app, &caller).await?;
    let today = data::today(timezone.as_deref(), &project);
    data::rows(&app, &dashboard, &placed.chart, &context, &active, today).await.map(Answer)
}
