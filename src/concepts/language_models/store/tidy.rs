//! Retention of the usage of models. Budgets look at a day, the console's pages at some months.

use crate::ground::{
    config::retention::USAGE_DAYS,
    error::Result,
    store::Conn,
    tidy::{self, Batch, DAY, MOST, Rule},
};

const CHAT: &str =
    "DELETE FROM chat_usage WHERE (user_id, day) IN (SELECT user_id, day FROM chat_usage WHERE day < $1 LIMIT $2)";
const PROJECTS: &str = "DELETE FROM project_evaluation_usage WHERE (project_id, day) IN \
    (SELECT project_id, day FROM project_evaluation_usage WHERE day < $1 LIMIT $2)";
const ORGANIZATIONS: &str = "DELETE FROM evaluation_usage WHERE (organization_id, day) IN \
    (SELECT organization_id, day FROM evaluation_usage WHERE day < $1 LIMIT $2)";

/// Deletes usage of more than 400 days ago.
pub const TIDY: [Rule; 3] = [
    rule("chat_usage", &["chat_usage"], |batch, conn| Box::pin(forget(CHAT, batch, conn))),
    rule("project_evaluation_usage", &["project_evaluation_usage"], |batch, conn| Box::pin(forget(PROJECTS, batch, conn))),
    rule("evaluation_usage", &["evaluation_usage"], |batch, conn| Box::pin(forget(ORGANIZATIONS, batch, conn))),
];

const fn rule(name: &'static str, tables: &'static [&'static str], run: tidy::Run) -> Rule {
    Rule { name, tables, every: DAY, batch: MOST, run }
}

async fn forget(sql: &'static str, batch: Batch<'_>, conn: &mut Conn<'_>) -> Result<u64> {
    let Some(before) = batch.days_ago(USAGE_DAYS) else { return Ok(0) };
    tidy::delete_days_before(conn, sql, before, batch.most).await
}
