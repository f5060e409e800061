//! Sign-in links: how people find their provider without learning who is a member of which organization. The links are mailed
//! to the address itself, shown under a public short name that an owner chose, or in a browser that used them before.

use super::store;
use crate::{
    concepts::organizations::{
        links::mail::post,
        sign_in::{self, normalized},
    },
    ground::{error::Result, mail::Letter, state::App, web::origin::Origin},
};
use inlay_contract::ids::OrganizationId;
use url::Url;
use uuid::Uuid;

/// The maximum length of an organization's name in a mail, in characters.
const LONGEST_NAME: usize = 100;

/// A sign-in link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignInProvider {
    /// The provider.
    pub provider: Uuid,
    /// The name of its organization.
    pub organization: String,
    /// The provider's issuer URL.
    pub issuer: String,
}

impl SignInProvider {
    /// The provider's host.
    pub fn host(&self) -> String {
        let url = Url::parse(&self.issuer).ok();
        url.and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_else(|| self.issuer.clone())
    }
}

/// The URL where members begin.
pub fn address(app: &App, provider: Uuid) -> String {
    format!("{}/console/sso/{provider}", app.base_url)
}

/// Whether any organization has a provider.
pub async fn any(app: &App) -> Result<bool> {
    store::any(&mut app.db.read().await?.conn()).await
}

/// The sign-in links under a short name. None when no organization has it.
pub async fn under(app: &App, short_name: &str) -> Result<Vec<SignInProvider>> {
    store::providers_under(&mut app.db.read().await?.conn(), &normalized(short_name)).await
}

/// The sign-in links of an organization.
pub async fn into(app: &App, organization: OrganizationId) -> Result<Vec<SignInProvider>> {
    store::providers_into(&mut app.db.read().await?.conn(), organization).await
}

/// The sign-in links that a browser used before, if their providers still exist.
pub async fn remembered(app: &App, providers: &[Uuid]) -> Result<Vec<SignInProvider>> {
    let mut lease = app.db.read().await?;
    let mut options = Vec::with_capacity(providers.len());
    for provider in providers {
        options.extend(store::provider_by(&mut lease.conn(), *provider).await?);
    }
    Ok(options)
}

/// Mails the sign-in links of an email address to it, if it has any. The work runs after the response, so that the caller learns nothing.
///
/// # Errors
/// 429 `TOO_MANY_ATTEMPTS` for too many requests.
pub async fn send(app: &App, email: &str, origin: &Origin) -> Result<()> {
    sign_in::slow_down(app, "ways", email, origin).await?;
    let (app, email) = (app.clone(), normalized(email));
    tokio::spawn(async move {
        match of_address(&app, &email).await {
            Ok(options) if options.is_empty() => {}
            Ok(options) => {
                post(&app, &email, &letter(&app, &options)).await;
            }
            Err(problem) => tracing::error!(context = problem.context, "the sign-in links of an address could not be read"),
        }
    });
    Ok(())
}

async fn of_address(app: &App, email: &str) -> Result<Vec<SignInProvider>> {
    store::providers_of_address(&mut app.db.read().await?.conn(), email).await
}

fn letter(app: &App, options: &[SignInProvider]) -> Letter {
    let name = |option: &SignInProvider| {
        option.organization.chars().filter(|letter| !letter.is_control()).take(LONGEST_NAME).collect::<String>()
    };
    let notes = vec![
        "Someone, probably you, requested the sign-in link for this address.".to_owned(),
        "The link contains no secret: your organization's provider asks who you are.".to_owned(),
    ];
    let heading = "Sign in to the console".to_owned();
    if let [option] = options {
        let paragraphs = vec![format!("{} signs you in through {}.", name(option), option.host())];
        let action = Some((format!("Continue with {}", name(option)), address(app, option.provider)));
        return Letter { heading, paragraphs, action, notes, ..Letter::default() };
    }
    let first = "These organizations sign you in through their own providers:".to_owned();
    let rest =
        options.iter().map(|option| format!("{}, through {}:\n{}", name(option), option.host(), address(app, option.provider)));
    Letter { heading, paragraphs: std::iter::once(first).chain(rest).collect(), notes, ..Letter::default() }
}
