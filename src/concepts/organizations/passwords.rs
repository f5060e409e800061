//! The console's state in memory: the setup code of the first owner, and the number of passwords that are hashed at once.

use super::{password, secret};
use crate::ground::{
    config::Settings,
    error::{Error, Result},
    state::Part,
};
use std::sync::{OnceLock, PoisonError, RwLock};
use subtle::ConstantTimeEq;
use tokio::{sync::Semaphore, task::spawn_blocking};

/// Each hash takes 19 MiB and tens of milliseconds of CPU time.
const HASHES_AT_ONCE: usize = 4;

/// The console's part of [`crate::ground::state::App`].
pub struct Passwords {
    code: RwLock<Option<Vec<u8>>>,
    hashing: Semaphore,
    nobodys: OnceLock<String>,
}

impl Part for Passwords {
    fn new(_: &Settings) -> Self {
        Self { code: RwLock::new(None), hashing: Semaphore::new(HASHES_AT_ONCE), nobodys: OnceLock::new() }
    }
}

impl Passwords {
    /// Stores a setup code for the first owner. It replaces an older one.
    pub fn put_code(&self, code: &str) {
        *self.code.write().unwrap_or_else(PoisonError::into_inner) = Some(secret::hash(code));
    }

    /// Whether this is the first owner's setup code.
    pub fn is_code(&self, given: &str) -> bool {
        let known = self.code.read().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().is_some_and(|known| bool::from(known.ct_eq(&secret::hash(given))))
    }

    /// Deletes the setup code.
    pub fn spend_code(&self) {
        *self.code.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Whether a password matches a hash. Takes equally long without a hash, so that the time reveals nothing about accounts.
    pub async fn verify(&self, given: &str, hash: Option<String>) -> Result<bool> {
        let known = hash.is_some();
        let hash = match hash {
            Some(hash) => hash,
            None => self.nobodys()?,
        };
        let fits = password::long_enough(given).is_ok();
        let given = if fits { given.to_owned() } else { String::new() };
        let _turn = self.hashing.acquire().await.map_err(Error::internal)?;
        let right = spawn_blocking(move || password::verify(&given, &hash)).await.map_err(Error::internal)?;
        Ok(right && known && fits)
    }

    fn nobodys(&self) -> Result<String> {
        if let Some(known) = self.nobodys.get() {
            return Ok(known.clone());
        }
        let made = password::hash(&secret::Secret::generate()?.text)?;
        Ok(self.nobodys.get_or_init(|| made).clone())
    }

    /// Hashes a password.
    ///
    /// # Errors
    /// 400 when it is too short.
    pub async fn hash(&self, given: &str) -> Result<String> {
        password::long_enough(given)?;
        let given = given.to_owned();
        let _turn = self.hashing.acquire().await.map_err(Error::internal)?;
        spawn_blocking(move || password::hash(&given)).await.map_err(Error::internal)?
    }
}
