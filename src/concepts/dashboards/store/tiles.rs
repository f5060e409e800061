//! Charts on dashboards, in the store.

use crate::{
    concepts::{
        charts::{self, Chart, FoundChart, NamedChart},
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
    ids::{ApplicationId, ChartId, DashboardId},
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

/// The places of a dashboard's charts `c`, in reading order: the rest of a query behind the columns of the charts.
const ON_DASHBOARD: &str = sql!(
    columns!(DashboardChartRow as p),
    " FROM dashboard_charts p JOIN charts c ON c.id = p.chart_id WHERE p.dashboard_id = $1 ORDER BY p.y, p.x, c.id"
);

#[derive(FromRow)]
struct FoundTile {
    #[sqlx(flatten)]
    chart: FoundChart,
    #[sqlx(flatten)]
    place: DashboardChartRow,
}

/// The charts on a dashboard, in reading order.
pub async fn charts_on(conn: &mut Conn<'_>, dashboard: DashboardId) -> Result<Vec<PlacedChart>> {
    const SQL: &str = sql!("SELECT ", columns!(FoundChart as c), ", ", ON_DASHBOARD);
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundTile>(SQL).bind(dashboard).fetch_all(c).await)?;
    let placed = |FoundTile { chart, place }: FoundTile| PlacedChart { place: position(&place), chart: Chart::from(chart) };
    Ok(rows.into_iter().map(placed).collect())
}

#[derive(FromRow)]
struct NamedPlace {
    #[sqlx(flatten)]
    chart: NamedChart,
    #[sqlx(flatten)]
    place: DashboardChartRow,
}

/// A chart on a dashboard without its definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The chart.
    pub chart: ChartId,
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: i64,
    /// Its position.
    pub position: GridPosition,
}

/// The places of the charts on a dashboard, in reading order.
pub async fn places_on(conn: &mut Conn<'_>, dashboard: DashboardId) -> Result<Vec<Place>> {
    const SQL: &str = sql!("SELECT ", columns!(NamedChart as c), ", ", ON_DASHBOARD);
    let rows = on!(conn, |c| sqlx::query_as::<_, NamedPlace>(SQL).bind(dashboard).fetch_all(c).await)?;
    let place = |NamedPlace { chart, place }: NamedPlace| Place {
        chart: chart.id,
        name: chart.name,
        version: chart.version,
        position: position(&place),
    };
    Ok(rows.into_iter().map(place).collect())
}

fn position(row: &DashboardChartRow) -> GridPosition {
    let edge = |value: i64| u16::try_from(value).unwrap_or_default();
    GridPosition { x: edge(row.x), y: edge(row.y), w: edge(row.w), h: edge(row.h) }
}

#[derive(FromRow)]
struct ChartCount {
    id: DashboardId,
    charts: i64,
}

/// How many charts each shared dashboard of an application has. Those without charts are left out.
pub async fn chart_counts(conn: &mut Conn<'_>, application: ApplicationId) -> Result<Vec<(DashboardId, i64)>> {
    const SQL: &str = "SELECT d.id, COUNT(*) AS charts FROM dashboards d JOIN dashboard_charts p ON p.dashboard_id = d.id \
        WHERE d.application_id = $1 AND d.owner_id IS NULL AND d.tenant_id IS NULL GROUP BY d.id";
    let rows = on!(conn, |c| sqlx::query_as::<_, ChartCount>(SQL).bind(application).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|row| (row.id, row.charts)).collect())
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
    charts::placed(conn, chart).await
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
    let taken_off =
        on!(conn, |c| sqlx::query(SQL).bind(dashboard).bind(chart).execute(c).await.map(|done| done.rows_affected()))? == 1;
    if taken_off {
        charts::unplaced(conn, chart).await?;
    }
    Ok(taken_off)
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
        OR (c.space_id IS NULL AND c.on_dashboard = FALSE) \
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
