//! Charts in the store.

use super::{Chart, Maker};
use crate::{error::Result, on, store::Conn, time::Timestamp};
use inlay_contract::{
    chart::definition::ChartDefinition,
    ids::{ChartId, ConnectionId, ProjectId},
};
use sqlx::types::Json;

type Row = (ChartId, ProjectId, ConnectionId, String, i64, Json<ChartDefinition>);

fn chart((id, project, connection, name, version, Json(definition)): Row) -> Chart {
    Chart { id, project, connection, name, version, definition }
}

/// A chart of a project in its newest version.
///
/// # Errors
/// The store is away.
pub async fn find(conn: &mut Conn<'_>, project: ProjectId, id: ChartId) -> Result<Option<Chart>> {
    const SQL: &str =
        "SELECT id, project_id, connection_id, name, version, definition FROM charts WHERE id = $1 AND project_id = $2";
    Ok(on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(id).bind(project).fetch_optional(c).await)?.map(chart))
}

/// A chart of a project in one of its versions.
///
/// # Errors
/// The store is away.
pub async fn find_version(conn: &mut Conn<'_>, project: ProjectId, id: ChartId, version: i64) -> Result<Option<Chart>> {
    const SQL: &str = "SELECT v.chart_id, c.project_id, v.connection_id, v.name, v.version, v.definition \
        FROM chart_versions v JOIN charts c ON c.id = v.chart_id WHERE v.chart_id = $1 AND c.project_id = $2 AND v.version = $3";
    let found = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(id).bind(project).bind(version).fetch_optional(c).await)?;
    Ok(found.map(chart))
}

/// The versions of a chart, newest first, each with the time at which it was stored.
///
/// # Errors
/// The store is away.
pub async fn versions(conn: &mut Conn<'_>, project: ProjectId, id: ChartId, most: i64) -> Result<Vec<(Chart, Timestamp)>> {
    const SQL: &str = "SELECT v.chart_id, c.project_id, v.connection_id, v.name, v.version, v.definition, v.created_at \
        FROM chart_versions v JOIN charts c ON c.id = v.chart_id WHERE v.chart_id = $1 AND c.project_id = $2 \
        ORDER BY v.version DESC LIMIT $3";
    type Row = (ChartId, ProjectId, ConnectionId, String, i64, Json<ChartDefinition>, Timestamp);
    let rows = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(id).bind(project).bind(most).fetch_all(c).await)?;
    let version = |(id, project, connection, name, version, definition, at): Row| {
        (chart((id, project, connection, name, version, definition)), at)
    };
    Ok(rows.into_iter().map(version).collect())
}

/// The chart that a project file made under a name.
///
/// # Errors
/// The store is away.
pub async fn find_of_file(conn: &mut Conn<'_>, project: ProjectId, file_name: &str) -> Result<Option<Chart>> {
    const SQL: &str = "SELECT id, project_id, connection_id, name, version, definition FROM charts \
        WHERE project_id = $1 AND file_name = $2";
    Ok(on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(project).bind(file_name).fetch_optional(c).await)?.map(chart))
}

/// What a chart's record says beside its definition.
#[derive(Clone, Copy, Debug, Default)]
pub struct Origin<'a> {
    /// The name under which a project file made it.
    pub file_name: Option<&'a str>,
    /// A picture of it, as a data URL.
    pub thumbnail: Option<&'a str>,
    /// Who made it.
    pub maker: Maker,
}

/// Stores a new chart with its version.
///
/// # Errors
/// The store is away.
pub async fn insert(conn: &mut Conn<'_>, chart: &Chart, origin: Origin<'_>) -> Result<()> {
    const SQL: &str = "INSERT INTO charts (id, project_id, connection_id, name, version, definition, file_name, thumbnail, \
        created_by, space_id, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)";
    on!(conn, |c| {
        let insert = sqlx::query(SQL).bind(chart.id).bind(chart.project).bind(chart.connection).bind(&chart.name);
        let insert = insert.bind(chart.version).bind(Json(&chart.definition)).bind(origin.file_name).bind(origin.thumbnail);
        insert.bind(origin.maker.user).bind(origin.maker.space).bind(Timestamp::now()).execute(c).await.map(drop)
    })?;
    insert_version(conn, chart).await
}

/// Stores a copy of a version of a chart as version 1 of a new one, with the original's picture; whether there was an original.
///
/// # Errors
/// The store is away.
pub async fn copy(conn: &mut Conn<'_>, original: ChartId, version: i64, id: ChartId, maker: Maker) -> Result<bool> {
    const CHART: &str = "INSERT INTO charts (id, project_id, connection_id, name, version, definition, thumbnail, created_by, \
        space_id, created_at, updated_at) \
        SELECT $1, c.project_id, v.connection_id, v.name, 1, v.definition, c.thumbnail, $4, $5, $6, $6 \
        FROM chart_versions v JOIN charts c ON c.id = v.chart_id WHERE v.chart_id = $2 AND v.version = $3";
    const VERSION: &str = "INSERT INTO chart_versions (chart_id, version, connection_id, name, definition, created_at) \
        SELECT id, version, connection_id, name, definition, created_at FROM charts WHERE id = $1";
    let copied = on!(conn, |c| {
        let copy = sqlx::query(CHART).bind(id).bind(original).bind(version).bind(maker.user).bind(maker.space);
        let copy = copy.bind(Timestamp::now());
        copy.execute(c).await.map(|done| done.rows_affected())
    })?;
    on!(conn, |c| sqlx::query(VERSION).bind(id).execute(c).await.map(drop))?;
    Ok(copied == 1)
}

