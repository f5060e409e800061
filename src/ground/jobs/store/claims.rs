//! Claiming jobs. A claim costs the same however many jobs wait: it looks at the first of each queue.

use super::{Pending, clock};
use crate::{
    ground::{
        error::Result,
        jobs::{
            Job, JobKind, LEASE,
            places::{Places, Taken},
        },
        store::{Conn, Db},
        time::Timestamp,
    },
    on,
};
use inlay_contract::ids::OrganizationId;
use sqlx::FromRow;
use std::collections::HashMap;
use uuid::Uuid;

/// The most queues of a kind that a claim looks at. With more of them, each claim looks at others.
const MOST_QUEUES: i64 = 1_000;

/// Whether any job of a kind (`$1`) is due at a time (`$2`). The order makes stores read it by the index, also where most jobs are due.
pub(in crate::ground::jobs) const ANY: &str = "SELECT 1 FROM jobs WHERE kind = $1 AND due_at <= $2 \
    AND (lease_until IS NULL OR lease_until <= $2) ORDER BY due_at LIMIT 1";

/// The running jobs by organization and queue.
pub(in crate::ground::jobs) const RUNNING: &str = "SELECT organization_id, queue_id, COUNT(*) AS jobs FROM jobs \
    WHERE kind = $1 AND lease_until > $2 GROUP BY organization_id, queue_id";

/// The queues with a due job that do not rest, from a queue on. Each step finds the next queue by the index. SQLite joins in the order
/// that `CROSS JOIN` stands in: it does not know how few heads there are.
pub(in crate::ground::jobs) const QUEUES: &str = "WITH RECURSIVE queues (id) AS ( \
    SELECT (SELECT queue_id FROM jobs WHERE kind = $1 AND queue_id >= $3 ORDER BY queue_id LIMIT 1) UNION ALL \
    SELECT (SELECT j.queue_id FROM jobs j WHERE j.kind = $1 AND j.queue_id > queues.id ORDER BY j.queue_id LIMIT 1) \
        FROM queues WHERE queues.id IS NOT NULL), \
    heads (id, job) AS (SELECT id, (SELECT j.id FROM jobs j WHERE j.kind = $1 AND j.queue_id = queues.id AND j.due_at <= $2 \
        AND (j.lease_until IS NULL OR j.lease_until <= $2) ORDER BY j.due_at, j.id LIMIT 1) \
        FROM queues WHERE id IS NOT NULL LIMIT $4) \
    SELECT j.queue_id, j.organization_id, j.due_at, COALESCE(q.rests_until, -1) AS rests_until FROM heads \
    CROSS JOIN jobs j LEFT JOIN job_queues q ON q.kind = $1 AND q.queue_id = heads.id WHERE j.id = heads.job";

/// Claims the first due job of a queue.
macro_rules! claims_first {
    ($lock:literal) => {
        concat!(
            "UPDATE jobs SET lease_id = $4, lease_until = $5, attempts = attempts + 1 WHERE id = \
            (SELECT id FROM jobs WHERE kind = $1 AND queue_id = $3 AND due_at <= $2 \
            AND (lease_until IS NULL OR lease_until <= $2) ORDER BY due_at, id LIMIT 1",
            $lock,
            ") RETURNING id, subject_id, attempts"
        )
    };
}

#[derive(FromRow)]
struct RunningJobs {
    organization_id: OrganizationId,
    queue_id: Uuid,
    jobs: i64,
}

#[derive(FromRow)]
struct FoundQueue {
    queue_id: Uuid,
    organization_id: OrganizationId,
    due_at: Timestamp,
    /// -1: its jobs have not failed.
    rests_until: Timestamp,
}

#[derive(FromRow)]
struct ClaimedJob {
    id: Uuid,
    subject_id: Uuid,
    attempts: i64,
}

/// Claims the due jobs of a kind for which there are places. `None`: another node is claiming, ask again in a moment.
pub(in crate::ground::jobs) async fn claim(db: &Db, kind: JobKind, places: Places) -> Result<Option<Vec<Job>>> {
    let any: Option<i32> = {
        let mut lease = db.read().await?;
        let conn = &mut lease.conn();
        let now = clock(conn).await?;
        on!(conn, |c| sqlx::query_scalar(ANY).bind(kind.name()).bind(now).fetch_optional(c).await)?
    };
    if any.is_none() || places.all <= 0 {
        return Ok(Some(Vec::new()));
    }
    let mut tx = db.write().await?;
    let conn = &mut tx.conn();
    if !takes_turn(conn).await? {
        return Ok(None);
    }
    let claimed = claim_in_turn(conn, kind, places).await?;
    tx.commit().await?;
    Ok(Some(claimed))
}

