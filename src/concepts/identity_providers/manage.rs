//! Identity providers, managed by members.

use super::{
    fetchable,
    keys::KeySet,
    store::{self, NewProvider},
};
use crate::{
    concepts::organizations::members::{Administers, Member, Reads},
    ground::{
        audit::{self, Actor, Deed},
        config::Settings,
        error::{Error, Result},
        problems::Problems,
        state::App,
        store::Conn,
    },
};
use inlay_contract::ids::IdentityProviderId;
use serde_json::Value;
use url::Url;

/// A provider in the list.
#[derive(Clone, Debug)]
pub struct ListedProvider {
    /// Its id.
    pub id: IdentityProviderId,
    /// The value of `iss` in its tokens.
    pub issuer: String,
    /// The required value of `aud` in its tokens.
    pub audience: String,
    /// The URL of its keys. `None` when the keys are stored here.
    pub keys_url: Option<String>,
    /// Whether its users cannot choose their names.
    pub trusts_addresses: bool,
}

/// The input of a new provider: either the URL of its keys or the keys themselves.
#[derive(Clone, Debug)]
pub struct NewIdentityProvider<'a> {
    /// The value of `iss` in its tokens.
    pub issuer: &'a str,
    /// The required value of `aud` in its tokens.
    pub audience: &'a str,
    /// The URL of its keys.
    pub keys_url: Option<&'a str>,
    /// Its keys, as JSON.
    pub keys: Option<&'a str>,
    /// Whether its users cannot choose their names: an address without `email_verified` counts, and `sub` may be an address.
    pub trusts_addresses: bool,
}

/// The providers of an organization.
pub async fn list(app: &App, by: &Member<impl Reads>) -> Result<Vec<ListedProvider>> {
    store::of_organization(&mut app.db.read().await?.conn(), by.organization).await
}

/// Accepts an issuer's tokens for members. The same issuer and audience again replaces its keys.
///
/// # Errors
/// 400 with each invalid field.
pub async fn add(app: &App, by: &Member<impl Administers>, new: &NewIdentityProvider<'_>) -> Result<IdentityProviderId> {
    let mut tx = app.db.write().await?;
    let id = put(&mut tx.conn(), &app.settings, &by.actor(), new).await?;
    tx.commit().await?;
    Ok(id)
}

/// The same for any actor, a member or the command line.
pub async fn put(
    conn: &mut Conn<'_>,
    settings: &Settings,
    actor: &Actor,
    new: &NewIdentityProvider<'_>,
) -> Result<IdentityProviderId> {
    let mut problems = Problems::default();
    let filled = |text: &str| if text.is_empty() { Err("is required".to_owned()) } else { Ok(()) };
    problems.note("issuer", filled(new.issuer));
    if new.issuer == settings.base_url() {
        problems.note("issuer", Err("is this service itself".to_owned()));
    }
    problems.note("audience", filled(new.audience));
    let url = new.keys_url.map(str::parse::<Url>).transpose();
    problems.note(
        "keysUrl",
        match &url {
            Err(_) => Err("is not a valid URL".to_owned()),
            Ok(Some(url)) => fetchable(url, settings.allow_loopback_identity_providers),
            Ok(None) => Ok(()),
        },
    );
    let keys = new.keys.map(read_keys).transpose();
    problems.note("keys", keys.as_ref().map(drop).map_err(Clone::clone));
    if new.keys_url.is_some() == new.keys.is_some() {
        problems.note("keysUrl", Err("and the keys exclude each other: exactly one of the two is required".to_owned()));
    }
    problems.finish()?;
    let (url, keys) = (url.unwrap_or_default(), keys.unwrap_or_default());
    let provider = NewProvider {
        issuer: new.issuer,
        audience: new.audience,
        keys_url: url.as_ref(),
        keys: keys.as_ref(),
        trusts_addresses: new.trusts_addresses,
    };
    let id = store::put(conn, actor.organization, &provider).await?;
    let deed = Deed::new("identityProvider.added", id.0).named(new.issuer).with("audience", new.audience);
    let deed = deed.with("trustsAddresses", new.trusts_addresses);
    audit::record(conn, actor, deed).await?;
    Ok(id)
}

fn read_keys(text: &str) -> Result<Value, String> {
    let keys: Value = serde_json::from_str(text).map_err(|_| "is not valid JSON".to_owned())?;
    KeySet::read(&keys).map_err(|problem| problem.to_string())?;
    Ok(keys)
}

/// Removes a provider. Its tokens are no longer accepted.
///
/// # Errors
/// 404 when the organization has no such provider.
pub async fn remove(app: &App, by: &Member<impl Administers>, id: IdentityProviderId) -> Result<()> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let all = store::of_organization(conn, by.organization).await?;
    let provider = all.into_iter().find(|one| one.id == id).ok_or_else(|| Error::not_found("Identity provider"))?;
    store::delete(conn, id).await?;
    audit::record(conn, &by.actor(), Deed::new("identityProvider.removed", id.0).named(&provider.issuer)).await?;
    tx.commit().await
}
