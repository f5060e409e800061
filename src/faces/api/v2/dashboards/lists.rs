//! `GET /v2/api/applications/{applicationId}/dashboards`, `GET /v2/api/dashboards/lookup`.

use super::{ApplicationPath, Kind};
use crate::{
    concepts::{
        access::{Authorized, HostOrViewer},
        applications,
        dashboards::{self, Dashboard, lists, writer::Writer},
    },
    ground::{
        error::{Result, refusals},
        state::App,
        time::Timestamp,
        web::{
            Answer, Path,
            body::{BodyObject, body},
            paging::PageQuery,
        },
    },
};
use axum::extract::State;
use inlay_contract::ids::{ApplicationId, DashboardId, ProjectUserId};
use serde::Serialize;
use utoipa::ToSchema;

/// A list of dashboards.
#[derive(Debug, Serialize, ToSchema)]
pub struct Dashboards {
    dashboards: Vec<ListedDashboard>,
    /// `after` of the next part. Missing at the end of the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// A dashboard in a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedDashboard {
    id: DashboardId,
    #[schema(required = true)]
    legacy_dashboard_id: Option<DashboardId>,
    #[schema(value_type = Kind)]
    kind: &'static str,
    #[schema(required = true)]
    owner_project_user_id: Option<ProjectUserId>,
    name: String,
    created_at: Timestamp,
    /// Whether the caller's page opens it first.
    is_default: bool,
    #[schema(required = true)]
    replaces_dashboard_id: Option<DashboardId>,
}

impl ListedDashboard {
    fn of(dashboard: Dashboard, opened: Option<DashboardId>) -> Self {
        Self {
            id: dashboard.id,
            legacy_dashboard_id: dashboard.legacy_id,
            kind: dashboard.owner.kind(),
            owner_project_user_id: dashboard.owner.user(),
            created_at: dashboard.created_at,
            is_default: opened == Some(dashboard.id),
            replaces_dashboard_id: dashboard.replaces,
            name: dashboard.name,
        }
    }
}

/// The list in cursors.
const LIST: &str = "dashboards";

/// Lists the dashboards of an application as the caller sees them.
///
/// At most 500 at a time.
#[utoipa::path(
    get,
    path = "/v2/api/applications/{applicationId}/dashboards",
    tag = "Applications and dashboards",
    operation_id = "listDashboards",
    params(ApplicationPath, PageQuery),
    security(("apiKey" = []), ("userToken" = []), ("tenantToken" = [])),
    responses(
        (status = 200, body = Dashboards),
        (status = "default", description = refusals![NotFound]),
    ),
)]
pub async fn list(
    State(app): State<App>,
    Path(path): Path<ApplicationPath>,
    Authorized { caller, body, .. }: Authorized<HostOrViewer>,
) -> Result<Answer<Dashboards>> {
    let page = PageQuery::read(&body, &app.settings.limits)?;
    let after = page.after(LIST)?;
    let application = applications::within(&app, caller.reach(), path.application_id).await?;
    let writer = Writer::v2(&caller);
    let part = lists::part(&app, application.id, &writer, after, page.most()).await?;
    let opened = lists::opened_first(&mut app.db.read().await?.conn(), &application, &writer).await?;
    let opened = opened.map(|dashboard| dashboard.id);
    let (dashboards, next) = part.answer(LIST, |dashboard| ListedDashboard::of(dashboard, opened))?;
    Ok(Answer(Dashboards { dashboards, next }))
}

/// The address of a dashboard.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DashboardAddress {
    application_id: ApplicationId,
    dashboard_id: DashboardId,
}

body! {
    /// The dashboard to look up.
    struct LookUpQuery {
        /// Its v1 or v2 id.
        dashboard_id: DashboardId,
    }
}

/// Resolves a dashboard's v1 or v2 id to its v2 address.
///
/// An API key finds every dashboard of its organization.
#[utoipa::path(
    get,
    path = "/v2/api/dashboards/lookup",
    tag = "Applications and dashboards",
    operation_id = "lookUpDashboard",
    params(LookUpQuery),
    security(("apiKey" = []), ("userToken" = []), ("tenantToken" = [])),
    responses(
        (status = 200, body = DashboardAddress),
        (status = "default", description = refusals![NotFound]),
    ),
)]
pub async fn look_up(
    State(app): State<App>,
    Authorized { caller, body, .. }: Authorized<HostOrViewer>,
) -> Result<Answer<DashboardAddress>> {
    let LookUpQuery { dashboard_id: id } = LookUpQuery::of(&body, &app.settings.limits)?;
    let found = dashboards::look_up(&app, &Writer::v2(&caller), id).await?;
    Ok(Answer(DashboardAddress { application_id: found.application, dashboard_id: found.id }))
}
