//! Charts on dashboards, in the store.

use crate::{
    concepts::{
        charts::{Chart, FoundChart},
        dashboards::{PlacedChart, writer::Writer},
    },
    ground::{
        error::Result,
        store::{
            Conn,
            rows::{self, columns, inserts, row, sql},
        },
    },
    on,
};
use inlay_contract::{
    grid::GridPosition,
    ids::{ChartId, DashboardId},
};
use sqlx::FromRow;

row! {
    /// A chart's place on a dashboard.
    pub(crate) struct DashboardChartRow in "dashboard_charts" {
        dashboard_id: DashboardId,
        chart_id: ChartId,
        tile_name: Option<String>,
        x: i64,
        y: i64,
        w: i64,
        h: i64,
    }
}

row! {
    /// A chart's name in a project file, on a dashboard.
    struct NamedTile of DashboardChartRow { tile_name: Option<String>, chart_id: ChartId }
}

#[derive(FromRow)]
struct FoundTile {
    #[sqlx(flatten)]
    chart: FoundChart,
    #[sqlx(flatten)]
    place: DashboardChartRow,
}

/// The charts on a dashboard, in reading order.
pub async fn charts_on(conn: &mut Conn<'_>, dashboard: DashboardId) -> Result<Vec<PlacedChart>> {
    const SQL: &str = sql!(
        "SELECT ",
        columns!(FoundChart as c),
        ", ",
        columns!(DashboardChartRow as p),
        " FROM dashboard_charts p JOIN charts c ON c.id = p.chart_id WHERE p.dashboard_id = $1 ORDER BY p.y, p.x, c.id"
    );
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundTile>(SQL).bind(dashboard).fetch_all(c).await)?;
    let edge = |value: i64| u16::try_from(value).unwrap_or_default();
    let placed = |FoundTile { chart, place }: FoundTile| PlacedChart {
        place: GridPosition { x: edge(place.x), y: edge(place.y), w: edge(place.w), h: edge(place.h) },
        chart: Chart::from(chart),
    };
    Ok(rows.into_iter().map(placed).collect())
}

/// Adds a chart to a dashboard, or moves it there.
pub async fn place(
    conn: &mut Conn<'_>,
    dashboard: DashboardId,
    chart: ChartId,
    place: GridPosition,
    tile_name: Option<&str>,
) -> Result<()> {
    const SQL: &str = sql!(
        inserts!(DashboardChartRow),
        " ON CONFLICT (dashboard_id, chart_id) DO UPDATE SET x = excluded.x, y = excluded.y, w = excluded.w, h = excluded.h"
    );
    let GridPosition { x, y, w, h } = place;
    let row = DashboardChartRow {
        dashboard_id: dashboard,
        chart_id: chart,
        tile_name: tile_name.map(str::to_owned),
        x: x.into(),
        y: y.into(),
        w: w.into(),
        h: h.into(),
    };
    on!(conn, |c| rows::query(SQL, row).execute(c).await.map(drop))?;
    Ok(())
}

/// Sets a chart's name in a project file, on a dashboard.
pub async fn name_chart(conn: &mut Conn<'_>, dashboard: DashboardId, chart: ChartId, tile_name: &str) -> Result<()> {
    const SQL: &str = "UPDATE dashboard_charts SET tile_name = $3 WHERE dashboard_id = $1 AND chart_id = $2";
    on!(conn, |c| sqlx::query(SQL).bind(dashboard).bind(chart).bind(tile_name).execute(c).await.map(drop))?;
    Ok(())
}

/// Removes a chart from a dashboard. Its own row stays. Returns whether it was there.
pub async fn unplace(conn: &mut Conn<'_>, dashboard: DashboardId, chart: ChartId) -> Result<bool> {
    const SQL: &str = "DELETE FROM dashboard_charts WHERE dashboard_id = $1 AND chart_id = $2";
    Ok(on!(conn, |c| sqlx::query(SQL).bind(dashboard).bind(chart).execute(c).await.map(|done| done.rows_affected()))? == 1)
}

/// The charts that a project file put on a dashboard: name in the file → chart.
pub async fn charts_of_file(conn: &mut Conn<'_>, dashboard: DashboardId) -> Result<Vec<(String, ChartId)>> {
    const SQL: &str = sql!("SELECT ", columns!(NamedTile), " FROM dashboard_charts WHERE dashboard_id = $1");
    let rows = on!(conn, |c| sqlx::query_as::<_, NamedTile>(SQL).bind(dashboard).fetch_all(c).await)?;
    Ok(rows.into_iter().filter_map(|row| Some((row.tile_name?, row.chart_id))).collect())
}

/// Whether a project user or a tenant may use a chart: one of their space, of a dashboard that they see, or of the library.
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
