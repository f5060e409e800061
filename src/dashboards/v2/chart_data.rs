//! `POST /v2/api/applications/{applicationId}/dashboards/{dashboardId}/charts/{chartId}/data`.

use super::ChartPath;
use crate::{
    access::{Authorized, HostOrViewer},
    applications,
    dashboards::{data, filters, find_chart},
    error::{Error, Result, refusals},
    projects,
    state::App,
    usage::Audience,
    web::{
        Answer, Path,
        body::{BodyObject, FreeText, body},
    },
};
use axum::extract::State;
use inlay_contract::data::ChartData;
use serde_json::{Map, Value};
use utoipa::ToSchema;

body! {
    /// What narrows the rows.
    struct ChartDataBody {
        /// Filters by the page's full keys: `filter_<key>` or `f_<connection>.<table>.<column>`. A value is a scalar, a list (any of), `{"from","to"}` or `{"relative":"last_7_days"}`. Unknown keys do nothing.
        filters: Option<Map<String, Value>>,
        /// What a database-native row policy reads.
        db_auth_token: Option<FreeText>,
        /// The IANA zone whose days count; the project's when it is left out.
        timezone: Option<FreeText>,
        /// Asks the database even if an answer is remembered.
        refresh: Option<bool>,
    }
}

/// The rows that the page draws, for headless hosts.
#[utoipa::path(
    post,
    path = "/v2/api/applications/{applicationId}/dashboards/{dashboardId}/charts/{chartId}/data",
    tag = "Applications and dashboards",
    params(ChartPath),
    request_body = ChartDataBody,
    security(("apiKey" = []), ("userToken" = []), ("tenantToken" = [])),
    responses(
        (status = 200, body = ChartData),
        (status = "default", description = refusals![NotFound, QueryFailed, RowRuleUnresolved, SourceUnavailable, QueryTimeout]),
    ),
)]
pub async fn chart_data(
    State(app): State<App>,
    Path(path): Path<ChartPath>,
    Authorized { caller, body, .. }: Authorized<HostOrViewer>,
) -> Result<Answer<ChartData>> {
    let sent = ChartDataBody::of(&body, &app.settings.limits)?;
    let active = filters::read(&sent.filters.unwrap_or_default())?;
    let database_auth = sent.db_auth_token.map(|token| token.0);
    let caller = match caller {
        HostOrViewer::Viewer(viewer) => HostOrViewer::Viewer(Box::new(viewer.with_database_auth(database_auth))),
        host @ HostOrViewer::Host(_) => host,
    };
    let application = applications::within(&app, caller.reach(), path.application_id).await?;
    let (dashboard, placed) = find_chart(&app, &application, &caller, path.dashboard_id, path.chart_id).await?;
    let project = projects::by_id(&app, application.project).await?.ok_or_else(|| Error::not_found("Project"))?;
    let context = data::security_context(&app, &caller).await?;
    let today = data::today(sent.timezone.as_ref().map(|zone| zone.0.as_str()), &project);
    let asking = data::Asking { today, refresh: sent.refresh.unwrap_or_default() };
    let rows = data::rows(&app, &dashboard, &placed.chart, &context, &active, asking).await;
    let audience = Audience::of_caller(&caller, application.project);
    app.usage.came(audience, placed.chart.id, rows.as_ref().map_err(|problem| problem.code));
    rows.map(Answer)
}
