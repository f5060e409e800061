//! Workspaces: the AI chat over a connection. What it may be asked about and how it presents itself belongs to a version; a
//! version is a draft until it is published, and embeds serve the published version that was promoted to production.

pub mod canvas;
pub mod evaluation;
pub mod manage;
pub mod question_set;
pub mod store;
pub mod v1;
pub mod versions;

#[cfg(test)]
mod tests;

use crate::{
    access::caller::Reach,
    applications::{self, Application},
    error::{Code, Error, Result},
    organizations,
    state::App,
    store::Conn,
};
use inlay_contract::{
    ids::{ApplicationId, ConnectionId, OrganizationId, ProjectId, WorkspaceId},
    workspace::Placeholders,
};
use serde::{Deserialize, Serialize};

/// The most questions to start with that a version holds and a page shows.
pub const MOST_STARTERS: usize = 6;

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
    /// What its maker tells a model; viewers never see it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// The tables that may be asked about; all of the connection's catalogue when missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<Vec<String>>,
    /// What the page says where the host's address says nothing.
    pub placeholders: Placeholders,
    /// Questions with the SQL that answers them, for models.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Example>,
}

/// A question and the SQL that answers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// As a person would ask.
    pub question: String,
    /// As the source takes it.
    pub sql: String,
}

/// A version of a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// Its number; the first is 1.
    pub number: i64,
    /// Where questions go.
    pub connection: ConnectionId,
    /// What it says.
    pub settings: WorkspaceSettings,
    /// Whether it may be promoted to production.
    pub published: bool,
}

/// A workspace within a caller's reach, if there is one there.
pub async fn find_within(conn: &mut Conn<'_>, reach: Reach, id: WorkspaceId) -> Result<Option<Workspace>> {
    let found = store::find(conn, id).await?;
    Ok(found.filter(|workspace| reach.holds(workspace.organization, workspace.project)))
}

/// A workspace within a caller's reach with the version that embeds serve.
///
/// # Errors
/// 404 when there is no such workspace within reach, 409 `WORKSPACE_NOT_PUBLISHED` when it has no production version.
pub async fn in_production(conn: &mut Conn<'_>, reach: Reach, id: WorkspaceId) -> Result<(Workspace, Version)> {
    let workspace = find_within(conn, reach, id).await?.ok_or_else(|| Error::not_found("Workspace"))?;
    let version = store::production(conn, id).await?.ok_or_else(unpublished)?;
    Ok((workspace, version))
}

/// 409 for a workspace without a version in production.
fn unpublished() -> Error {
    Error::new(
        Code::WorkspaceNotPublished,
        "This workspace has not been published. Publish a version and promote it to production.",
    )
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
