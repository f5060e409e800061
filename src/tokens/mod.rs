//! Embed tokens: JWTs signed with Ed25519 (docs/spec/contract.md, section 2).

pub mod keyring;
pub mod revocation;
pub mod store;
pub mod v1;
pub mod verified;

#[cfg(test)]
mod revocation_tests;

use crate::{
    audit::{self, Actor, Deed},
    error::{Code, Error, Result},
    organizations::{
        self,
        members::{Member, Owns},
    },
    state::App,
    store::{Conn, seal::Sealer},
    time::Timestamp,
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use inlay_contract::{
    ids::{ApiKeyId, CustomerId, DashboardId, MemberId, OrganizationId, ProjectId, ProjectUserId, RoleId},
    lifetime::Lifetime,
    permissions::Permissions,
};
use jsonwebtoken::{Algorithm, Header, Validation, errors::ErrorKind};
use keyring::Keyring;
use revocation::SubjectKind;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use uuid::Uuid;

/// Whom a token is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Audience {
    /// A project user: embeds and v2.
    #[serde(rename = "inlay:embed")]
    Embed,
    /// A v1 tenant.
    #[serde(rename = "inlay:tenant")]
    Tenant,
}

impl Audience {
    const ALL: [&'static str; 2] = ["inlay:embed", "inlay:tenant"];
}

/// A token's claims. They hold no property values: row rules read those from the store at query time.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Claims {
    /// The service's base URL.
    pub iss: String,
    /// Whom it is for.
    pub aud: Audience,
    /// The project user or tenant.
    pub sub: Uuid,
    /// The operator-side organization.
    pub org: OrganizationId,
    /// The project.
    pub project: ProjectId,
    /// The customer, if the user has one.
    pub customer: Option<CustomerId>,
    /// The role when the token was issued.
    pub role: Option<RoleId>,
    /// What that role allowed then.
    pub permissions: Permissions,
    /// The API key that issued it, so that revoking the key cuts the token off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub azp: Option<ApiKeyId>,
    /// The member who looks at what the user sees, where the token was made for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub act: Option<MemberId>,
    /// The shared dashboard that this member changes, where the token was made for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edits: Option<DashboardId>,
    /// Issued at, seconds since 1970.
    pub iat: i64,
    /// Expires at, seconds since 1970.
    pub exp: i64,
    /// The token's own id; a UUIDv7, so it holds the millisecond of issue.
    pub jti: Uuid,
}

/// Whom a token names.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The project user or tenant.
    pub id: Uuid,
    /// Which of the two.
    pub audience: Audience,
    /// The operator-side organization.
    pub organization: OrganizationId,
    /// The project.
    pub project: ProjectId,
    /// The customer, if any.
    pub customer: Option<CustomerId>,
    /// The role, if any.
    pub role: Option<RoleId>,
    /// What the role allows.
    pub permissions: Permissions,
    /// The API key that asks.
    pub key: Option<ApiKeyId>,
    /// The member who wants to see what the user sees.
    pub member: Option<MemberId>,
    /// The shared dashboard that the member wants to change.
    pub edits: Option<DashboardId>,
}

/// A signed token and its end. `Debug` shows nothing of the token.
pub struct Issued {
    /// The JWT.
    pub token: String,
    /// When it ends.
    pub expires_at: Timestamp,
}

impl fmt::Debug for Issued {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Issued").field("expires_at", &self.expires_at).finish_non_exhaustive()
    }
}

/// Signs a token that starts now.
///
/// # Errors
/// There is no key to sign with.
pub fn issue(keyring: &Keyring, issuer: &str, subject: &Subject, lifetime: Lifetime) -> Result<Issued> {
    let jti = Uuid::now_v7();
    let iat = Timestamp::now().seconds();
    let exp = iat + i64::try_from(lifetime.duration().as_secs()).map_err(Error::internal)?;
    let claims = Claims {
        iss: issuer.to_owned(),
        aud: subject.audience,
        sub: subject.id,
        org: subject.organization,
        project: subject.project,
        customer: subject.customer,
        role: subject.role,
        permissions: subject.permissions,
        azp: subject.key,
        act: subject.member,
        edits: subject.edits,
        iat,
        exp,
        jti,
    };
    let active = keyring.active()?;
    let header = Header { kid: Some(active.id.to_string()), ..Header::new(Algorithm::EdDSA) };
    let token = jsonwebtoken::encode(&header, &claims, &active.encoding).map_err(Error::internal)?;
    Ok(Issued { token, expires_at: Timestamp::from_seconds(exp) })
}

