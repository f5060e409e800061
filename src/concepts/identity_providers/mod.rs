//! External identity providers: an organization registers issuer, audience and keys. From then on a JWT of that issuer
//! identifies one of its members (docs/spec/contract.md, section 2).

pub mod allowed;
pub mod keys;
pub mod manage;
mod store;

#[cfg(test)]
pub(crate) mod tests;

#[cfg(test)]
pub(crate) use store::IdentityProviderRow;

pub use store::fetched;

use crate::{
    concepts::{identity_providers::keys::FetchedKeys, organizations::MemberRole},
    ground::{
        config::Settings,
        error::{Code, Error, Kind, Result},
        state::{App, Part},
    },
};
use futures::{FutureExt, future::BoxFuture};
use inlay_contract::ids::{IdentityProviderId, MemberId, OrganizationId};
use jsonwebtoken::{DecodingKey, Validation, errors::ErrorKind};
use keys::{KeySet, SigningKey};
use moka::sync::Cache;
use serde::Deserialize;
use std::{future::Future, time::Duration};
use url::{Host, Url};

/// The tolerated clock difference, in seconds.
const LEEWAY: u64 = 30;

/// An identity provider of an organization.
#[derive(Clone, Debug)]
pub struct IdentityProvider {
    /// Its id.
    pub id: IdentityProviderId,
    /// The value of `iss` in its tokens.
    pub issuer: String,
    /// The required value of `aud` in its tokens.
    pub audience: String,
    /// The source of its keys.
    pub keys: KeySource,
    /// Whether its users cannot choose their names: an address without `email_verified` counts, and `sub` may be an address.
    pub trusts_addresses: bool,
}

/// The source of a provider's keys.
#[derive(Clone, Debug)]
pub enum KeySource {
    /// A URL. The keys are fetched and cached.
    Address(Url),
    /// Stored keys.
    Inline(KeySet),
}

/// The member whom a token identifies.
#[derive(Clone, Copy, Debug)]
pub struct NamedMember {
    /// The member.
    pub id: MemberId,
    /// The organization.
    pub organization: OrganizationId,
}

/// The claims of a provider's token that are read.
#[derive(Debug, Deserialize)]
struct Claims {
    sub: Option<String>,
    email: Option<String>,
    email_verified: Option<bool>,
}

impl Claims {
    /// The claims that may identify a member, most reliable first: an address that the provider has verified, and a member's id.
    fn names(&self, trusts_addresses: bool) -> Vec<String> {
        let verified = self.email_verified.unwrap_or(trusts_addresses);
        let email = self.email.as_ref().filter(|_| verified);
        let subject = self.sub.as_ref().filter(|sub| trusts_addresses || sub.trim().parse::<MemberId>().is_ok());
        email.into_iter().chain(subject).map(|name| name.trim().to_lowercase()).filter(|name| !name.is_empty()).collect()
    }
}

/// The member whom a provider's token identifies.
///
/// # Errors
/// 400 `ORGANIZATION_ID_REQUIRED` without an organization, 401 when no provider of the organization verifies the token, 403
/// `NOT_A_MEMBER` when it identifies nobody who may act for the organization, 503 when the provider's keys cannot be fetched.
pub async fn member(app: &App, token: &str, organization: Option<OrganizationId>) -> Result<NamedMember> {
    let organization = organization.ok_or_else(|| {
        Error::new(
            Code::OrganizationIdRequired,
            "organizationId is required when authenticating with a JWT from an identity provider",
        )
    })?;
    let issuer = crate::concepts::tokens::unverified_issuer(token).ok_or_else(invalid)?;
    let providers = store::of_issuer(&mut app.db.read().await?.conn(), organization, &issuer).await?;
    let (claims, trusts_addresses) = verified(app, token, &providers).await?;
    for name in claims.names(trusts_addresses) {
        let found = store::find_member(&mut app.db.read().await?.conn(), organization, &name).await?;
        if let Some((id, role)) = found {
            return if role.may_use_keys() { Ok(NamedMember { id, organization }) } else { Err(not_a_member(Some(role))) };
        }
    }
    Err(not_a_member(None))
}

/// The most providers of one issuer that are asked whether they know a token, before its organization is known.
const MOST_VOUCHING: usize = 32;

