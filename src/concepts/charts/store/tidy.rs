//! Retention of charts that are on no dashboard any more, and of old versions; how much users keep.

use crate::{
    concepts::charts::Maker,
    ground::{
        error::Result,
        store::Conn,
        tidy::{self, Batch, DAY, HOUR, Rule},
        time::Timestamp,
    },
    on,
};
use inlay_contract::ids::{ChartId, DashboardId};

/// The least number of versions kept, which the index of charts with many versions starts from.
const LEAST_VERSIONS: u64 = 100;

/// Deletes users' charts that were taken off their dashboard longer than `INLAY_CHART_DAYS` ago. Charts of the project's library stay.
pub const TIDY_CHARTS: Rule = Rule {
    name: "charts",
    tables: &["charts"],
    every: HOUR,
    // Each has its versions.
    batch: 500,
    run: |batch, conn| Box::pin(forget(batch, conn)),
};

/// Deletes versions beyond the newest `INLAY_CHART_VERSIONS` of a chart.
pub const TIDY_VERSIONS: Rule = Rule {
    name: "chart_versions",
    tables: &["chart_versions"],
    every: DAY,
    batch: 1_000,
    run: |batch, conn| Box::pin(forget_versions(batch, conn)),
};

async fn forget(batch: Batch<'_>, conn: &mut Conn<'_>) -> Result<u64> {
    // The time once more outside, for a chart that is put on a dashboard at this moment.
    const SQL: &str = "DELETE FROM charts WHERE unplaced_at < $1 AND id IN (SELECT c.id FROM charts c WHERE c.unplaced_at < $1 \
        AND NOT EXISTS (SELECT 1 FROM dashboard_charts p WHERE p.chart_id = c.id) ORDER BY c.unplaced_at LIMIT $2)";
    let Some(before) = batch.days_ago(batch.settings.retention.chart_days) else { return Ok(0) };
    tidy::delete_before(conn, SQL, before, batch.most).await
}

async fn forget_versions(batch: Batch<'_>, conn: &mut Conn<'_>) -> Result<u64> {
    const SQL: &str = "DELETE FROM chart_versions WHERE (chart_id, version) IN (SELECT v.chart_id, v.version FROM charts c \
        JOIN chart_versions v ON v.chart_id = c.id WHERE c.version > 100 AND c.version > $1 AND v.version <= c.version - $1 LIMIT $2)";
    let kept = batch.settings.retention.chart_versions;
    if kept == 0 {
        return Ok(0);
    }
    tidy::delete_beyond(conn, SQL, kept.max(LEAST_VERSIONS), batch.most).await
}

/// Notes that a user's chart was taken off its dashboard.
pub async fn unplaced(conn: &mut Conn<'_>, id: ChartId) -> Result<()> {
    const SQL: &str = "UPDATE charts SET unplaced_at = $2 WHERE id = $1 AND space_id IS NOT NULL AND library_name IS NULL";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(Timestamp::now()).execute(c).await.map(drop))?;
    Ok(())
}

/// Notes the same of all charts of a dashboard, before it is deleted.
pub async fn all_unplaced(conn: &mut Conn<'_>, dashboard: DashboardId) -> Result<()> {
    const SQL: &str = "UPDATE charts SET unplaced_at = $2 WHERE id IN (SELECT chart_id FROM dashboard_charts \
        WHERE dashboard_id = $1) AND space_id IS NOT NULL AND library_name IS NULL";
    on!(conn, |c| sqlx::query(SQL).bind(dashboard).bind(Timestamp::now()).execute(c).await.map(drop))?;
    Ok(())
}

/// Notes that a chart is on a dashboard again.
pub async fn placed(conn: &mut Conn<'_>, id: ChartId) -> Result<()> {
    const SQL: &str = "UPDATE charts SET unplaced_at = NULL WHERE id = $1 AND unplaced_at IS NOT NULL";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// How many charts of a maker are on no dashboard, and how many bytes the pictures of all their charts take.
pub async fn kept_by(conn: &mut Conn<'_>, maker: Maker) -> Result<(i64, i64)> {
    const OF_USER: &str = "SELECT COUNT(CASE WHEN on_dashboard = FALSE THEN 1 END), \
        CAST(COALESCE(SUM(OCTET_LENGTH(thumbnail)), 0) AS BIGINT) FROM charts WHERE created_by = $1";
    const OF_SPACE: &str = "SELECT COUNT(CASE WHEN on_dashboard = FALSE THEN 1 END), \
        CAST(COALESCE(SUM(OCTET_LENGTH(thumbnail)), 0) AS BIGINT) FROM charts WHERE space_id = $1 AND created_by IS NULL";
    let (sql, id) = match (maker.user, maker.space) {
        (Some(user), _) => (OF_USER, user.0),
        (None, Some(space)) => (OF_SPACE, space),
        (None, None) => return Ok((0, 0)),
    };
    Ok(on!(conn, |c| sqlx::query_as(sql).bind(id).fetch_one(c).await)?)
}
