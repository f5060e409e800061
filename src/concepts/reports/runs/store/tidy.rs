//! Retention of runs, their pages and the counts of mails.

use crate::ground::{
    error::Result,
    store::Conn,
    tidy::{self, Batch, DAY, HOUR, MOST, Rule},
};

/// How many pages a transaction deletes. Each may be megabytes.
const PAGES: i64 = 100;

/// Deletes what is expired or too much.
pub const TIDY: [Rule; 5] = [
    Rule {
        name: "report_pages",
        tables: &["report_runs"],
        every: HOUR,
        batch: PAGES,
        run: |batch, conn| Box::pin(tidy::delete_before(conn, EXPIRED, batch.now, batch.most)),
    },
    Rule {
        name: "report_pages_beyond_number",
        tables: &["report_runs"],
        every: HOUR,
        batch: PAGES,
        run: |batch, conn| Box::pin(beyond(BEYOND_NUMBER, batch.settings.retention.report_pages, batch, conn)),
    },
    Rule {
        name: "report_pages_beyond_bytes",
        tables: &["report_runs"],
        every: HOUR,
        batch: PAGES,
        run: |batch, conn| Box::pin(beyond(BEYOND_BYTES, batch.settings.retention.report_bytes, batch, conn)),
    },
    Rule {
        name: "report_runs",
        tables: &["report_runs", "report_deliveries"],
        every: HOUR,
        // Each has its mails.
        batch: 500,
        run: |batch, conn| {
            let before = batch.now.minus(batch.settings.reports.history());
            Box::pin(tidy::delete_before(conn, RUNS, before, batch.most))
        },
    },
    Rule {
        name: "report_mails",
        tables: &["report_mails"],
        every: DAY,
        batch: MOST,
        run: |batch, conn| Box::pin(tidy::delete_days_before(conn, MAILS, batch.now, batch.most)),
    },
];

const EXPIRED: &str = "UPDATE report_runs SET snapshot = NULL, expires_at = NULL WHERE id IN \
    (SELECT id FROM report_runs WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
const BEYOND_NUMBER: &str = "UPDATE report_runs SET snapshot = NULL, expires_at = NULL WHERE id IN (SELECT p.id FROM \
    (SELECT id, ROW_NUMBER() OVER (PARTITION BY report_id ORDER BY due_at DESC, id DESC) AS number FROM report_runs \
    WHERE expires_at IS NOT NULL) p WHERE p.number > $1 LIMIT $2)";
const BEYOND_BYTES: &str = "UPDATE report_runs SET snapshot = NULL, expires_at = NULL WHERE id IN (SELECT p.id FROM \
    (SELECT r.id, SUM(COALESCE(LENGTH(r.snapshot), 0)) OVER (PARTITION BY j.organization_id ORDER BY r.due_at DESC, r.id DESC) AS bytes \
    FROM report_runs r JOIN reports t ON t.id = r.report_id JOIN projects j ON j.id = t.project_id \
    WHERE r.expires_at IS NOT NULL) p WHERE p.bytes > $1 LIMIT $2)";
const RUNS: &str = "DELETE FROM report_runs WHERE id IN \
    (SELECT id FROM report_runs WHERE ended_at < $1 AND expires_at IS NULL ORDER BY ended_at LIMIT $2)";
const MAILS: &str =
    "DELETE FROM report_mails WHERE (user_id, day) IN (SELECT user_id, day FROM report_mails WHERE day < $1 LIMIT $2)";

async fn beyond(sql: &'static str, kept: u64, batch: Batch<'_>, conn: &mut Conn<'_>) -> Result<u64> {
    if kept == 0 { Ok(0) } else { tidy::delete_beyond(conn, sql, kept, batch.most).await }
}
