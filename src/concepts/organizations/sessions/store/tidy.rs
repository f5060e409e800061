//! Sessions that ran out.

use crate::{
    ground::{
        error::Result,
        store::Conn,
        tidy::{Batch, HOUR, MOST, Rule},
    },
    on,
};

/// Deletes sessions that are no longer valid.
pub const TIDY: Rule = Rule {
    name: "console_sessions",
    tables: &["console_sessions"],
    every: HOUR,
    batch: MOST,
    run: |batch, conn| Box::pin(forget(batch, conn)),
};

async fn forget(batch: Batch<'_>, conn: &mut Conn<'_>) -> Result<u64> {
    const SQL: &str = "DELETE FROM console_sessions WHERE id IN \
        (SELECT id FROM console_sessions WHERE seen_at <= $1 OR created_at <= $2 LIMIT $3)";
    let console = &batch.settings.console;
    let (idle, longest) = (batch.now.minus(console.idle()), batch.now.minus(console.longest()));
    Ok(on!(conn, |c| {
        let forget = sqlx::query(SQL).bind(idle).bind(longest).bind(batch.most);
        forget.execute(c).await.map(|done| done.rows_affected())
    })?)
}
