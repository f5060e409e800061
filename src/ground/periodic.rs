//! Work that every node does at intervals, beside its jobs: concepts name theirs, in `faces/background.rs` they stand in one list.
//!
//! Each task runs on its own. None waits for another, and a panic ends one attempt, not the task: a node that no longer looked for
//! revocations would go on accepting revoked tokens.

use crate::ground::{
    error::Result,
    state::App,
    store::{holding::watched, listening::Listening},
};
use futures::{
    FutureExt,
    future::{BoxFuture, join_all},
};
use std::{panic::AssertUnwindSafe, sync::Arc, time::Duration};
use tokio::{
    sync::{Notify, watch},
    time::{MissedTickBehavior, interval_at, timeout},
};

/// How often a node looks for changes that others made. A revocation must take effect within one second.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// The least time between two looks: of many changes at once, one look finds all.
const LOOKS_APART: Duration = Duration::from_millis(20);

/// When a node listens again after it lost the connection for hearing.
const HEAR_AGAIN: Duration = Duration::from_secs(2);

/// When a connection that has told nothing is made anew: the network may have forgotten it.
const HEARS_AT_MOST: Duration = Duration::from_secs(5 * 60);

/// A task that a node repeats.
pub struct Periodic {
    /// What does not happen when it fails, for the log.
    pub failure: &'static str,
    /// The interval. The first run comes after it.
    pub every: Duration,
    /// Whether it runs once more when the node stops, because it writes down what only this node knows.
    pub at_stop: bool,
    /// Does it.
    pub run: fn(App) -> BoxFuture<'static, Result<()>>,
}

impl Periodic {
    async fn attempt(&self, app: &App) {
        match survive(watched((self.run)(app.clone()))).await {
            Some(Err(problem)) => tracing::warn!(context = problem.context, "{}", self.failure),
            None => tracing::error!("{}: a panic", self.failure),
            Some(Ok(())) => {}
        }
    }

    async fn repeat(self, app: App, mut stop: watch::Receiver<bool>) {
        let mut ticks = interval_at(tokio::time::Instant::now() + self.every, self.every);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = ticks.tick() => self.attempt(&app).await,
                // Stopped, or the sender is gone.
                _ = stop.changed() => break,
            }
        }
        if self.at_stop {
            self.attempt(&app).await;
        }
    }
}

/// Looks for changes of the configuration by other nodes and by the command line, and repeats the tasks, until the node stops. Ends
/// when the last task has written down what only this node knows.
pub async fn repeat(app: App, tasks: Vec<Periodic>, stop: watch::Receiver<bool>) {
    let tasks = tasks.into_iter().map(|task| task.repeat(app.clone(), stop.clone()).boxed());
    let look = look(app.clone(), stop.clone()).boxed();
    // Each in a task of the runtime, so that a slow one holds nobody up.
    join_all(tasks.chain([look]).map(tokio::spawn)).await;
}

async fn look(app: App, mut stop: watch::Receiver<bool>) {
    let mut ticks = tokio::time::interval(LOOK_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let changed = Arc::new(Notify::new());
    let hearing = tokio::spawn(hear(app.clone(), Arc::clone(&changed)));
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            () = changed.notified() => {}
            _ = stop.changed() => break,
        }
        match survive(watched(app.refresh())).await {
            Some(Ok(())) => {}
            Some(Err(problem)) => {
                tracing::warn!(context = problem.context, "the configuration could not be read from the store")
            }
            None => tracing::error!("the configuration could not be read from the store: a panic"),
        }
        metrics::gauge!("inlay_configuration_age_seconds").set(app.age().as_secs_f64());
        metrics::gauge!("inlay_clock_offset_seconds")
            .set(f64::from(i32::try_from(app.clock.ahead()).unwrap_or(i32::MAX)) / -1000.0);
        tokio::time::sleep(LOOKS_APART).await;
    }
    hearing.abort();
}

/// Makes the node look as soon as the store tells of a change.
async fn hear(app: App, changed: Arc<Notify>) {
    loop {
        match Listening::begin(&app.db).await {
            Ok(Some(mut listening)) => {
                // Also for what was told before it listened.
                changed.notify_one();
                while let Ok(Ok(())) = timeout(HEARS_AT_MOST, listening.changed()).await {
                    changed.notify_one();
                }
            }
            Ok(None) => return,
            Err(problem) => {
                tracing::debug!(context = problem.context, "the store's changes cannot be heard of; they are looked for")
            }
        }
        tokio::time::sleep(HEAR_AGAIN).await;
    }
}

