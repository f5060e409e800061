//! The HTTP client for providers: their metadata, and codes exchanged for tokens. Responses are limited in size, redirects are
//! not followed.

use super::{Provider, failed, unavailable};
use crate::{
    concepts::identity_providers::allowed::Allowed,
    ground::{config::Settings, error::Result, state::Part},
};
use futures::StreamExt;
use reqwest::RequestBuilder;
use secrecy::ExposeSecret;
use serde::Deserialize;
use serde_json::Value;
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};
use url::Url;
use uuid::Uuid;

const MOST_BYTES: usize = 256 * 1024;
/// How long a provider's metadata is cached.
const FRESH: Duration = Duration::from_secs(600);

/// A provider's metadata.
#[derive(Clone, Debug)]
pub(super) struct Metadata {
    pub(super) authorization_endpoint: Url,
    token_endpoint: Url,
    pub(super) jwks_uri: Url,
    /// Whether it adds the `iss` parameter to each code (RFC 9207).
    pub(super) names_itself: bool,
}

/// The metadata as the provider sends it.
#[derive(Deserialize)]
struct Described {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

/// The client, and its cache.
pub struct ProviderClient {
    allowed: Allowed,
    known: Mutex<HashMap<Uuid, (Instant, String, Metadata)>>,
}

impl ProviderClient {
    /// A client with an empty cache.
    #[must_use]
    pub fn new(allowed: Allowed) -> Self {
        Self { allowed, known: Mutex::default() }
    }

    /// A provider's metadata, fetched at most every ten minutes.
    pub(super) async fn metadata(&self, provider: &Provider) -> Result<Metadata> {
        let remembered = {
            let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            known.get(&provider.id).filter(|(at, issuer, _)| at.elapsed() < FRESH && *issuer == provider.issuer).cloned()
        };
        if let Some((_, _, metadata)) = remembered {
            return Ok(metadata);
        }
        let metadata = self.discover(&provider.issuer).await.map_err(|problem| unavailable(&problem))?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(provider.id, (Instant::now(), provider.issuer.clone(), metadata.clone()));
        Ok(metadata)
    }

    /// Fetches an issuer's metadata.
    ///
    /// # Errors
    /// A sentence for the operator.
    pub(super) async fn discover(&self, issuer: &str) -> Result<Metadata, String> {
        let address = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
        let address: Url = address.parse().map_err(|_| "the issuer is not a valid URL".to_owned())?;
        let told = read(self.allowed.client(&address).await?.get(address)).await?;
        let unusual = || "its metadata is not valid for OpenID Connect".to_owned();
        let described: Described = serde_json::from_value(told).map_err(|_| unusual())?;
        // A provider that names another issuer is not used.
        if described.issuer != issuer {
            return Err(format!("its metadata names the issuer {}", described.issuer));
        }
        let address = |text: &str| {
            let url: Url = text.parse().map_err(|_| unusual())?;
            self.allowed.check(&url).map(|()| url)
        };
        Ok(Metadata {
            authorization_endpoint: address(&described.authorization_endpoint)?,
            token_endpoint: address(&described.token_endpoint)?,
            jwks_uri: address(&described.jwks_uri)?,
            names_itself: described.authorization_response_iss_parameter_supported,
        })
    }

    /// Exchanges a code for an ID token.
    pub(super) async fn exchange(&self, provider: &Provider, metadata: &Metadata, form: &[(&str, &str)]) -> Result<String> {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
        let client = self.allowed.client(&metadata.token_endpoint).await.map_err(|problem| unavailable(&problem))?;
        let request = client.post(metadata.token_endpoint.clone()).body(body);
        let mut request = request.header("content-type", "application/x-www-form-urlencoded");
        let secret = provider.secret.expose_secret();
        if !secret.is_empty() {
            // Both parts are form-encoded first (RFC 6749, 2.3.1).
            let written = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
            request = request.basic_auth(written(&provider.client), Some(written(secret)));
        }
        let told = read(request).await.map_err(|problem| failed(&problem))?;
        told.get("id_token").and_then(Value::as_str).map(str::to_owned).ok_or_else(|| failed("the provider sent no token"))
    }
}

/// Sends a request and reads its JSON. Errors contain no secret.
async fn read(request: RequestBuilder) -> Result<Value, String> {
    let response = request.header("accept", "application/json").send().await;
    let response = response.map_err(|problem| problem.without_url().to_string())?;
    if !response.status().is_success() {
        return Err(format!("it responded with status {}", response.status().as_u16()));
    }
    let mut body = Vec::new();
    let mut chunks = response.bytes_stream();
    while let Some(chunk) = chunks.next().await {
        body.extend_from_slice(&chunk.map_err(|problem| problem.without_url().to_string())?);
        if body.len() > MOST_BYTES {
            return Err("its response is too long".to_owned());
        }
    }
    serde_json::from_slice(&body).map_err(|_| "its response is not valid JSON".to_owned())
}

impl Part for ProviderClient {
    fn new(settings: &Settings) -> Self {
        Self { allowed: Allowed::of(settings), known: Mutex::default() }
    }
}
