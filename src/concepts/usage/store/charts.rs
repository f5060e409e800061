//! The usage of charts, in the store.

use crate::{
    concepts::usage::manage::{ChartPlace, ChartUse, FailedFor, FailingChart, Period},
    ground::{error::Result, store::Conn, time::Timestamp},
    on,
};
use inlay_contract::ids::{ApplicationId, ChartId, CustomerId, DashboardId, ProjectId};
use sqlx::FromRow;
use uuid::Uuid;

#[derive(FromRow)]
struct FoundChartUse {
    id: ChartId,
    name: String,
    asked: i64,
    ran: i64,
    failures: i64,
    milliseconds: i64,
    longest: i64,
    failed_at: Option<Timestamp>,
    last_code: Option<String>,
    application_id: Option<ApplicationId>,
    dashboard_id: Option<DashboardId>,
    dashboard_name: Option<String>,
    shared: i32,
}

/// The usage of a project's charts: failing ones with the most failures first, then the slowest.
pub async fn charts(conn: &mut Conn<'_>, project: ProjectId, period: Period, most: i64) -> Result<Vec<ChartUse>> {
    // The charts that are shown, then what belongs to each of them: why it failed last, and a dashboard that shows it.
    const SQL: &str = "SELECT t.*, d.application_id, d.id AS dashboard_id, d.name AS dashboard_name, \
        CASE WHEN d.owner_id IS NULL AND d.tenant_id IS NULL THEN 1 ELSE 0 END AS shared, \
        (SELECT l.last_code FROM usage_days l WHERE l.project_id = $1 AND l.subject_id = t.id AND l.day >= $2 AND l.kind = 'query' \
            AND l.last_failed_at = t.failed_at LIMIT 1) AS last_code FROM (SELECT c.id, c.name, \
        CAST(SUM(CASE WHEN u.kind = 'chart' THEN u.events ELSE 0 END) AS BIGINT) AS asked, \
        CAST(SUM(CASE WHEN u.kind = 'query' THEN u.events ELSE 0 END) AS BIGINT) AS ran, \
        CAST(SUM(u.failures) AS BIGINT) AS failures, CAST(SUM(u.milliseconds) AS BIGINT) AS milliseconds, \
        CAST(MAX(u.longest) AS BIGINT) AS longest, MAX(u.last_failed_at) AS failed_at \
        FROM usage_days u JOIN charts c ON c.id = u.subject_id \
        WHERE u.project_id = $1 AND c.project_id = $1 AND u.day >= $2 AND u.kind IN ('chart', 'query') \
        GROUP BY c.id, c.name ORDER BY 5 DESC, 7 DESC, asked DESC, c.name LIMIT $3) t \
        LEFT JOIN dashboards d ON d.id = (SELECT s.id FROM dashboard_charts p JOIN dashboards s ON s.id = p.dashboard_id \
            WHERE p.chart_id = t.id ORDER BY CASE WHEN s.owner_id IS NULL AND s.tenant_id IS NULL THEN 0 ELSE 1 END, s.id LIMIT 1) \
        ORDER BY t.failures DESC, t.longest DESC, t.asked DESC, t.name";
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundChartUse>(SQL)
        .bind(project)
        .bind(period.first())
        .bind(most)
        .fetch_all(c)
        .await)?;
    let mut used = Vec::with_capacity(rows.len());
    for row in rows {
        let answered = (row.ran - row.failures).max(0);
        let mean = (answered > 0).then(|| row.milliseconds / answered);
        let failed_for = if row.failures > 0 { failed_for(conn, project, row.id, period).await? } else { FailedFor::default() };
        used.push(ChartUse {
            id: row.id,
            name: row.name,
            asked: row.asked,
            ran: row.ran,
            failures: row.failures,
            mean,
            longest: row.longest,
            failed: row.last_code.zip(row.failed_at),
            failed_for,
            place: match (row.application_id, row.dashboard_id, row.dashboard_name) {
                (Some(application), Some(dashboard), Some(name)) => {
                    Some(ChartPlace { application, dashboard, name, shared: row.shared == 1 })
                }
                _ => None,
            },
        });
    }
    Ok(used)
}

