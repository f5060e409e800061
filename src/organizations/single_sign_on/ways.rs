//! Ways in: how somebody finds the provider that they sign in by. Nobody who asks learns who is a member of what: the links go by mail
//! to the address itself, stand under a short name that an owner made public, or in a browser that came in that way before.

use super::store;
use crate::{
    error::Result,
    mail::Letter,
    organizations::{
        links::mail::post,
        sign_in::{self, normalized},
    },
    state::App,
    web::origin::Origin,
};
use inlay_contract::ids::OrganizationId;
use url::Url;
use uuid::Uuid;

/// The longest name of an organization in a letter, in characters.
const LONGEST_NAME: usize = 100;

/// A way in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The provider.
    pub provider: Uuid,
    /// The name of the organization that it opens.
    pub organization: String,
    /// The provider's address.
    pub issuer: String,
}

impl Way {
    /// The host that the provider is at.
    pub fn host(&self) -> String {
        let url = Url::parse(&self.issuer).ok();
        url.and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_else(|| self.issuer.clone())
    }
}

/// Where members begin.
pub fn address(app: &App, provider: Uuid) -> String {
    format!("{}/console/sso/{provider}", app.base_url)
}

/// Whether any organization has a provider.
pub async fn any(app: &App) -> Result<bool> {
    store::any(&mut app.db.read().await?.conn()).await
}

/// The ways under an organization's short name; none where nobody has it.
pub async fn under(app: &App, short_name: &str) -> Result<Vec<Way>> {
    store::ways_under(&mut app.db.read().await?.conn(), &normalized(short_name)).await
}

/// The ways into an organization.
pub async fn into(app: &App, organization: OrganizationId) -> Result<Vec<Way>> {
    store::ways_into(&mut app.db.read().await?.conn(), organization).await
}

/// The ways by which a browser has come in before, as far as they are still there.
pub async fn remembered(app: &App, providers: &[Uuid]) -> Result<Vec<Way>> {
    let mut lease = app.db.read().await?;
    let mut ways = Vec::with_capacity(providers.len());
    for provider in providers {
        ways.extend(store::way_by(&mut lease.conn(), *provider).await?);
    }
    Ok(ways)
}

/// Mails the ways in that an email address has, if it has any. Whoever asks learns nothing of that: the work is done after the answer.
///
/// # Errors
/// 429 `TOO_MANY_ATTEMPTS` for an address that asks too often.
pub async fn send(app: &App, email: &str, origin: &Origin) -> Result<()> {
    sign_in::slow_down(app, "ways", email, origin).await?;
    let (app, email) = (app.clone(), normalized(email));
    tokio::spawn(async move {
        match of_address(&app, &email).await {
            Ok(ways) if ways.is_empty() => {}
            Ok(ways) => {
                post(&app, &email, &letter(&app, &ways)).await;
            }
            Err(problem) => tracing::error!(context = problem.context, "the ways in of an address could not be found"),
        }
    });
    Ok(())
}

async fn of_address(app: &App, email: &str) -> Result<Vec<Way>> {
    store::ways_of_address(&mut app.db.read().await?.conn(), email).await
}

fn letter(app: &App, ways: &[Way]) -> Letter {
    let name =
        |way: &Way| way.organization.chars().filter(|letter| !letter.is_control()).take(LONGEST_NAME).collect::<String>();
    let notes = vec![
        "Somebody, probably you, asked how this address signs in.".to_owned(),
        "The address holds no secret: your organization's provider asks who you are.".to_owned(),
    ];
    let heading = "Sign in to the console".to_owned();
    if let [way] = ways {
        let paragraphs = vec![format!("{} signs you in through {}.", name(way), way.host())];
        let action = Some((format!("Continue with {}", name(way)), address(app, way.provider)));
        return Letter { heading, paragraphs, action, notes, ..Letter::default() };
    }
    let first = "These organizations sign you in through providers of theirs:".to_owned();
    let rest = ways.iter().map(|way| format!("{}, through {}:\n{}", name(way), way.host(), address(app, way.provider)));
    Letter { heading, paragraphs: std::iter::once(first).chain(rest).collect(), notes, ..Letter::default() }
}
