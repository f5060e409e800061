//! Claims on both stores: fair among organizations and queues, and as quick beside a backlog.

use super::{
    Job, JobKind, NewJob, Places,
    store::{self, ANY, QUEUES, RUNNING},
};
use crate::{
    ground::{
        store::{Conn, Tx},
        time::Timestamp,
    },
    on,
    testing::{World, on_both_stores},
};
use inlay_contract::ids::OrganizationId;
use sqlx::{AssertSqlSafe, Row};
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};
use uuid::Uuid;

async fn writing(world: &World) -> Tx {
    world.app.db.write().await.expect("a transaction")
}

/// Adds due jobs to a queue.
async fn add(world: &World, organization: OrganizationId, queue: Uuid, count: usize) {
    let mut tx = writing(world).await;
    for _ in 0..count {
        let job = NewJob { kind: JobKind::Webhook, subject: Uuid::now_v7(), organization, queue, due_at: Timestamp(1) };
        store::add(&mut tx.conn(), &job).await.expect("added");
    }
    tx.commit().await.expect("committed");
}

async fn taken(world: &World, places: Places) -> Vec<Job> {
    store::claim(&world.app.db, JobKind::Webhook, places).await.expect("the store answers").expect("a turn")
}

/// How many jobs of each queue run.
async fn running(world: &World) -> BTreeMap<Uuid, i64> {
    let sql = "SELECT queue_id, COUNT(*) FROM jobs WHERE lease_id IS NOT NULL GROUP BY queue_id";
    let mut lease = world.app.db.read().await.expect("a connection");
    let found: Vec<(Uuid, i64)> = on!(&mut lease.conn(), |c| sqlx::query_as(sql).fetch_all(c).await).expect("read");
    found.into_iter().collect()
}

/// Writes a backlog of 100,000 jobs in 20 queues by the store itself.
async fn backlog(world: &World, organization: OrganizationId) {
    const ON_SQLITE: &str = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) \
        INSERT INTO jobs (id, kind, subject_id, key, due_at, attempts, created_at, organization_id, queue_id) \
        SELECT randomblob(16), 'webhook', randomblob(16), 'many:' || i, i % 7, 0, 0, $1, \
        CAST(x'00000000000070008000' || substr($1, 1, 5) || char(65 + i % 20) AS BLOB) FROM n";
    const ON_POSTGRES: &str = "INSERT INTO jobs (id, kind, subject_id, key, due_at, attempts, created_at, organization_id, queue_id) \
        SELECT gen_random_uuid(), 'webhook', gen_random_uuid(), 'many:' || i, i % 7, 0, 0, $1, \
        CAST('00000000-0000-7000-8000-0000000000' || (10 + i % 20) AS UUID) FROM generate_series(1, 100000) i";
    let mut tx = writing(world).await;
    let conn = &mut tx.conn();
    let sql = if matches!(conn, Conn::Sqlite(_)) { ON_SQLITE } else { ON_POSTGRES };
    on!(&mut *conn, |c| sqlx::query(sql).bind(organization).execute(c).await.map(drop)).expect("written");
    on!(&mut *conn, |c| sqlx::query("ANALYZE jobs").execute(c).await.map(drop)).expect("analyzed");
    tx.commit().await.expect("committed");
}

/// The least time that a claim of one place takes.
async fn time_of_a_claim(world: &World) -> Duration {
    let mut least = Duration::MAX;
    for _ in 0..8 {
        let start = Instant::now();
        let jobs = taken(world, Places { all: 1, beside_others: 1, alone: 1, of_queue: 1 }).await;
        least = least.min(start.elapsed());
        assert_eq!(jobs.len(), 1);
        let mut tx = writing(world).await;
        store::finish(&mut tx.conn(), &jobs[0]).await.expect("finished");
        tx.commit().await.expect("committed");
    }
    least
}

