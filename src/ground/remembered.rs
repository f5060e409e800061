//! What a node remembers of the store. A change of one organization makes it forget what belongs to that organization, and nothing else.

use super::{
    config::Settings,
    error::{Error, Result},
    state::{App, Part},
    store::version::Scope,
    versions::Since,
};
use futures::{FutureExt as _, future::BoxFuture};
use inlay_contract::ids::{ApiKeyId, ChartId, ConnectionId, MemberId, OrganizationId, ProjectId, RoleId};
use moka::future::Cache;
use std::{any::Any, future::Future, marker::PhantomData, sync::Arc, time::Duration};
use uuid::Uuid;

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

/// What things are found by: an id, and the version where one id has several.
type Name = (Uuid, i64);

/// The key of something that a node remembers.
pub trait Key: Copy + Send + Sync + 'static {
    /// The key as all things are found by.
    fn name(self) -> Name;
}

macro_rules! keys {
    ($($id:ty),*) => {
        $(impl Key for $id {
            fn name(self) -> Name {
                (self.0, 0)
            }
        })*
    };
}

keys!(ApiKeyId, ConnectionId, MemberId, OrganizationId, ProjectId, RoleId);

impl Key for (ChartId, i64) {
    fn name(self) -> Name {
        (self.0.0, self.1)
    }
}

/// A thing, and what the node knew before it read it.
struct Read {
    since: Since,
    scopes: Vec<Scope>,
    thing: Arc<dyn Any + Send + Sync>,
}

/// Why a reading has no outcome.
#[derive(Clone, Debug)]
enum Without {
    Thing,
    Answer(Error),
}

/// Things of one kind, which is forgotten here: the caches are compiled once for all kinds.
struct Things {
    kept: Cache<Name, Arc<Read>>,
    /// Of callers who need the same thing at once, one reads it.
    reading: Cache<(Name, Since), Arc<Read>>,
}

impl Things {
    fn new(most: u64) -> Self {
        Self {
            kept: Cache::builder().max_capacity(most).time_to_idle(IDLE).build(),
            reading: Cache::builder().max_capacity(MOST_READINGS).time_to_live(SHARED).build(),
        }
    }

    async fn known(&self, app: &App, name: Name) -> Option<Arc<Read>> {
        let found = self.kept.get(&name).await?;
        app.are_unchanged(&found.scopes, found.since).then_some(found)
    }

    /// The thing of this name, read once for all who need it now. `since` was taken before it was looked for: what changes while it is
    /// read has a greater number.
    async fn read(
        &self,
        name: Name,
        since: Since,
        read: BoxFuture<'_, Result<Arc<Read>, Without>>,
    ) -> Result<Option<Arc<Read>>> {
        let reading = async {
            let read = read.await?;
            self.kept.insert(name, Arc::clone(&read)).await;
            Ok(read)
        };
        match self.reading.try_get_with((name, since), reading).await {
            Ok(read) => Ok(Some(read)),
            Err(without) => match Arc::unwrap_or_clone(without) {
                Without::Thing => Ok(None),
                Without::Answer(problem) => Err(problem),
            },
        }
    }
}

/// Things that were read from the store.
pub struct Remembered<K, V> {
    things: Things,
    of: PhantomData<fn(K) -> V>,
}

impl<K: Key, V: Kept> Part for Remembered<K, V> {
    fn new(_: &Settings) -> Self {
        Self { things: Things::new(V::MOST), of: PhantomData }
    }
}

impl<K: Key, V: Kept> Remembered<K, V> {
    /// The thing with this key, if it is remembered and nothing that it belongs to has changed.
    pub async fn known(&self, app: &App, key: K) -> Option<Arc<V>> {
        self.things.known(app, key.name()).await.and_then(Self::own)
    }

    /// The thing with this key. A missing thing is not remembered.
    ///
    /// # Errors
    /// Those of `read`.
    pub async fn get<F>(&self, app: &App, key: K, read: impl FnOnce() -> F + Send) -> Result<Option<Arc<V>>>
    where
        F: Future<Output = Result<Option<V>>> + Send,
    {
        let (name, since) = (key.name(), app.since_now());
        if let Some(known) = self.things.known(app, name).await {
            return Ok(Self::own(known));
        }
        let reading = async {
            let thing = read().await.map_err(Without::Answer)?.ok_or(Without::Thing)?;
            Ok(Arc::new(Read { since, scopes: thing.scopes(), thing: Arc::new(thing) }))
        };
        Ok(self.things.read(name, since, reading.boxed()).await?.and_then(Self::own))
    }

    /// The thing as what it is. Nothing else is kept here.
    fn own(read: Arc<Read>) -> Option<Arc<V>> {
        Arc::downcast(Arc::clone(&read.thing)).ok()
    }
}