/// Nodes claim one after another, so that the places hold for all of them. Nobody waits for a turn with a connection in hand.
async fn takes_turn(conn: &mut Conn<'_>) -> Result<bool> {
    const TURN: &str = "SELECT number FROM job_turn WHERE id = 1 FOR UPDATE SKIP LOCKED";
    match conn {
        // A transaction that writes has the store for itself.
        Conn::Sqlite(_) => Ok(true),
        Conn::Postgres(_) => {
            let turn: Option<i64> = on!(conn, |c| sqlx::query_scalar(TURN).fetch_optional(c).await)?;
            Ok(turn.is_some())
        }
    }
}

async fn claim_in_turn(conn: &mut Conn<'_>, kind: JobKind, places: Places) -> Result<Vec<Job>> {
    let now = clock(conn).await?;
    let running: Vec<RunningJobs> =
        on!(&mut *conn, |c| sqlx::query_as(RUNNING).bind(kind.name()).bind(now).fetch_all(c).await)?;
    let mut taken = Taken::new(places, running.iter().map(|jobs| (jobs.organization_id, jobs.jobs)));
    let mut queues = pending(conn, kind, now, &running).await?;
    let mut claimed = Vec::new();
    while let Some(next) = taken.next(&queues) {
        let Some(job) = claim_first(conn, kind, now, queues[next].id).await? else {
            // It has no further job that is due and not locked.
            queues.swap_remove(next);
            continue;
        };
        queues[next].running += 1;
        taken.add(queues[next].organization);
        claimed.push(job);
    }
    Ok(claimed)
}

/// The queues with a job that may run now.
async fn pending(conn: &mut Conn<'_>, kind: JobKind, now: Timestamp, running: &[RunningJobs]) -> Result<Vec<Pending>> {
    let mut counts: HashMap<Uuid, i64> = HashMap::new();
    for jobs in running {
        *counts.entry(jobs.queue_id).or_default() += jobs.jobs;
    }
    let mut found = queues_from(conn, kind, now, Uuid::nil()).await?;
    if i64::try_from(found.len()).is_ok_and(|count| count >= MOST_QUEUES) {
        found.extend(queues_from(conn, kind, now, Uuid::new_v4()).await?);
        found.sort_by_key(|queue| queue.queue_id);
        found.dedup_by_key(|queue| queue.queue_id);
    }
    let queue = |found: FoundQueue| Pending {
        id: found.queue_id,
        organization: found.organization_id,
        first_due: found.due_at,
        running: counts.get(&found.queue_id).copied().unwrap_or_default(),
        fails: found.rests_until.0 > 0,
    };
    Ok(found.into_iter().filter(|found| found.rests_until <= now).map(queue).collect())
}

async fn queues_from(conn: &mut Conn<'_>, kind: JobKind, now: Timestamp, first: Uuid) -> Result<Vec<FoundQueue>> {
    Ok(on!(conn, |c| {
        sqlx::query_as::<_, FoundQueue>(QUEUES).bind(kind.name()).bind(now).bind(first).bind(MOST_QUEUES).fetch_all(c).await
    })?)
}

async fn claim_first(conn: &mut Conn<'_>, kind: JobKind, now: Timestamp, queue: Uuid) -> Result<Option<Job>> {
    const ON_SQLITE: &str = claims_first!("");
    // A row that another transaction holds is about to end, or to be renewed.
    const ON_POSTGRES: &str = claims_first!(" FOR UPDATE SKIP LOCKED");
    let sql = match conn {
        Conn::Sqlite(_) => ON_SQLITE,
        Conn::Postgres(_) => ON_POSTGRES,
    };
    let lease = Uuid::new_v4();
    let found = on!(conn, |c| {
        let claim = sqlx::query_as::<_, ClaimedJob>(sql).bind(kind.name()).bind(now).bind(queue);
        claim.bind(lease).bind(now.plus(LEASE)).fetch_optional(c).await
    })?;
    Ok(found.map(|job| Job { id: job.id, kind, subject: job.subject_id, attempt: job.attempts, lease }))
}
