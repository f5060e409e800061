//! What every request can use: the store, the settings, and what this node keeps in memory. Concepts keep their own [`Part`] here; none
//! of them is named.

use crate::ground::{
    config::Settings,
    error::{Code, Error, Result},
    mail::Mailer,
    store::{Db, seal::Sealer, version},
};
use async_trait::async_trait;
use inlay_query::Engine;
use inlay_render::Renderer;
use moka::future::Cache;
use std::{
    any::{Any, TypeId},
    collections::HashMap,
    future::Future,
    hash::Hash,
    ops::Deref,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::sync::Mutex;

/// How long an unused entry is kept. Entries of earlier configuration versions leave the cache this way.
const IDLE: Duration = Duration::from_secs(15 * 60);

/// How long a node serves without having looked for changes. Revocations and changes of roles reach it by looking, so after that it
/// refuses everybody (docs/operating.md) instead of accepting tokens that may be revoked.
const MOST_AGE: Duration = Duration::from_secs(30);

/// The least time between two looks for callers' sake, so that made-up names do not become reads of the store.
const JUST: Duration = Duration::from_millis(20);

/// The version before anything was read.
const NOTHING_READ: i64 = -1;

/// The application's state; cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Inner>);

impl Deref for App {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

/// What [`App`] points to.
pub struct Inner {
    /// Inlay's own database.
    pub db: Db,
    /// Seals secrets at rest.
    pub sealer: Sealer,
    /// The settings.
    pub settings: Settings,
    /// Where hosts reach the API; the issuer of tokens.
    pub base_url: String,
    /// Where browsers reach the embeddable pages.
    pub embed_url: String,
    /// Runs queries on customers' databases.
    pub engine: Engine,
    /// Draws charts for the first HTML.
    pub renderer: Renderer,
    /// Sends mail, if a mail server is configured.
    pub mailer: Mailer,
    parts: RwLock<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
    configured: Vec<Arc<dyn Configured>>,
    version: AtomicI64,
    refreshing: Mutex<()>,
    looking_again: Mutex<()>,
    looked: RwLock<Instant>,
}

/// What a concept keeps in a node's memory. It is made when it is first asked for.
pub trait Part: Send + Sync + 'static {
    /// The part of a node that starts.
    fn new(settings: &Settings) -> Self;
}

/// Something that is read whole when the configuration's version changes.
#[async_trait]
pub trait Configured: Send + Sync {
    /// Reads it. What was read before stays if reading fails.
    async fn read(&self, app: &App, version: i64) -> Result<()>;
}

impl App {
    /// The state of a node.
    ///
    /// # Errors
    /// The store cannot be read, or its secrets cannot be opened.
    pub async fn new(
        db: Db,
        sealer: Sealer,
        settings: Settings,
        engine: Engine,
        renderer: Renderer,
        configured: Vec<Arc<dyn Configured>>,
    ) -> Result<Self> {
        let app = Self(Arc::new(Inner {
            base_url: settings.base_url(),
            embed_url: settings.embed_url(),
            mailer: Mailer::new(&settings.mail).map_err(Error::internal)?,
            db,
            sealer,
            settings,
            engine,
            renderer,
            parts: RwLock::default(),
            configured,
            version: AtomicI64::new(NOTHING_READ),
            refreshing: Mutex::default(),
            looking_again: Mutex::default(),
            looked: RwLock::new(Instant::now()),
        }));
        app.refresh().await?;
        Ok(app)
    }

    /// A concept's part.
    pub fn part<P: Part>(&self) -> Arc<P> {
        let id = TypeId::of::<P>();
        let found = self.parts.read().unwrap_or_else(PoisonError::into_inner).get(&id).cloned();
        let part = found.unwrap_or_else(|| {
            let mut parts = self.parts.write().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(parts.entry(id).or_insert_with(|| Arc::new(P::new(&self.settings))))
        });
        part.downcast().unwrap_or_else(|_| unreachable!("a part is kept under its own type"))
    }

    /// The version of the configuration that this node knows.
    pub fn version(&self) -> i64 {
        self.version.load(Ordering::Acquire)
    }

    /// Looks for changes now, for a caller who names something that this node does not know. Of many such callers one looks for all.
    ///
    /// # Errors
    /// The store cannot be read.
    pub async fn look_again(&self) -> Result<()> {
        let asked = Instant::now();
        let _turn = self.looking_again.lock().await;
        let age = self.age();
        if age < asked.elapsed() {
            return Ok(());
        }
        tokio::time::sleep(JUST.saturating_sub(age)).await;
        self.refresh().await
    }

    /// How long ago this node last looked for changes of the configuration.
    pub fn age(&self) -> Duration {
        self.looked.read().unwrap_or_else(PoisonError::into_inner).elapsed()
    }

    /// Refuses when this node has not looked for changes for too long, so that it may not know a revocation.
    ///
    /// # Errors
    /// 503 `STORE_UNAVAILABLE`.
    pub fn is_current(&self) -> Result<()> {
        let age = self.age();
        if age <= MOST_AGE {
            return Ok(());
        }
        let told = "The service has not reached its store for a while, so it cannot tell which tokens are still valid. Try again shortly.";
        let context = format!("the configuration was last read {} s ago", age.as_secs());
        Err(Error::new(Code::StoreUnavailable, told).with_retry_after(Duration::from_secs(5)).with_context(context))
    }

    /// Makes the last look older.
    #[cfg(test)]
    pub(crate) fn forget_looking(&self, by: Duration) {
        let mut looked = self.looked.write().unwrap_or_else(PoisonError::into_inner);
        *looked = looked.checked_sub(by).expect("a machine that has run that long");
    }

    /// Reads again what a change of configuration has made stale. Called after each such change on this node, and periodically for
    /// changes made elsewhere.
    pub async fn refresh(&self) -> Result<()> {
        let looked = Instant::now();
        if version::current(&self.db).await? != self.version() {
            // One at a time: of two that overlap, the slower would put what it read earlier in the place of what the other read.
            let _turn = self.refreshing.lock().await;
            // The version first: a change made while the rest is read is then found by the next look.
            let version = version::current(&self.db).await?;
            if version != self.version() {
                for one in &self.configured {
                    one.read(self, version).await?;
                }
                self.version.store(version, Ordering::Release);
            }
        }
        let mut known = self.looked.write().unwrap_or_else(PoisonError::into_inner);
        *known = looked.max(*known);
        Ok(())
    }
}

/// How many things of a type a node remembers.
pub trait Kept: Send + Sync + 'static {
    /// The most of them.
    const MOST: u64;
}

/// Things that were read from the store under one configuration version. A newer version does not see them.
pub struct Remembered<K, V>(Cache<(i64, K), Arc<V>>);

impl<K: Copy + Eq + Hash + Send + Sync + 'static, V: Kept> Part for Remembered<K, V> {
    fn new(_: &Settings) -> Self {
        Self(Cache::builder().max_capacity(V::MOST).time_to_idle(IDLE).build())
    }
}

impl<K: Copy + Eq + Hash + Send + Sync + 'static, V: Kept> Remembered<K, V> {
    /// The thing with this key. A missing thing is not remembered.
    pub async fn get<F>(&self, version: i64, key: K, read: impl FnOnce() -> F) -> Result<Option<Arc<V>>>
    where
        F: Future<Output = Result<Option<V>>>,
    {
        if let Some(found) = self.0.get(&(version, key)).await {
            return Ok(Some(found));
        }
        let Some(found) = read().await?.map(Arc::new) else { return Ok(None) };
        self.0.insert((version, key), Arc::clone(&found)).await;
        Ok(Some(found))
    }
}
