//! Single sign-on: finding a provider, redirecting to it, and returning from it.

use super::{
    answer::{Page, away, done, outside, with_cookie},
    authentication::{entered, local},
    cookie,
    submission::{Letter, with_status},
};
use crate::{
    concepts::single_sign_on::{
        self, Return,
        provider_lookup::{self, SignInProvider},
    },
    ground::{
        error::{Error, Result},
        state::App,
        web::origin::Origin,
    },
};
use axum::{
    extract::{Path, Query, State},
    http::{HeaderMap, StatusCode, header::USER_AGENT, request::Parts},
};
use inlay_console::{
    Draft,
    pages::single_sign_on::{self as views, SignInOption},
};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use std::collections::HashMap;
use uuid::Uuid;

/// The answer to every address, whether it has a provider or not.
const ON_ITS_WAY: &str =
    "If this address belongs to an organization with a provider, a mail with the sign-in link has been sent.";

/// The providers that this browser signed in with before.
pub(super) async fn remembered(app: &App, headers: &HeaderMap, next: &str) -> Result<Vec<SignInOption>> {
    let options = provider_lookup::remembered(app, &cookie::providers_of(app, headers)).await?;
    Ok(shown(options, next))
}

/// Providers as pages show them: by the organization's name, and by the provider's host where one organization has several.
pub(super) fn shown(options: Vec<SignInProvider>, next: &str) -> Vec<SignInOption> {
    let next = if next.is_empty() { String::new() } else { format!("?next={}", utf8_percent_encode(next, NON_ALPHANUMERIC)) };
    let several =
        |option: &SignInProvider| options.iter().filter(|other| other.organization == option.organization).count() > 1;
    let option = |option: &SignInProvider| SignInOption {
        address: format!("/console/sso/{}{next}", option.provider),
        organization: option.organization.clone(),
        host: several(option).then(|| option.host()),
    };
    options.iter().map(option).collect()
}

/// A person who looks for their provider.
struct Seeker<'a> {
    app: &'a App,
    headers: &'a HeaderMap,
    /// The page that they wanted.
    next: &'a str,
}

impl Seeker<'_> {
    async fn draw(&self, draft: Draft) -> Page {
        let page = views::FindProvider {
            remembered: remembered(self.app, self.headers, self.next).await?,
            next: self.next.to_owned(),
            mails: self.app.mailer.is_set_up(),
        };
        Ok(outside("Single sign-on", cookie::notice_of(self.headers), || views::find(&page, &draft))?)
    }
}

/// `GET /console/sso`: the providers of the organization with a short name, and a form to find one's own.
pub async fn find(State(app): State<App>, headers: HeaderMap, Query(query): Query<HashMap<String, String>>) -> Page {
    let given = |name: &str| query.get(name).map_or("", |text| text.trim());
    let (next, organization) = (given("next"), given("organization"));
    let seeker = Seeker { app: &app, headers: &headers, next };
    if organization.is_empty() {
        return seeker.draw(Draft::default()).await;
    }
    let options = shown(provider_lookup::under(&app, organization).await?, next);
    let Some(name) = options.first().map(|option| option.organization.clone()) else {
        let mut draft = Draft::default().with("organization", organization);
        draft.refuse("organization", "is not the short name of an organization with a provider");
        return Ok(with_status(seeker.draw(draft).await?, StatusCode::NOT_FOUND));
    };
    Ok(outside(&name, None, || views::into(&name, &options))?)
}

/// `POST /console/sso`: mails the providers of an email address to it.
pub async fn send(State(app): State<App>, headers: HeaderMap, letter: Letter) -> Page {
    let Letter { typed, origin, .. } = letter;
    if !app.mailer.is_set_up() {
        return Err(Error::not_found("Page").into());
    }
    match provider_lookup::send(&app, typed.get("email"), &origin).await {
        Ok(()) => Ok(done(&app, "/console/sso", ON_ITS_WAY)),
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            let seeker = Seeker { app: &app, headers: &headers, next: typed.get("next") };
            Ok(with_status(seeker.draw(draft).await?, status))
        }
    }
}

/// `POST /console/sso/forget`: this browser no longer suggests its earlier providers.
pub async fn forget(State(app): State<App>, _own: Letter) -> Page {
    let answer = done(&app, "/console/sign-in", "This browser no longer remembers your provider.");
    Ok(with_cookie(answer, cookie::no_providers(&app)))
}

/// `GET /console/sso/{provider}`: redirects to the organization's provider.
pub async fn depart(State(app): State<App>, Path(provider): Path<Uuid>, Query(query): Query<HashMap<String, String>>) -> Page {
    let next = local(query.get("next").map_or("", String::as_str));
    let departure = single_sign_on::depart(&app, provider, next).await?;
    Ok(with_cookie(away(&departure.address), cookie::departure(&app, &departure.kept)))
}

/// `GET /console/sso/{provider}/callback`: returns from the provider.
pub async fn arrive(
    State(app): State<App>,
    Path(provider): Path<Uuid>,
    Query(query): Query<HashMap<String, String>>,
    request: Parts,
) -> Page {
    let origin = Origin::of(&request, &app.settings);
    let agent = request.headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok());
    let told = |name: &str| query.get(name).map_or("", String::as_str);
    let kept = cookie::departure_of(&app, &request.headers).unwrap_or_default();
    let issuer = query.get("iss").map(String::as_str);
    let back = Return { provider, state: told("state"), code: told("code"), issuer };
    let arrival = single_sign_on::arrive(&app, &kept, back, &origin, agent).await?;
    let answer = with_cookie(entered(&app, &arrival.secret, local(&arrival.next)), cookie::no_departure(&app));
    // The most recently used provider comes first.
    let mut providers = cookie::providers_of(&app, &request.headers);
    providers.retain(|other| *other != arrival.provider);
    providers.insert(0, arrival.provider);
    Ok(with_cookie(answer, cookie::providers(&app, &providers)))
}
