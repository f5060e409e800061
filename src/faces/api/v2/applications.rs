//! `GET /v2/api/applications`.

use crate::{
    concepts::{
        access::{Authorized, HostOrViewer},
        applications,
        dashboards::{lists, writer::Writer},
    },
    ground::{
        error::Result,
        state::App,
        web::{Answer, paging::PageQuery},
    },
};
use axum::extract::State;
use inlay_contract::ids::{ApplicationId, DashboardId, WorkspaceId};
use serde::Serialize;
use utoipa::ToSchema;

/// A list of applications.
#[derive(Debug, Serialize, ToSchema)]
pub struct Applications {
    applications: Vec<ListedApplication>,
    /// `after` of the next part. Missing at the end of the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// An application in a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedApplication {
    application_id: ApplicationId,
    #[schema(required = true)]
    legacy_workspace_id: Option<WorkspaceId>,
    /// The dashboard that the caller's page opens first.
    #[schema(required = true)]
    default_dashboard_id: Option<DashboardId>,
    name: String,
}

/// The list in cursors.
const LIST: &str = "applications";

/// Lists the applications of the key's organization, or of the project user's project.
///
/// At most 500 at a time.
#[utoipa::path(
    get,
    path = "/v2/api/applications",
    tag = "Applications and dashboards",
    operation_id = "listApplications",
    params(PageQuery),
    security(("apiKey" = []), ("userToken" = []), ("tenantToken" = [])),
    responses(
        (status = 200, body = Applications),
    ),
)]
pub async fn list(
    State(app): State<App>,
    Authorized { caller, body, .. }: Authorized<HostOrViewer>,
) -> Result<Answer<Applications>> {
    let page = PageQuery::read(&body, &app.settings.limits)?;
    let writer = Writer::v2(&caller);
    let part = applications::list(&app, caller.reach(), page.after(LIST)?, page.most()).await?;
    let (applications, next) = part.answer(LIST, |application| application)?;
    let mut listed = Vec::with_capacity(applications.len());
    for application in applications {
        let opened = lists::opened_first(&mut app.db.read().await?.conn(), &application, &writer).await?;
        listed.push(ListedApplication {
            application_id: application.id,
            legacy_workspace_id: application.workspace,
            default_dashboard_id: opened.map(|dashboard| dashboard.id),
            name: application.name,
        });
    }
    Ok(Answer(Applications { applications: listed, next }))
}