/// Checks signature, issuer, audience and time of a token.
///
/// # Errors
/// 401 `TOKEN_EXPIRED` when only its time is over, else 401 `INVALID_TOKEN`.
pub fn verify(keyring: &Keyring, issuer: &str, token: &str) -> Result<Claims> {
    verify_by(keyring, issuer, token, true)
}

/// What a token of ours says, be it expired or revoked, to tell whose it was; it admits nobody.
///
/// # Errors
/// 401 `INVALID_TOKEN` when it is not ours.
pub fn verify_whatever_its_age(keyring: &Keyring, issuer: &str, token: &str) -> Result<Claims> {
    verify_by(keyring, issuer, token, false)
}

fn verify_by(keyring: &Keyring, issuer: &str, token: &str, by_time: bool) -> Result<Claims> {
    let invalid = || Error::new(Code::InvalidToken, "The token is not valid. Get a new one from embed-token.");
    let header = jsonwebtoken::decode_header(token).map_err(|_| invalid())?;
    // The algorithm is ours, never the header's.
    if header.alg != Algorithm::EdDSA {
        return Err(invalid());
    }
    let key =
        header.kid.as_deref().and_then(|kid| kid.parse().ok()).and_then(|kid| keyring.verifying(kid)).ok_or_else(invalid)?;
    let mut rules = Validation::new(Algorithm::EdDSA);
    rules.leeway = 0;
    rules.validate_exp = by_time;
    rules.set_issuer(&[issuer]);
    rules.set_audience(&Audience::ALL);
    rules.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
    match jsonwebtoken::decode::<Claims>(token, key, &rules) {
        Ok(decoded) => Ok(decoded.claims),
        Err(problem) if matches!(problem.kind(), ErrorKind::ExpiredSignature) => Err(expired()),
        Err(_) => Err(invalid()),
    }
}

/// Who a token says that it is from, unproved: it only decides whose keys have to prove it.
pub fn unverified_issuer(token: &str) -> Option<String> {
    let payload = token.split('.').nth(1)?;
    let claims: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).ok()?).ok()?;
    claims.get("iss")?.as_str().map(str::to_owned)
}

/// Whether a token has to be one of ours: it says so, or says nothing.
pub fn is_ours(issuer: &str, token: &str) -> bool {
    unverified_issuer(token).is_none_or(|named| named == issuer)
}

/// 401 for a token whose time is over.
pub fn expired() -> Error {
    Error::new(Code::TokenExpired, "The token has expired. Get a new one from embed-token.")
}

impl Claims {
    /// When the token was issued, to the millisecond.
    pub fn issued_at(&self) -> Timestamp {
        let exact = self.jti.get_timestamp().map(|time| {
            let (seconds, nanos) = time.to_unix();
            Timestamp(i64::try_from(seconds).unwrap_or_default() * 1000 + i64::from(nanos / 1_000_000))
        });
        exact.unwrap_or_else(|| Timestamp::from_seconds(self.iat))
    }

    /// The project user, when the token is one's.
    pub fn project_user(&self) -> Option<ProjectUserId> {
        (self.aud == Audience::Embed).then_some(ProjectUserId(self.sub))
    }
}

/// Signs with a new key from now on; tokens that are out stay valid. The key is the whole service's, so that every organization's
/// log tells of it: that of the member who does it with their name.
pub async fn rotate(app: &App, by: &Member<impl Owns>) -> Result<()> {
    let mut tx = app.db.write().await?;
    sign_anew(&mut tx.conn(), &app.sealer, Some(&by.actor())).await?;
    tx.commit().await?;
    app.refresh().await
}

/// The same in the name of a member, or of whoever runs the service; the new key's id.
pub async fn sign_anew(conn: &mut Conn<'_>, sealer: &Sealer, by: Option<&Actor>) -> Result<Uuid> {
    let id = store::rotate(conn, sealer).await?;
    for organization in organizations::store::all(conn).await? {
        let operator = Actor::operator(organization);
        let actor = by.filter(|actor| actor.organization == organization).unwrap_or(&operator);
        audit::record(conn, actor, Deed::new("signingKey.rotated", id)).await?;
    }
    Ok(id)
}

