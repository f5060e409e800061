//! The keys of identity providers: parsing, fetching, caching.

use super::{IdentityProvider, KeySource, allowed::Allowed};
use crate::ground::{
    config::Settings,
    error::{Code, Error, Result},
    state::Part,
};
use futures::StreamExt;
use inlay_contract::ids::IdentityProviderId;
use jsonwebtoken::{
    Algorithm,
    jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, PublicKeyUse},
};
use serde_json::Value;
use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::sync::Mutex;
use url::Url;

/// How long fetched keys are used before they are fetched again.
const FRESH: Duration = Duration::from_secs(600);
/// How long they stay valid while the provider does not respond.
const STALE: Duration = Duration::from_secs(24 * 3600);
/// The minimum time between two fetches of one provider's keys.
const PAUSE: Duration = Duration::from_secs(60);
const MOST_BYTES: usize = 256 * 1024;

/// A key that verifies signatures, with its only algorithm.
#[derive(Clone, Debug)]
pub struct SigningKey {
    /// The key.
    pub jwk: Jwk,
    /// Its algorithm.
    pub algorithm: Algorithm,
}

/// The keys of a provider that can verify a signature. Other keys of the set are ignored.
#[derive(Clone, Debug, Default)]
pub struct KeySet(Vec<SigningKey>);

impl KeySet {
    /// Parses a JSON Web Key Set.
    ///
    /// # Errors
    /// The value is not a key set, or has no public key that verifies signatures.
    pub fn read(set: &Value) -> Result<Self, &'static str> {
        let keys = set.get("keys").and_then(Value::as_array).ok_or("is not a JSON Web Key Set")?;
        let keys: Vec<SigningKey> = keys.iter().filter_map(signing_key).collect();
        if keys.is_empty() { Err("has no public key that verifies signatures") } else { Ok(Self(keys)) }
    }

    /// The key with a `kid`. A token without one is verified with the only key of the set, if there is just one.
    fn find(&self, kid: Option<&str>) -> Option<SigningKey> {
        let found = match (kid, self.0.as_slice()) {
            (Some(kid), keys) => keys.iter().find(|key| key.jwk.common.key_id.as_deref() == Some(kid)),
            (None, [only]) => Some(only),
            (None, _) => None,
        };
        found.cloned()
    }
}

fn signing_key(value: &Value) -> Option<SigningKey> {
    // A shared secret is not a public key, and private keys do not belong here.
    if value.get("d").is_some() || value.get("k").is_some() {
        return None;
    }
    let jwk: Jwk = serde_json::from_value(value.clone()).ok()?;
    if jwk.common.public_key_use.as_ref().is_some_and(|purpose| *purpose != PublicKeyUse::Signature) {
        return None;
    }
    let algorithm = algorithm(&jwk)?;
    Some(SigningKey { jwk, algorithm })
}

/// The algorithm of a key: the one that it names, if it fits its type.
fn algorithm(jwk: &Jwk) -> Option<Algorithm> {
    match (&jwk.algorithm, jwk.common.key_algorithm) {
        (AlgorithmParameters::RSA(_), None | Some(KeyAlgorithm::RS256)) => Some(Algorithm::RS256),
        (AlgorithmParameters::RSA(_), Some(KeyAlgorithm::RS384)) => Some(Algorithm::RS384),
        (AlgorithmParameters::RSA(_), Some(KeyAlgorithm::RS512)) => Some(Algorithm::RS512),
        (AlgorithmParameters::RSA(_), Some(KeyAlgorithm::PS256)) => Some(Algorithm::PS256),
        (AlgorithmParameters::RSA(_), Some(KeyAlgorithm::PS384)) => Some(Algorithm::PS384),
        (AlgorithmParameters::RSA(_), Some(KeyAlgorithm::PS512)) => Some(Algorithm::PS512),
        (AlgorithmParameters::EllipticCurve(key), alg) => match (&key.curve, alg) {
            (EllipticCurve::P256, None | Some(KeyAlgorithm::ES256)) => Some(Algorithm::ES256),
            (EllipticCurve::P384, None | Some(KeyAlgorithm::ES384)) => Some(Algorithm::ES384),
            _ => None,
        },
        (AlgorithmParameters::OctetKeyPair(key), None | Some(KeyAlgorithm::EdDSA)) if key.curve == EllipticCurve::Ed25519 => {
            Some(Algorithm::EdDSA)
        }
        _ => None,
    }
}

