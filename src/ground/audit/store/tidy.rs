//! Retention of the audit log.

use crate::{
    ground::{
        error::Result,
        store::Conn,
        tidy::{Batch, HOUR, MOST, Rule},
        time::Timestamp,
    },
    on,
};
use uuid::Uuid;

/// Deletes events that are older than `INLAY_AUDIT_DAYS`.
pub const TIDY: Rule = Rule {
    name: "audit_events",
    tables: &["audit_events"],
    every: HOUR,
    batch: MOST,
    run: |batch, conn| Box::pin(forget(batch, conn)),
};

async fn forget(batch: Batch<'_>, conn: &mut Conn<'_>) -> Result<u64> {
    // Ids begin with their time, so the primary key finds old events: the largest table needs no further index.
    const SQL: &str = "DELETE FROM audit_events WHERE id IN (SELECT id FROM audit_events WHERE id < $1 AND at < $2 LIMIT $3)";
    let Some(before) = batch.days_ago(batch.settings.retention.audit_days) else { return Ok(0) };
    let first = first_id(before);
    Ok(on!(conn, |c| {
        let forget = sqlx::query(SQL).bind(first).bind(before).bind(batch.most);
        forget.execute(c).await.map(|done| done.rows_affected())
    })?)
}

/// The smallest id of version 7 that is made at this time.
fn first_id(at: Timestamp) -> Uuid {
    Uuid::from_u128(u128::from(at.0.max(0).unsigned_abs()) << 80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_before_are_smaller() {
        let now = Timestamp::now();
        let id = Uuid::now_v7();
        assert!(first_id(now) <= id);
        assert!(id < first_id(now.plus(std::time::Duration::from_secs(60))));
    }
}
