//! Jobs on both stores: each once, late rather than never, with a limit of concurrent ones.

use super::{Handler, Job, JobKind, LEASE, MOST_ATTEMPTS, NewJob, Outcome, Places, Worker, backoff, store};
use crate::{
    ground::{error::Result, state::App, time::Timestamp},
    on,
    testing::{StoreKind, World, on_both_stores},
};
use async_trait::async_trait;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};
use uuid::Uuid;

/// Counts its jobs, and fails as often as configured.
#[derive(Default)]
struct Counting {
    failures: i64,
    /// Whether a job asks for a second connection while it holds one.
    nested: bool,
    done: Mutex<BTreeMap<Uuid, usize>>,
    given_up: Mutex<Vec<String>>,
}

#[async_trait]
impl Handler for Counting {
    fn kind(&self) -> JobKind {
        JobKind::Webhook
    }

    fn places(&self, _: &App) -> Places {
        Places::quarter(2, 2)
    }

    async fn plan(&self, _: &App) -> Result<()> {
        Ok(())
    }

    async fn attempt(&self, app: &App, job: &Job) -> Result<Outcome> {
        if self.nested {
            let _held = app.db.read().await?;
            drop(app.db.write().await?);
        }
        if job.attempt <= self.failures {
            return Ok(Outcome::Again("not yet".to_owned()));
        }
        *self.done.lock().expect("a lock").entry(job.subject).or_default() += 1;
        Ok(Outcome::Done)
    }

    async fn give_up(&self, _: &App, _: &Job, problem: &str) -> Result<()> {
        self.given_up.lock().expect("a lock").push(problem.to_owned());
        Ok(())
    }
}

async fn add(world: &World, subject: Uuid) {
    let mut tx = world.app.db.write().await.expect("a transaction");
    let (organization, queue) = (world.organization, world.applied.project_id.0);
    let job = NewJob { kind: JobKind::Webhook, subject, organization, queue, due_at: Timestamp::now() };
    store::add(&mut tx.conn(), &job).await.expect("added");
    tx.commit().await.expect("committed");
}

/// Claims the jobs that a kind with so many places may run.
async fn claim_of(world: &World, places: i64) -> Vec<Job> {
    let places = Places { all: places, beside_others: places, alone: places, of_queue: places };
    store::claim(&world.app.db, JobKind::Webhook, places).await.expect("the store answers").expect("a turn")
}

async fn claim(world: &World) -> Option<Job> {
    claim_of(world, 100).await.pop()
}

/// Lets time pass: the claims that are not renewed end.
async fn pass(world: &World, time: Duration) {
    let mut tx = world.app.db.write().await.expect("a transaction");
    let time = i64::try_from(time.as_millis()).expect("a time");
    let sql = "UPDATE jobs SET lease_until = lease_until - $1";
    on!(&mut tx.conn(), |c| sqlx::query(sql).bind(time).execute(c).await.map(drop)).expect("passed");
    tx.commit().await.expect("committed");
}

async fn finish(world: &World, job: &Job) {
    let mut tx = world.app.db.write().await.expect("a transaction");
    store::finish(&mut tx.conn(), job).await.expect("asked");
    tx.commit().await.expect("committed");
}

async fn left(world: &World) -> i64 {
    let mut lease = world.app.db.read().await.expect("a connection");
    on!(&mut lease.conn(), |c| sqlx::query_scalar("SELECT COUNT(*) FROM jobs").fetch_one(c).await).expect("counted")
}

