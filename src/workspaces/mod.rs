//! Workspaces: the AI chat over a connection. Embeds serve the production version.

pub mod store;
pub mod v1;

use crate::{
    access::caller::Reach,
    applications::{self, Application},
    error::{Error, Result},
    organizations,
    state::App,
    store::Conn,
};
use inlay_contract::ids::{ApplicationId, ConnectionId, OrganizationId, ProjectId, WorkspaceId};
use serde::{Deserialize, Serialize};

/// A workspace as embeds see it.
#[derive(Clone, Debug, PartialEq)]
pub struct Workspace {
    /// Its id.
    pub id: WorkspaceId,
    /// The project that it belongs to.
    pub project: ProjectId,
    /// The organization that owns the project.
    pub organization: OrganizationId,
    /// Its name.
    pub name: String,
    /// The connection of its production version; none when it has not been published.
    pub production_connection: Option<ConnectionId>,
}

/// What a version of a workspace says beside its connection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct WorkspaceSettings {
    /// Questions to start with.
    pub example_questions: Vec<String>,
}

/// A workspace within a caller's reach, if there is one there.
///
/// # Errors
/// The store is away.
pub async fn find_within(conn: &mut Conn<'_>, reach: Reach, id: WorkspaceId) -> Result<Option<Workspace>> {
    let found = store::find(conn, id).await?;
    Ok(found.filter(|workspace| reach.holds(workspace.organization, workspace.project)))
}

/// The application that stands for a v1 workspace, if one does yet. After finalize an application without a workspace goes by
/// its own id.
///
/// # Errors
/// 404 when there is no such workspace within reach.
pub async fn application(app: &App, reach: Reach, id: WorkspaceId) -> Result<Option<Application>> {
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    if let Some(workspace) = find_within(conn, reach, id).await? {
        return applications::store::of_workspace(conn, workspace.id).await;
    }
    let missing = || Error::not_found("Workspace");
    let application = applications::find_within(conn, reach, ApplicationId(id.0)).await?.ok_or_else(missing)?;
    let finalized = organizations::store::find(conn, application.organization).await?.migration_finalized;
    if finalized && application.legacy_workspace.is_none() { Ok(Some(application)) } else { Err(missing()) }
}
