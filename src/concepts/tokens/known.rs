//! What a node knows of tokens: the signing keys and the revocations of one configuration version.

use super::{keyring::Keyring, revocation::Revocations, store};
use crate::ground::{
    config::Settings,
    error::Result,
    state::{App, Configured, Part},
};
use async_trait::async_trait;
use std::sync::{Arc, PoisonError, RwLock};

/// The signing keys and revocations of one configuration version.
#[derive(Debug, Default)]
pub struct Known {
    /// The version.
    pub version: i64,
    /// The signing keys.
    pub keyring: Keyring,
    /// The revocations.
    pub revocations: Revocations,
}

/// The newest that was read.
struct Newest(RwLock<Arc<Known>>);

impl Part for Newest {
    fn new(_: &Settings) -> Self {
        Self(RwLock::default())
    }
}

/// What this node knows now.
pub fn known(app: &App) -> Arc<Known> {
    app.part::<Newest>().0.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Reads keys and revocations when the configuration changes.
#[derive(Debug)]
pub struct Reading;

#[async_trait]
impl Configured for Reading {
    async fn read(&self, app: &App, version: i64) -> Result<()> {
        let keyring = Keyring::new(store::signing_keys(&app.db, &app.sealer).await?);
        let known = Known { version, keyring, revocations: store::revocations(&app.db).await? };
        *app.part::<Newest>().0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(known);
        Ok(())
    }
}
