//! The application's state: the store, the settings, and this node's caches.

use crate::{
    concepts::{
        access::rate_limit::RateLimits,
        chat::Chat,
        identity_providers::{allowed::Allowed, keys::FetchedKeys},
        models::reach::Reach,
        organizations::{api_keys::KeyRecord, keys::KeyUse, members::Membership, sign_in},
        projects::Project,
        roles::Role,
        tokens::{self, keyring::Keyring, revocation::Revocations, verified::Verified},
        usage::Usage,
        webhooks::Refusals,
    },
    faces::{console::ConsoleState, operations},
    flows::v1_migration::calls::V1Calls,
    ground::{
        config::Settings,
        error::{Error, Result},
        mail::Mailer,
        store::{Db, seal::Sealer, version},
    },
};
use inlay_contract::ids::{ApiKeyId, ChartId, ConnectionId, MemberId, ProjectId, RoleId};
use inlay_query::Engine;
use inlay_render::Renderer;
use moka::future::Cache;
use std::{
    future::Future,
    hash::Hash,
    ops::Deref,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

/// How often a node checks for changes by other nodes. A revocation must take effect within one second.
const WATCH_EVERY: Duration = Duration::from_millis(250);

/// How many of these checks pass between two stores of usage: ten seconds.
const LOOKS_BETWEEN_COUNTS: u64 = 40;

/// How many of these checks pass between two deletions of expired data: an hour.
const LOOKS_BETWEEN_SWEEPS: u64 = 14_400;

/// How many of these checks pass before idle callers' rate limits are deleted: a minute.
const LOOKS_BETWEEN_CLEANING: u64 = 240;

/// How long an unused entry stays in a cache. Entries of earlier configuration versions expire this way.
const IDLE: Duration = Duration::from_secs(15 * 60);

/// The application's state. Cheap to clone.
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
    /// Encrypts secrets in the store.
    pub sealer: Sealer,
    /// The settings.
    pub settings: Settings,
    /// The API's public URL; also the issuer of tokens.
    pub base_url: String,
    /// The public URL of the embeddable pages.
    pub embed_url: String,
    /// The query engine: the only access to customers' data.
    pub engine: Engine,
    /// Draws charts for the first HTML.
    pub renderer: Renderer,
    /// API keys with their owners' memberships.
    pub keys: Remembered<ApiKeyId, KeyRecord>,
    /// Members, by their membership.
    pub members: Remembered<MemberId, Membership>,
    /// Verified tokens.
    pub tokens: Verified,
    /// Projects.
    pub projects: Remembered<ProjectId, Project>,
    /// Roles.
    pub roles: Remembered<RoleId, Role>,
    /// Connections, decrypted, with the tables that may be queried.
    pub sources: Remembered<ConnectionId, crate::concepts::connections::OpenConnection>,
    /// Prepared charts, by version.
    pub charts: Remembered<(ChartId, i64), crate::concepts::dashboards::prepared::PreparedChart>,
    /// The fetched keys of identity providers.
    pub identity_keys: FetchedKeys,
    /// Sends mail, if a mail server is configured.
    pub mailer: Mailer,
    /// The rate limits of callers.
    pub rate_limits: RateLimits,
    /// Answers questions in workspaces.
    pub chat: Chat,
    /// Callers whose refused tokens were reported to webhooks.
    pub refusals: Refusals,
    /// The last uses of API keys, until they are stored.
    pub key_use: KeyUse,
    /// The last v1 calls, until they are stored.
    pub v1_calls: V1Calls,
    /// Usage counts, until they are stored.
    pub usage: Usage,
    /// The management console's state in memory.
    pub console: ConsoleState,
    known: RwLock<Arc<Known>>,
}

/// Data that is read as a whole when the configuration's version changes.
#[derive(Debug)]
pub struct Known {
    /// The version.
    pub version: i64,
    /// The signing keys.
    pub keyring: Keyring,
    /// The revocations.
    pub revocations: Revocations,
}