/// How the store runs a statement of a claim.
async fn plan(world: &World, sql: &str) -> String {
    let values = [("$1", "'webhook'"), ("$2", "10"), ("$4", "1000")];
    let sql = values.iter().fold(sql.to_owned(), |sql, (name, value)| sql.replace(name, value));
    let mut tx = writing(world).await;
    let conn = &mut tx.conn();
    let (sql, column) = match conn {
        Conn::Sqlite(_) => (format!("EXPLAIN QUERY PLAN {}", sql.replace("$3", "x'00'")), 3),
        Conn::Postgres(_) => (format!("EXPLAIN {}", sql.replace("$3", "'00000000-0000-0000-0000-000000000000'::uuid")), 0),
    };
    let rows: Vec<String> = on!(conn, |c| {
        let lines = sqlx::query(AssertSqlSafe(sql)).fetch_all(c).await;
        lines.map(|lines| lines.iter().map(|line| line.get(column)).collect())
    })
    .expect("explained");
    rows.join("\n")
}

on_both_stores! {
    async fn another_organization_s_job_has_a_place_beside_any_backlog(world) {
        let (greedy, other) = (world.organization, OrganizationId::generate());
        for _ in 0..20 {
            add(&world, greedy, Uuid::now_v7(), 5).await;
        }
        let places = Places::quarter(16, 2);
        assert_eq!(taken(&world, places).await.len(), 12, "nobody else waits, and a quarter stays free");
        assert!(taken(&world, places).await.is_empty());
        let queue = Uuid::now_v7();
        add(&world, other, queue, 3).await;
        assert_eq!(taken(&world, places).await.len(), 2);
        assert_eq!(running(&world).await[&queue], 2, "both are the other's, as many as a queue may have");
    }

    async fn a_queue_that_rests_is_left_out_and_one_that_fails_has_one_place(world) {
        let (resting, failing) = (Uuid::now_v7(), Uuid::now_v7());
        for queue in [resting, failing] {
            add(&world, world.organization, queue, 3).await;
        }
        let mut tx = writing(&world).await;
        let conn = &mut tx.conn();
        for (queue, rest) in [(resting, 60), (failing, 0)] {
            let rest = move |failures| if failures < 5 { Duration::ZERO } else { Duration::from_secs(rest) };
            for count in 1..=5 {
                assert_eq!(store::queue_failed(conn, JobKind::Webhook, queue, rest).await.expect("counted"), count);
            }
        }
        on!(&mut *conn, |c| sqlx::query("UPDATE job_queues SET rests_until = 1 WHERE queue_id = $1").bind(failing).execute(c).await.map(drop)).expect("rested");
        tx.commit().await.expect("committed");
        taken(&world, Places::quarter(16, 2)).await;
        assert_eq!(running(&world).await, [(failing, 1)].into());
        let mut tx = writing(&world).await;
        store::wake_queue(&mut tx.conn(), JobKind::Webhook, resting).await.expect("woken");
        store::queue_recovered(&mut tx.conn(), JobKind::Webhook, failing).await.expect("recovered");
        tx.commit().await.expect("committed");
        taken(&world, Places::quarter(16, 2)).await;
        assert_eq!(running(&world).await, [(resting, 2), (failing, 2)].into());
    }

    async fn more_queues_than_a_claim_looks_at_have_their_turn(world) {
        let mut tx = writing(&world).await;
        for _ in 0..1_100 {
            let (subject, organization) = (Uuid::now_v7(), OrganizationId::generate());
            let job = NewJob { kind: JobKind::Webhook, subject, organization, queue: Uuid::now_v7(), due_at: Timestamp(1) };
            store::add(&mut tx.conn(), &job).await.expect("added");
        }
        tx.commit().await.expect("committed");
        assert_eq!(taken(&world, Places::quarter(16, 2)).await.len(), 16);
    }

    async fn a_backlog_of_100_000_does_not_slow_a_claim(world) {
        for _ in 0..20 {
            add(&world, world.organization, Uuid::now_v7(), 20).await;
        }
        let few = time_of_a_claim(&world).await;
        backlog(&world, OrganizationId::generate()).await;
        let many = time_of_a_claim(&world).await;
        assert!(many < few * 5 + Duration::from_millis(5), "{few:?} beside few, {many:?} beside many");
        for sql in [ANY, RUNNING, QUEUES] {
            let plan = plan(&world, sql).await;
            let whole = plan.contains("Seq Scan on jobs") || plan.contains("SCAN jobs") || plan.contains("SCAN j\n");
            assert!(!whole, "{sql}\n{plan}");
        }
    }
}
