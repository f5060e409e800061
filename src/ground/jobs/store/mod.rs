//! Jobs in the store. All times of leases are those of the store's clock: the clocks of two nodes differ.

mod claims;

pub(super) use claims::claim;
#[cfg(test)]
pub(super) use claims::{ANY, QUEUES, RUNNING};

use super::{Job, JobKind, LEASE, NewJob};
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
use inlay_contract::ids::OrganizationId;
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
        organization_id: OrganizationId,
        queue_id: Uuid,
    }
}

row! {
    /// A queue whose jobs fail.
    pub(crate) struct JobQueueRow in "job_queues" { kind: String, queue_id: Uuid, failures: i64, rests_until: Timestamp }
}

/// A queue with a job that is due.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) id: Uuid,
    pub(super) organization: OrganizationId,
    pub(super) first_due: Timestamp,
    /// How many of its jobs run.
    pub(super) running: i64,
    /// Whether its last jobs have failed.
    pub(super) fails: bool,
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
        organization_id: job.organization,
        queue_id: job.queue,
    };
    on!(conn, |c| rows::query(SQL, row).execute(c).await.map(drop))?;
    job.kind.added().notify_one();
    Ok(())
}

/// The time of the store's clock.
async fn clock(conn: &mut Conn<'_>) -> Result<Timestamp> {
    const SQL: &str = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";
    match conn {
        Conn::Sqlite(_) => Ok(Timestamp::now()),
        Conn::Postgres(_) => Ok(on!(conn, |c| sqlx::query_scalar(SQL).fetch_one(c).await)?),
    }
}

/// Renews a claim. Returns `false` when it is lost.
pub async fn renew(db: &Db, job: &Job) -> Result<bool> {
    const SQL: &str = "UPDATE jobs SET lease_until = $3 WHERE id = $1 AND lease_id = $2";
    let mut tx = db.write().await?;
    let conn = &mut tx.conn();
    let until = clock(conn).await?.plus(LEASE);
    let held = on!(conn, |c| {
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
pub async fn finish(conn: &mut Conn<'_>, job: &Job) -> Result<()> {
    const SQL: &str = "DELETE FROM jobs WHERE id = $1 AND lease_id = $2";
    on!(conn, |c| sqlx::query(SQL).bind(job.id).bind(job.lease).execute(c).await.map(drop))?;
    Ok(())
}

/// Releases a job, to be retried later.
pub async fn put_off(db: &Db, job: &Job, wait: Duration) -> Result<()> {
    const SQL: &str = "UPDATE jobs SET due_at = $3, lease_id = NULL, lease_until = NULL WHERE id = $1 AND lease_id = $2";
    let mut tx = db.write().await?;
    let conn = &mut tx.conn();
    let due_at = clock(conn).await?.plus(wait);
    on!(conn, |c| sqlx::query(SQL).bind(job.id).bind(job.lease).bind(due_at).execute(c).await.map(drop))?;
    tx.commit().await
}

/// Counts a failure of a queue. `rest` says how long it rests after so many in a row. Returns how many there are now.
pub async fn queue_failed(
    conn: &mut Conn<'_>,
    kind: JobKind,
    queue: Uuid,
    rest: impl Fn(i64) -> Duration + Send,
) -> Result<i64> {
    const COUNT: &str = sql!(
        inserts!(JobQueueRow),
        " ON CONFLICT (kind, queue_id) DO UPDATE SET failures = job_queues.failures + 1 RETURNING failures"
    );
    const REST: &str = "UPDATE job_queues SET rests_until = $3 WHERE kind = $1 AND queue_id = $2";
    let first = JobQueueRow { kind: kind.name().to_owned(), queue_id: queue, failures: 1, rests_until: Timestamp(0) };
    let failures: i64 = on!(&mut *conn, |c| rows::query_scalar(COUNT, first).fetch_one(c).await)?;
    let rest = rest(failures);
    if !rest.is_zero() {
        let until = clock(conn).await?.plus(rest);
        on!(conn, |c| sqlx::query(REST).bind(kind.name()).bind(queue).bind(until).execute(c).await.map(drop))?;
    }
    Ok(failures)
}

/// Forgets the failures of a queue: its jobs run as those of any other.
pub async fn queue_recovered(conn: &mut Conn<'_>, kind: JobKind, queue: Uuid) -> Result<()> {
    const SQL: &str = "DELETE FROM job_queues WHERE kind = $1 AND queue_id = $2";
    on!(conn, |c| sqlx::query(SQL).bind(kind.name()).bind(queue).execute(c).await.map(drop))?;
    Ok(())
}

/// How often a queue has failed in a row, and until when it rests. `None` while its jobs do not fail.
pub async fn failures(conn: &mut Conn<'_>, kind: JobKind, queue: Uuid) -> Result<Option<(i64, Timestamp)>> {
    const SQL: &str = "SELECT failures, rests_until FROM job_queues WHERE kind = $1 AND queue_id = $2";
    Ok(on!(conn, |c| sqlx::query_as(SQL).bind(kind.name()).bind(queue).fetch_optional(c).await)?)
}

/// Ends the rest of a queue, so that it is tried at once.
pub async fn wake_queue(conn: &mut Conn<'_>, kind: JobKind, queue: Uuid) -> Result<()> {
    const SQL: &str = "UPDATE job_queues SET rests_until = 0 WHERE kind = $1 AND queue_id = $2";
    on!(conn, |c| sqlx::query(SQL).bind(kind.name()).bind(queue).execute(c).await.map(drop))?;
    Ok(())
}

/// Deletes a queue's jobs that were added before a time and do not run.
pub async fn clear_queue(conn: &mut Conn<'_>, kind: JobKind, queue: Uuid, before: Timestamp) -> Result<()> {
    const SQL: &str = "DELETE FROM jobs WHERE kind = $1 AND queue_id = $2 AND created_at < $3 AND lease_id IS NULL";
    on!(conn, |c| sqlx::query(SQL).bind(kind.name()).bind(queue).bind(before).execute(c).await.map(drop))?;
    Ok(())
}

/// The most jobs that [`backlog`] counts.
const MOST_COUNTED: i64 = 10_000;

/// How many jobs of a kind are due and do not run, and when the first of them was due.
pub async fn backlog(db: &Db, kind: JobKind) -> Result<(i64, Option<Timestamp>)> {
    const COUNT: &str = "SELECT COUNT(*) FROM (SELECT 1 FROM jobs WHERE kind = $1 AND due_at <= $2 \
        AND (lease_until IS NULL OR lease_until <= $2) LIMIT $3) AS due";
    const OLDEST: &str = "SELECT due_at FROM jobs WHERE kind = $1 AND due_at <= $2 \
        AND (lease_until IS NULL OR lease_until <= $2) ORDER BY due_at LIMIT 1";
    let mut lease = db.read().await?;
    let conn = &mut lease.conn();
    let (kind, now) = (kind.name(), clock(conn).await?);
    let count = on!(&mut *conn, |c| sqlx::query_scalar(COUNT).bind(kind).bind(now).bind(MOST_COUNTED).fetch_one(c).await)?;
    let oldest = on!(conn, |c| sqlx::query_scalar(OLDEST).bind(kind).bind(now).fetch_optional(c).await)?;
    Ok((count, oldest))
}
