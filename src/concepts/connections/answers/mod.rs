//! Query results that the nodes share through the store, encrypted. Only a PostgreSQL store serves several nodes; a node on
//! SQLite keeps its own cache and shares nothing.
//!
//! Sharing is a convenience, so it takes little from those who need the store: few connections, a queue that drops results when
//! it is full, and a limit on the stored bytes.

mod store;

#[cfg(test)]
pub(crate) use store::AnswerRow;
pub use store::TIDY;

use crate::ground::{
    error::Result,
    store::{Db, seal::Sealer},
};
use async_trait::async_trait;
use inlay_query::{AnswerCache, Fingerprint, KeptAnswer};
use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, SystemTime, UNIX_EPOCH},
};
use tokio::sync::Semaphore;
use uuid::Uuid;

/// How long to wait for the store. After that the query runs on the source instead.
const PATIENCE: Duration = Duration::from_millis(500);
/// How many of the store's connections read results at once. One more writes them.
const READERS: usize = 2;
/// How many bytes of results wait to be stored. Further ones are not shared.
const MOST_WAITING: usize = 32 * 1024 * 1024;
/// How many stored bytes come between two checks of the limit by this node, as a part of the limit.
const CHECKED_AFTER: u64 = 32;

/// Query results in the store.
#[derive(Debug)]
pub struct SharedAnswers {
    db: Db,
    sealer: Sealer,
    most_bytes: u64,
    reading: Semaphore,
    writing: Semaphore,
    waiting: Semaphore,
    since_check: AtomicU64,
}

impl SharedAnswers {
    /// Creates the shared cache, with a limit on the stored bytes.
    pub fn new(db: Db, sealer: Sealer, most_bytes: u64) -> Self {
        let (reading, writing, waiting) = (Semaphore::new(READERS), Semaphore::new(1), Semaphore::new(MOST_WAITING));
        Self { db, sealer, most_bytes, reading, writing, waiting, since_check: AtomicU64::new(0) }
    }

    async fn read(&self, key: &Fingerprint) -> Result<Option<KeptAnswer>> {
        let Ok(_turn) = self.reading.acquire().await else { return Ok(None) };
        let found = store::find(&mut self.db.read().await?.conn(), key, now()).await?;
        let Some((asked_at, sealed)) = found else { return Ok(None) };
        Ok(Some(KeptAnswer { asked_at, json: self.sealer.open(row(key), &sealed)? }))
    }

    async fn write(&self, key: &Fingerprint, answer: &KeptAnswer, keep: Duration) -> Result<()> {
        let sealed = self.sealer.seal(row(key), &answer.json)?;
        let expires_at = answer.asked_at.saturating_add(i64::try_from(keep.as_millis()).unwrap_or(i64::MAX));
        let Ok(_turn) = self.writing.acquire().await else { return Ok(()) };
        let mut tx = self.db.write().await?;
        store::put(&mut tx.conn(), key, answer.asked_at, expires_at, &sealed).await?;
        let written = sealed.len() as u64;
        let since = self.since_check.fetch_add(written, Ordering::Relaxed) + written;
        if since >= self.most_bytes / CHECKED_AFTER {
            self.since_check.store(0, Ordering::Relaxed);
            store::trim(&mut tx.conn(), self.most_bytes, i64::MAX).await?;
        }
        tx.commit().await
    }
}

#[async_trait]
impl AnswerCache for SharedAnswers {
    async fn get(&self, key: &Fingerprint) -> Option<KeptAnswer> {
        match tokio::time::timeout(PATIENCE, self.read(key)).await {
            Ok(Ok(found)) => found,
            Ok(Err(problem)) => {
                tracing::warn!(context = problem.context, "a shared answer could not be read");
                None
            }
            Err(_) => None,
        }
    }

    async fn put(&self, key: &Fingerprint, answer: KeptAnswer, keep: Duration) {
        let bytes = u32::try_from(answer.json.len()).unwrap_or(u32::MAX);
        let Ok(_place) = self.waiting.try_acquire_many(bytes) else {
            metrics::counter!("inlay_shared_answers_dropped_total").increment(1);
            return;
        };
        if let Err(problem) = self.write(key, &answer, keep).await {
            tracing::warn!(context = problem.context, "an answer could not be shared");
        }
    }
}

/// The id that a sealed result is bound to: half of its key.
fn row(key: &Fingerprint) -> Uuid {
    Uuid::from_u128(u128::from_be_bytes(std::array::from_fn(|at| key[at])))
}

/// Milliseconds since 1970 UTC.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