#[derive(FromRow)]
struct FoundFailedFor {
    customer_id: CustomerId,
    name: Option<String>,
    failures: i64,
    customers: i64,
}

/// The customers for whom a chart failed, with the most affected by name.
async fn failed_for(conn: &mut Conn<'_>, project: ProjectId, chart: ChartId, period: Period) -> Result<FailedFor> {
    const NAMED: i64 = 3;
    const SQL: &str = "SELECT u.customer_id, c.name, CAST(SUM(u.failures) AS BIGINT) AS failures, COUNT(*) OVER () AS customers \
        FROM usage_days u LEFT JOIN customers c ON c.id = u.customer_id AND c.project_id = u.project_id \
        WHERE u.project_id = $1 AND u.kind = 'failedFor' AND u.subject_id = $2 AND u.day >= $3 AND u.customer_id <> $4 \
        GROUP BY u.customer_id, c.name ORDER BY CASE WHEN c.name IS NULL THEN 1 ELSE 0 END, 3 DESC, c.name LIMIT $5";
    const WITHOUT: &str = "SELECT CAST(COALESCE(SUM(failures), 0) AS BIGINT) FROM usage_days \
        WHERE project_id = $1 AND kind = 'failedFor' AND subject_id = $2 AND day >= $3 AND customer_id = $4";
    let first = period.first();
    let rows = on!(conn, |c| {
        let read =
            sqlx::query_as::<_, FoundFailedFor>(SQL).bind(project).bind(chart).bind(&first).bind(Uuid::nil()).bind(NAMED);
        read.fetch_all(c).await
    })?;
    let without =
        on!(conn, |c| sqlx::query_scalar(WITHOUT).bind(project).bind(chart).bind(&first).bind(Uuid::nil()).fetch_one(c).await)?;
    let count = rows.first().map_or(0, |row| row.customers);
    // Deleted customers still count, without a name.
    let named = rows.into_iter().filter_map(|row| Some((row.customer_id, row.name?, row.failures)));
    Ok(FailedFor { count, customers: named.collect(), without })
}

#[derive(FromRow)]
struct FoundFailing {
    name: String,
    ran: i64,
    failures: i64,
    failed_at: Timestamp,
}

/// The charts whose query has failed since a time, those with the most failures of the period first.
pub async fn failing(conn: &mut Conn<'_>, project: ProjectId, period: Period, since: Timestamp) -> Result<Vec<FailingChart>> {
    const SQL: &str = "SELECT c.name, CAST(SUM(u.events) AS BIGINT) AS ran, CAST(SUM(u.failures) AS BIGINT) AS failures, \
        MAX(u.last_failed_at) AS failed_at FROM usage_days u JOIN charts c ON c.id = u.subject_id \
        WHERE u.project_id = $1 AND c.project_id = $1 AND u.day >= $2 AND u.kind = 'query' GROUP BY c.id, c.name \
        HAVING MAX(u.last_failed_at) >= $3 ORDER BY 3 DESC, c.name";
    let rows = on!(conn, |c| {
        let read = sqlx::query_as::<_, FoundFailing>(SQL).bind(project).bind(period.first()).bind(since);
        read.fetch_all(c).await
    })?;
    let chart = |FoundFailing { name, ran, failures, failed_at }: FoundFailing| FailingChart { name, ran, failures, failed_at };
    Ok(rows.into_iter().map(chart).collect())
}

/// How many charts were shown in a period.
pub async fn shown(conn: &mut Conn<'_>, project: ProjectId, period: Period) -> Result<i64> {
    const SQL: &str = "SELECT COUNT(DISTINCT u.subject_id) FROM usage_days u JOIN charts c ON c.id = u.subject_id \
        WHERE u.project_id = $1 AND c.project_id = $1 AND u.day >= $2 AND u.kind = 'chart'";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(project).bind(period.first()).fetch_one(c).await)?)
}
