//! Retention of counters.

use crate::{
    ground::{
        config::retention::{CUSTOMER_USAGE_DAYS, USAGE_DAYS},
        error::Result,
        store::Conn,
        tidy::{self, Batch, DAY, MOST, Rule},
    },
    on,
};
use uuid::Uuid;

/// How many days before their end counts by customer are looked for. After a longer stop of the service they stay until the end
/// of all counts.
const LOOKED_BACK: u64 = 30;

const OLD: &str = "DELETE FROM usage_days WHERE (project_id, day, kind, subject_id, customer_id) IN \
    (SELECT project_id, day, kind, subject_id, customer_id FROM usage_days WHERE day < $1 LIMIT $2)";

/// Deletes old counts. Counts by customer have their own limit.
pub const TIDY: [Rule; 2] = [
    Rule {
        name: "usage_days",
        tables: &["usage_days"],
        every: DAY,
        batch: MOST,
        run: |batch, conn| {
            Box::pin(async move {
                let Some(before) = batch.days_ago(USAGE_DAYS) else { return Ok(0) };
                tidy::delete_days_before(conn, OLD, before, batch.most).await
            })
        },
    },
    Rule {
        name: "usage_days_of_customers",
        tables: &["usage_days"],
        every: DAY,
        batch: MOST,
        run: |batch, conn| Box::pin(forget_customers(batch, conn)),
    },
];

async fn forget_customers(batch: Batch<'_>, conn: &mut Conn<'_>) -> Result<u64> {
    const SQL: &str = "DELETE FROM usage_days WHERE (project_id, day, kind, subject_id, customer_id) IN \
        (SELECT project_id, day, kind, subject_id, customer_id FROM usage_days \
        WHERE day >= $1 AND day < $2 AND customer_id <> $3 LIMIT $4)";
    let day = |ago: u64| batch.days_ago(ago).map(|at| at.to_utc().date_naive().to_string()).unwrap_or_default();
    let (from, until) = (day(CUSTOMER_USAGE_DAYS + LOOKED_BACK), day(CUSTOMER_USAGE_DAYS));
    Ok(on!(conn, |c| {
        let forget = sqlx::query(SQL).bind(from).bind(until).bind(Uuid::nil()).bind(batch.most);
        forget.execute(c).await.map(|done| done.rows_affected())
    })?)
}
