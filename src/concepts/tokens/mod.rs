//! Embed tokens: JWTs signed with Ed25519 (docs/spec/contract.md, section 2).

pub mod keyring;
mod known;
pub mod revocation;
mod store;
pub mod verified;

#[cfg(test)]
mod nodes_tests;
#[cfg(test)]
mod revocation_tests;

pub use known::{Known, Reading, known};
#[cfg(test)]
pub(crate) use store::{RevocationRow, SigningKeyRow};
pub use store::{TIDY, count_signing_keys, cut_off, find, revocations, rotate, signing_keys};

use crate::ground::{
    audit::{self, Actor, Deed},
    error::{Code, Error, Result},
    state::App,
    store::{Conn, version},
    time::Timestamp,
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use inlay_contract::{
    ids::{ApiKeyId, CustomerId, DashboardId, MemberId, OrganizationId, ProjectId, ProjectUserId, RoleId},
    lifetime::Lifetime,
    permissions::Permissions,
};
use jsonwebtoken::{Algorithm, Header, Validation};
use keyring::Keyring;
use revocation::{Granted, SubjectKind};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use uuid::Uuid;

/// The audience of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Audience {
    /// A project user, for embeds and v2.
    #[serde(rename = "inlay:embed")]
    Embed,
    /// A v1 tenant.
    #[serde(rename = "inlay:tenant")]
    Tenant,
}

impl Audience {
    const ALL: [&'static str; 2] = ["inlay:embed", "inlay:tenant"];
}

/// The claims of a token. They hold no property values: row rules read those from the store at query time.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Claims {
    /// The service's base URL.
    pub iss: String,
    /// The audience.
    pub aud: Audience,
    /// The project user or tenant.
    pub sub: Uuid,
    /// The organization that owns the project.
    pub org: OrganizationId,
    /// The project.
    pub project: ProjectId,
    /// The customer, if the user has one.
    pub customer: Option<CustomerId>,
    /// The role when the token was issued.
    pub role: Option<RoleId>,
    /// The role's permissions at that time.
    pub permissions: Permissions,
    /// The API key that issued it: revoking the key revokes the token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub azp: Option<ApiKeyId>,
    /// The member who previews as this user, if it was issued for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub act: Option<MemberId>,
    /// The shared dashboard that this member may edit, if it was issued for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edits: Option<DashboardId>,
    /// The configuration's version when it was issued: a revocation with a greater one ends it. Tokens of nodes of an older
    /// version have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ver: Option<i64>,
    /// Issued at, seconds since 1970, by the store's clock.
    pub iat: i64,
    /// Expires at, seconds since 1970.
    pub exp: i64,
    /// The token's own id: a UUIDv7, which contains the millisecond of issue.
    pub jti: Uuid,
}

/// The subject of a new token.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The project user or tenant.
    pub id: Uuid,
    /// The audience.
    pub audience: Audience,
    /// The organization that owns the project.
    pub organization: OrganizationId,
    /// The project.
    pub project: ProjectId,
    /// The customer, if any.
    pub customer: Option<CustomerId>,
    /// The role, if any.
    pub role: Option<RoleId>,
    /// The role's permissions.
    pub permissions: Permissions,
    /// The API key that requests it.
    pub key: Option<ApiKeyId>,
    /// The member who previews as the user.
    pub member: Option<MemberId>,
    /// The shared dashboard that the member may edit.
    pub edits: Option<DashboardId>,
}

/// A signed token and its expiry. `Debug` omits the token.
pub struct Issued {
    /// The JWT.
    pub token: String,
    /// When it expires.
    pub expires_at: Timestamp,
}

impl fmt::Debug for Issued {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Issued").field("expires_at", &self.expires_at).finish_non_exhaustive()
    }
}

/// Signs a token that is valid from now on.
pub fn issue(keyring: &Keyring, issuer: &str, subject: &Subject, lifetime: Lifetime, granted: Granted) -> Result<Issued> {
    let at = granted.at;
    let nanos = u32::try_from(at.0.rem_euclid(1000)).unwrap_or_default() * 1_000_000;
    let jti = Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, u64::try_from(at.seconds()).unwrap_or_default(), nanos));
    let iat = at.seconds();
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
        ver: granted.version,
        iat,
        exp,
        jti,
    };
    let active = keyring.active(at)?;
    let header = Header { kid: Some(active.id.to_string()), ..Header::new(Algorithm::EdDSA) };
    let token = jsonwebtoken::encode(&header, &claims, &active.encoding).map_err(Error::internal)?;
    Ok(Issued { token, expires_at: Timestamp::from_seconds(exp) })
}

