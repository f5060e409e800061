//! Where copies come from, in the store.

use super::PlacedCopy;
use crate::{error::Result, on, store::Conn};
use inlay_contract::ids::{ApplicationId, ChartId, DashboardId, ProjectId};

/// Notes of which chart, in which version if that is known, another one is a copy. The copy of a copy on a dashboard is one of
/// the original.
///
/// # Errors
/// The store is away.
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
///
/// # Errors
/// The store is away.
pub async fn shared(conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<(ChartId, PlacedCopy)>> {
    const SQL: &str = "SELECT c.origin_id, c.id, d.id, a.id, a.name || ' / ' || d.name, c.origin_version, \
        COALESCE(v.definition <> c.definition OR v.connection_id <> c.connection_id, TRUE) \
        FROM dashboard_charts p JOIN charts c ON c.id = p.chart_id \
        JOIN dashboards d ON d.id = p.dashboard_id JOIN applications a ON a.id = d.application_id \
        LEFT JOIN chart_versions v ON v.chart_id = c.origin_id AND v.version = c.origin_version \
        WHERE a.project_id = $1 AND c.origin_id IS NOT NULL AND d.owner_id IS NULL AND d.tenant_id IS NULL ORDER BY 5, c.id";
    type Row = (ChartId, ChartId, DashboardId, ApplicationId, String, Option<i64>, bool);
    let rows = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(project).fetch_all(c).await)?;
    let copy = |(origin, chart, dashboard, application, named, version, changed): Row| {
        (origin, PlacedCopy { chart, dashboard, application, named, version, changed })
    };
    Ok(rows.into_iter().map(copy).collect())
}

/// The copies on a dashboard, each with its original; that one may be gone.
///
/// # Errors
/// The store is away.
pub async fn on_dashboard(conn: &mut Conn<'_>, dashboard: DashboardId) -> Result<Vec<(ChartId, ChartId)>> {
    const SQL: &str = "SELECT c.id, c.origin_id FROM dashboard_charts p JOIN charts c ON c.id = p.chart_id \
        WHERE p.dashboard_id = $1 AND c.origin_id IS NOT NULL";
    Ok(on!(conn, |c| sqlx::query_as(SQL).bind(dashboard).fetch_all(c).await)?)
}

/// How many copies of each chart stand on users' own dashboards.
///
/// # Errors
/// The store is away.
pub async fn own(conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<(ChartId, i64)>> {
    const SQL: &str = "SELECT c.origin_id, COUNT(*) FROM dashboard_charts p JOIN charts c ON c.id = p.chart_id \
        JOIN dashboards d ON d.id = p.dashboard_id WHERE c.project_id = $1 AND c.origin_id IS NOT NULL \
        AND (d.owner_id IS NOT NULL OR d.tenant_id IS NOT NULL) GROUP BY c.origin_id";
    Ok(on!(conn, |c| sqlx::query_as(SQL).bind(project).fetch_all(c).await)?)
}
