//! Retention of the results of isolation checks.

use crate::ground::{
    error::Result,
    store::Conn,
    tidy::{self, Batch, DAY, Rule},
};

/// Deletes results that are older than `INLAY_ISOLATION_DAYS`.
pub const TIDY: Rule = Rule {
    name: "isolation_runs",
    tables: &["isolation_runs"],
    every: DAY,
    batch: 500,
    run: |batch, conn| Box::pin(forget(batch, conn)),
};

async fn forget(batch: Batch<'_>, conn: &mut Conn<'_>) -> Result<u64> {
    const SQL: &str = "DELETE FROM isolation_runs WHERE id IN \
        (SELECT id FROM isolation_runs WHERE ended_at < $1 ORDER BY ended_at LIMIT $2)";
    let Some(before) = batch.days_ago(batch.settings.isolation.isolation_days) else { return Ok(0) };
    tidy::delete_before(conn, SQL, before, batch.most).await
}
