//! `GET /v2/api/applications`.

use crate::{
    concepts::{
        access::{Authorized, HostOrViewer},
        applications,
        dashboards::{self, writer::Writer},
    },
    ground::{error::Result, state::App, web::Answer},
};
use axum::extract::State;
use inlay_contract::ids::{ApplicationId, DashboardId, WorkspaceId};
use serde::Serialize;
use utoipa::ToSchema;

/// A list of applications.
#[derive(Debug, Serialize, ToSchema)]
pub struct Applications {
    applications: Vec<ListedApplication>,
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

/// Lists the applications of the key's organization, or of the project user's project.
#[utoipa::path(
    get,
    path = "/v2/api/applications",
    tag = "Applications and dashboards",
    operation_id = "listApplications",
    security(("apiKey" = []), ("userToken" = []), ("tenantToken" = [])),
    responses(
        (status = 200, body = Applications),
    ),
)]
pub async fn list(State(app): State<App>, Authorized { caller, .. }: Authorized<HostOrViewer>) -> Result<Answer<Applications>> {
    let writer = Writer::v2(&caller);
    let mut listed = Vec::new();
    for application in applications::list(&app, caller.reach()).await? {
        let dashboards = dashboards::list(&app, application.id, &writer).await?;
        let chosen = dashboards::default_of(&app, application.id, &writer).await?;
        listed.push(ListedApplication {
            application_id: application.id,
            legacy_workspace_id: application.workspace,
            default_dashboard_id: dashboards::opened_first(&application, chosen, &dashboards).map(|dashboard| dashboard.id),
            name: application.name,
        });
    }
    Ok(Answer(Applications { applications: listed }))
}
