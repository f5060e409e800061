//! Jobs in the store.

use super::{Job, JobKind, LEASE, NewJob};
use crate::{
    ground::{
        error::Result,
        store::{
            Conn, Db,
            rows::{self, columns, inserts, row, sql},
        },
        time::Timestamp,
    },
    on,
};
use std::time::Duration;
use uuid::Uuid;

row! {
    /// A job that waits or runs.
    pub(crate) struct JobRow in "jobs" {
        id: Uuid,
        kind: String,
        subject_id: Uuid,
        key: String,
        due_at: Timestamp,
        attempts: i64,
        lease_id: Option<Uuid>,
        lease_until: Option<Timestamp>,
        created_at: Timestamp,
    }
}

row! {
    struct ClaimedJob of JobRow { id: Uuid, subject_id: Uuid, attempts: i64 }
}

/// Adds a job, within the transaction that requires it. A second job about the same object is ignored.
pub async fn add(conn: &mut Conn<'_>, job: &NewJob) -> Result<()> {
    const SQL: &str = sql!(inserts!(JobRow), " ON CONFLICT (key) DO NOTHING");
    let kind = job.kind.name();
    let row = JobRow {
        id: Uuid::now_v7(),
        kind: kind.to_owned(),
        subject_id: job.subject,
        key: format!("{kind}:{}", job.subject),
        due_at: job.due_at,
        attempts: 0,
        lease_id: None,
        lease_until: None,
        created_at: Timestamp::now(),
    };
    on!(conn, |c| rows::query(SQL, row).execute(c).await.map(drop))?;
    Ok(())
}

/// Claims the longest waiting job of a kind, unless `at_once` of them are running already.
pub async fn claim(db: &Db, kind: JobKind, at_once: i64, now: Timestamp) -> Result<Option<Job>> {
    const DUE: &str =
        "SELECT COUNT(*) FROM jobs WHERE kind = $1 AND due_at <= $2 AND (lease_until IS NULL OR lease_until <= $2)";
    let due: i64 = {
        let mut lease = db.read().await?;
        on!(&mut lease.conn(), |c| sqlx::query_scalar(DUE).bind(kind.name()).bind(now).fetch_one(c).await)?
    };
    if due == 0 {
        return Ok(None);
    }
    let mut tx = db.write().await?;
    let claimed = claim_in_turn(&mut tx.conn(), kind, at_once, now).await?;
    tx.commit().await?;
    Ok(claimed)
}

async fn claim_in_turn(conn: &mut Conn<'_>, kind: JobKind, at_once: i64, now: Timestamp) -> Result<Option<Job>> {
    const TURN: &str = "UPDATE job_turn SET number = number + 1 WHERE id = 1";
    const RUNNING: &str = "SELECT COUNT(*) FROM jobs WHERE kind = $1 AND lease_until > $2";
    const CLAIM: &str = sql!(
        "UPDATE jobs SET lease_id = $3, lease_until = $4, attempts = attempts + 1 WHERE id = \
        (SELECT id FROM jobs WHERE kind = $1 AND due_at <= $2 AND (lease_until IS NULL OR lease_until <= $2) \
        ORDER BY due_at, id LIMIT 1) RETURNING ",
        columns!(ClaimedJob)
    );
    on!(conn, |c| sqlx::query(TURN).execute(c).await.map(drop))?;
    let running: i64 = on!(conn, |c| sqlx::query_scalar(RUNNING).bind(kind.name()).bind(now).fetch_one(c).await)?;
    if running >= at_once {
        return Ok(None);
    }
    let lease = Uuid::new_v4();
    let claimed = on!(conn, |c| {
        let claim = sqlx::query_as::<_, ClaimedJob>(CLAIM).bind(kind.name()).bind(now).bind(lease).bind(now.plus(LEASE));
        claim.fetch_optional(c).await
    })?;
    Ok(claimed.map(|job| Job { id: job.id, kind, subject: job.subject_id, attempt: job.attempts, lease }))
}

/// Renews a claim. Returns `false` when it is lost.
pub async fn renew(db: &Db, job: &Job, now: Timestamp) -> Result<bool> {
    const SQL: &str = "UPDATE jobs SET lease_until = $3 WHERE id = $1 AND lease_id = $2";
    let mut tx = db.write().await?;
    let until = now.plus(LEASE);
    let held = on!(&mut tx.conn(), |c| {
        sqlx::query(SQL).bind(job.id).bind(job.lease).bind(until).execute(c).await.map(|done| done.rows_affected())
    })?;
    tx.commit().await?;
    Ok(held == 1)
}

/// Whether a claim still holds. Locks the job against other nodes until this transaction ends.
pub async fn holds(conn: &mut Conn<'_>, job: &Job) -> Result<bool> {
    const SQL: &str = "UPDATE jobs SET lease_id = lease_id WHERE id = $1 AND lease_id = $2";
    let held = on!(conn, |c| sqlx::query(SQL).bind(job.id).bind(job.lease).execute(c).await.map(|done| done.rows_affected()))?;
    Ok(held == 1)
}

/// Deletes a completed job.
pub async fn finish(db: &Db, job: &Job) -> Result<()> {
    const SQL: &str = "DELETE FROM jobs WHERE id = $1 AND lease_id = $2";
    let mut tx = db.write().await?;
    on!(&mut tx.conn(), |c| sqlx::query(SQL).bind(job.id).bind(job.lease).execute(c).await.map(drop))?;
    tx.commit().await
}

/// Releases a job, to be retried later.
pub async fn put_off(db: &Db, job: &Job, now: Timestamp, wait: Duration) -> Result<()> {
    const SQL: &str = "UPDATE jobs SET due_at = $3, lease_id = NULL, lease_until = NULL WHERE id = $1 AND lease_id = $2";
    let mut tx = db.write().await?;
    let due_at = now.plus(wait);
    on!(&mut tx.conn(), |c| sqlx::query(SQL).bind(job.id).bind(job.lease).bind(due_at).execute(c).await.map(drop))?;
    tx.commit().await
}
