//! What every request can use: the store, the settings, and what this node keeps in memory. Concepts keep their own [`Part`] here; none
//! of them is named.

use crate::ground::{
    clock::Clock,
    config::Settings,
    error::{Code, Error, Result},
    mail::Mailer,
    store::{
        Conn, Db,
        seal::Sealer,
        version::{self, Scope, Seen},
    },
    time::Timestamp,
    versions::{Since, Versions},
};
use async_trait::async_trait;
use inlay_query::Engine;
use inlay_render::Renderer;
use std::{
    any::{Any, TypeId},
    collections::HashMap,
    ops::Deref,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::{sync::Mutex, time::timeout};

/// How long a node serves without having looked for changes. Revocations and changes of roles reach it by looking, so after that it
/// refuses everybody (docs/operating.md) instead of accepting tokens that may be revoked.
const MOST_AGE: Duration = Duration::from_secs(30);

/// How long one look for changes may take. Less than [`MOST_AGE`], so that another one follows, on another connection.
const LOOK_LIMIT: Duration = Duration::from_secs(10);

/// How long the connection for looking may take to tell the version. Then the next look uses another one, and waits longer.
const SILENCE: Duration = Duration::from_millis(400);

/// How many times the wait doubles at most, for a store that is slow rather than away.
const MOST_DOUBLINGS: u32 = 4;

/// The least time between two looks for callers' sake, so that made-up names do not become reads of the store.
const JUST: Duration = Duration::from_millis(20);

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
    /// The store's clock.
    pub clock: Clock,
    versions: RwLock<Versions>,
    /// One look at a time, on connections that nobody else uses.
    looking: Mutex<()>,
    apart: Db,
    silences: AtomicU32,
    looking_again: Mutex<()>,
    looked: RwLock<Option<Instant>>,
    started: Instant,
}

/// What a concept keeps in a node's memory. It is made when it is first asked for.
pub trait Part: Send + Sync + 'static {
    /// The part of a node that starts.
    fn new(settings: &Settings) -> Self;
}

/// A change of the configuration.
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// The number that was read before. `None` when everything is to be read.
    pub since: Option<i64>,
    /// The number now.
    pub number: i64,
    /// Whether what belongs to the installation changed.
    pub of_installation: bool,
}

/// Something that every node holds, and reads when the configuration changes.
#[async_trait]
pub trait Configured: Send + Sync {
    /// Reads what changed. What was read before stays if reading fails.
    async fn read(&self, app: &App, conn: &mut Conn<'_>, change: &Change) -> Result<()>;
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
            sealer,
            settings,
            engine,
            renderer,
            parts: RwLock::default(),
            configured,
            clock: Clock::default(),
            versions: RwLock::default(),
            looking: Mutex::default(),
            apart: db.apart(),
            db,
            // A start waits for a store that is slow.
            silences: AtomicU32::new(MOST_DOUBLINGS),
            looking_again: Mutex::default(),
            looked: RwLock::default(),
            started: Instant::now(),
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
        self.versions.read().unwrap_or_else(PoisonError::into_inner).number()
    }

    /// Now, for something that is read from here on.
    pub(super) fn since_now(&self) -> Since {
        self.versions.read().unwrap_or_else(PoisonError::into_inner).now()
    }

    /// Whether nothing of these has changed since then, as far as this node knows.
    pub(super) fn are_unchanged(&self, scopes: &[Scope], since: Since) -> bool {
        self.versions.read().unwrap_or_else(PoisonError::into_inner).are_unchanged(scopes, since)
    }

    /// The time now, by the store's clock.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
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
        self.last_look().unwrap_or(self.started).elapsed()
    }

    /// When the last look began.
    fn last_look(&self) -> Option<Instant> {
        *self.looked.read().unwrap_or_else(PoisonError::into_inner)
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
        *looked = looked.and_then(|looked| looked.checked_sub(by));
    }

    /// Reads again what a change of configuration has made stale. Called after each such change on this node, and periodically for
    /// changes made elsewhere.
    ///
    /// # Errors
    /// The store cannot be read, or does not answer in time.
    pub async fn refresh(&self) -> Result<()> {
        self.refresh_within(LOOK_LIMIT).await
    }

    /// As [`Self::refresh`]. A connection that the network has forgotten does not keep later looks waiting for their turn.
    pub(super) async fn refresh_within(&self, limit: Duration) -> Result<()> {
        let late = |_| Error::new(Code::StoreUnavailable, "The service cannot use its store at the moment. Try again shortly.");
        timeout(limit, self.look()).await.map_err(late)?
    }

    async fn look(&self) -> Result<()> {
        let asked = Instant::now();
        let _turn = self.looking.lock().await;
        // Of many who ask at once, one looks for all.
        if self.last_look().is_some_and(|began| began >= asked) {
            return Ok(());
        }
        let (looked, mut lease, seen) = loop {
            let looked = Instant::now();
            let mut lease = self.apart.read().await?;
            // A connection that the network has forgotten says nothing. Then another one is asked.
            if let Some(seen) = self.seen(&mut lease.conn()).await? {
                break (looked, lease, seen);
            }
        };
        self.read_changes(&mut lease.conn(), seen).await?;
        *self.looked.write().unwrap_or_else(PoisonError::into_inner) = Some(looked);
        Ok(())
    }

    /// The version in the store, or `None` when the connection does not tell it in time. Learns the store's clock.
    async fn seen(&self, conn: &mut Conn<'_>) -> Result<Option<Seen>> {
        let silences = self.silences.load(Ordering::Relaxed);
        let asked = self.clock.own();
        let told = timeout(SILENCE * 2_u32.pow(silences), version::look(conn)).await;
        let silences = if told.is_ok() { 0 } else { (silences + 1).min(MOST_DOUBLINGS) };
        self.silences.store(silences, Ordering::Relaxed);
        let Ok(seen) = told else { return Ok(None) };
        let seen = seen?;
        self.clock.learn(asked, seen.clock, self.clock.own());
        Ok(Some(seen))
    }

    async fn read_changes(&self, conn: &mut Conn<'_>, seen: Seen) -> Result<()> {
        let since = self.versions.read().unwrap_or_else(PoisonError::into_inner).read_since(&seen);
        if since == Some(seen.number) {
            return Ok(());
        }
        let changes = match since {
            Some(since) => version::changes(conn, since, seen.number).await?,
            None => Vec::new(),
        };
        let of_installation = since.is_none() || changes.iter().any(|(scope, _)| *scope == Scope::INSTALLATION);
        let change = Change { since, number: seen.number, of_installation };
        for one in &self.configured {
            one.read(self, conn, &change).await?;
        }
        self.versions.write().unwrap_or_else(PoisonError::into_inner).learn(&seen, changes);
        Ok(())
    }
}
