//! Single sign-on to the console: an organization's members sign in through its own `OpenID Connect` provider (authorization
//! code with PKCE). Such a sign-in gives access to this organization only: anybody can run a provider, so it proves nothing
//! about other organizations of the same person.

pub mod manage;
mod provider_client;
pub mod provider_lookup;
mod store;

pub use provider_client::ProviderClient;

#[cfg(test)]
pub(crate) use store::{ProviderRow, SubjectRow, insert};

use crate::{
    concepts::{
        identity_providers::{IdentityProvider, KeySource, keys::FetchedKeys},
        organizations::{
            links,
            members::{self, Membership},
            secret::Secret,
            sessions,
            sign_in::normalized,
        },
    },
    ground::{
        audit::{self, Actor, Deed, Who},
        error::{Code, Error, Result},
        state::App,
        store::Conn,
        time::Timestamp,
        web::origin::Origin,
    },
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use inlay_contract::ids::{IdentityProviderId, MemberId, OrganizationId};
use jsonwebtoken::{DecodingKey, Validation};
use provider_client::Metadata;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::time::Duration;
use subtle::ConstantTimeEq;
use url::Url;
use uuid::Uuid;

/// How long a person may take at the provider.
const PATIENCE: Duration = Duration::from_secs(600);
/// The maximum length of `sub`, in bytes (`OpenID` Connect Core, 2).
const LONGEST_SUBJECT: usize = 255;
/// The tolerated clock difference, in seconds.
const LEEWAY: u64 = 30;

/// An organization's provider. `Debug` omits its secret.
#[derive(Clone, Debug)]
pub struct Provider {
    /// Its id.
    pub id: Uuid,
    /// The organization.
    pub organization: OrganizationId,
    /// Its issuer URL, as in its tokens' `iss`.
    pub issuer: String,
    /// The client id of this service.
    pub client: String,
    /// The client secret of this service. Empty for a public client.
    pub secret: SecretString,
    /// Whether its email addresses count as verified without `email_verified`, because its users cannot choose them.
    pub trusts_addresses: bool,
}

/// The state of a sign-in, stored encrypted in the browser while the person is at the provider.
#[derive(Debug, Serialize, Deserialize)]
struct Pending {
    provider: Uuid,
    state: String,
    nonce: String,
    verifier: String,
    next: String,
    /// Expiry in milliseconds since 1970.
    until: i64,
}

/// The redirect to a provider, and the state for the browser.
#[derive(Debug)]
pub struct Departure {
    /// The provider's URL with the request's parameters.
    pub address: Url,
    /// The cookie's value.
    pub kept: String,
}

/// A person who returned and is a member.
#[derive(Debug)]
pub struct Arrival {
    /// The session's secret.
    pub secret: String,
    /// The page that they wanted.
    pub next: String,
    /// The provider that identified them.
    pub provider: Uuid,
}

/// The parameters with which a browser returns from a provider.
#[derive(Clone, Copy, Debug)]
pub struct Return<'a> {
    /// The provider of the redirect URL that was called.
    pub provider: Uuid,
    /// The request's `state`.
    pub state: &'a str,
    /// The code from the provider.
    pub code: &'a str,
    /// The provider's `iss` parameter (RFC 9207), if it sends one.
    pub issuer: Option<&'a str>,
}

/// The redirect URL of a provider. Each provider has its own, so that a code of one cannot be used for another.
pub fn callback(app: &App, provider: Uuid) -> String {
    format!("{}/console/sso/{provider}/callback", app.base_url)
}

