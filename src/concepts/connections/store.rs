//! Connections in the store. Their URLs hold passwords, so they are encrypted.

use crate::{
    ground::{
        error::{Error, Result},
        store::{
            Conn,
            rows::{self, columns, inserts, row, sql},
            seal::Sealer,
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::ids::{ConnectionId, ProjectId};
use inlay_query::{DatabaseAuth, Source, SourceKind, SourceLimits};
use serde_json::Value;
use sqlx::types::Json;

row! {
    /// A connection. Its URL is encrypted.
    pub(crate) struct ConnectionRow in "connections" {
        id: ConnectionId,
        project_id: ProjectId,
        name: String,
        kind: String,
        sealed_url: Vec<u8>,
        database_auth: Json<Option<DatabaseAuth>>,
        created_at: Timestamp,
        updated_at: Timestamp,
        limits: Option<Json<SourceLimits>>,
    }
}

/// A connection by its id, decrypted, with its project.
pub async fn find(conn: &mut Conn<'_>, sealer: &Sealer, id: ConnectionId) -> Result<Option<(ProjectId, Source)>> {
    const SQL: &str = sql!("SELECT ", columns!(ConnectionRow), " FROM connections WHERE id = $1");
    let found = on!(conn, |c| sqlx::query_as::<_, ConnectionRow>(SQL).bind(id).fetch_optional(c).await)?;
    found.map(|row| opened(sealer, row)).transpose()
}

/// A connection's row, decrypted, with its project.
fn opened(sealer: &Sealer, row: ConnectionRow) -> Result<(ProjectId, Source)> {
    let id = row.id;
    let url = String::from_utf8(sealer.open(id.0, &row.sealed_url)?).map_err(Error::internal)?;
    let kind = serde_json::from_value::<SourceKind>(Value::String(row.kind)).map_err(Error::internal)?;
    let limits = row.limits.map(|Json(limits)| limits).unwrap_or_default();
    let source = Source { database_auth: row.database_auth.0, limits, ..Source::new(id, row.name, kind, url) };
    Ok((row.project_id, source))
}

/// The connections of a project, decrypted, by name.
pub async fn list(conn: &mut Conn<'_>, sealer: &Sealer, project: ProjectId) -> Result<Vec<Source>> {
    const SQL: &str = sql!("SELECT ", columns!(ConnectionRow), " FROM connections WHERE project_id = $1 ORDER BY name");
    let rows = on!(conn, |c| sqlx::query_as::<_, ConnectionRow>(SQL).bind(project).fetch_all(c).await)?;
    rows.into_iter().map(|row| opened(sealer, row).map(|(_, source)| source)).collect()
}

/// The ids of a project's connections, by name.
pub async fn ids(conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<ConnectionId>> {
    const SQL: &str = "SELECT id FROM connections WHERE project_id = $1 ORDER BY name";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(project).fetch_all(c).await)?)
}

/// The connections of all projects.
pub async fn every(conn: &mut Conn<'_>) -> Result<Vec<ConnectionId>> {
    const SQL: &str = "SELECT id FROM connections ORDER BY project_id, name";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).fetch_all(c).await)?)
}

/// A connection's name.
pub async fn name(conn: &mut Conn<'_>, id: ConnectionId) -> Result<Option<String>> {
    const SQL: &str = "SELECT name FROM connections WHERE id = $1";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(id).fetch_optional(c).await)?)
}

/// The names of a project's connections.
pub async fn names(conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<String>> {
    const SQL: &str = "SELECT name FROM connections WHERE project_id = $1 ORDER BY name";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(project).fetch_all(c).await)?)
}

/// The id of a connection of a project by its name.
pub async fn find_by_name(conn: &mut Conn<'_>, project: ProjectId, name: &str) -> Result<Option<ConnectionId>> {
    const SQL: &str = "SELECT id FROM connections WHERE project_id = $1 AND name = $2";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(project).bind(name).fetch_optional(c).await)?)
}

/// Creates a connection, or changes the one with the same id.
pub async fn put(conn: &mut Conn<'_>, sealer: &Sealer, project: ProjectId, source: &Source) -> Result<()> {
    const SQL: &str = sql!(
        inserts!(ConnectionRow),
        " ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, sealed_url = excluded.sealed_url, \
        database_auth = excluded.database_auth, limits = excluded.limits, updated_at = excluded.updated_at"
    );
    let kind = serde_json::to_value(source.kind).map_err(Error::internal)?;
    let kind = kind.as_str().ok_or_else(|| Error::internal("a source's kind has no name"))?;
    let now = Timestamp::now();
    let row = ConnectionRow {
        id: source.id,
        project_id: project,
        name: source.name.clone(),
        kind: kind.to_owned(),
        sealed_url: sealer.seal(source.id.0, source.url.as_bytes())?,
        database_auth: Json(source.database_auth.clone()),
        created_at: now,
        updated_at: now,
        limits: Some(Json(source.limits)),
    };
    on!(conn, |c| rows::query(SQL, row).execute(c).await.map(drop))?;
    Ok(())
}

/// Renames a connection.
pub async fn rename(conn: &mut Conn<'_>, id: ConnectionId, name: &str) -> Result<()> {
    const SQL: &str = "UPDATE connections SET name = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(name).execute(c).await.map(drop))?;
    Ok(())
}

/// The uses of a connection as text for people: charts and workspaces by name.
pub async fn uses(conn: &mut Conn<'_>, id: ConnectionId) -> Result<Vec<String>> {
    const CHARTS: &str = "SELECT name FROM charts WHERE connection_id = $1 \
        UNION SELECT c.name FROM chart_versions v JOIN charts c ON c.id = v.chart_id WHERE v.connection_id = $1 ORDER BY name";
    const WORKSPACES: &str = "SELECT DISTINCT w.name FROM workspaces w JOIN workspace_versions v ON v.workspace_id = w.id \
        WHERE v.connection_id = $1 ORDER BY w.name";
    let charts: Vec<String> = on!(conn, |c| sqlx::query_scalar(CHARTS).bind(id).fetch_all(c).await)?;
    let workspaces: Vec<String> = on!(conn, |c| sqlx::query_scalar(WORKSPACES).bind(id).fetch_all(c).await)?;
    let charts = charts.into_iter().map(|name| format!("chart {name}"));
    Ok(charts.chain(workspaces.into_iter().map(|name| format!("workspace {name}"))).collect())
}

/// Locks a connection so that nobody can add a chart or workspace that uses it until this transaction ends, and waits for those
/// who are adding one. Only a changed name does that: the database lets others refer to a row whose keys stay. The name returns
/// with the roll-back, or goes with the row.
pub async fn hold_for_removal(conn: &mut Conn<'_>, id: ConnectionId) -> Result<()> {
    const SQL: &str = "UPDATE connections SET name = name || ' ' || $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(id.to_string()).execute(c).await.map(drop))?;
    Ok(())
}

/// Deletes a connection with its catalogue.
pub async fn delete(conn: &mut Conn<'_>, id: ConnectionId) -> Result<()> {
    const SQL: &str = "DELETE FROM connections WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}
