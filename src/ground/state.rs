//! What every request can use: the store, the settings, and what this node keeps in memory. Concepts keep their own [`Part`] here; none
//! of them is named.

use crate::ground::{
    config::Settings,
    error::{Error, Result},
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
    time::Duration,
};
use tokio::sync::Mutex;

/// How long an unused entry is kept. Entries of earlier configuration versions leave the cache this way.
const IDLE: Duration = Duration::from_secs(15 * 60);

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

    /// Reads again what a change of configuration has made stale. Called after each such change on this node, and periodically for
    /// changes made elsewhere.
    pub async fn refresh(&self) -> Result<()> {
        if version::current(&self.db).await? == self.version() {
            return Ok(());
        }
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
