//! External identity providers: an organization registers issuer, audience and keys; from then on a JWT of that issuer names
//! one of its members (docs/spec/contract.md, section 2).

pub mod allowed;
pub mod keys;
pub mod manage;
mod store;

#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use store::IdentityProviderRow;

use crate::{
    concepts::organizations::MemberRole,
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

/// What clocks may differ, in seconds.
const LEEWAY: u64 = 30;

/// An identity provider of an organization.
#[derive(Clone, Debug)]
pub struct IdentityProvider {
    /// Its id.
    pub id: IdentityProviderId,
    /// What its tokens say in `iss`.
    pub issuer: String,
    /// What its tokens must say in `aud`.
    pub audience: String,
    /// Where its keys are.
    pub keys: KeySource,
}

/// Where a provider's keys are.
#[derive(Clone, Debug)]
pub enum KeySource {
    /// Behind an address; fetched, and kept for a while.
    Address(Url),
    /// Here.
    Inline(KeySet),
}

/// A member whom a token names.
#[derive(Clone, Copy, Debug)]
pub struct NamedMember {
    /// The member.
    pub id: MemberId,
    /// The organization.
    pub organization: OrganizationId,
}

/// What of a provider's token counts here.
#[derive(Debug, Deserialize)]
struct Claims {
    sub: Option<String>,
    email: Option<String>,
    email_verified: Option<bool>,
}

impl Claims {
    /// The names that may be a member's, surest first. An address that the provider calls unverified is none.
    fn names(&self) -> Vec<String> {
        let email = self.email.as_ref().filter(|_| self.email_verified != Some(false));
        email.into_iter().chain(&self.sub).map(|name| name.trim().to_lowercase()).filter(|name| !name.is_empty()).collect()
    }
}

/// The member whom a foreign token names.
///
/// # Errors
/// 400 `ORGANIZATION_ID_REQUIRED` without an organization, 401 when no provider of the organization vouches for the token,
/// 403 `NOT_A_MEMBER` when it names nobody who may act for the organization, 503 when the provider's keys cannot be had.
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

/// What a token says, once one of the providers has vouched for it.
async fn verified(app: &App, token: &str, providers: &[IdentityProvider]) -> Result<Claims> {
    let header = jsonwebtoken::decode_header(token).map_err(|_| invalid())?;
    let mut problem = invalid();
    for provider in providers {
        let Some(key) = app.identity_keys.find(provider, header.kid.as_deref()).await? else { continue };
        match decode(token, provider, &key) {
            Ok(claims) => return Ok(claims),
            Err(refused) => problem = refused,
        }
    }
    Err(problem)
}

fn decode(token: &str, provider: &IdentityProvider, key: &SigningKey) -> Result<Claims> {
    let decoding = DecodingKey::from_jwk(&key.jwk).map_err(|_| invalid())?;
    // The algorithm is the key's, never the header's.
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
    Error::new(
        Code::InvalidToken,
        "The token is not valid: no identity provider that the organization has registered vouches for it.",
    )
}

fn not_a_member(role: Option<MemberRole>) -> Error {
    let context = role.map_or("no member of that name", |_| "a read-only member");
    let told = "The token's subject must be an owner, admin or member of the organization.";
    Error::new(Code::NotAMember, told).with_context(context)
}

/// Whether keys may be fetched from an address, as far as it can be told without looking: by https, or by http from this machine
/// where the settings allow it.
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
    Err("the address of the keys must be https, without a user name, and not on this machine".to_owned())
}
