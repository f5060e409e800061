//! Caches prepared queries, so that a repeated query is not parsed and rewritten again. An entry depends only on its key, so it
//! never becomes outdated; it is only evicted.

use crate::{
    cache::Fingerprint,
    error::QueryError,
    rewrite::{Reading, Rewritten},
};
use moka::sync::Cache;
use std::{fmt::Debug, sync::Arc, time::Duration};

/// The size of each of the two caches, in bytes.
const BYTES: u64 = 16 << 20;
/// The least size that an entry counts as, in bytes. It limits their number.
const LEAST: usize = 1 << 10;
/// How long an unused entry is kept. Entries with yesterday's date are never used again.
const IDLE: Duration = Duration::from_secs(15 * 60);

/// A query that is ready for its source, with the key of its result.
#[derive(Debug)]
pub(super) struct Prepared {
    pub query: Rewritten,
    pub key: Fingerprint,
}

/// The caches.
pub(super) struct Memo {
    /// What queries read.
    pub readings: Entries<Reading>,
    /// The prepared queries.
    pub prepared: Entries<Prepared>,
}

impl Memo {
    pub(super) fn new() -> Self {
        Self { readings: Entries::new(BYTES), prepared: Entries::new(BYTES) }
    }

    /// How many entries both hold, and their bytes.
    pub(super) fn held(&self) -> (u64, u64) {
        let (readings, prepared) = (&self.readings.0, &self.prepared.0);
        (readings.entry_count() + prepared.entry_count(), readings.weighted_size() + prepared.weighted_size())
    }
}

/// Values by the fingerprint of their input, limited in bytes.
pub(super) struct Entries<V>(Cache<Fingerprint, Arc<V>>);

impl<V: Debug + Send + Sync + 'static> Entries<V> {
    fn new(bytes: u64) -> Self {
        let weigher = |_: &Fingerprint, value: &Arc<V>| u32::try_from(LEAST + format!("{value:?}").len()).unwrap_or(u32::MAX);
        Self(Cache::builder().max_capacity(bytes).weigher(weigher).time_to_idle(IDLE).build())
    }

    /// The value of a key. Without a key, and after an error, it is created each time.
    pub(super) async fn get(
        &self,
        key: Option<Fingerprint>,
        make: impl Future<Output = Result<V, QueryError>>,
    ) -> Result<Arc<V>, QueryError> {
        if let Some(found) = key.and_then(|key| self.0.get(&key)) {
            return Ok(found);
        }
        let made = Arc::new(make.await?);
        if let Some(key) = key {
            self.0.insert(key, Arc::clone(&made));
        }
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn text(length: usize) -> Result<String, QueryError> {
        Ok("x".repeat(length))
    }

    fn key(number: usize) -> Option<Fingerprint> {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&number.to_le_bytes());
        Some(key)
    }

    #[tokio::test]
    async fn what_is_known_is_not_made_again_unless_it_has_no_key() {
        let entries = Entries::new(BYTES);
        let again = async || Err(QueryError::failed("made again"));
        entries.get(key(1), text(1)).await.expect("made");
        assert_eq!(*entries.get(key(1), again()).await.expect("known"), "x");
        assert!(entries.get(key(2), again()).await.is_err(), "errors are not remembered");
        assert!(entries.get(key(2), text(2)).await.is_ok());
        entries.get(None, text(1)).await.expect("made");
        assert!(entries.get(None, again()).await.is_err());
    }

    #[tokio::test]
    async fn entries_and_bytes_are_bounded() {
        let entries = Entries::new(100 * LEAST as u64);
        for number in 0..1_000 {
            entries.get(key(number), text(1)).await.expect("made");
        }
        entries.0.run_pending_tasks();
        assert!((1..=100).contains(&entries.0.entry_count()), "{}", entries.0.entry_count());
        entries.get(key(1_000), text(100 * LEAST)).await.expect("made");
        entries.0.run_pending_tasks();
        assert!(!entries.0.contains_key(&key(1_000).expect("a key")) && entries.0.weighted_size() <= 100 * LEAST as u64);
    }
}
