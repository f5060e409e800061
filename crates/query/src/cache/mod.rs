//! Remembered answers: in this process, and, where the server gives a place for it, shared between its nodes.

mod answered;
mod flights;
mod key;

pub use answered::Answered;
pub(crate) use flights::Flights;
pub use key::Fingerprint;
pub(crate) use key::{Digest, of_answer, of_question, of_source, of_sql};

use async_trait::async_trait;
use inlay_contract::data::ChartData;
use moka::{Expiry, future::Cache};
use serde_json::Value;
use std::{
    sync::Arc,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// A place for answers that several nodes share. What goes wrong in it is its own affair: it then has no answer.
#[async_trait]
pub trait AnswerCache: Send + Sync + 'static {
    /// The answer of a key, if it is there.
    async fn get(&self, key: &Fingerprint) -> Option<KeptAnswer>;

    /// Keeps an answer for so long, unless a newer one is there.
    async fn put(&self, key: &Fingerprint, answer: KeptAnswer, keep: Duration);
}

/// An answer as nodes share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptAnswer {
    /// When the source was asked, in milliseconds since 1970 UTC.
    pub asked_at: i64,
    /// The answer, as JSON. Customers' data: keep it sealed.
    pub json: Vec<u8>,
}

/// The largest answer that nodes share, in bytes; larger ones are remembered by each node alone.
const MOST_SHARED: usize = 1 << 20;

/// An answer of this process.
#[derive(Clone)]
struct Remembered {
    answer: Answered,
    asked_at: SystemTime,
    keep: Duration,
}

/// Each answer goes when its own time is over.
struct OwnTime;

impl Expiry<Fingerprint, Remembered> for OwnTime {
    fn expire_after_create(&self, _: &Fingerprint, answer: &Remembered, _: Instant) -> Option<Duration> {
        Some(answer.keep)
    }

    fn expire_after_update(&self, _: &Fingerprint, answer: &Remembered, _: Instant, _: Option<Duration>) -> Option<Duration> {
        Some(answer.keep)
    }
}

/// All answers that are remembered.
pub(crate) struct Answers {
    here: Cache<Fingerprint, Remembered>,
    shared: Option<Arc<dyn AnswerCache>>,
}

impl Answers {
    /// Room for so many bytes in this process.
    pub(crate) fn new(bytes: u64, shared: Option<Arc<dyn AnswerCache>>) -> Self {
        let weigher = |_: &Fingerprint, answer: &Remembered| weight(&answer.answer);
        Self { here: Cache::builder().max_capacity(bytes).weigher(weigher).expire_after(OwnTime).build(), shared }
    }

    /// The answer that this process remembers, if it is not older than that.
    pub(crate) async fn here(&self, key: &Fingerprint, max_age: Duration) -> Option<Answered> {
        let found = self.here.get(key).await?;
        (age(found.asked_at) < max_age).then_some(found.answer)
    }

    /// The answer that another node shares, if it is not older than that; remembered here from now on.
    pub(crate) async fn shared(&self, key: &Fingerprint, max_age: Duration) -> Option<Answered> {
        let kept = self.shared.as_ref()?.get(key).await?;
        let asked_at = UNIX_EPOCH + Duration::from_millis(u64::try_from(kept.asked_at).ok()?);
        let keep = max_age.checked_sub(age(asked_at)).filter(|rest| !rest.is_zero())?;
        let answer = Answered::remembered(serde_json::from_slice(&kept.json).ok()?);
        self.here.insert(*key, Remembered { answer: answer.clone(), asked_at, keep }).await;
        Some(answer)
    }

    /// Remembers an answer to a question that was asked then. A newer one stays.
    pub(crate) async fn put(&self, key: Fingerprint, answer: &Answered, asked_at: SystemTime, keep: Duration) {
        if keep.is_zero() {
            return;
        }
        let new = Remembered { answer: answer.clone(), asked_at, keep };
        let newer = |known: Option<moka::Entry<Fingerprint, Remembered>>| {
            let known = known.map(|known| known.into_value());
            std::future::ready(known.filter(|known| known.asked_at > asked_at).unwrap_or(new))
        };
        self.here.entry(key).and_upsert_with(newer).await;
        let Some(shared) = self.shared.clone() else { return };
        let Some(json) = serde_json::to_vec(answer).ok().filter(|json| json.len() <= MOST_SHARED) else { return };
        let since = asked_at.duration_since(UNIX_EPOCH).unwrap_or_default();
        let kept = KeptAnswer { asked_at: i64::try_from(since.as_millis()).unwrap_or_default(), json };
        // Whoever waits for the answer does not wait for this.
        tokio::spawn(async move { shared.put(&key, kept, keep).await });
    }
}

/// How long ago; another node's clock may be ahead of ours.
fn age(asked_at: SystemTime) -> Duration {
    asked_at.elapsed().unwrap_or_default()
}

/// About how many bytes an answer takes, with its JSON.
fn weight(answer: &ChartData) -> u32 {
    let size = |value: &Value| 40 + 2 * value.as_str().map_or(0, str::len);
    let bytes: usize = answer.rows.iter().flatten().map(size).sum();
    u32::try_from(bytes.saturating_add(1_000)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