/// Verifies a token's signature, issuer, audience and expiry. `now` is by the store's clock.
///
/// # Errors
/// 401 `TOKEN_EXPIRED` for an otherwise valid token, else 401 `INVALID_TOKEN`.
pub fn verify(keyring: &Keyring, issuer: &str, token: &str, now: Timestamp) -> Result<Claims> {
    let claims = verify_whatever_its_age(keyring, issuer, token)?;
    if claims.is_over(now) { Err(expired()) } else { Ok(claims) }
}

/// The claims of a token that this service issued, even if it is expired or revoked, to find out whose it was. It must not be
/// used to authenticate.
///
/// # Errors
/// 401 `INVALID_TOKEN` when this service did not issue it.
pub fn verify_whatever_its_age(keyring: &Keyring, issuer: &str, token: &str) -> Result<Claims> {
    let invalid = || Error::new(Code::InvalidToken, "The token is not valid. Get a new one from embed-token.");
    let header = jsonwebtoken::decode_header(token).map_err(|_| invalid())?;
    // The service determines the algorithm, never the token's header.
    if header.alg != Algorithm::EdDSA {
        return Err(invalid());
    }
    let key =
        header.kid.as_deref().and_then(|kid| kid.parse().ok()).and_then(|kid| keyring.verifying(kid)).ok_or_else(invalid)?;
    let mut rules = Validation::new(Algorithm::EdDSA);
    // By the store's clock, not by this machine's.
    rules.validate_exp = false;
    rules.set_issuer(&[issuer]);
    rules.set_audience(&Audience::ALL);
    rules.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
    jsonwebtoken::decode::<Claims>(token, key, &rules).map(|decoded| decoded.claims).map_err(|_| invalid())
}

/// The issuer that a token claims. It is not verified and only selects the keys to verify with.
pub fn unverified_issuer(token: &str) -> Option<String> {
    let payload = token.split('.').nth(1)?;
    let claims: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).ok()?).ok()?;
    claims.get("iss")?.as_str().map(str::to_owned)
}

/// Whether this service must verify a token: it names this issuer, or none.
pub fn is_ours(issuer: &str, token: &str) -> bool {
    unverified_issuer(token).is_none_or(|named| named == issuer)
}

/// Now, for a token that is issued: the store's time, and the configuration's version as the store holds it, not as this node
/// knows it. So a token that is issued after a revocation outlives it, whichever node issues it, and one of before does not,
/// whatever the nodes' clocks say.
pub async fn now(app: &App) -> Result<Granted> {
    let version = version::current(&app.db).await?;
    Ok(now_at(app, version))
}

/// As [`now`], with a version that was just read.
pub fn now_at(app: &App, version: i64) -> Granted {
    Granted { at: app.now(), version: Some(version) }
}

/// 401 for an expired token.
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

    /// When and under which version the token was issued.
    pub fn granted(&self) -> Granted {
        Granted { at: self.issued_at(), version: self.ver }
    }

    /// Whether it has expired.
    pub const fn is_over(&self, now: Timestamp) -> bool {
        self.exp < now.seconds()
    }

    /// The project user, if the token is one's.
    pub fn project_user(&self) -> Option<ProjectUserId> {
        (self.aud == Audience::Embed).then_some(ProjectUserId(self.sub))
    }
}