/// Refuses a token that no provider of any organization issued. Which organization's provider it has to be is told by the
/// request, which is judged after its credential. `look` looks up what a stranger names.
///
/// # Errors
/// 401
pub async fn vouch<'a, F, L>(app: &'a App, token: &str, look: L) -> Result<()>
where
    F: Future<Output = Result<Vec<IdentityProvider>>>,
    L: FnOnce(BoxFuture<'a, Result<Vec<IdentityProvider>>>) -> F,
{
    let issuer = crate::concepts::tokens::unverified_issuer(token).ok_or_else(invalid)?;
    let unknown = app.part::<UnknownIssuers>();
    if unknown.0.contains_key(&issuer) {
        return Err(invalid());
    }
    let (most, named) = (MOST_VOUCHING + 1, issuer.clone());
    let read = async move { store::of_issuer_anywhere(&mut app.db.read().await?.conn(), &named, most).await };
    let providers = look(read.boxed()).await?;
    if providers.is_empty() {
        unknown.0.insert(issuer, ());
    }
    let (mut problem, mut unsure) = (invalid(), providers.len() > MOST_VOUCHING);
    for provider in providers.iter().take(MOST_VOUCHING) {
        match verified(app, token, std::slice::from_ref(provider)).await {
            Ok(_) => return Ok(()),
            Err(refused) if refused.kind() != Kind::Unauthenticated => unsure = true,
            Err(refused) if refused.code == Code::TokenExpired => problem = refused,
            Err(_) => {}
        }
    }
    if unsure { Ok(()) } else { Err(problem) }
}

/// Issuers without a provider. They are remembered for a moment, because the tokens of strangers name them.
pub struct UnknownIssuers(Cache<String, ()>);

impl Part for UnknownIssuers {
    fn new(_: &Settings) -> Self {
        // A new provider has to work within a second.
        Self(Cache::builder().max_capacity(2_000).time_to_live(Duration::from_millis(500)).build())
    }
}

/// The claims of a token that one of the providers verified, and whether that provider's addresses are trusted.
async fn verified(app: &App, token: &str, providers: &[IdentityProvider]) -> Result<(Claims, bool)> {
    let header = jsonwebtoken::decode_header(token).map_err(|_| invalid())?;
    let mut problem = invalid();
    for provider in providers {
        let Some(key) = app.part::<FetchedKeys>().find(provider, header.kid.as_deref()).await? else { continue };
        match decode(token, provider, &key) {
            Ok(claims) => return Ok((claims, provider.trusts_addresses)),
            Err(refused) => problem = refused,
        }
    }
    Err(problem)
}

fn decode(token: &str, provider: &IdentityProvider, key: &SigningKey) -> Result<Claims> {
    let decoding = DecodingKey::from_jwk(&key.jwk).map_err(|_| invalid())?;
    // The key determines the algorithm, never the token's header.
    let mut rules = Validation::new(key.algorithm);
    rules.leeway = LEEWAY;
    rules.validate_nbf = true;
    rules.set_issuer(&[&provider.issuer]);
    rules.set_audience(&[&provider.audience]);
    rules.set_required_spec_claims(&["exp", "iss", "aud"]);
    match jsonwebtoken::decode::<Claims>(token, &decoding, &rules) {
        Ok(decoded) => Ok(decoded.claims),
        Err(problem) if matches!(problem.kind(), ErrorKind::ExpiredSignature) => {
            Err(Error::new(Code::TokenExpired, "The token has expired. Get a new one from your identity provider."))
        }
        Err(_) => Err(invalid()),
    }
}

fn invalid() -> Error {
    Error::new(Code::InvalidToken, "The token is not valid: none of the organization's identity providers issued it.")
}

fn not_a_member(role: Option<MemberRole>) -> Error {
    let context = role.map_or("no member of that name", |_| "a read-only member");
    let told = "The token's subject must be an owner, admin or member of the organization.";
    Error::new(Code::NotAMember, told).with_context(context)
}

/// Checks the URL of a key set, without resolving its host: https, or http from this machine if the settings allow it.
///
/// # Errors
/// A sentence for the operator.
pub fn fetchable(url: &Url, loopback_allowed: bool) -> Result<(), String> {
    let loopback = match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    let good = match url.scheme() {
        "https" => url.host().is_some() && (!loopback || loopback_allowed),
        "http" => loopback && loopback_allowed,
        _ => false,
    };
    if good && url.username().is_empty() && url.password().is_none() {
        return Ok(());
    }
    Err("the URL of the keys must be https, without a user name, and not on this machine".to_owned())
}
