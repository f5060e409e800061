//! Retention: deletes what is too old. Each concept contributes its [`Rule`]s; `faces/background.rs` lists them. Of all nodes
//! one at a time works on a rule, under a lease in the store. It deletes in batches, each in a short transaction of its own
//! that renews the lease, and rests as long as each batch took, so that other writers get their turn.

mod store;

#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use store::TidyRow;
pub use store::{delete_before, delete_beyond, delete_days_before};

use crate::ground::{config::Settings, error::Result, state::App, store::Conn, time::Timestamp};
use futures::future::BoxFuture;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// How often a node looks whether a rule is due.
pub const LOOK_EVERY: Duration = Duration::from_secs(20);

/// How long one look may work. What is left waits for the next look, so that a large backlog takes a part of the store's time
/// only, and a node that stops does not wait long.
const WORKS_FOR: Duration = Duration::from_secs(4);

/// How many batches of a rule follow each other, so that one with a large backlog does not keep the others waiting.
const BATCHES: usize = 10;

/// How long a claim lasts without a batch.
const LEASE: Duration = Duration::from_secs(60);

/// The largest batch.
pub const MOST: i64 = 5_000;

/// An hour, the usual pause between two runs of a rule.
pub const HOUR: Duration = Duration::from_secs(3600);

/// A day.
pub const DAY: Duration = Duration::from_secs(24 * 3600);

/// Deletes a batch.
pub type Run = for<'a, 'c> fn(Batch<'a>, &'a mut Conn<'c>) -> BoxFuture<'a, Result<u64>>;

/// What deletes the old rows of a table.
pub struct Rule {
    /// Its name in the store, in logs and metrics.
    pub name: &'static str,
    /// The tables that it keeps from growing without end.
    pub tables: &'static [&'static str],
    /// The pause after it has deleted everything that was too old.
    pub every: Duration,
    /// The maximum number of rows in a transaction, at most [`MOST`]. Less where rows are large or have followers.
    pub batch: i64,
    /// Deletes a batch. Returns the number of rows; less than the batch means that nothing is left.
    pub run: Run,
}

/// A batch of a rule.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// The settings, which say how long rows are kept.
    pub settings: &'a Settings,
    /// The time.
    pub now: Timestamp,
    /// The maximum number of rows.
    pub most: i64,
}

impl Batch<'_> {
    /// The time before which rows are too old, for a setting in days. `None` when they are kept for ever.
    pub fn days_ago(&self, days: u64) -> Option<Timestamp> {
        (days > 0).then(|| self.now.minus(DAY.saturating_mul(u32::try_from(days).unwrap_or(u32::MAX))))
    }
}

/// Works on the rules that are due.
///
/// # Errors
/// The store is away, or a rule failed. The others are worked on all the same, and the next look goes on.
pub async fn tidy(app: &App, rules: &[Rule]) -> Result<()> {
    let began = Instant::now();
    let known = store::due_times(&mut app.db.read().await?.conn()).await?;
    let due_at = |rule: &Rule| known.iter().find(|(name, _)| name == rule.name).map_or(Timestamp(0), |(_, due_at)| *due_at);
    let mut due: Vec<&Rule> = rules.iter().filter(|rule| due_at(rule) <= Timestamp::now()).collect();
    due.sort_by_key(|rule| due_at(rule));
    let mut outcome = Ok(());
    for rule in due {
        if began.elapsed() > WORKS_FOR {
            break;
        }
        if let Err(problem) = work_on(app, rule, began).await {
            tracing::warn!(rule = rule.name, context = problem.context, "old rows could not be deleted");
            outcome = Err(problem);
        }
    }
    outcome
}

async fn work_on(app: &App, rule: &Rule, began: Instant) -> Result<()> {
    let lease = Uuid::new_v4();
    if !store::claim(&app.db, rule.name, lease, Timestamp::now(), LEASE).await? {
        return Ok(());
    }
    let (mut removed, mut finished) = (0, false);
    for _ in 0..BATCHES {
        let batch_began = Instant::now();
        let Some(rows) = batch(app, rule, lease).await? else { return Ok(()) };
        removed += rows;
        finished = rows < rule.batch.unsigned_abs();
        if finished || began.elapsed() > WORKS_FOR {
            break;
        }
        tokio::time::sleep(batch_began.elapsed()).await;
    }
    let now = Timestamp::now();
    store::put_off(&app.db, rule.name, lease, if finished { now.plus(rule.every) } else { now }).await?;
    metrics::counter!("inlay_tidied_rows_total", "rule" => rule.name).increment(removed);
    metrics::gauge!("inlay_tidy_behind", "rule" => rule.name).set(if finished { 0.0 } else { 1.0 });
    if removed > 0 {
        tracing::info!(rule = rule.name, removed, finished, "old rows were deleted");
    }
    Ok(())
}

/// One batch in a transaction. `None` when another node has taken the rule over.
async fn batch(app: &App, rule: &Rule, lease: Uuid) -> Result<Option<u64>> {
    let now = Timestamp::now();
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    if !store::renew(conn, rule.name, lease, now.plus(LEASE)).await? {
        return Ok(None);
    }
    let rows = (rule.run)(Batch { settings: &app.settings, now, most: rule.batch.min(MOST) }, conn).await?;
    tx.commit().await?;
    Ok(Some(rows))
}
