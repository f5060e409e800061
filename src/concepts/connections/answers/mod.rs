//! Query results that the nodes share through the store, encrypted. Only a PostgreSQL store serves several nodes; a node on SQLite keeps its own cache and
//! shares nothing.

mod store;

#[cfg(test)]
pub(crate) use store::AnswerRow;

use crate::ground::{
    error::Result,
    store::{Db, seal::Sealer},
};
use async_trait::async_trait;
use inlay_query::{AnswerCache, Fingerprint, KeptAnswer};
use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, SystemTime, UNIX_EPOCH},
};
use uuid::Uuid;

/// How long to wait for the store. After that the query runs on the source instead.
const PATIENCE: Duration = Duration::from_millis(500);
/// How many results are stored between two deletions of expired ones.
const BETWEEN_SWEEPS: u32 = 200;

/// Query results in the store.
#[derive(Debug)]
pub struct SharedAnswers {
    db: Db,
    sealer: Sealer,
    kept: AtomicU32,
}

impl SharedAnswers {
    /// Creates the shared cache.
    pub const fn new(db: Db, sealer: Sealer) -> Self {
        Self { db, sealer, kept: AtomicU32::new(0) }
    }

    async fn read(&self, key: &Fingerprint) -> Result<Option<KeptAnswer>> {
        let found = store::find(&mut self.db.read().await?.conn(), key, now()).await?;
        let Some((asked_at, sealed)) = found else { return Ok(None) };
        Ok(Some(KeptAnswer { asked_at, json: self.sealer.open(row(key), &sealed)? }))
    }

    async fn write(&self, key: &Fingerprint, answer: &KeptAnswer, keep: Duration) -> Result<()> {
        let sealed = self.sealer.seal(row(key), &answer.json)?;
        let expires_at = answer.asked_at.saturating_add(i64::try_from(keep.as_millis()).unwrap_or(i64::MAX));
        let mut tx = self.db.write().await?;
        store::put(&mut tx.conn(), key, answer.asked_at, expires_at, &sealed).await?;
        if self.kept.fetch_add(1, Ordering::Relaxed).is_multiple_of(BETWEEN_SWEEPS) {
            store::sweep(&mut tx.conn(), now()).await?;
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
