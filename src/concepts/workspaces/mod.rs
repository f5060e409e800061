//! Workspaces: the AI chat over a connection. A version holds what questions may be about and how the page looks. A version is
//! a draft until it is published; embeds serve the published version that was promoted to production.

mod store;
pub mod versions;

#[cfg(test)]
mod tests;

pub use store::{
    LatestVersion, add_version, conversations, delete, find, latest_versions, list_versions, lock, of_organization, production,
    promote, publish, put, rename, set_agent,
};
#[cfg(test)]
pub(crate) use store::{WorkspaceRow, WorkspaceVersionRow};

use crate::{
    concepts::access::caller::Reach,
    ground::{
        error::{Code, Error, Result},
        store::Conn,
    },
};
use inlay_assistant::WrittenQuery;
use inlay_contract::{
    ids::{AgentId, ConnectionId, OrganizationId, ProjectId, WorkspaceId},
    model::ModelQuery,
    workspace::Placeholders,
};
use serde::{Deserialize, Serialize};

/// The maximum number of starter questions of a version and on a page.
pub const MOST_STARTERS: usize = 6;

/// A workspace in its production version.
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
    /// The connection of its production version. `None` when it has not been published.
    pub production_connection: Option<ConnectionId>,
}

/// The settings of a workspace's version, without its connection.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct WorkspaceSettings {
    /// Starter questions.
    pub example_questions: Vec<String>,
    /// Instructions for the language model. Viewers never see them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// The tables that questions may be about. Defaults to all of the connection's catalogue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<Vec<String>>,
    /// Texts of the page, where the host's address gives none.
    pub placeholders: Placeholders,
    /// Questions with the queries that answer them, for language models.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Example>,
    /// Whether language models query the semantic model only, without SQL of their own.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub model_only: bool,
}

impl WorkspaceSettings {
    /// Whether questions may be about a table.
    pub fn covers(&self, table: &str) -> bool {
        self.tables.as_ref().is_none_or(|names| names.iter().any(|name| name == table))
    }
}

/// A question and the query that answers it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "ExampleFields", into = "ExampleFields")]
pub struct Example {
    /// The question, in a person's words.
    pub question: String,
    /// The query.
    pub query: WrittenQuery,
}

/// An example as it is stored, and as the project file writes it: with either `sql` or `query`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExampleFields {
    question: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sql: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    query: Option<Box<ModelQuery>>,
}

impl TryFrom<ExampleFields> for Example {
    type Error = &'static str;

    fn try_from(ExampleFields { question, sql, query }: ExampleFields) -> Result<Self, Self::Error> {
        let query = match (sql, query) {
            (Some(sql), None) => WrittenQuery::Sql(sql),
            (None, Some(query)) => WrittenQuery::Model(query),
            _ => return Err("an example has either `sql` or `query`, a query of the semantic model"),
        };
        Ok(Self { question, query })
    }
}

impl From<Example> for ExampleFields {
    fn from(Example { question, query }: Example) -> Self {
        match query {
            WrittenQuery::Sql(sql) => Self { question, sql: Some(sql), query: None },
            WrittenQuery::Model(query) => Self { question, sql: None, query: Some(query) },
        }
    }
}

/// A version of a workspace.
#[derive(Clone, Debug, PartialEq)]
pub struct Version {
    /// Its number; the first is 1.
    pub number: i64,
    /// The connection that its questions query.
    pub connection: ConnectionId,
    /// Its settings.
    pub settings: WorkspaceSettings,
    /// Whether it may be promoted to production.
    pub published: bool,
}

/// A workspace within a caller's reach, if there is one.
pub async fn find_within(conn: &mut Conn<'_>, reach: Reach, id: WorkspaceId) -> Result<Option<Workspace>> {
    let found = store::find(conn, id).await?;
    Ok(found.filter(|workspace| reach.holds(workspace.organization, workspace.project)))
}

/// The workspace within a caller's reach that replaces a v1 agent, if there is one. Where several projects have one, the oldest.
pub async fn of_agent(conn: &mut Conn<'_>, reach: Reach, agent: AgentId) -> Result<Option<Workspace>> {
    let found = store::of_agent(conn, agent).await?;
    Ok(found.into_iter().find(|workspace| reach.holds(workspace.organization, workspace.project)))
}

/// A workspace within a caller's reach with its production version.
///
/// # Errors
/// 404 when there is no such workspace within reach, 409 `WORKSPACE_NOT_PUBLISHED` when it has no production version.
pub async fn in_production(conn: &mut Conn<'_>, reach: Reach, id: WorkspaceId) -> Result<(Workspace, Version)> {
    let workspace = find_within(conn, reach, id).await?.ok_or_else(|| Error::not_found("Workspace"))?;
    let version = store::production(conn, id).await?.ok_or_else(unpublished)?;
    Ok((workspace, version))
}

/// 409 for a workspace without a version in production.
pub fn unpublished() -> Error {
    Error::new(
        Code::WorkspaceNotPublished,
        "This workspace has not been published. Publish a version and promote it to production.",
    )
}
