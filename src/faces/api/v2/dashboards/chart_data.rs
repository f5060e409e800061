//! `POST /v2/api/applications/{applicationId}/dashboards/{dashboardId}/charts/{chartId}/data`.

use super::ChartPath;
use crate::{
    concepts::{
        access::{Authorized, HostOrViewer},
        dashboards::{
            SeenChart,
            data::{self, View},
            filters,
            prepared::PreparedChart,
            see_chart,
        },
        usage::{Audience, Counted},
    },
    ground::{
        error::{Result, refusals},
        state::App,
        web::{
            Path,
            body::{BodyObject, FreeText, body},
            rows,
        },
    },
};
use axum::{extract::State, response::Response};
use inlay_contract::data::ChartData;
use serde_json::{Map, Value};

body! {
    /// Filters and settings of the query.
    struct ChartDataBody {
        /// Filters by the page's full keys: `filter_<key>` or `f_<connection>.<table>.<column>`. A value is a scalar, a list
        /// (any of), `{"from","to"}` or `{"relative":"last_7_days"}`. Unknown keys are ignored.
        filters: Option<Map<String, Value>>,
        /// Token for a database's own row policies.
        db_auth_token: Option<FreeText>,
        /// IANA time zone for dates and times. Defaults to the project's.
        timezone: Option<FreeText>,
        /// Whether to query the database even if a result is cached.
        refresh: Option<bool>,
    }
}

/// Returns the rows that the page draws, for headless hosts.
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
) -> Result<Response> {
    let sent = ChartDataBody::of(&body, &app.settings.limits)?;
    let active = filters::read(&sent.filters.unwrap_or_default())?;
    let database_auth = sent.db_auth_token.map(|token| token.0);
    let caller = match caller {
        HostOrViewer::Viewer(viewer) => HostOrViewer::Viewer(Box::new(viewer.with_database_auth(database_auth))),
        host @ HostOrViewer::Host(_) => host,
    };
    let ChartPath { application_id, dashboard_id, chart_id } = path;
    let SeenChart { project, filters: own, chart: (of, version), context } =
        see_chart(&app, &caller, application_id, dashboard_id, chart_id).await?;
    let today = data::today(sent.timezone.as_ref().map(|zone| zone.0.as_str()), &project);
    let counted = Counted::chart(Audience::of_caller(&caller, project.id));
    let prepared = PreparedChart::of_version(&app, of, chart_id, version).await;
    let view =
        View { app, own, context, filters: active, today, refresh: sent.refresh.unwrap_or_default(), stale: true, counted };
    rows::answer(view.answer(chart_id, prepared).await?).await
}