/// The outcome, or `None` after a panic.
async fn survive<T>(work: impl Future<Output = T>) -> Option<T> {
    AssertUnwindSafe(work).catch_unwind().await.ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{StoreKind, World};
    use std::sync::atomic::{AtomicUsize, Ordering};

    static BESIDE: AtomicUsize = AtomicUsize::new(0);
    static AFTER_PANIC: AtomicUsize = AtomicUsize::new(0);
    static NESTED: AtomicUsize = AtomicUsize::new(0);

    const fn task(run: fn(App) -> BoxFuture<'static, Result<()>>, at_stop: bool) -> Periodic {
        Periodic { failure: "the test's task failed", every: Duration::from_millis(5), at_stop, run }
    }

    #[tokio::test]
    async fn a_task_that_hangs_or_panics_holds_up_neither_the_others_nor_the_look() {
        let world = World::new(StoreKind::Sqlite).await;
        let (stop, stopped) = watch::channel(false);
        let tasks = vec![
            task(|_| Box::pin(std::future::pending()), false),
            task(
                |_| {
                    Box::pin(async {
                        assert!(AFTER_PANIC.fetch_add(1, Ordering::SeqCst) > 0, "the first attempt");
                        Ok(())
                    })
                },
                false,
            ),
            task(
                |_| {
                    Box::pin(async {
                        BESIDE.fetch_add(1, Ordering::SeqCst);
                        Ok(())
                    })
                },
                true,
            ),
        ];
        let repeating = tokio::spawn(repeat(world.app.clone(), tasks, stopped));
        world.app.forget_looking(Duration::from_secs(60));
        let deadline = Duration::from_secs(10);
        let all = async {
            while BESIDE.load(Ordering::SeqCst) < 3
                || AFTER_PANIC.load(Ordering::SeqCst) < 3
                || world.app.age() > Duration::from_secs(30)
            {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(deadline, all).await.expect("both tasks and the look go on");
        stop.send(true).expect("told");
        let before = BESIDE.load(Ordering::SeqCst);
        // The hanging task never ends.
        assert!(timeout(Duration::from_millis(200), repeating).await.is_err());
        assert!(BESIDE.load(Ordering::SeqCst) > before, "once more at the stop");
    }

    #[tokio::test]
    async fn a_task_gets_no_second_connection_beside_one_that_it_holds() {
        let world = World::new(StoreKind::Sqlite).await;
        let nested = task(
            |app| {
                Box::pin(async move {
                    let _held = app.db.read().await?;
                    drop(app.db.write().await?);
                    NESTED.fetch_add(1, Ordering::SeqCst);
                    Ok(())
                })
            },
            false,
        );
        nested.attempt(&world.app).await;
        assert_eq!(NESTED.load(Ordering::SeqCst), 0, "in builds for development it panics");
    }

    #[tokio::test]
    async fn postgres_tells_of_a_change_at_once() {
        let world = World::new(StoreKind::Postgres).await;
        let changed = Arc::new(Notify::new());
        let hearing = tokio::spawn(hear(world.app.clone(), Arc::clone(&changed)));
        let second = Duration::from_secs(1);
        timeout(second * 5, changed.notified()).await.expect("it begins to listen");
        for _ in 0..3 {
            let mut tx = world.app.db.write().await.expect("a transaction");
            crate::ground::store::version::bump(&mut tx.conn(), &[]).await.expect("raised");
            assert!(timeout(Duration::from_millis(50), changed.notified()).await.is_err(), "not before the commit");
            tx.commit().await.expect("committed");
            timeout(second, changed.notified()).await.expect("told");
        }
        // Its connection is ended: it listens again.
        let mut tx = world.app.db.write().await.expect("a transaction");
        let end = "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()";
        crate::on!(&mut tx.conn(), |c| sqlx::query(end).execute(c).await.map(drop)).expect("ended");
        tx.commit().await.expect("committed");
        timeout(second * 5, changed.notified()).await.expect("it looks for what it may have missed");
        hearing.abort();
    }
}
