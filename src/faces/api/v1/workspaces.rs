//! `GET /v1/api/dashboard/list-workspaces`.

use crate::{
    concepts::{
        access::{Authorized, Host, caller::Reach},
        applications::{self, Application},
        dashboards, organizations, workspaces,
    },
    flows::v1_migration::calls::V1Calls,
    ground::{
        error::Result,
        paging,
        state::App,
        web::{Answer, paging::PageQuery},
    },
};
use axum::extract::State;
use inlay_contract::ids::{DashboardId, WorkspaceId};
use serde::Serialize;
use utoipa::ToSchema;

/// A list of workspaces.
#[derive(Debug, Serialize, ToSchema)]
pub struct Workspaces {
    workspaces: Vec<ListedWorkspace>,
    /// `after` of the next part. Missing at the end of the list, and where no part was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
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
/// After the migration is finalized, every application is listed once in the v1 format: the oldest of a workspace under the
/// workspace's id, every other under its own id.
///
/// All of them by name, unless `limit` or `after` asks for a part: parts are in the order of the ids.
#[utoipa::path(
    get,
    path = "/v1/api/dashboard/list-workspaces",
    tag = "v1 dashboards",
    params(PageQuery),
    security(("apiKey" = []), ("memberToken" = [])),
    responses(
        (status = 200, body = Workspaces),
    ),
)]
pub async fn list_workspaces(
    State(app): State<App>,
    Authorized { caller, actor, body, .. }: Authorized<Host>,
) -> Result<Answer<Workspaces>> {
    app.part::<V1Calls>().note(actor.organization, actor.who, "list-workspaces");
    let page = PageQuery::read(&body, &app.settings.limits)?;
    let after: Option<WorkspaceId> = page.after(LIST)?;
    let applications = applications::all(&app, Reach::Organization(caller.organization)).await?;
    let finalized = organizations::find(&mut app.db.read().await?.conn(), caller.organization).await?.migration_finalized;
    let mut all: Vec<(WorkspaceId, Option<&Application>)> = if finalized {
        let id = |application: &Application| {
            let of_workspace = application.workspace.filter(|_| applications::stands_for_workspace(application, &applications));
            of_workspace.unwrap_or(WorkspaceId(application.id.0))
        };
        applications.iter().map(|application| (id(application), Some(application))).collect()
    } else {
        let known = workspaces::of_organization(&mut app.db.read().await?.conn(), caller.organization).await?;
        let own = |workspace: WorkspaceId| {
            let stands =
                |one: &&Application| one.workspace == Some(workspace) && applications::stands_for_workspace(one, &applications);
            applications.iter().find(stands)
        };
        known.into_iter().map(|workspace| (workspace.id, own(workspace.id))).collect()
    };
    if page.is_asked() {
        all.sort_by_key(|(id, _)| *id);
    }
    let is_behind = |(id, _): &(WorkspaceId, _)| after.is_none_or(|after| *id > after);
    let part = paging::part_of(all, page.most_of_whole(), is_behind, |(id, _)| *id);
    let (part, next) = part.answer(LIST, |entry| entry)?;
    let mut listed = Vec::with_capacity(part.len());
    for (id, application) in part {
        listed.push(entry(&app, id, application).await?);
    }
    Ok(Answer(Workspaces { workspaces: listed, next }))
}

/// The list in cursors.
const LIST: &str = "v1.workspaces";

async fn entry(app: &App, workspace: WorkspaceId, application: Option<&Application>) -> Result<ListedWorkspace> {
    let first = match application {
        Some(application) => dashboards::lists::first_shared(app, application).await?,
        None => None,
    };
    Ok(ListedWorkspace {
        workspace_id: workspace,
        dashboard_id: first.as_ref().map(dashboards::Dashboard::v1_id),
        dashboard_name: first.map(|dashboard| dashboard.name),
    })
}