/// Cuts off every token of a user, customer or project that was issued until now, and says so in the audit log.
pub async fn revoke(
    conn: &mut Conn<'_>,
    actor: &Actor,
    project: ProjectId,
    kind: SubjectKind,
    id: Uuid,
    name: &str,
) -> Result<()> {
    store::revoke(conn, kind, id).await?;
    let deed = Deed::new("token.revoked", id).in_project(project).named(name).with("kind", kind.name());
    audit::record(conn, actor, deed).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use keyring::{SigningKey, generate};

    const ISSUER: &str = "https://inlay.test";

    fn ring(retired: &[Option<Timestamp>]) -> Keyring {
        let keys = retired.iter().map(|retired_at| {
            let key = generate().expect("a key");
            SigningKey::new(key.id, &key.public, &key.private, *retired_at)
        });
        Keyring::new(keys.collect())
    }

    fn subject() -> Subject {
        Subject {
            id: Uuid::now_v7(),
            audience: Audience::Embed,
            organization: OrganizationId::generate(),
            project: ProjectId::generate(),
            customer: Some(CustomerId::generate()),
            role: None,
            permissions: Permissions::without_role(),
            key: None,
            member: None,
            edits: None,
        }
    }

    fn code(result: Result<Claims>) -> &'static str {
        result.expect_err("refused").code.as_str()
    }

    #[test]
    fn a_token_round_trips() {
        let (ring, subject) = (ring(&[None]), subject());
        let issued = issue(&ring, ISSUER, &subject, Lifetime::FiveMinutes).expect("issued");
        let claims = verify(&ring, ISSUER, &issued.token).expect("valid");
        assert_eq!((claims.sub, claims.exp - claims.iat), (subject.id, 300));
        assert!((claims.issued_at().0 - Timestamp::now().0).abs() < 1000);
    }

    #[test]
    fn a_retired_key_still_verifies_and_no_longer_signs() {
        let keys = ring(&[Some(Timestamp::now()), None]);
        let issued = issue(&keys, ISSUER, &subject(), Lifetime::Hour).expect("issued");
        let kid = jsonwebtoken::decode_header(&issued.token).expect("header").kid;
        assert_eq!(kid, Some(keys.keys()[1].id.to_string()));
        let older = Keyring::new(vec![keys.keys()[0].clone().revived()]);
        let old_token = issue(&older, ISSUER, &subject(), Lifetime::Hour).expect("issued").token;
        assert!(verify(&keys, ISSUER, &old_token).is_ok());
    }

    #[test]
    fn foreign_keys_issuers_and_algorithms_are_refused() {
        let (ours, theirs) = (ring(&[None]), ring(&[None]));
        let token = issue(&theirs, ISSUER, &subject(), Lifetime::Hour).expect("issued").token;
        assert_eq!(code(verify(&ours, ISSUER, &token)), "INVALID_TOKEN");
        assert_eq!(code(verify(&theirs, "https://other.test", &token)), "INVALID_TOKEN");
        for odd in ["", "a.b.c", "x", &token[..token.len() - 2], "eyJhbGciOiJub25lIn0.e30."] {
            assert_eq!(code(verify(&theirs, ISSUER, odd)), "INVALID_TOKEN", "{odd}");
        }
    }

    #[test]
    fn a_keyed_hash_over_the_public_key_is_refused() {
        let ring = ring(&[None]);
        let issued = issue(&ring, ISSUER, &subject(), Lifetime::Hour).expect("issued").token;
        let claims = verify(&ring, ISSUER, &issued).expect("valid");
        let header = Header { kid: Some(ring.keys()[0].id.to_string()), ..Header::new(Algorithm::HS256) };
        let secret = jsonwebtoken::EncodingKey::from_secret(&ring.keys()[0].public);
        let forged = jsonwebtoken::encode(&header, &claims, &secret).expect("encoded");
        assert_eq!(code(verify(&ring, ISSUER, &forged)), "INVALID_TOKEN");
    }

    #[test]
    fn an_expired_token_says_so() {
        let ring = ring(&[None]);
        let issued = issue(&ring, ISSUER, &subject(), Lifetime::Hour).expect("issued").token;
        let mut claims = verify(&ring, ISSUER, &issued).expect("valid");
        claims.exp = claims.iat - 1;
        let key = ring.active().expect("a key");
        let header = Header { kid: Some(key.id.to_string()), ..Header::new(Algorithm::EdDSA) };
        let old = jsonwebtoken::encode(&header, &claims, &key.encoding).expect("encoded");
        assert_eq!(code(verify(&ring, ISSUER, &old)), "TOKEN_EXPIRED");
    }

    #[test]
    fn debug_shows_no_token() {
        let issued = issue(&ring(&[None]), ISSUER, &subject(), Lifetime::Hour).expect("issued");
        let shown = format!("{issued:?}");
        assert!(shown.contains("expires_at") && !shown.contains(&issued.token), "{shown}");
    }
}