on_both_stores! {
    async fn every_job_is_done_once_by_several_nodes_at_a_time(world) {
        let subjects: Vec<Uuid> = (0..40).map(|_| Uuid::now_v7()).collect();
        for subject in &subjects {
            add(&world, *subject).await;
            add(&world, *subject).await;
        }
        let counting = Arc::new(Counting::default());
        let node = || Worker::new(world.app.clone(), vec![Arc::clone(&counting) as Arc<dyn Handler>]);
        let nodes: Vec<Worker> = (0..4).map(|_| node()).collect();
        let work = nodes.iter().map(Worker::work_off);
        let done: usize = futures::future::try_join_all(work).await.expect("done").into_iter().sum();
        // A node that finds two others at work stops. The last one finishes the remaining jobs.
        let done = done + node().work_off().await.expect("done");
        assert_eq!(done, subjects.len());
        let times: Vec<usize> = counting.done.lock().expect("a lock").values().copied().collect();
        assert!(times.iter().all(|times| *times == 1), "{times:?}");
        assert_eq!((times.len(), left(&world).await), (subjects.len(), 0));
    }

    async fn a_dead_node_s_job_is_taken_over_and_its_late_word_does_not_count(world) {
        add(&world, Uuid::now_v7()).await;
        let dead = claim(&world).await.expect("claimed");
        assert!(claim(&world).await.is_none(), "the claim counts");
        pass(&world, LEASE * 2).await;
        let taken = claim(&world).await.expect("taken over");
        assert_eq!((taken.id, taken.attempt), (dead.id, 2));
        assert!(!store::renew(&world.app.db, &dead).await.expect("asked"), "the first claim is lost");
        finish(&world, &dead).await;
        assert_eq!(left(&world).await, 1, "who lost the claim finishes nothing");
        let mut tx = world.app.db.write().await.expect("a transaction");
        assert!(!store::holds(&mut tx.conn(), &dead).await.expect("asked"));
        assert!(store::holds(&mut tx.conn(), &taken).await.expect("asked"));
        tx.commit().await.expect("committed");
        finish(&world, &taken).await;
        assert_eq!(left(&world).await, 0);
    }

    async fn a_claim_lasts_while_it_is_renewed(world) {
        add(&world, Uuid::now_v7()).await;
        let job = claim(&world).await.expect("claimed");
        for _ in 0..3 {
            pass(&world, LEASE - Duration::from_secs(10)).await;
            assert!(store::renew(&world.app.db, &job).await.expect("renewed"));
        }
        assert!(claim(&world).await.is_none());
    }

    async fn no_more_than_so_many_are_done_at_a_time(world) {
        for _ in 0..5 {
            add(&world, Uuid::now_v7()).await;
        }
        let held = claim_of(&world, 2).await;
        assert_eq!(held.len(), 2);
        assert!(claim_of(&world, 2).await.is_empty());
        finish(&world, &held[0]).await;
        assert_eq!(claim_of(&world, 2).await.len(), 1);
    }

    async fn a_job_that_fails_waits_and_is_given_up_in_the_end(world) {
        add(&world, Uuid::now_v7()).await;
        let counting = Arc::new(Counting { failures: i64::MAX, ..Counting::default() });
        let worker = Worker::new(world.app.clone(), vec![Arc::clone(&counting) as Arc<dyn Handler>]);
        assert_eq!(worker.work_off().await.expect("tried"), 1);
        assert_eq!(worker.work_off().await.expect("tried"), 0, "it waits");
        for _ in 1..MOST_ATTEMPTS {
            world.make_jobs_due().await;
            assert_eq!(worker.work_off().await.expect("tried"), 1);
        }
        assert_eq!(*counting.given_up.lock().expect("a lock"), ["not yet"]);
        assert_eq!(left(&world).await, 0);
    }
}

#[tokio::test]
#[should_panic(expected = "a second connection of the store is asked for while one is held")]
async fn a_job_that_asks_for_a_second_connection_is_noticed() {
    let world = World::new(StoreKind::Sqlite).await;
    add(&world, Uuid::now_v7()).await;
    let nested = Arc::new(Counting { nested: true, ..Counting::default() });
    let _ = Worker::new(world.app.clone(), vec![nested]).work_off().await;
}

#[test]
fn waits_grow_to_two_hours() {
    assert_eq!([1, 2, 3].map(backoff), [15, 30, 60].map(Duration::from_secs));
    assert_eq!([12, 100, i64::MAX].map(backoff), [7200; 3].map(Duration::from_secs));
    let all: Duration = (1..MOST_ATTEMPTS).map(backoff).sum();
    assert_eq!(all.as_secs() / 3600, 6, "{all:?}");
}
