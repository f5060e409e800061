//! Retention of messages.

use crate::ground::tidy::{self, HOUR, MOST, Rule};

const OLD: &str = "DELETE FROM webhook_deliveries WHERE id IN \
    (SELECT id FROM webhook_deliveries WHERE created_at < $1 AND state <> 'waiting' ORDER BY created_at LIMIT $2)";

/// Deletes messages that are older than `INLAY_HISTORY_DAYS`, unless they still wait.
pub const TIDY: Rule = Rule {
    name: "webhook_deliveries",
    tables: &["webhook_deliveries"],
    every: HOUR,
    batch: MOST,
    run: |batch, conn| Box::pin(tidy::delete_before(conn, OLD, batch.now.minus(batch.settings.reports.history()), batch.most)),
};