/// Stores a changed chart under the version that it carries; the older ones stay.
///
/// # Errors
/// The store is away.
pub async fn update(conn: &mut Conn<'_>, chart: &Chart) -> Result<()> {
    const SQL: &str =
        "UPDATE charts SET connection_id = $2, name = $3, version = $4, definition = $5, updated_at = $6 WHERE id = $1";
    on!(conn, |c| {
        let update = sqlx::query(SQL).bind(chart.id).bind(chart.connection).bind(&chart.name).bind(chart.version);
        update.bind(Json(&chart.definition)).bind(Timestamp::now()).execute(c).await.map(drop)
    })?;
    insert_version(conn, chart).await
}

async fn insert_version(conn: &mut Conn<'_>, chart: &Chart) -> Result<()> {
    const SQL: &str = "INSERT INTO chart_versions (chart_id, version, connection_id, name, definition, created_at) \
        VALUES ($1, $2, $3, $4, $5, $6)";
    on!(conn, |c| {
        let insert = sqlx::query(SQL).bind(chart.id).bind(chart.version).bind(chart.connection).bind(&chart.name);
        insert.bind(Json(&chart.definition)).bind(Timestamp::now()).execute(c).await.map(drop)
    })?;
    Ok(())
}

/// The library charts that a project file made, by name.
///
/// # Errors
/// The store is away.
pub async fn list_of_file(conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<Chart>> {
    const SQL: &str = "SELECT id, project_id, connection_id, name, version, definition FROM charts \
        WHERE project_id = $1 AND file_name IS NOT NULL ORDER BY file_name";
    let rows = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(project).fetch_all(c).await)?;
    Ok(rows.into_iter().map(chart).collect())
}

/// The charts that a project user may put on a dashboard and that stand on none: the project's library, and what their own
/// space keeps.
///
/// # Errors
/// The store is away.
pub async fn library(conn: &mut Conn<'_>, project: ProjectId, maker: Maker) -> Result<Vec<Chart>> {
    const SQL: &str = "SELECT id, project_id, connection_id, name, version, definition FROM charts c WHERE project_id = $1 \
        AND (space_id IS NULL OR space_id = $2) AND NOT EXISTS (SELECT 1 FROM dashboard_charts p WHERE p.chart_id = c.id) \
        ORDER BY name, id LIMIT 500";
    let rows = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(project).bind(maker.space).fetch_all(c).await)?;
    Ok(rows.into_iter().map(chart).collect())
}

/// Says under which name a project file finds a chart.
///
/// # Errors
/// The store is away.
pub async fn set_file_name(conn: &mut Conn<'_>, id: ChartId, file_name: &str) -> Result<()> {
    const SQL: &str = "UPDATE charts SET file_name = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(file_name).execute(c).await.map(drop))?;
    Ok(())
}

/// The charts that ask a connection and belong to no customer: those of the library and of shared dashboards, by name.
///
/// # Errors
/// The store is away.
pub async fn of_connection(conn: &mut Conn<'_>, connection: ConnectionId) -> Result<Vec<Chart>> {
    const SQL: &str = "SELECT id, project_id, connection_id, name, version, definition FROM charts \
        WHERE connection_id = $1 AND space_id IS NULL ORDER BY name, id";
    let rows = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(connection).fetch_all(c).await)?;
    Ok(rows.into_iter().map(chart).collect())
}

/// What the charts of customers' own that ask a connection ask.
///
/// # Errors
/// The store is away.
pub async fn of_customers(conn: &mut Conn<'_>, connection: ConnectionId) -> Result<Vec<ChartDefinition>> {
    const SQL: &str = "SELECT definition FROM charts WHERE connection_id = $1 AND space_id IS NOT NULL";
    let rows: Vec<Json<ChartDefinition>> = on!(conn, |c| sqlx::query_scalar(SQL).bind(connection).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|Json(definition)| definition).collect())
}

/// Removes a chart with its versions.
///
/// # Errors
/// The store is away.
pub async fn delete(conn: &mut Conn<'_>, id: ChartId) -> Result<()> {
    const SQL: &str = "DELETE FROM charts WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// The library of a project: what stands on no dashboard and belongs to no customer, by name.
///
/// # Errors
/// The store is away.
pub async fn of_library(conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<Chart>> {
    const SQL: &str = "SELECT id, project_id, connection_id, name, version, definition FROM charts c WHERE project_id = $1 \
        AND space_id IS NULL AND NOT EXISTS (SELECT 1 FROM dashboard_charts p WHERE p.chart_id = c.id) ORDER BY name, id";
    let rows = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(project).fetch_all(c).await)?;
    Ok(rows.into_iter().map(chart).collect())
}

/// Keeps with a version of a chart which columns its query gives.
///
/// # Errors
/// The store is away.
pub async fn keep_columns(conn: &mut Conn<'_>, id: ChartId, version: i64, columns: &[String]) -> Result<()> {
    const SQL: &str = "UPDATE chart_versions SET query_columns = $3 WHERE chart_id = $1 AND version = $2";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(version).bind(Json(columns)).execute(c).await.map(drop))?;
    Ok(())
}

/// The columns that the query of a version gave when it was saved; none when it was not tried then.
///
/// # Errors
/// The store is away.
pub async fn columns(conn: &mut Conn<'_>, id: ChartId, version: i64) -> Result<Option<Vec<String>>> {
    const SQL: &str = "SELECT query_columns FROM chart_versions WHERE chart_id = $1 AND version = $2";
    type Row = (Option<Json<Vec<String>>>,);
    let found = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(id).bind(version).fetch_optional(c).await)?;
    Ok(found.and_then(|(columns,)| columns).map(|Json(columns)| columns))
}
