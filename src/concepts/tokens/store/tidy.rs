//! Revocations and signing keys that nothing can need any more.

use super::super::{keyring::KEPT_AFTER_RETIREMENT, revocation::SubjectKind};
use crate::{
    ground::{
        error::Result,
        store::{Conn, rows::sql},
        tidy::{self, Batch, DAY, MOST, Rule},
    },
    on,
};
use std::time::Duration;

/// How long a revocation is kept: longer than any token lives, and a day for the differences of clocks.
const KEPT: Duration = KEPT_AFTER_RETIREMENT.saturating_add(DAY);

/// Deletes revocations whose tokens have all expired, unless a report or a report's page was granted before them: those live
/// longer than tokens. Deletes signing keys that nodes stopped accepting.
pub const TIDY: [Rule; 6] = [
    revocations("revocations_of_users", |batch, conn| Box::pin(forget(SubjectKind::User, USERS, batch, conn))),
    revocations("revocations_of_tenants", |batch, conn| Box::pin(forget(SubjectKind::Tenant, TENANTS, batch, conn))),
    revocations("revocations_of_customers", |batch, conn| Box::pin(forget(SubjectKind::Customer, CUSTOMERS, batch, conn))),
    revocations("revocations_of_projects", |batch, conn| Box::pin(forget(SubjectKind::Project, PROJECTS, batch, conn))),
    revocations("revocations_of_keys", |batch, conn| Box::pin(forget(SubjectKind::Key, KEYS, batch, conn))),
    Rule {
        name: "signing_keys",
        tables: &["signing_keys"],
        every: DAY,
        batch: MOST,
        run: |batch, conn| Box::pin(tidy::delete_before(conn, SIGNING_KEYS, batch.now.minus(KEPT), batch.most)),
    },
];

const fn revocations(name: &'static str, run: tidy::Run) -> Rule {
    Rule { name, tables: &["revocations"], every: DAY, batch: MOST, run }
}

const SIGNING_KEYS: &str = "DELETE FROM signing_keys WHERE id IN (SELECT id FROM signing_keys WHERE retired_at < $1 LIMIT $2)";

const OLD: &str = "DELETE FROM revocations WHERE subject_kind = $1 AND cutoff < $2 AND subject_id IN \
    (SELECT v.subject_id FROM revocations v WHERE v.subject_kind = $1 AND v.cutoff < $2 AND NOT EXISTS (";
const USERS: &str = sql!(
    OLD,
    "SELECT 1 FROM reports r LEFT JOIN tenants t ON t.project_user_id = r.owner_id \
    WHERE r.owner_id = v.subject_id OR t.id = v.subject_id) LIMIT $3)"
);
// Reports belong to users.
const TENANTS: &str = sql!(OLD, "SELECT 1 WHERE FALSE) LIMIT $3)");
const CUSTOMERS: &str = sql!(
    OLD,
    "SELECT 1 FROM project_users u JOIN reports r ON r.owner_id = u.id WHERE u.customer_id = v.subject_id) LIMIT $3)"
);
const PROJECTS: &str = sql!(OLD, "SELECT 1 FROM reports r WHERE r.project_id = v.subject_id) LIMIT $3)");
// A revoked key is refused whenever its tokens were issued, so it also stays while a page of its time is stored.
const KEYS: &str = sql!(
    OLD,
    "SELECT 1 FROM reports r WHERE r.key_id = v.subject_id) \
    AND NOT EXISTS (SELECT 1 FROM report_runs r WHERE r.key_id = v.subject_id) LIMIT $3)"
);

async fn forget(kind: SubjectKind, sql: &'static str, batch: Batch<'_>, conn: &mut Conn<'_>) -> Result<u64> {
    let before = batch.now.minus(KEPT);
    Ok(on!(conn, |c| {
        let forget = sqlx::query(sql).bind(kind.name()).bind(before).bind(batch.most);
        forget.execute(c).await.map(|done| done.rows_affected())
    })?)
}
