//! Work that is done once, whatever happens to the node that began it. A job is a row; whoever claims it holds it on a lease and
//! renews the lease while the work goes on. A node that dies lets its leases run out, and another one takes its jobs over: late
//! rather than never.
//!
//! What a job does, its [`Handler`] knows. A job can be begun more than once, after a crash, so a handler writes down each step
//! that must not be repeated, and looks there first.

mod hourly;
pub mod store;
mod worker;

#[cfg(test)]
mod tests;

pub use hourly::Hourly;
pub use worker::Worker;

use crate::ground::{error::Result, state::App, time::Timestamp};
use async_trait::async_trait;
use std::time::Duration;
use uuid::Uuid;

/// How long a claim counts without a sign of life.
pub const LEASE: Duration = Duration::from_secs(60);

/// Attempts until a job is given up: over the waits between them, about six hours.
pub const MOST_ATTEMPTS: i64 = 12;

/// The first wait after a failure; each further one is twice as long.
const FIRST_WAIT: Duration = Duration::from_secs(15);

/// The longest wait after a failure.
const LONGEST_WAIT: Duration = Duration::from_secs(2 * 3600);

/// The kinds of work. Each has its own lane, so that slow reports keep no webhook waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A run of a report or an alert.
    Report,
    /// A message to a webhook.
    Webhook,
    /// An evaluation of a workspace's version.
    Evaluation,
}

impl Kind {
    /// Its name in the store.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Report => "report",
            Self::Webhook => "webhook",
            Self::Evaluation => "evaluation",
        }
    }
}

/// A job to be done.
#[derive(Clone, Debug)]
pub struct NewJob {
    /// What kind of work.
    pub kind: Kind,
    /// What it is about.
    pub subject: Uuid,
    /// From when on.
    pub due_at: Timestamp,
}

/// A job that this node has claimed.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its id.
    pub id: Uuid,
    /// What kind of work.
    pub kind: Kind,
    /// What it is about.
    pub subject: Uuid,
    /// Which attempt this is, from 1 on.
    pub attempt: i64,
    /// The claim; without it, the job is somebody else's.
    pub lease: Uuid,
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There is nothing left to do.
    Done,
    /// Not now; the text says why.
    Again(String),
}

/// Whoever does a kind of work.
#[async_trait]
pub trait Handler: Send + Sync {
    /// The kind.
    fn kind(&self) -> Kind;

    /// How many of its jobs all nodes together do at a time.
    fn at_once(&self, app: &App) -> i64;

    /// Makes jobs of what has fallen due.
    async fn plan(&self, app: &App) -> Result<()>;

    /// Does a job. An error counts as [`Outcome::Again`].
    async fn attempt(&self, app: &App, job: &Job) -> Result<Outcome>;

    /// Writes down that a job will not be done.
    async fn give_up(&self, app: &App, job: &Job, problem: &str) -> Result<()>;
}

/// How long to wait after a failed attempt.
pub fn backoff(attempt: i64) -> Duration {
    let doublings = u32::try_from(attempt.saturating_sub(1)).unwrap_or(u32::MAX).min(20);
    FIRST_WAIT.saturating_mul(2_u32.saturating_pow(doublings)).min(LONGEST_WAIT)
}
