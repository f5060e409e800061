//! Workspaces in the store.

use super::{Version, Workspace, WorkspaceSettings};
use crate::{
    ground::{
        error::Result,
        store::{
            Conn,
            rows::{self, columns, inserts, row, sql},
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::ids::{AgentId, ConnectionId, OrganizationId, ProjectId, WorkspaceId};
use sqlx::{FromRow, types::Json};

/// A workspace in its newest version.
#[derive(Clone, Debug, PartialEq)]
pub struct LatestVersion {
    /// The workspace.
    pub id: WorkspaceId,
    /// Its name.
    pub name: String,
    /// The v1 agent that it replaces, if any.
    pub agent: Option<AgentId>,
    /// The number of the newest version.
    pub version: i64,
    /// The number of the version in production, if any.
    pub production: Option<i64>,
    /// The connection of the newest version.
    pub connection: ConnectionId,
    /// The settings of the newest version.
    pub settings: WorkspaceSettings,
}

row! {
    /// A workspace.
    pub(crate) struct WorkspaceRow in "workspaces" {
        id: WorkspaceId,
        project_id: ProjectId,
        name: String,
        production_version: Option<i64>,
        created_at: Timestamp,
        agent_id: Option<AgentId>,
    }
}

row! {
    /// One version of a workspace.
    pub(crate) struct WorkspaceVersionRow in "workspace_versions" {
        workspace_id: WorkspaceId,
        version: i64,
        connection_id: ConnectionId,
        settings: Json<WorkspaceSettings>,
        created_at: Timestamp,
        published_at: Option<Timestamp>,
    }
}

#[derive(FromRow)]
struct FoundWorkspace {
    #[sqlx(flatten)]
    row: WorkspaceRow,
    organization_id: OrganizationId,
    production_connection: Option<ConnectionId>,
}

#[derive(FromRow)]
struct FoundLatest {
    name: String,
    production_version: Option<i64>,
    agent_id: Option<AgentId>,
    #[sqlx(flatten)]
    newest: WorkspaceVersionRow,
}

impl From<FoundWorkspace> for Workspace {
    fn from(FoundWorkspace { row, organization_id, production_connection }: FoundWorkspace) -> Self {
        Self { id: row.id, project: row.project_id, organization: organization_id, name: row.name, production_connection }
    }
}

impl From<FoundLatest> for LatestVersion {
    fn from(FoundLatest { name, production_version, agent_id, newest }: FoundLatest) -> Self {
        Self {
            id: newest.workspace_id,
            name,
            agent: agent_id,
            version: newest.version,
            production: production_version,
            connection: newest.connection_id,
            settings: newest.settings.0,
        }
    }
}

impl From<WorkspaceVersionRow> for Version {
    fn from(row: WorkspaceVersionRow) -> Self {
        Self {
            number: row.version,
            connection: row.connection_id,
            settings: row.settings.0,
            published: row.published_at.is_some(),
        }
    }
}

const SELECT: &str = sql!(
    "SELECT ",
    columns!(WorkspaceRow as w),
    ", p.organization_id, v.connection_id AS production_connection FROM workspaces w JOIN projects p ON p.id = w.project_id \
    LEFT JOIN workspace_versions v ON v.workspace_id = w.id AND v.version = w.production_version"
);

/// A workspace by its id.
pub async fn find(conn: &mut Conn<'_>, id: WorkspaceId) -> Result<Option<Workspace>> {
    const SQL: &str = sql!(SELECT, " WHERE w.id = $1");
    Ok(on!(conn, |c| sqlx::query_as::<_, FoundWorkspace>(SQL).bind(id).fetch_optional(c).await)?.map(Workspace::from))
}

/// The workspaces of all projects that replace a v1 agent, oldest first.
pub(super) async fn of_agent(conn: &mut Conn<'_>, agent: AgentId) -> Result<Vec<Workspace>> {
    const SQL: &str = sql!(SELECT, " WHERE w.agent_id = $1 ORDER BY w.created_at, w.id");
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundWorkspace>(SQL).bind(agent).fetch_all(c).await)?;
    Ok(rows.into_iter().map(Workspace::from).collect())
}

/// Sets the v1 agent that a workspace replaces, and takes it from any other workspace of the project.
pub async fn set_agent(conn: &mut Conn<'_>, id: WorkspaceId, agent: Option<AgentId>) -> Result<()> {
    const TAKE: &str = "UPDATE workspaces SET agent_id = NULL WHERE agent_id = $2 AND id <> $1 \
        AND project_id = (SELECT project_id FROM workspaces WHERE id = $1)";
    const SET: &str = "UPDATE workspaces SET agent_id = $2 WHERE id = $1";
    for sql in [TAKE, SET] {
        on!(conn, |c| sqlx::query(sql).bind(id).bind(agent).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// The workspaces of an organization, by name.
pub async fn of_organization(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<Vec<Workspace>> {
    const SQL: &str = sql!(SELECT, " WHERE p.organization_id = $1 ORDER BY w.name, w.id");
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundWorkspace>(SQL).bind(organization).fetch_all(c).await)?;
    Ok(rows.into_iter().map(Workspace::from).collect())
}

/// Locks a workspace against other writers until this transaction ends.
pub async fn lock(conn: &mut Conn<'_>, id: WorkspaceId) -> Result<()> {
    const SQL: &str = "UPDATE workspaces SET name = name WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// Creates a workspace of a project, or finds the one with the same name. Returns its id.
pub async fn put(conn: &mut Conn<'_>, project: ProjectId, name: &str) -> Result<WorkspaceId> {
    const SQL: &str =
        sql!(inserts!(WorkspaceRow), " ON CONFLICT (project_id, name) DO UPDATE SET name = excluded.name RETURNING id");
    let row = WorkspaceRow {
        id: WorkspaceId::generate(),
        project_id: project,
        name: name.to_owned(),
        production_version: None,
        created_at: Timestamp::now(),
        agent_id: None,
    };
    Ok(on!(conn, |c| rows::query_scalar(SQL, row).fetch_one(c).await)?)
}

/// Renames a workspace.
///
/// # Errors
/// The project has another workspace with that name.
pub async fn rename(conn: &mut Conn<'_>, id: WorkspaceId, name: &str) -> Result<()> {
    const SQL: &str = "UPDATE workspaces SET name = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(name).execute(c).await.map(drop))?;
    Ok(())
}

/// Deletes a workspace with its versions, conversations and evaluations.
pub async fn delete(conn: &mut Conn<'_>, id: WorkspaceId) -> Result<()> {
    const SQL: &str = "DELETE FROM workspaces WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// The number of users' conversations in a workspace.
pub async fn conversations(conn: &mut Conn<'_>, id: WorkspaceId) -> Result<i64> {
    const SQL: &str = "SELECT COUNT(*) FROM chat_threads WHERE workspace_id = $1";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(id).fetch_one(c).await)?)
}

/// The workspaces of a project in their newest versions, by name.
pub async fn latest_versions(conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<LatestVersion>> {
    const SQL: &str = sql!(
        "SELECT w.name, w.production_version, w.agent_id, ",
        columns!(WorkspaceVersionRow as v),
        " FROM workspaces w JOIN workspace_versions v ON v.workspace_id = w.id WHERE w.project_id = $1 \
        AND v.version = (SELECT MAX(l.version) FROM workspace_versions l WHERE l.workspace_id = w.id) ORDER BY w.name"
    );
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundLatest>(SQL).bind(project).fetch_all(c).await)?;
    Ok(rows.into_iter().map(LatestVersion::from).collect())
}

/// Adds a version to a workspace.
pub async fn add_version(
    conn: &mut Conn<'_>,
    id: WorkspaceId,
    version: i64,
    connection: ConnectionId,
    settings: &WorkspaceSettings,
) -> Result<()> {
    let row = WorkspaceVersionRow {
        workspace_id: id,
        version,
        connection_id: connection,
        settings: Json(settings.clone()),
        created_at: Timestamp::now(),
        published_at: None,
    };
    Ok(rows::insert(conn, row).await?)
}

/// The versions of a workspace, oldest first.
pub async fn list_versions(conn: &mut Conn<'_>, id: WorkspaceId) -> Result<Vec<Version>> {
    const SQL: &str =
        sql!("SELECT ", columns!(WorkspaceVersionRow), " FROM workspace_versions WHERE workspace_id = $1 ORDER BY version");
    let rows = on!(conn, |c| sqlx::query_as::<_, WorkspaceVersionRow>(SQL).bind(id).fetch_all(c).await)?;
    Ok(rows.into_iter().map(Version::from).collect())
}

/// The version in production, if any.
pub async fn production(conn: &mut Conn<'_>, id: WorkspaceId) -> Result<Option<Version>> {
    const SQL: &str = sql!(
        "SELECT ",
        columns!(WorkspaceVersionRow as v),
        " FROM workspaces w \
        JOIN workspace_versions v ON v.workspace_id = w.id AND v.version = w.production_version WHERE w.id = $1"
    );
    let found = on!(conn, |c| sqlx::query_as::<_, WorkspaceVersionRow>(SQL).bind(id).fetch_optional(c).await)?;
    Ok(found.map(Version::from))
}

/// Publishes a version. An already published one keeps its time.
pub async fn publish(conn: &mut Conn<'_>, id: WorkspaceId, number: i64) -> Result<()> {
    const SQL: &str = "UPDATE workspace_versions SET published_at = COALESCE(published_at, $3) \
        WHERE workspace_id = $1 AND version = $2";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(number).bind(Timestamp::now()).execute(c).await.map(drop))?;
    Ok(())
}

/// Sets the version in production. `None` takes the workspace out of production.
pub async fn promote(conn: &mut Conn<'_>, id: WorkspaceId, version: Option<i64>) -> Result<()> {
    const SQL: &str = "UPDATE workspaces SET production_version = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(version).execute(c).await.map(drop))?;
    Ok(())
}