/// Redirects a person to an organization's provider.
///
/// # Errors
/// 404 for an unknown provider, 503 `IDENTITY_PROVIDER_UNAVAILABLE`.
pub async fn depart(app: &App, id: Uuid, next: &str) -> Result<Departure> {
    let provider = store::find(&mut app.db.read().await?.conn(), &app.sealer, id).await?;
    let provider = provider.ok_or_else(|| Error::not_found("Sign-in provider"))?;
    let metadata = app.part::<ProviderClient>().metadata(&provider).await?;
    let [state, nonce, verifier] = [Secret::generate()?.text, Secret::generate()?.text, Secret::generate()?.text];
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
    let mut address = metadata.authorization_endpoint;
    address
        .query_pairs_mut()
        .append_pair("response_type", "code")
        .append_pair("client_id", &provider.client)
        .append_pair("redirect_uri", &callback(app, id))
        .append_pair("scope", "openid email")
        .append_pair("state", &state)
        .append_pair("nonce", &nonce)
        .append_pair("code_challenge", &challenge)
        .append_pair("code_challenge_method", "S256");
    let pending =
        Pending { provider: id, state, nonce, verifier, next: next.to_owned(), until: Timestamp::now().plus(PATIENCE).0 };
    let text = serde_json::to_vec(&pending).map_err(Error::internal)?;
    Ok(Departure { address, kept: URL_SAFE_NO_PAD.encode(app.sealer.seal(Uuid::nil(), &text)?) })
}

/// Signs in a person who returns from the provider with a code, in the same browser.
///
/// # Errors
/// 401 `SIGN_IN_FAILED` for anything that does not match, 403 `NOT_A_MEMBER`, 503 `IDENTITY_PROVIDER_UNAVAILABLE`.
pub async fn arrive(app: &App, kept: &str, back: Return<'_>, origin: &Origin, agent: Option<&str>) -> Result<Arrival> {
    let pending = pending(app, kept).filter(|pending| pending.until > Timestamp::now().0);
    let pending = pending.filter(|pending| bool::from(pending.state.as_bytes().ct_eq(back.state.as_bytes())));
    let pending = pending.ok_or_else(|| failed("the browser did not leave from here, or too long ago"))?;
    if pending.provider != back.provider {
        return Err(failed("the browser came back from another provider than it left to"));
    }
    if back.code.is_empty() {
        return Err(failed("the provider gave no code"));
    }
    let provider = store::find(&mut app.db.read().await?.conn(), &app.sealer, pending.provider).await?;
    let provider = provider.ok_or_else(|| failed("the provider is not registered any more"))?;
    let metadata = app.part::<ProviderClient>().metadata(&provider).await?;
    let named = back.issuer.map_or(!metadata.names_itself, |issuer| issuer == provider.issuer);
    if !named {
        return Err(failed("the code is not from this provider"));
    }
    let exchange = [
        ("grant_type", "authorization_code"),
        ("code", back.code),
        ("redirect_uri", &callback(app, provider.id)),
        ("client_id", &provider.client),
        ("code_verifier", &pending.verifier),
    ];
    let token = app.part::<ProviderClient>().exchange(&provider, &metadata, &exchange).await?;
    let claims = claims(app, &provider, &metadata, &token).await?;
    if !bool::from(claims.nonce.as_deref().unwrap_or_default().as_bytes().ct_eq(pending.nonce.as_bytes())) {
        return Err(failed("the token was issued for another sign-in"));
    }
    let secret = enter(app, &provider, &claims, origin, agent).await?;
    Ok(Arrival { secret, next: pending.next, provider: provider.id })
}

fn pending(app: &App, kept: &str) -> Option<Pending> {
    let sealed = URL_SAFE_NO_PAD.decode(kept).ok()?;
    serde_json::from_slice(&app.sealer.open(Uuid::nil(), &sealed).ok()?).ok()
}

/// The claims of the provider's token that are read.
#[derive(Debug, Deserialize)]
struct Claims {
    sub: String,
    email: Option<String>,
    email_verified: Option<bool>,
    nonce: Option<String>,
    azp: Option<String>,
}

