//! Single sign-on providers, managed by owners, because a provider decides who signs in as which member, owners included.

use super::{Provider, store};
use crate::{
    concepts::{
        organizations::{
            members::{Member, Owns, Reads},
            sessions,
        },
        single_sign_on::ProviderClient,
    },
    ground::{
        audit::{self, Deed},
        error::{Code, Error, Result},
        problems::Problems,
        state::App,
    },
};
use secrecy::SecretString;
use uuid::Uuid;

/// The providers of an organization.
pub async fn list(app: &App, by: &Member<impl Reads>) -> Result<Vec<Provider>> {
    store::of_organization(&mut app.db.read().await?.conn(), &app.sealer, by.organization).await
}

/// The allowed length of a short name, in characters.
const SHORT_NAME: std::ops::RangeInclusive<usize> = 2..=40;

/// The short name under which an organization's members find its providers.
pub async fn short_name(app: &App, by: &Member<impl Reads>) -> Result<Option<String>> {
    store::short_name(&mut app.db.read().await?.conn(), by.organization).await
}

/// Sets the organization's short name; empty removes it. It is public: guessing it reveals that the organization uses this service.
///
/// # Errors
/// 400 for an invalid name, 409 `SHORT_NAME_TAKEN`.
pub async fn set_short_name(app: &App, by: &Member<impl Owns>, name: &str) -> Result<()> {
    let name = name.to_lowercase();
    if !(name.is_empty() || is_short_name(&name)) {
        let told = "must have 2 to 40 letters from a to z, digits and hyphens, and must not begin or end with a hyphen";
        return Err(Error::invalid("shortName", told));
    }
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    if !store::set_short_name(conn, by.organization, Some(name.as_str()).filter(|name| !name.is_empty())).await? {
        return Err(Error::new(Code::ShortNameTaken, "Another organization already has this short name. Choose another one."));
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

/// The input of a new provider.
#[derive(Debug)]
pub struct NewProvider<'a> {
    /// Its issuer URL.
    pub issuer: &'a str,
    /// The client id of this service.
    pub client: &'a str,
    /// The client secret of this service.
    pub secret: SecretString,
    /// Whether its email addresses count as verified.
    pub trusts_addresses: bool,
}

/// Adds a provider after fetching its metadata.
///
/// # Errors
/// 400 with each invalid field.
pub async fn add(app: &App, by: &Member<impl Owns>, new: NewProvider<'_>) -> Result<Uuid> {
    let NewProvider { issuer, client, secret, trusts_addresses } = new;
    let mut problems = Problems::default();
    let filled = |text: &str| if text.is_empty() { Err("is required".to_owned()) } else { Ok(()) };
    problems.note("client", filled(client));
    let described = match filled(issuer) {
        Ok(()) => {
            app.part::<ProviderClient>().discover(issuer).await.map(drop).map_err(|told| format!("does not respond: {told}"))
        }
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

/// Removes a provider and ends the sessions that began through it.
///
/// # Errors
/// 404 when the organization has no such provider.
pub async fn remove(app: &App, by: &Member<impl Owns>, id: Uuid) -> Result<()> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let all = store::of_organization(conn, &app.sealer, by.organization).await?;
    let provider = all.into_iter().find(|one| one.id == id).ok_or_else(|| Error::not_found("Sign-in provider"))?;
    store::delete(conn, id).await?;
    sessions::end_within(conn, by.organization).await?;
    audit::record(conn, &by.actor(), Deed::new("signInProvider.removed", id).named(&provider.issuer)).await?;
    tx.commit().await
}
