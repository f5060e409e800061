//! The line to providers: what they say of themselves, and codes for tokens. Answers are small, redirects are not followed.

use super::{Provider, failed, unavailable};
use crate::{concepts::identity_providers::allowed::Allowed, ground::error::Result};
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
/// How long what a provider says of itself counts.
const FRESH: Duration = Duration::from_secs(600);

/// What a provider says of itself.
#[derive(Clone, Debug)]
pub(super) struct Metadata {
    pub(super) authorization_endpoint: Url,
    token_endpoint: Url,
    pub(super) jwks_uri: Url,
    /// Whether it says of each code that it is its own (RFC 9207).
    pub(super) names_itself: bool,
}

/// The same as it is written.
#[derive(Deserialize)]
struct Described {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    #[serde(default)]
    authorization_response_iss_parameter_supported: bool,
}

/// The line, and what was heard over it.
pub struct Line {
    allowed: Allowed,
    known: Mutex<HashMap<Uuid, (Instant, String, Metadata)>>,
}

impl Line {
    /// A line that nothing was said over yet.
    #[must_use]
    pub fn new(allowed: Allowed) -> Self {
        Self { allowed, known: Mutex::default() }
    }

    /// What a provider says of itself, asked at most every ten minutes.
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

    /// Asks an issuer what it says of itself.
    ///
    /// # Errors
    /// A sentence for the operator.
    pub(super) async fn discover(&self, issuer: &str) -> Result<Metadata, String> {
        let address = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
        let address: Url = address.parse().map_err(|_| "the issuer is not a valid URL".to_owned())?;
        let told = read(self.allowed.client(&address).await?.get(address)).await?;
        let unusual = || "it does not describe itself as OpenID Connect asks".to_owned();
        let described: Described = serde_json::from_value(told).map_err(|_| unusual())?;
        // Whoever says that they are somebody else is not asked any further.
        if described.issuer != issuer {
            return Err(format!("it calls itself {}", described.issuer));
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

    /// Gives a code for a token that says who came.
    pub(super) async fn exchange(&self, provider: &Provider, metadata: &Metadata, form: &[(&str, &str)]) -> Result<String> {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
        let client = self.allowed.client(&metadata.token_endpoint).await.map_err(|problem| unavailable(&problem))?;
        let request = client.post(metadata.token_endpoint.clone()).body(body);
        let mut request = request.header("content-type", "application/x-www-form-urlencoded");
        let secret = provider.secret.expose_secret();
        if !secret.is_empty() {
            // Each part is written as in a form first (RFC 6749, 2.3.1).
            let written = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
            request = request.basic_auth(written(&provider.client), Some(written(secret)));
        }
        let told = read(request).await.map_err(|problem| failed(&problem))?;
        told.get("id_token").and_then(Value::as_str).map(str::to_owned).ok_or_else(|| failed("the provider sent no token"))
    }
}

/// Sends a request and reads its JSON; problems name no secret.
async fn read(request: RequestBuilder) -> Result<Value, String> {
    let response = request.header("accept", "application/json").send().await;
    let response = response.map_err(|problem| problem.without_url().to_string())?;
    if !response.status().is_success() {
        return Err(format!("it answered with status {}", response.status().as_u16()));
    }
    let mut body = Vec::new();
    let mut chunks = response.bytes_stream();
    while let Some(chunk) = chunks.next().await {
        body.extend_from_slice(&chunk.map_err(|problem| problem.without_url().to_string())?);
        if body.len() > MOST_BYTES {
            return Err("its answer is too long".to_owned());
        }
    }
    serde_json::from_slice(&body).map_err(|_| "its answer is no JSON".to_owned())
}