/// The claims of a token, verified with the provider's keys.
async fn claims(app: &App, provider: &Provider, metadata: &Metadata, token: &str) -> Result<Claims> {
    let header = jsonwebtoken::decode_header(token).map_err(|_| failed("the provider's token cannot be read"))?;
    let keys = IdentityProvider {
        id: IdentityProviderId(provider.id),
        issuer: provider.issuer.clone(),
        audience: provider.client.clone(),
        keys: KeySource::Address(metadata.jwks_uri.clone()),
        trusts_addresses: provider.trusts_addresses,
    };
    let key = app.part::<FetchedKeys>().find(&keys, header.kid.as_deref()).await?;
    let key = key.ok_or_else(|| failed("the provider has no key of the token's name"))?;
    let decoding = DecodingKey::from_jwk(&key.jwk).map_err(|_| failed("the provider's key cannot be used"))?;
    // The key determines the algorithm, never the token's header.
    let mut rules = Validation::new(key.algorithm);
    rules.leeway = LEEWAY;
    rules.validate_nbf = true;
    rules.set_issuer(&[&provider.issuer]);
    rules.set_audience(&[&provider.client]);
    rules.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
    let decoded = jsonwebtoken::decode::<Claims>(token, &decoding, &rules);
    let claims = decoded.map_err(|_| failed("the provider's token is not valid here"))?.claims;
    if claims.azp.as_ref().is_some_and(|party| *party != provider.client) {
        return Err(failed("the provider's token was issued for another service"));
    }
    if claims.sub.is_empty() || claims.sub.len() > LONGEST_SUBJECT {
        return Err(failed("the provider's token has no subject"));
    }
    Ok(claims)
}

/// Begins a session for the member whom the provider identified, for its organization only.
async fn enter(app: &App, provider: &Provider, claims: &Claims, origin: &Origin, agent: Option<&str>) -> Result<String> {
    let stranger = || {
        let told = "Your provider signed you in, but you are not a member of this organization. Ask an admin to invite this email address.";
        Error::new(Code::NotAMember, told)
    };
    let email = claims.email.as_deref().map(normalized).ok_or_else(stranger)?;
    let proven = claims.email_verified == Some(true) || (claims.email_verified.is_none() && provider.trusts_addresses);
    if !proven {
        let told = "Your organization's provider has not verified your email address (email_verified). Ask an owner of the organization.";
        return Err(Error::new(Code::NotAMember, told));
    }
    let member = admit(app, provider, &email, &claims.sub, origin).await?.ok_or_else(stranger)?;
    let secret = sessions::begin_within(app, member.account, provider.organization, origin, agent).await?;
    let mut tx = app.db.write().await?;
    let actor = Actor { who: Who::Member(member.id), organization: provider.organization, origin: origin.clone() };
    let deed = Deed::new("member.signedIn", member.id.0).named(&member.email).with("provider", provider.issuer.as_str());
    audit::record(&mut tx.conn(), &actor, deed).await?;
    tx.commit().await?;
    Ok(secret)
}

/// The member with a verified email address; an invited person becomes one. Stores their subject at the provider.
async fn admit(app: &App, provider: &Provider, email: &str, subject: &str, origin: &Origin) -> Result<Option<Membership>> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    // Of two sign-ins of an invited person at once, the second waits here and then finds the member.
    members::lock_organization(conn, provider.organization).await?;
    let members = members::of_organization(conn, provider.organization).await?;
    let known = members.into_iter().find(|member| member.email == email);
    let joins = known.is_none();
    let admitted = match known {
        Some(member) => Some(member),
        None => links::join_vouched(conn, provider.organization, email, origin).await?,
    };
    let Some(member) = admitted else { return Ok(None) };
    bind(conn, provider, member.id, subject).await?;
    tx.commit().await?;
    if joins {
        app.refresh().await?;
    }
    Ok(Some(member))
}

/// Stores a member's subject at a provider. If the provider later gives the address to another person, that person is not this member.
async fn bind(conn: &mut Conn<'_>, provider: &Provider, member: MemberId, subject: &str) -> Result<()> {
    if store::bind(conn, provider.id, member, subject).await? {
        return Ok(());
    }
    let told = "Your provider account does not match the one that this member used before. Ask an owner of the organization.";
    Err(Error::new(Code::NotAMember, told))
}

/// 401 for a sign-in that does not match. The reason is logged only.
fn failed(context: &str) -> Error {
    let told = "Signing in through your organization's provider failed. Start the sign-in again.";
    Error::new(Code::SignInFailed, told).with_context(context)
}

/// 503 while a provider does not respond as expected.
fn unavailable(context: &str) -> Error {
    let told = "Your organization's sign-in provider did not respond as expected. Try again later.";
    Error::new(Code::IdentityProviderUnavailable, told).with_context(context)
}
