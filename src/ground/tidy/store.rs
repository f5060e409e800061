//! The claims of retention in the store.

use crate::{
    ground::{
        error::Result,
        store::{
            Conn, Db,
            rows::{self, inserts, row, sql},
        },
        time::Timestamp,
    },
    on,
};
use std::time::Duration;
use uuid::Uuid;

row! {
    /// A rule: when it is due, and who works on it.
    pub(crate) struct TidyRow in "tidy_rules" {
        name: String,
        due_at: Timestamp,
        lease_id: Option<Uuid>,
        lease_until: Option<Timestamp>,
    }
}

/// When each rule is due. One that never ran is missing.
pub(super) async fn due_times(conn: &mut Conn<'_>) -> Result<Vec<(String, Timestamp)>> {
    const SQL: &str = "SELECT name, due_at FROM tidy_rules";
    Ok(on!(conn, |c| sqlx::query_as(SQL).fetch_all(c).await)?)
}

/// Claims a rule. Returns `false` when it is not due, or another node works on it.
pub(super) async fn claim(db: &Db, name: &str, lease: Uuid, now: Timestamp, lasts: Duration) -> Result<bool> {
    const SQL: &str = sql!(
        inserts!(TidyRow),
        " ON CONFLICT (name) DO UPDATE SET lease_id = excluded.lease_id, lease_until = excluded.lease_until \
        WHERE tidy_rules.due_at <= $5 AND (tidy_rules.lease_until IS NULL OR tidy_rules.lease_until <= $5)"
    );
    let row = TidyRow { name: name.to_owned(), due_at: now, lease_id: Some(lease), lease_until: Some(now.plus(lasts)) };
    let mut tx = db.write().await?;
    let claimed = on!(&mut tx.conn(), |c| rows::query(SQL, row).bind(now).execute(c).await.map(|done| done.rows_affected()))?;
    tx.commit().await?;
    Ok(claimed == 1)
}

/// Renews a claim, and locks it until this transaction ends. Returns `false` when it is lost.
pub(super) async fn renew(conn: &mut Conn<'_>, name: &str, lease: Uuid, until: Timestamp) -> Result<bool> {
    const SQL: &str = "UPDATE tidy_rules SET lease_until = $3 WHERE name = $1 AND lease_id = $2";
    let held = on!(conn, |c| {
        sqlx::query(SQL).bind(name).bind(lease).bind(until).execute(c).await.map(|done| done.rows_affected())
    })?;
    Ok(held == 1)
}

/// Releases a claim until the rule is due again.
pub(super) async fn put_off(db: &Db, name: &str, lease: Uuid, due_at: Timestamp) -> Result<()> {
    const SQL: &str =
        "UPDATE tidy_rules SET due_at = $3, lease_id = NULL, lease_until = NULL WHERE name = $1 AND lease_id = $2";
    let mut tx = db.write().await?;
    on!(&mut tx.conn(), |c| sqlx::query(SQL).bind(name).bind(lease).bind(due_at).execute(c).await.map(drop))?;
    tx.commit().await
}

/// Runs a concept's statement that deletes at most `$2` rows of before the time `$1`. Returns the number of rows.
pub async fn delete_before(conn: &mut Conn<'_>, sql: &'static str, before: Timestamp, most: i64) -> Result<u64> {
    Ok(on!(conn, |c| sqlx::query(sql).bind(before).bind(most).execute(c).await.map(|done| done.rows_affected()))?)
}

/// The same for rows of days before the day of the time `$1`.
pub async fn delete_days_before(conn: &mut Conn<'_>, sql: &'static str, before: Timestamp, most: i64) -> Result<u64> {
    let day = before.to_utc().date_naive().to_string();
    Ok(on!(conn, |c| sqlx::query(sql).bind(day).bind(most).execute(c).await.map(|done| done.rows_affected()))?)
}

/// The same for a statement whose `$1` is a number, such as how many rows of a kind are kept.
pub async fn delete_beyond(conn: &mut Conn<'_>, sql: &'static str, kept: u64, most: i64) -> Result<u64> {
    let kept = i64::try_from(kept).unwrap_or(i64::MAX);
    Ok(on!(conn, |c| sqlx::query(sql).bind(kept).bind(most).execute(c).await.map(|done| done.rows_affected()))?)
}