/// Revokes every token of a user, tenant, customer or project that was issued until now, and writes the audit event.
pub async fn revoke(
    conn: &mut Conn<'_>,
    actor: &Actor,
    project: ProjectId,
    kind: SubjectKind,
    id: Uuid,
    name: &str,
) -> Result<()> {
    store::cut_off(conn, kind, id, &[]).await?;
    let deed = Deed::new("token.revoked", id).in_project(project).named(name).with("kind", kind.name());
    audit::record(conn, actor, deed).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use keyring::{SigningKey, generate};
    use std::time::Duration;

    const ISSUER: &str = "https://inlay.test";

    fn ring(from: &[Option<Timestamp>]) -> Keyring {
        let keys = from.iter().map(|signs_from| {
            let key = generate().expect("a key");
            SigningKey { signs_from: *signs_from, ..SigningKey::new(key.id, &key.public, &key.private) }
        });
        Keyring::new(keys.collect())
    }

    fn now() -> Granted {
        Granted { at: Timestamp::now(), version: Some(7) }
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
        let issued = issue(&ring, ISSUER, &subject, Lifetime::FiveMinutes, now()).expect("issued");
        let claims = verify(&ring, ISSUER, &issued.token, Timestamp::now()).expect("valid");
        assert_eq!((claims.sub, claims.exp - claims.iat), (subject.id, 300));
        assert!((claims.issued_at().0 - Timestamp::now().0).abs() < 1000);
    }

    #[test]
    fn a_key_signs_when_its_time_has_come_and_those_before_still_verify() {
        let start = Timestamp(1_000_000);
        let keys = ring(&[None, Some(start), Some(start.plus(Duration::from_secs(5)))]);
        for (at, signing) in [(start.0 - 1, 0), (start.0, 1), (start.0 + 4_999, 1), (start.0 + 5_000, 2)] {
            let granted = Granted { at: Timestamp(at), version: None };
            let token = issue(&keys, ISSUER, &subject(), Lifetime::Hour, granted).expect("issued").token;
            let kid = jsonwebtoken::decode_header(&token).expect("header").kid;
            assert_eq!(kid, Some(keys.keys()[signing].id.to_string()));
            let claims = verify(&keys, ISSUER, &token, Timestamp(at)).expect("valid");
            assert_eq!((claims.issued_at(), claims.ver), (Timestamp(at), None));
        }
    }

    #[test]
    fn foreign_keys_issuers_and_algorithms_are_refused() {
        let (ours, theirs) = (ring(&[None]), ring(&[None]));
        let token = issue(&theirs, ISSUER, &subject(), Lifetime::Hour, now()).expect("issued").token;
        assert_eq!(code(verify(&ours, ISSUER, &token, Timestamp::now())), "INVALID_TOKEN");
        assert_eq!(code(verify(&theirs, "https://other.test", &token, Timestamp::now())), "INVALID_TOKEN");
        for odd in ["", "a.b.c", "x", &token[..token.len() - 2], "eyJhbGciOiJub25lIn0.e30."] {
            assert_eq!(code(verify(&theirs, ISSUER, odd, Timestamp::now())), "INVALID_TOKEN", "{odd}");
        }
    }

    #[test]
    fn a_keyed_hash_over_the_public_key_is_refused() {
        let ring = ring(&[None]);
        let issued = issue(&ring, ISSUER, &subject(), Lifetime::Hour, now()).expect("issued").token;
        let claims = verify(&ring, ISSUER, &issued, Timestamp::now()).expect("valid");
        let header = Header { kid: Some(ring.keys()[0].id.to_string()), ..Header::new(Algorithm::HS256) };
        let secret = jsonwebtoken::EncodingKey::from_secret(&ring.keys()[0].public);
        let forged = jsonwebtoken::encode(&header, &claims, &secret).expect("encoded");
        assert_eq!(code(verify(&ring, ISSUER, &forged, Timestamp::now())), "INVALID_TOKEN");
    }

    #[test]
    fn an_expired_token_says_so() {
        let ring = ring(&[None]);
        let issued = issue(&ring, ISSUER, &subject(), Lifetime::Hour, now()).expect("issued").token;
        let mut claims = verify(&ring, ISSUER, &issued, Timestamp::now()).expect("valid");
        claims.exp = claims.iat - 1;
        let key = ring.active(Timestamp::now()).expect("a key");
        let header = Header { kid: Some(key.id.to_string()), ..Header::new(Algorithm::EdDSA) };
        let old = jsonwebtoken::encode(&header, &claims, &key.encoding).expect("encoded");
        assert_eq!(code(verify(&ring, ISSUER, &old, Timestamp::now())), "TOKEN_EXPIRED");
    }

    #[test]
    fn debug_shows_no_token() {
        let issued = issue(&ring(&[None]), ISSUER, &subject(), Lifetime::Hour, now()).expect("issued");
        let shown = format!("{issued:?}");
        assert!(shown.contains("expires_at") && !shown.contains(&issued.token), "{shown}");
    }
}