/// The fetched keys of all providers, on this node.
pub struct FetchedKeys {
    allowed: Allowed,
    pause: Duration,
    of_provider: Mutex<HashMap<IdentityProviderId, Arc<Mutex<Fetched>>>>,
}

#[derive(Default)]
struct Fetched {
    keys: Option<(Url, KeySet, Instant)>,
    tried: Option<Instant>,
}

impl FetchedKeys {
    /// An empty cache.
    pub fn of(allowed: Allowed) -> Self {
        Self { allowed, pause: PAUSE, of_provider: Mutex::default() }
    }

    #[cfg(test)]
    pub(super) fn pausing(self, pause: Duration) -> Self {
        Self { pause, ..self }
    }

    /// A provider's key. An unknown `kid` fetches the keys again, at most once a minute.
    ///
    /// # Errors
    /// 503 `IDENTITY_PROVIDER_UNAVAILABLE` when the keys cannot be fetched.
    pub async fn find(&self, provider: &IdentityProvider, kid: Option<&str>) -> Result<Option<SigningKey>> {
        let url = match &provider.keys {
            KeySource::Inline(keys) => return Ok(keys.find(kid)),
            KeySource::Address(url) => url,
        };
        let place = Arc::clone(self.of_provider.lock().await.entry(provider.id).or_default());
        // One fetch at a time. Concurrent callers wait for its result.
        let mut fetched = place.lock().await;
        fetched.keys.take_if(|(from, _, at)| from != url || at.elapsed() > STALE);
        let known = |fetched: &Fetched| fetched.keys.as_ref().and_then(|(_, keys, _)| keys.find(kid));
        let fresh = fetched.keys.as_ref().is_some_and(|(_, _, at)| at.elapsed() < FRESH);
        let found = known(&fetched);
        let paused = fetched.tried.is_some_and(|at| at.elapsed() < self.pause);
        if (fresh && found.is_some()) || (paused && fetched.keys.is_some()) {
            return Ok(found);
        }
        if paused {
            return Err(unavailable("waiting before the next attempt"));
        }
        fetched.tried = Some(Instant::now());
        match self.fetch(url).await {
            Ok(keys) => fetched.keys = Some((url.clone(), keys, Instant::now())),
            Err(problem) if found.is_none() => return Err(unavailable(&problem)),
            Err(problem) => tracing::warn!(problem, "the keys of an identity provider could not be fetched"),
        }
        Ok(known(&fetched))
    }

    /// Whether a provider's keys can be had now.
    ///
    /// # Errors
    /// 503 `IDENTITY_PROVIDER_UNAVAILABLE`, with the reason as its context.
    pub async fn reach(&self, provider: &IdentityProvider) -> Result<()> {
        match &provider.keys {
            KeySource::Inline(_) => Ok(()),
            KeySource::Address(url) => self.fetch(url).await.map(drop).map_err(|problem| unavailable(&problem)),
        }
    }

    async fn fetch(&self, url: &Url) -> Result<KeySet, String> {
        let client = self.allowed.client(url).await?;
        let response = client.get(url.clone()).header("accept", "application/json").send().await;
        let response = response.map_err(|problem| problem.without_url().to_string())?;
        if !response.status().is_success() {
            return Err(format!("the response had status {}", response.status().as_u16()));
        }
        let mut body = Vec::new();
        let mut chunks = response.bytes_stream();
        while let Some(chunk) = chunks.next().await {
            body.extend_from_slice(&chunk.map_err(|problem| problem.without_url().to_string())?);
            if body.len() > MOST_BYTES {
                return Err(format!("the response was larger than {MOST_BYTES} bytes"));
            }
        }
        let set: Value = serde_json::from_slice(&body).map_err(|_| "the response was not valid JSON".to_owned())?;
        KeySet::read(&set).map_err(|problem| format!("the response {problem}"))
    }
}

fn unavailable(context: &str) -> Error {
    Error::new(
        Code::IdentityProviderUnavailable,
        "The identity provider's keys cannot be fetched at the moment. Try again in a minute.",
    )
    .with_context(context)
}

impl Part for FetchedKeys {
    fn new(settings: &Settings) -> Self {
        Self::of(Allowed::of(settings))
    }
}

#[cfg(test)]
#[path = "keys_tests.rs"]
mod tests;
