//! Cached results: in this process and, if the server provides a shared cache, across nodes.

mod answered;
mod flights;
mod key;

pub use answered::Answered;
pub(crate) use flights::Flights;
pub use key::Fingerprint;
pub(crate) use key::{Digest, of_answer, of_question, of_source, of_sql};

use async_trait::async_trait;
use moka::{Expiry, future::Cache};
use std::{
    sync::Arc,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// A cache that several nodes share. It handles its own errors: after one, it returns nothing.
#[async_trait]
pub trait AnswerCache: Send + Sync + 'static {
    /// The result with this key, if there is one.
    async fn get(&self, key: &Fingerprint) -> Option<KeptAnswer>;

    /// Stores a result for this long, unless there is a newer one.
    async fn put(&self, key: &Fingerprint, answer: KeptAnswer, keep: Duration);
}

/// A result in the shared cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptAnswer {
    /// When the query was sent, in milliseconds since 1970 UTC.
    pub asked_at: i64,
    /// The result as JSON. It contains customers' data: store it encrypted.
    pub json: Vec<u8>,
}

/// The largest shared result, in bytes. Larger ones are cached by each node alone.
const MOST_SHARED: usize = 1 << 20;

/// A result in this process.
#[derive(Clone)]
struct Remembered {
    answer: Answered,
    asked_at: SystemTime,
    keep: Duration,
}

/// Each entry has its own expiry time.
struct OwnTime;

impl Expiry<Fingerprint, Remembered> for OwnTime {
    fn expire_after_create(&self, _: &Fingerprint, answer: &Remembered, _: Instant) -> Option<Duration> {
        Some(answer.keep)
    }

    fn expire_after_update(&self, _: &Fingerprint, answer: &Remembered, _: Instant, _: Option<Duration>) -> Option<Duration> {
        Some(answer.keep)
    }
}

/// All cached results.
pub(crate) struct Answers {
    here: Cache<Fingerprint, Remembered>,
    shared: Option<Arc<dyn AnswerCache>>,
}

impl Answers {
    /// A cache of this many bytes in this process.
    pub(crate) fn new(bytes: u64, shared: Option<Arc<dyn AnswerCache>>) -> Self {
        let weigher = |_: &Fingerprint, answer: &Remembered| weight(&answer.answer);
        Self { here: Cache::builder().max_capacity(bytes).weigher(weigher).expire_after(OwnTime).build(), shared }
    }

    /// How many results are in this process, and their bytes.
    pub(crate) fn held(&self) -> (u64, u64) {
        (self.here.entry_count(), self.here.weighted_size())
    }

    /// The result in this process, unless it is older than `max_age`.
    pub(crate) async fn here(&self, key: &Fingerprint, max_age: Duration) -> Option<Answered> {
        let found = self.here.get(key).await?;
        (age(found.asked_at) < max_age).then_some(found.answer)
    }

    /// The result in the shared cache, unless it is older than `max_age`. It is then also cached here.
    pub(crate) async fn shared(&self, key: &Fingerprint, max_age: Duration) -> Option<Answered> {
        self.of_other_nodes(key, max_age).await.map(|found| found.answer)
    }

    /// The last result of any node, unless it is older than `most`, for a source that does not answer. It tells when it was read.
    pub(crate) async fn last(&self, key: &Fingerprint, most: Duration) -> Option<Answered> {
        let here = self.here.get(key).await.filter(|found| age(found.asked_at) < most);
        let found = match here {
            Some(found) => found,
            None => self.of_other_nodes(key, most).await?,
        };
        Some(found.answer.read_at(found.asked_at))
    }

    async fn of_other_nodes(&self, key: &Fingerprint, max_age: Duration) -> Option<Remembered> {
        let kept = self.shared.as_ref()?.get(key).await?;
        let asked_at = UNIX_EPOCH + Duration::from_millis(u64::try_from(kept.asked_at).ok()?);
        let keep = max_age.checked_sub(age(asked_at)).filter(|rest| !rest.is_zero())?;
        let answer = Answered::new(serde_json::from_slice(&kept.json).ok()?).remembered();
        let found = Remembered { answer, asked_at, keep };
        self.here.insert(*key, found.clone()).await;
        Some(found)
    }

    /// Stores a result with the time of its query. A newer one is kept.
    pub(crate) async fn put(&self, key: Fingerprint, answer: &Answered, asked_at: SystemTime, keep: Duration) {
        if keep.is_zero() {
            return;
        }
        let new = Remembered { answer: answer.remembered(), asked_at, keep };
        let newer = |known: Option<moka::Entry<Fingerprint, Remembered>>| {
            let known = known.map(|known| known.into_value());
            std::future::ready(known.filter(|known| known.asked_at > asked_at).unwrap_or(new))
        };
        self.here.entry(key).and_upsert_with(newer).await;
        #[expect(clippy::cast_precision_loss, reason = "a measure")]
        metrics::gauge!("inlay_memory_bytes", "share" => "cache").set(self.here.weighted_size() as f64);
        let Some(shared) = self.shared.clone() else { return };
        // A large one is not even written: its values take more than its text.
        if answer.size() > MOST_SHARED.saturating_mul(size_of::<serde_json::Value>()) {
            return;
        }
        let (begin, end) = answer.remembered().json();
        if begin.len() + end.len() > MOST_SHARED {
            return;
        }
        let json = [&*begin, end.as_bytes()].concat();
        let since = asked_at.duration_since(UNIX_EPOCH).unwrap_or_default();
        let kept = KeptAnswer { asked_at: i64::try_from(since.as_millis()).unwrap_or_default(), json };
        // The caller does not wait for the shared cache.
        tokio::spawn(async move { shared.put(&key, kept, keep).await });
    }
}

/// The age of a result. Another node's clock may be ahead.
fn age(asked_at: SystemTime) -> Duration {
    asked_at.elapsed().unwrap_or_default()
}

/// The approximate size of a result with its JSON, in bytes. The cache keeps some 1,000 bytes beside each.
fn weight(answer: &Answered) -> u32 {
    let bytes = answer.size();
    u32::try_from(bytes.saturating_add(bytes / 4).saturating_add(1_000)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
