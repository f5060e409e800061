//! What a node remembers of the store. A change of one organization makes it forget what belongs to that organization, and nothing else.

use super::{
    config::Settings,
    error::{Error, Result},
    state::{App, Part},
    store::version::Scope,
    versions::Since,
};
use futures::FutureExt as _;
use moka::future::Cache;
use std::{future::Future, hash::Hash, sync::Arc, time::Duration};

/// How long an unused entry is kept.
const IDLE: Duration = Duration::from_secs(15 * 60);

/// How many readings are shared at a time, and for how long their outcome may still be taken.
const MOST_READINGS: u64 = 1_000;
const SHARED: Duration = Duration::from_secs(1);

/// Something that a node remembers.
pub trait Kept: Send + Sync + 'static {
    /// The most of them.
    const MOST: u64;

    /// What it belongs to: a change of any of these makes the node read it again.
    fn scopes(&self) -> Vec<Scope>;
}

/// A thing, and what the node knew before it read it.
#[derive(Debug)]
struct Read<V> {
    since: Since,
    scopes: Vec<Scope>,
    thing: Arc<V>,
}

/// Why a reading has no outcome.
#[derive(Clone, Debug)]
enum Without {
    Thing,
    Answer(Error),
}

/// Things that were read from the store.
pub struct Remembered<K, V> {
    kept: Cache<K, Arc<Read<V>>>,
    /// Of callers who need the same thing at once, one reads it.
    reading: Cache<(K, Since), Arc<Read<V>>>,
}

impl<K: Copy + Eq + Hash + Send + Sync + 'static, V: Kept> Part for Remembered<K, V> {
    fn new(_: &Settings) -> Self {
        Self {
            kept: Cache::builder().max_capacity(V::MOST).time_to_idle(IDLE).build(),
            reading: Cache::builder().max_capacity(MOST_READINGS).time_to_live(SHARED).build(),
        }
    }
}

impl<K: Copy + Eq + Hash + Send + Sync + 'static, V: Kept> Remembered<K, V> {
    /// The thing with this key, if it is remembered and nothing that it belongs to has changed.
    pub async fn known(&self, app: &App, key: K) -> Option<Arc<V>> {
        let found = self.kept.get(&key).await?;
        app.are_unchanged(&found.scopes, found.since).then(|| Arc::clone(&found.thing))
    }

    /// The thing with this key. A missing thing is not remembered.
    ///
    /// # Errors
    /// Those of `read`.
    pub async fn get<F>(&self, app: &App, key: K, read: impl FnOnce() -> F + Send) -> Result<Option<Arc<V>>>
    where
        F: Future<Output = Result<Option<V>>> + Send,
    {
        async move {
            // Before it is read: what changes meanwhile has a greater number.
            let since = app.since_now();
            if let Some(known) = self.known(app, key).await {
                return Ok(Some(known));
            }
            let reading = async {
                let thing = read().await.map_err(Without::Answer)?.ok_or(Without::Thing)?;
                let read = Arc::new(Read { since, scopes: thing.scopes(), thing: Arc::new(thing) });
                self.kept.insert(key, Arc::clone(&read)).await;
                Ok(read)
            };
            match self.reading.try_get_with((key, since), reading).await {
                Ok(read) => Ok(Some(Arc::clone(&read.thing))),
                Err(without) => match Arc::unwrap_or_clone(without) {
                    Without::Thing => Ok(None),
                    Without::Answer(problem) => Err(problem),
                },
            }
        }
        .boxed()
        .await
    }
}
