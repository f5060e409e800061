//! Workspaces in the store.

use super::{Version, Workspace, WorkspaceSettings};
use crate::{error::Result, on, store::Conn, time::Timestamp};
use inlay_contract::ids::{ConnectionId, OrganizationId, ProjectId, WorkspaceId};
use sqlx::types::Json;

/// A workspace as a project file describes it: its newest version.
#[derive(Clone, Debug, PartialEq)]
pub struct LatestVersion {
    /// The workspace.
    pub id: WorkspaceId,
    /// Its name.
    pub name: String,
    /// The number of the newest version.
    pub version: i64,
    /// The number of the version that embeds serve, when it is published.
    pub production: Option<i64>,
    /// The connection of the newest version.
    pub connection: ConnectionId,
    /// The settings of the newest version.
    pub settings: WorkspaceSettings,
}

type Row = (WorkspaceId, ProjectId, OrganizationId, String, Option<ConnectionId>);

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT w.id, w.project_id, p.organization_id, w.name, v.connection_id FROM workspaces w ",
            "JOIN projects p ON p.id = w.project_id ",
            "LEFT JOIN workspace_versions v ON v.workspace_id = w.id AND v.version = w.production_version ",
            $rest
        )
    };
}

fn workspace((id, project, organization, name, production_connection): Row) -> Workspace {
    Workspace { id, project, organization, name, production_connection }
}

/// A workspace by its id.
///
/// # Errors
/// The store is away.
pub async fn find(conn: &mut Conn<'_>, id: WorkspaceId) -> Result<Option<Workspace>> {
    const SQL: &str = select!("WHERE w.id = $1");
    Ok(on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(id).fetch_optional(c).await)?.map(workspace))
}

/// The workspaces of an organization, by name.
///
/// # Errors
/// The store is away.
pub async fn of_organization(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<Vec<Workspace>> {
    const SQL: &str = select!("WHERE p.organization_id = $1 ORDER BY w.name, w.id");
    let rows = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(organization).fetch_all(c).await)?;
    Ok(rows.into_iter().map(workspace).collect())
}

/// Makes others who lock a workspace wait until this transaction ends.
///
/// # Errors
/// The store is away.
pub async fn lock(conn: &mut Conn<'_>, id: WorkspaceId) -> Result<()> {
    const SQL: &str = "UPDATE workspaces SET name = name WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// Makes a workspace of a project, or finds the one of the same name; its id.
///
/// # Errors
/// The store is away.
pub async fn put(conn: &mut Conn<'_>, project: ProjectId, name: &str) -> Result<WorkspaceId> {
    const SQL: &str = "INSERT INTO workspaces (id, project_id, name, created_at) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (project_id, name) DO UPDATE SET name = excluded.name RETURNING id";
    let id = WorkspaceId::generate();
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(id).bind(project).bind(name).bind(Timestamp::now()).fetch_one(c).await)?)
}

/// Gives a workspace another name.
///
/// # Errors
/// The store is away, or the project has another one of that name.
pub async fn rename(conn: &mut Conn<'_>, id: WorkspaceId, name: &str) -> Result<()> {
    const SQL: &str = "UPDATE workspaces SET name = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(name).execute(c).await.map(drop))?;
    Ok(())
}

/// Deletes a workspace with its versions, conversations and evaluations.
///
/// # Errors
/// The store is away.
pub async fn delete(conn: &mut Conn<'_>, id: WorkspaceId) -> Result<()> {
    const SQL: &str = "DELETE FROM workspaces WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// How many conversations users had in a workspace.
///
/// # Errors
/// The store is away.
pub async fn conversations(conn: &mut Conn<'_>, id: WorkspaceId) -> Result<i64> {
    const SQL: &str = "SELECT COUNT(*) FROM chat_threads WHERE workspace_id = $1";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(id).fetch_one(c).await)?)
}

/// The workspaces of a project in their newest versions, by name.
///
/// # Errors
/// The store is away.
pub async fn latest_versions(conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<LatestVersion>> {
    const SQL: &str = "SELECT w.id, w.name, v.version, w.production_version, v.connection_id, v.settings FROM workspaces w \
        JOIN workspace_versions v ON v.workspace_id = w.id WHERE w.project_id = $1 \
        AND v.version = (SELECT MAX(l.version) FROM workspace_versions l WHERE l.workspace_id = w.id) ORDER BY w.name";
    type Row = (WorkspaceId, String, i64, Option<i64>, ConnectionId, Json<WorkspaceSettings>);
    let rows = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(project).fetch_all(c).await)?;
    let latest = |(id, name, version, production, connection, Json(settings)): Row| LatestVersion {
        id,
        name,
        version,
        production,
        connection,
        settings,
    };
    Ok(rows.into_iter().map(latest).collect())
}

/// Adds a version to a workspace.
///
/// # Errors
/// The store is away.
pub async fn add_version(
    conn: &mut Conn<'_>,
    id: WorkspaceId,
    version: i64,
    connection: ConnectionId,
    settings: &WorkspaceSettings,
) -> Result<()> {
    const SQL: &str = "INSERT INTO workspace_versions (workspace_id, version, connection_id, settings, created_at) \
        VALUES ($1, $2, $3, $4, $5)";
    on!(conn, |c| {
        let insert = sqlx::query(SQL).bind(id).bind(version).bind(connection).bind(Json(settings));
        insert.bind(Timestamp::now()).execute(c).await.map(drop)
    })?;
    Ok(())
}

type VersionRow = (i64, ConnectionId, Json<WorkspaceSettings>, Option<Timestamp>);

fn version((number, connection, Json(settings), published): VersionRow) -> Version {
    Version { number, connection, settings, published: published.is_some() }
}

/// The versions of a workspace, oldest first.
///
/// # Errors
/// The store is away.
pub async fn versions(conn: &mut Conn<'_>, id: WorkspaceId) -> Result<Vec<Version>> {
    const SQL: &str = "SELECT version, connection_id, settings, published_at FROM workspace_versions \
        WHERE workspace_id = $1 ORDER BY version";
    let rows = on!(conn, |c| sqlx::query_as::<_, VersionRow>(SQL).bind(id).fetch_all(c).await)?;
    Ok(rows.into_iter().map(version).collect())
}

/// The version that embeds serve, when the workspace is published.
///
/// # Errors
/// The store is away.
pub async fn production(conn: &mut Conn<'_>, id: WorkspaceId) -> Result<Option<Version>> {
    const SQL: &str = "SELECT v.version, v.connection_id, v.settings, v.published_at FROM workspaces w \
        JOIN workspace_versions v ON v.workspace_id = w.id AND v.version = w.production_version WHERE w.id = $1";
    Ok(on!(conn, |c| sqlx::query_as::<_, VersionRow>(SQL).bind(id).fetch_optional(c).await)?.map(version))
}

/// Notes that a version is published; one that is already keeps its time.
///
/// # Errors
/// The store is away.
pub async fn publish(conn: &mut Conn<'_>, id: WorkspaceId, number: i64) -> Result<()> {
    const SQL: &str = "UPDATE workspace_versions SET published_at = COALESCE(published_at, $3) \
        WHERE workspace_id = $1 AND version = $2";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(number).bind(Timestamp::now()).execute(c).await.map(drop))?;
    Ok(())
}

/// Says which version embeds serve; none when the workspace is not published.
///
/// # Errors
/// The store is away.
pub async fn promote(conn: &mut Conn<'_>, id: WorkspaceId, version: Option<i64>) -> Result<()> {
    const SQL: &str = "UPDATE workspaces SET production_version = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(version).execute(c).await.map(drop))?;
    Ok(())
}
