//! Links that ran out.

use crate::ground::tidy::{self, DAY, HOUR, MOST, Rule};

const EXPIRED: &str = "DELETE FROM console_links WHERE id IN (SELECT id FROM console_links WHERE expires_at < $1 LIMIT $2)";

/// Deletes links that expired a month ago. Until then the members' page shows an invitation as expired.
pub const TIDY: Rule = Rule {
    name: "console_links",
    tables: &["console_links"],
    every: HOUR,
    batch: MOST,
    run: |batch, conn| Box::pin(tidy::delete_before(conn, EXPIRED, batch.now.minus(DAY.saturating_mul(30)), batch.most)),
};
