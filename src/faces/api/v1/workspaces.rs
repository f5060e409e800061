//! `GET /v1/api/dashboard/list-workspaces`.

use crate::{
    concepts::{
        access::{Authorized, Host, caller::Reach},
        applications::{self, Application},
        dashboards, organizations, workspaces,
    },
    flows::v1_migration::calls::V1Calls,
    ground::{error::Result, state::App, web::Answer},
};
use axum::extract::State;
use inlay_contract::ids::{DashboardId, WorkspaceId};
use serde::Serialize;
use utoipa::ToSchema;

/// A list of workspaces.
#[derive(Debug, Serialize, ToSchema)]
pub struct Workspaces {
    workspaces: Vec<ListedWorkspace>,
}

/// A workspace with its default dashboard, if it has one.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedWorkspace {
    workspace_id: WorkspaceId,
    #[schema(required = true)]
    dashboard_id: Option<DashboardId>,
    #[schema(required = true)]
    dashboard_name: Option<String>,
}

/// Lists the workspaces of the organization.
///
/// After the migration is finalized, every application is listed once in the v1 format: the oldest of a workspace under the workspace's id, every other
/// under its own id.
#[utoipa::path(
    get,
    path = "/v1/api/dashboard/list-workspaces",
    tag = "v1 dashboards",
    security(("apiKey" = []), ("memberToken" = [])),
    responses(
        (status = 200, body = Workspaces),
    ),
)]
pub async fn list_workspaces(
    State(app): State<App>,
    Authorized { caller, actor, .. }: Authorized<Host>,
) -> Result<Answer<Workspaces>> {
    app.part::<V1Calls>().note(actor.organization, actor.who, "list-workspaces");
    let applications = applications::list(&app, Reach::Organization(caller.organization)).await?;
    let finalized = organizations::find(&mut app.db.read().await?.conn(), caller.organization).await?.migration_finalized;
    let mut listed = Vec::new();
    if finalized {
        for application in &applications {
            let of_workspace = application.workspace.filter(|_| applications::stands_for_workspace(application, &applications));
            let id = of_workspace.unwrap_or(WorkspaceId(application.id.0));
            listed.push(entry(&app, id, Some(application)).await?);
        }
        return Ok(Answer(Workspaces { workspaces: listed }));
    }
    for workspace in workspaces::of_organization(&mut app.db.read().await?.conn(), caller.organization).await? {
        let own = |application: &&Application| {
            application.workspace == Some(workspace.id) && applications::stands_for_workspace(application, &applications)
        };
        listed.push(entry(&app, workspace.id, applications.iter().find(own)).await?);
    }
    Ok(Answer(Workspaces { workspaces: listed }))
}

async fn entry(app: &App, workspace: WorkspaceId, application: Option<&Application>) -> Result<ListedWorkspace> {
    let first = match application {
        Some(application) => dashboards::first_shared(app, application).await?,
        None => None,
    };
    Ok(ListedWorkspace {
        workspace_id: workspace,
        dashboard_id: first.as_ref().map(dashboards::Dashboard::v1_id),
        dashboard_name: first.map(|dashboard| dashboard.name),
    })
}
