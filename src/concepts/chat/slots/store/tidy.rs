//! Slots of nodes that are gone.

use crate::ground::tidy::{self, HOUR, MOST, Rule};

const EXPIRED: &str =
    "DELETE FROM chat_answer_slots WHERE id IN (SELECT id FROM chat_answer_slots WHERE ends_at < $1 LIMIT $2)";

/// Deletes slots that expired, of users who ask no more.
pub const TIDY: Rule = Rule {
    name: "chat_answer_slots",
    tables: &["chat_answer_slots"],
    every: HOUR,
    batch: MOST,
    run: |batch, conn| Box::pin(tidy::delete_before(conn, EXPIRED, batch.now.minus(HOUR), batch.most)),
};
