//! Providers for single sign-on as owners manage them: whoever registers one decides who comes in as whom, as an owner, too.

use super::{Provider, store};
use crate::{
    audit::{self, Deed},
    error::{Code, Error, Result},
    organizations::{
        members::{Member, Owns, Reads},
        sessions,
    },
    projects::Problems,
    state::App,
};
use secrecy::SecretString;
use uuid::Uuid;

/// The providers of an organization.
pub async fn list(app: &App, by: &Member<impl Reads>) -> Result<Vec<Provider>> {
    store::of_organization(&mut app.db.read().await?.conn(), &app.sealer, by.organization).await
}

/// The lengths that a short name may have, in characters.
const SHORT_NAME: std::ops::RangeInclusive<usize> = 2..=40;

/// The short name under which an organization's people find its providers.
pub async fn short_name(app: &App, by: &Member<impl Reads>) -> Result<Option<String>> {
    store::short_name(&mut app.db.read().await?.conn(), by.organization).await
}

/// Gives the organization a short name, or none where it is empty. It is public: who guesses it learns that the organization is here.
///
/// # Errors
/// 400 for what will not do, 409 `SHORT_NAME_TAKEN`.
pub async fn set_short_name(app: &App, by: &Member<impl Owns>, name: &str) -> Result<()> {
    let name = name.to_lowercase();
    if !(name.is_empty() || is_short_name(&name)) {
        let told = "is 2 to 40 letters from a to z, digits and hyphens, and begins and ends with no hyphen";
        return Err(Error::invalid("shortName", told));
    }
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    if !store::set_short_name(conn, by.organization, Some(name.as_str()).filter(|name| !name.is_empty())).await? {
        return Err(Error::new(Code::ShortNameTaken, "Another organization has this short name. Choose another one."));
    }
    let deed = Deed::new("organization.shortNameChanged", by.organization.0).named(&name);
    audit::record(conn, &by.actor(), deed).await?;
    tx.commit().await
}

fn is_short_name(name: &str) -> bool {
    let plain = name.bytes().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'-');
    let hangs = name.starts_with('-') || name.ends_with('-');
    plain && !hangs && SHORT_NAME.contains(&name.len())
}

/// What an owner says of a provider.
#[derive(Debug)]
pub struct NewProvider<'a> {
    /// Its address.
    pub issuer: &'a str,
    /// What it calls this service.
    pub client: &'a str,
    /// What this service proves itself with there.
    pub secret: SecretString,
    /// Whether each address that it names counts as proven.
    pub trusts_addresses: bool,
}

/// Registers a provider, once it has described itself.
///
/// # Errors
/// 400 with each bad field.
pub async fn add(app: &App, by: &Member<impl Owns>, new: NewProvider<'_>) -> Result<Uuid> {
    let NewProvider { issuer, client, secret, trusts_addresses } = new;
    let mut problems = Problems::default();
    let filled = |text: &str| if text.is_empty() { Err("is required".to_owned()) } else { Ok(()) };
    problems.note("client", filled(client));
    let described = match filled(issuer) {
        Ok(()) => app.console.line.discover(issuer).await.map(drop).map_err(|told| format!("does not respond: {told}")),
        missing => missing,
    };
    problems.note("ssoIssuer", described);
    problems.finish()?;
    let (issuer, client) = (issuer.to_owned(), client.to_owned());
    let provider = Provider { id: Uuid::now_v7(), organization: by.organization, issuer, client, secret, trusts_addresses };
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    store::insert(conn, &app.sealer, &provider).await?;
    let deed = Deed::new("signInProvider.added", provider.id).named(&provider.issuer);
    audit::record(conn, &by.actor(), deed.with("trustsAddresses", trusts_addresses)).await?;
    tx.commit().await?;
    Ok(provider.id)
}

/// No longer lets people in through a provider, and ends the sessions of those who came by one.
///
/// # Errors
/// 404 when it is not the organization's.
pub async fn remove(app: &App, by: &Member<impl Owns>, id: Uuid) -> Result<()> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let all = store::of_organization(conn, &app.sealer, by.organization).await?;
    let provider = all.into_iter().find(|one| one.id == id).ok_or_else(|| Error::not_found("Sign-in provider"))?;
    store::delete(conn, id).await?;
    sessions::store::end_within(conn, by.organization).await?;
    audit::record(conn, &by.actor(), Deed::new("signInProvider.removed", id).named(&provider.issuer)).await?;
    tx.commit().await
}
