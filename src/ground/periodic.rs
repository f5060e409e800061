//! Work that every node does at intervals, beside its jobs: concepts name theirs, in `faces/background.rs` they stand in one list.

use crate::ground::{error::Result, state::App};
use futures::future::BoxFuture;
use std::time::{Duration, Instant};
use tokio::time::MissedTickBehavior;

/// How often a node looks for changes that others made. A revocation must take effect within one second.
const LOOK_EVERY: Duration = Duration::from_millis(250);

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
        if let Err(problem) = (self.run)(app.clone()).await {
            tracing::warn!(context = problem.context, "{}", self.failure);
        }
    }
}

/// Looks for changes of the configuration by other nodes and by the command line, and repeats the tasks, until it is dropped.
pub async fn repeat(app: App, tasks: Vec<Periodic>) {
    let mut ticks = tokio::time::interval(LOOK_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut due: Vec<Instant> = tasks.iter().map(|task| Instant::now() + task.every).collect();
    loop {
        ticks.tick().await;
        for (task, due) in tasks.iter().zip(&mut due) {
            if Instant::now() >= *due {
                *due = Instant::now() + task.every;
                task.attempt(&app).await;
            }
        }
        if let Err(problem) = app.refresh().await {
            tracing::warn!(context = problem.context, "the configuration could not be read from the store");
        }
    }
}

/// Runs what must be written down before a node ends.
pub async fn finish(app: &App, tasks: &[Periodic]) {
    for task in tasks.iter().filter(|task| task.at_stop) {
        task.attempt(app).await;
    }
}
