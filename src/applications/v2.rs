//! `GET /v2/api/applications`.

use super::Application;
use crate::{
    access::{Authorized, HostOrViewer},
    error::Result,
    state::App,
    web::Answer,
};
use axum::extract::State;
use inlay_contract::ids::{ApplicationId, DashboardId, WorkspaceId};
use serde::Serialize;

/// A list of applications.
#[derive(Debug, Serialize)]
pub struct Applications {
    applications: Vec<ListedApplication>,
}

/// An application in a list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedApplication {
    application_id: ApplicationId,
    legacy_workspace_id: Option<WorkspaceId>,
    default_dashboard_id: Option<DashboardId>,
    name: String,
}

impl From<Application> for ListedApplication {
    fn from(application: Application) -> Self {
        Self {
            application_id: application.id,
            legacy_workspace_id: application.legacy_workspace,
            default_dashboard_id: application.default_dashboard,
            name: application.name,
        }
    }
}

/// Lists the applications of the key's organization, or of the project user's project.
pub async fn list(State(app): State<App>, Authorized { caller, .. }: Authorized<HostOrViewer>) -> Result<Answer<Applications>> {
    let applications = super::list(&app, caller.reach()).await?.into_iter().map(ListedApplication::from).collect();
    Ok(Answer(Applications { applications }))
}
