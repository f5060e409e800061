//! What a node knows of tokens: the signing keys and the revocations.

use super::{keyring::Keyring, revocation::Revocations, store};
use crate::ground::{
    config::Settings,
    error::Result,
    state::{App, Change, Configured, Part},
    store::Conn,
};
use async_trait::async_trait;
use std::{
    sync::{Arc, Mutex, PoisonError, RwLock},
    time::{Duration, Instant},
};

/// How often all revocations are read again, so that what the store has forgotten leaves the memory as well.
const WHOLE_EVERY: Duration = Duration::from_secs(12 * 3600);

/// The signing keys, and the revocations.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The configuration's version with which the signing keys were read.
    pub version: i64,
    /// The signing keys.
    pub keyring: Arc<Keyring>,
    /// The revocations.
    pub revocations: Arc<Revocations>,
}

/// The newest that was read, and when all revocations were.
#[derive(Default)]
struct Newest {
    known: RwLock<Arc<Known>>,
    whole: Mutex<Option<Instant>>,
}

impl Newest {
    fn is_whole(&self) -> bool {
        self.whole.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|read| read.elapsed() < WHOLE_EVERY)
    }
}

impl Part for Newest {
    fn new(_: &Settings) -> Self {
        Self::default()
    }
}

/// What this node knows now.
pub fn known(app: &App) -> Arc<Known> {
    app.part::<Newest>().known.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Reads the keys when they change, and the revocations that are new.
#[derive(Debug)]
pub struct Reading;

#[async_trait]
impl Configured for Reading {
    async fn read(&self, app: &App, conn: &mut Conn<'_>, change: &Change) -> Result<()> {
        let newest = app.part::<Newest>();
        match change.since.filter(|_| newest.is_whole()) {
            Some(since) => known(app).revocations.learn(store::revocations(conn, Some(since)).await?),
            None => {
                let cutoffs = store::revocations(conn, None).await?;
                known(app).revocations.replace(cutoffs);
                *newest.whole.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
            }
        }
        if change.of_installation {
            let keys = store::read_keys(conn, &app.sealer).await?;
            let missing = keys.is_empty();
            let keys = if missing { store::signing_keys(&app.db, &app.sealer).await? } else { keys };
            let keyring = Arc::new(Keyring::new(keys));
            let known = Known { version: change.number, keyring, revocations: Arc::clone(&known(app).revocations) };
            *newest.known.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(known);
        }
        Ok(())
    }
}
