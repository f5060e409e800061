//! The origins of chart copies, in the store.

use crate::{
    concepts::charts::PlacedCopy,
    ground::{error::Result, store::Conn},
    on,
};
use inlay_contract::ids::{ApplicationId, ChartId, DashboardId, ProjectId};
use sqlx::FromRow;

#[derive(FromRow)]
struct SharedCopy {
    origin_id: ChartId,
    id: ChartId,
    dashboard_id: DashboardId,
    application_id: ApplicationId,
    named: String,
    origin_version: Option<i64>,
    changed: bool,
}

#[derive(FromRow)]
struct Copy {
    id: ChartId,
    origin_id: ChartId,
}

#[derive(FromRow)]
struct CopyCount {
    origin_id: ChartId,
    copies: i64,
}

/// Records the chart, and the version if known, that another chart is a copy of. The copy of a copy on a dashboard counts as a
/// copy of the original.
pub async fn descends(conn: &mut Conn<'_>, copy: ChartId, of: ChartId, version: Option<i64>) -> Result<()> {
    const SQL: &str = "UPDATE charts SET \
        origin_id = (SELECT CASE WHEN EXISTS (SELECT 1 FROM dashboard_charts p WHERE p.chart_id = o.id) THEN o.origin_id \
            ELSE o.id END FROM charts o WHERE o.id = $2), \
        origin_version = (SELECT CASE WHEN EXISTS (SELECT 1 FROM dashboard_charts p WHERE p.chart_id = o.id) \
            THEN o.origin_version ELSE CAST($3 AS BIGINT) END FROM charts o WHERE o.id = $2) \
        WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(copy).bind(of).bind(version).execute(c).await.map(drop))?;
    Ok(())
}

/// The copies on the shared dashboards of a project, each with its original, by the dashboards' names.
pub async fn shared(conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<(ChartId, PlacedCopy)>> {
    const SQL: &str = "SELECT c.origin_id, c.id, d.id AS dashboard_id, a.id AS application_id, a.name || ' / ' || d.name AS named, \
        c.origin_version, COALESCE(v.definition <> c.definition OR v.connection_id <> c.connection_id, TRUE) AS changed \
        FROM dashboard_charts p JOIN charts c ON c.id = p.chart_id \
        JOIN dashboards d ON d.id = p.dashboard_id JOIN applications a ON a.id = d.application_id \
        LEFT JOIN chart_versions v ON v.chart_id = c.origin_id AND v.version = c.origin_version \
        WHERE a.project_id = $1 AND c.origin_id IS NOT NULL AND d.owner_id IS NULL AND d.tenant_id IS NULL ORDER BY named, c.id";
    let rows = on!(conn, |c| sqlx::query_as::<_, SharedCopy>(SQL).bind(project).fetch_all(c).await)?;
    let copy = |row: SharedCopy| {
        let SharedCopy { origin_id, id, dashboard_id, application_id, named, origin_version, changed } = row;
        let copy = PlacedCopy {
            chart: id,
            dashboard: dashboard_id,
            application: application_id,
            named,
            version: origin_version,
            changed,
        };
        (origin_id, copy)
    };
    Ok(rows.into_iter().map(copy).collect())
}

/// The copies on a dashboard, each with its original, which may be deleted.
pub async fn on_dashboard(conn: &mut Conn<'_>, dashboard: DashboardId) -> Result<Vec<(ChartId, ChartId)>> {
    const SQL: &str = "SELECT c.id, c.origin_id FROM dashboard_charts p JOIN charts c ON c.id = p.chart_id \
        WHERE p.dashboard_id = $1 AND c.origin_id IS NOT NULL";
    let rows = on!(conn, |c| sqlx::query_as::<_, Copy>(SQL).bind(dashboard).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|row| (row.id, row.origin_id)).collect())
}

/// How many copies of each chart are on users' own dashboards.
pub async fn own(conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<(ChartId, i64)>> {
    const SQL: &str = "SELECT c.origin_id, COUNT(*) AS copies FROM dashboard_charts p JOIN charts c ON c.id = p.chart_id \
        JOIN dashboards d ON d.id = p.dashboard_id WHERE c.project_id = $1 AND c.origin_id IS NOT NULL \
        AND (d.owner_id IS NOT NULL OR d.tenant_id IS NOT NULL) GROUP BY c.origin_id";
    let rows = on!(conn, |c| sqlx::query_as::<_, CopyCount>(SQL).bind(project).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|row| (row.origin_id, row.copies)).collect())
}
