//! External identity providers: an organization registers issuer, audience and keys. From then on a JWT of that issuer identifies one of its members
//! (docs/spec/contract.md, section 2).

pub mod allowed;
pub mod keys;
pub mod manage;
mod store;

#[cfg(test)]
pub(crate) mod tests;

#[cfg(test)]
pub(crate) use store::IdentityProviderRow;

use crate::{
    concepts::{identity_providers::keys::FetchedKeys, organizations::MemberRole},
    ground::{
        error::{Code, Error, Result},
        state::App,
    },
};
use inlay_contract::ids::{IdentityProviderId, MemberId, OrganizationId};
use jsonwebtoken::{DecodingKey, Validation, errors::ErrorKind};
use keys::{KeySet, SigningKey};
use serde::Deserialize;
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
    /// The claims that may identify a member, most reliable first. An email address that the provider marks as unverified is skipped.
    fn names(&self) -> Vec<String> {
        let email = self.email.as_ref().filter(|_| self.email_verified != Some(false));
        email.into_iter().chain(&self.sub).map(|name| name.trim().to_lowercase()).filter(|name| !name.is_empty()).collect()
    }
}

/// The member whom a provider's token identifies.
///
/// # Errors
/// 400 `ORGANIZATION_ID_REQUIRED` without an organization, 401 when no provider of the organization verifies the token, 403 `NOT_A_MEMBER` when it
/// identifies nobody who may act for the organization, 503 when the provider's keys cannot be fetched.
pub async fn member(app: &App, token: &str, organization: Option<OrganizationId>) -> Result<NamedMember> {
    let organization = organization.ok_or_else(|| {
        Error::new(
            Code::OrganizationIdRequired,
            "organizationId is required when authenticating with a JWT from an identity provider",
        )
    })?;
    let issuer = crate::concepts::tokens::unverified_issuer(token).ok_or_else(invalid)?;
    let providers = store::of_issuer(&mut app.db.read().await?.conn(), organization, &issuer).await?;
    let claims = verified(app, token, &providers).await?;
    for name in claims.names() {
        let found = store::find_member(&mut app.db.read().await?.conn(), organization, &name).await?;
        if let Some((id, role)) = found {
            return if role.may_use_keys() { Ok(NamedMember { id, organization }) } else { Err(not_a_member(Some(role))) };
        }
    }
    Err(not_a_member(None))
}

/// The claims of a token that one of the providers verified.
async fn verified(app: &App, token: &str, providers: &[IdentityProvider]) -> Result<Claims> {
    let header = jsonwebtoken::decode_header(token).map_err(|_| invalid())?;
    let mut problem = invalid();
    for provider in providers {
        let Some(key) = app.part::<FetchedKeys>().find(provider, header.kid.as_deref()).await? else { continue };
        match decode(token, provider, &key) {
            Ok(claims) => return Ok(claims),
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
