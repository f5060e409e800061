//! Retention of evaluations.

use crate::ground::{
    error::Result,
    store::Conn,
    tidy::{self, Batch, DAY, Rule},
};

/// How many evaluations of a workspace are kept.
const KEPT: u64 = 200;

/// Deletes evaluations beyond the newest of a workspace.
pub const TIDY: Rule = Rule {
    name: "workspace_evaluations",
    tables: &["workspace_evaluations"],
    every: DAY,
    batch: 500,
    run: |batch, conn| Box::pin(forget(batch, conn)),
};

async fn forget(batch: Batch<'_>, conn: &mut Conn<'_>) -> Result<u64> {
    const SQL: &str = "DELETE FROM workspace_evaluations WHERE state NOT IN ('waiting', 'running') AND id IN (SELECT p.id FROM \
        (SELECT id, ROW_NUMBER() OVER (PARTITION BY workspace_id ORDER BY created_at DESC, id DESC) AS number \
        FROM workspace_evaluations) p WHERE p.number > $1 LIMIT $2)";
    tidy::delete_beyond(conn, SQL, KEPT, batch.most).await
}