impl App {
    /// Creates the state of a node.
    pub async fn new(db: Db, sealer: Sealer, settings: Settings, engine: Engine, renderer: Renderer) -> Result<Self> {
        let known = read_known(&db, &sealer).await?;
        let sources = &settings.sources.allow_private_sources;
        let providers = Allowed::new(settings.allow_loopback_identity_providers, sources);
        Ok(Self(Arc::new(Inner {
            base_url: settings.base_url(),
            embed_url: settings.embed_url(),
            identity_keys: FetchedKeys::new(providers.clone()),
            mailer: Mailer::new(&settings.mail).map_err(Error::internal)?,
            rate_limits: RateLimits::new(&settings.limits),
            chat: Chat::new(Reach::new(sources)),
            refusals: Refusals::default(),
            key_use: KeyUse::default(),
            v1_calls: V1Calls::default(),
            usage: Usage::default(),
            console: ConsoleState::new(providers),
            db,
            sealer,
            settings,
            engine,
            renderer,
            keys: Remembered::new(10_000),
            members: Remembered::new(1_000),
            tokens: Verified::default(),
            projects: Remembered::new(10_000),
            roles: Remembered::new(10_000),
            sources: Remembered::new(1_000),
            charts: Remembered::new(2_000),
            known: RwLock::new(Arc::new(known)),
        })))
    }

    /// The current configuration of this node.
    pub fn known(&self) -> Arc<Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads the configuration again after a change. Called after each change on this node, and by the watcher for changes made elsewhere.
    ///
    /// # Errors
    /// The store is away; the earlier configuration stays in use.
    pub async fn refresh(&self) -> Result<()> {
        if version::current(&self.db).await? != self.known().version {
            let known = read_known(&self.db, &self.sealer).await?;
            *self.known.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(known);
        }
        Ok(())
    }

    /// Watches for changes by other nodes and by the command line, until the task is dropped.
    pub async fn watch(self) {
        let mut looks = 0_u64;
        let mut ticks = tokio::time::interval(WATCH_EVERY);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            looks += 1;
            if looks.is_multiple_of(LOOKS_BETWEEN_COUNTS)
                && let Err(problem) = self.usage.write_down(&self).await
            {
                tracing::warn!(context = problem.context, "usage could not be stored");
            }
            if looks.is_multiple_of(LOOKS_BETWEEN_COUNTS) {
                operations::tidy_up();
            }
            if looks.is_multiple_of(LOOKS_BETWEEN_CLEANING) {
                self.rate_limits.forget_idle();
                if let Err(problem) = self.key_use.write_down(&self).await {
                    tracing::warn!(context = problem.context, "the last use of API keys could not be stored");
                }
                if let Err(problem) = self.v1_calls.write_down(&self).await {
                    tracing::warn!(context = problem.context, "the last v1 calls could not be stored");
                }
            }
            if looks.is_multiple_of(LOOKS_BETWEEN_SWEEPS)
                && let Err(problem) = sign_in::forget_old(&self).await
            {
                tracing::warn!(context = problem.context, "expired sign-in attempts could not be deleted");
            }
            if let Err(problem) = self.refresh().await {
                tracing::warn!(context = problem.context, "the store's configuration could not be read");
            }
        }
    }
}

async fn read_known(db: &Db, sealer: &Sealer) -> Result<Known> {
    // Read the version first: a change during the other reads is then found by the next check.
    let version = version::current(db).await?;
    let keyring = Keyring::new(tokens::signing_keys(db, sealer).await?);
    Ok(Known { version, keyring, revocations: tokens::revocations(db).await? })
}

/// A cache of objects read from the store under one version of the configuration. A newer version never uses them.
pub struct Remembered<K, V>(Cache<(i64, K), Arc<V>>);

impl<K: Copy + Eq + Hash + Send + Sync + 'static, V: Send + Sync + 'static> Remembered<K, V> {
    fn new(capacity: u64) -> Self {
        Self(Cache::builder().max_capacity(capacity).time_to_idle(IDLE).build())
    }

    /// The object with a key. A missing object is looked up again each time.
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
