//! Old attempts to sign in.

use super::super::FORGOTTEN_AFTER;
use crate::ground::tidy::{self, HOUR, MOST, Rule};

const OLD: &str =
    "DELETE FROM console_attempts WHERE subject IN (SELECT subject FROM console_attempts WHERE last_at < $1 LIMIT $2)";

/// Deletes counts of attempts that no longer matter.
pub const TIDY: Rule = Rule {
    name: "console_attempts",
    tables: &["console_attempts"],
    every: HOUR,
    batch: MOST,
    run: |batch, conn| Box::pin(tidy::delete_before(conn, OLD, batch.now.minus(FORGOTTEN_AFTER), batch.most)),
};
