//! Background jobs, which survive the failure of a node. A job is a row. The node that claims it holds a lease, and renews the
//! lease while it works. When a node dies, its leases expire and another node takes over its jobs: a job may be late, but is
//! not lost.
//!
//! A job's [`Handler`] does the work. After a crash a job may run again, so a handler records each step that must not be
//! repeated and checks that record first.

mod places;
pub mod store;
mod worker;

#[cfg(test)]
mod claims_tests;
#[cfg(test)]
mod tests;

pub use places::Places;
pub use worker::Worker;

use crate::ground::{error::Result, state::App, time::Timestamp};
use async_trait::async_trait;
use inlay_contract::ids::OrganizationId;
use std::time::Duration;
use tokio::sync::Notify;
use uuid::Uuid;

/// How long a claim lasts without renewal.
pub const LEASE: Duration = Duration::from_secs(60);

/// How many attempts a job gets: about six hours, including the waits.
pub const MOST_ATTEMPTS: i64 = 12;

/// The wait after the first failure. Each further wait is twice as long.
const FIRST_WAIT: Duration = Duration::from_secs(15);

/// The maximum wait after a failure.
const LONGEST_WAIT: Duration = Duration::from_secs(2 * 3600);

/// The kinds of jobs. Each has its own queue, so that slow reports do not delay webhooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JobKind {
    /// A run of a report or an alert.
    Report,
    /// A message to a webhook.
    Webhook,
    /// An evaluation of a workspace's version.
    Evaluation,
    /// An isolation check of a project.
    Isolation,
    /// A key check of a project.
    Keys,
    /// A check of a workspace's verified answers.
    Verified,
}

impl JobKind {
    /// Its name in the store.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Report => "report",
            Self::Webhook => "webhook",
            Self::Evaluation => "evaluation",
            Self::Isolation => "isolation",
            Self::Keys => "keys",
            Self::Verified => "verified",
        }
    }

    /// Told of each new job of this kind on this node.
    pub(super) fn added(self) -> &'static Notify {
        static REPORTS: Notify = Notify::const_new();
        static WEBHOOKS: Notify = Notify::const_new();
        static EVALUATIONS: Notify = Notify::const_new();
        static ISOLATION_CHECKS: Notify = Notify::const_new();
        static KEY_CHECKS: Notify = Notify::const_new();
        static VERIFIED_ANSWERS: Notify = Notify::const_new();
        match self {
            Self::Report => &REPORTS,
            Self::Webhook => &WEBHOOKS,
            Self::Evaluation => &EVALUATIONS,
            Self::Isolation => &ISOLATION_CHECKS,
            Self::Keys => &KEY_CHECKS,
            Self::Verified => &VERIFIED_ANSWERS,
        }
    }
}

/// A job to add.
#[derive(Clone, Debug)]
pub struct NewJob {
    /// Its kind.
    pub kind: JobKind,
    /// The id of the object that it is about.
    pub subject: Uuid,
    /// Whom it belongs to: places are given out evenly among organizations.
    pub organization: OrganizationId,
    /// Its queue within the organization: the webhook, the owner of the report, the workspace.
    pub queue: Uuid,
    /// When it becomes due.
    pub due_at: Timestamp,
}

/// A job that this node has claimed.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its id.
    pub id: Uuid,
    /// Its kind.
    pub kind: JobKind,
    /// The id of the object that it is about.
    pub subject: Uuid,
    /// The number of this attempt, from 1.
    pub attempt: i64,
    /// The claim. When another node has taken the job over, it no longer matches.
    pub lease: Uuid,
}

/// The result of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The job is complete.
    Done,
    /// The job is complete, and its handler has deleted it with its result.
    Finished,
    /// Retry later, for this reason.
    Again(String),
}

/// The handler of one kind of job.
#[async_trait]
pub trait Handler: Send + Sync {
    /// The kind.
    fn kind(&self) -> JobKind;

    /// How many of its jobs run at once.
    fn places(&self, app: &App) -> Places;

    /// Adds jobs for everything that is due.
    async fn plan(&self, app: &App) -> Result<()>;

    /// Runs a job. An error counts as [`Outcome::Again`].
    async fn attempt(&self, app: &App, job: &Job) -> Result<Outcome>;

    /// Records that a job is given up.
    async fn give_up(&self, app: &App, job: &Job, problem: &str) -> Result<()>;
}

/// How long to wait after a failed attempt.
pub fn backoff(attempt: i64) -> Duration {
    let doublings = u32::try_from(attempt.saturating_sub(1)).unwrap_or(u32::MAX).min(20);
    FIRST_WAIT.saturating_mul(2_u32.saturating_pow(doublings)).min(LONGEST_WAIT)
}
