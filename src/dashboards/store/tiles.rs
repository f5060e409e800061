//! Charts on dashboards, in the store.

use crate::{
    charts::Chart,
    dashboards::{PlacedChart, writer::Writer},
    error::Result,
    on,
    store::Conn,
};
use inlay_contract::{
    chart::definition::ChartDefinition,
    grid::Place,
    ids::{ChartId, ConnectionId, DashboardId, ProjectId},
};
use sqlx::{FromRow, types::Json};

#[derive(FromRow)]
struct PlacedRow {
    id: ChartId,
    project_id: ProjectId,
    connection_id: ConnectionId,
    name: String,
    version: i64,
    definition: Json<ChartDefinition>,
    x: i64,
    y: i64,
    w: i64,
    h: i64,
}

/// The charts on a dashboard, in reading order.
///
/// # Errors
/// The store is away.
pub async fn charts_on(conn: &mut Conn<'_>, dashboard: DashboardId) -> Result<Vec<PlacedChart>> {
    const SQL: &str = "SELECT c.id, c.project_id, c.connection_id, c.name, c.version, c.definition, p.x, p.y, p.w, p.h \
        FROM dashboard_charts p JOIN charts c ON c.id = p.chart_id WHERE p.dashboard_id = $1 ORDER BY p.y, p.x, c.id";
    let rows = on!(conn, |c| sqlx::query_as::<_, PlacedRow>(SQL).bind(dashboard).fetch_all(c).await)?;
    let edge = |value: i64| u16::try_from(value).unwrap_or_default();
    let placed = |row: PlacedRow| PlacedChart {
        place: Place { x: edge(row.x), y: edge(row.y), w: edge(row.w), h: edge(row.h) },
        chart: Chart {
            id: row.id,
            project: row.project_id,
            connection: row.connection_id,
            name: row.name,
            version: row.version,
            definition: row.definition.0,
        },
    };
    Ok(rows.into_iter().map(placed).collect())
}

/// Puts a chart on a dashboard, or moves it there.
///
/// # Errors
/// The store is away.
pub async fn place(
    conn: &mut Conn<'_>,
    dashboard: DashboardId,
    chart: ChartId,
    place: Place,
    file_name: Option<&str>,
) -> Result<()> {
    const SQL: &str = "INSERT INTO dashboard_charts (dashboard_id, chart_id, file_name, x, y, w, h) VALUES ($1, $2, $3, $4, $5, $6, $7) \
        ON CONFLICT (dashboard_id, chart_id) DO UPDATE SET x = excluded.x, y = excluded.y, w = excluded.w, h = excluded.h";
    on!(conn, |c| {
        let put = sqlx::query(SQL).bind(dashboard).bind(chart).bind(file_name);
        let put = put.bind(i64::from(place.x)).bind(i64::from(place.y)).bind(i64::from(place.w)).bind(i64::from(place.h));
        put.execute(c).await.map(drop)
    })?;
    Ok(())
}

/// Writes the name by which a project file finds a chart on a dashboard.
///
/// # Errors
/// The store is away.
pub async fn name_chart(conn: &mut Conn<'_>, dashboard: DashboardId, chart: ChartId, file_name: &str) -> Result<()> {
    const SQL: &str = "UPDATE dashboard_charts SET file_name = $3 WHERE dashboard_id = $1 AND chart_id = $2";
    on!(conn, |c| sqlx::query(SQL).bind(dashboard).bind(chart).bind(file_name).execute(c).await.map(drop))?;
    Ok(())
}

/// Takes a chart off a dashboard; its record stays. Whether it stood there.
///
/// # Errors
/// The store is away.
pub async fn unplace(conn: &mut Conn<'_>, dashboard: DashboardId, chart: ChartId) -> Result<bool> {
    const SQL: &str = "DELETE FROM dashboard_charts WHERE dashboard_id = $1 AND chart_id = $2";
    Ok(on!(conn, |c| sqlx::query(SQL).bind(dashboard).bind(chart).execute(c).await.map(|done| done.rows_affected()))? == 1)
}

/// The charts of a dashboard that a project file put there: name there → chart.
///
/// # Errors
/// The store is away.
pub async fn charts_of_file(conn: &mut Conn<'_>, dashboard: DashboardId) -> Result<Vec<(String, ChartId)>> {
    const SQL: &str = "SELECT file_name, chart_id FROM dashboard_charts WHERE dashboard_id = $1 AND file_name IS NOT NULL";
    Ok(on!(conn, |c| sqlx::query_as(SQL).bind(dashboard).fetch_all(c).await)?)
}

/// Whether a project user or a tenant may take a chart: one of their space, one of a dashboard that they see, or one of the
/// library.
///
/// # Errors
/// The store is away.
pub async fn shows_chart(conn: &mut Conn<'_>, chart: ChartId, writer: &Writer) -> Result<bool> {
    const SQL: &str = "SELECT COUNT(*) FROM charts c WHERE c.id = $1 AND ( \
        c.space_id IN ($2, $3, $4) \
        OR c.space_id IN (SELECT t.id FROM tenants t JOIN project_users u ON u.id = t.project_user_id WHERE u.customer_id = $3) \
        OR (c.space_id IS NULL AND NOT EXISTS (SELECT 1 FROM dashboard_charts p WHERE p.chart_id = c.id)) \
        OR EXISTS (SELECT 1 FROM dashboard_charts p JOIN dashboards d ON d.id = p.dashboard_id \
            LEFT JOIN project_users o ON o.id = d.owner_id WHERE p.chart_id = c.id \
            AND ((d.owner_id IS NULL AND d.tenant_id IS NULL) OR o.id = $2 OR o.customer_id = $3 OR d.tenant_id = $4)))";
    let (user, customer) = writer.user().unzip();
    let count: i64 = on!(conn, |c| {
        let query = sqlx::query_scalar(SQL).bind(chart).bind(user).bind(customer.flatten());
        query.bind(writer.tenant()).fetch_one(c).await
    })?;
    Ok(count > 0)
}
