//! `GET /v2/api/applications`.

use crate::{
    concepts::{
        access::{Authorized, HostOrViewer},
        applications::Application,
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
    #[schema(required = true)]
    default_dashboard_id: Option<DashboardId>,
    name: String,
}

impl From<Application> for ListedApplication {
    fn from(application: Application) -> Self {
        Self {
            application_id: application.id,
            legacy_workspace_id: application.workspace,
            default_dashboard_id: application.default_dashboard,
            name: application.name,
        }
    }
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
    let applications =
        crate::concepts::applications::list(&app, caller.reach()).await?.into_iter().map(ListedApplication::from).collect();
    Ok(Answer(Applications { applications }))
}
