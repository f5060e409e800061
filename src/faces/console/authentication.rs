//! Signing in and out.

use super::{
    answer::{Page, outside, redirect, with_cookie},
    cookie, single_sign_on,
    submission::{Letter, Submission, with_status},
    visit::Person,
};
use crate::{
    concepts::{
        organizations::{
            self,
            links::{self, Link, mail},
            sessions,
            setup::{self, FirstOwner},
            sign_in::{self as signing_in, device},
        },
        single_sign_on::provider_lookup,
    },
    ground::{
        error::{Error, Result},
        state::App,
        time::Timestamp,
    },
};
use axum::{
    extract::{Path, Query, State},
    http::HeaderMap,
    response::Response,
};
use inlay_console::{
    Draft,
    pages::authentication::{self, Invitation, SignIn},
};
use std::collections::HashMap;

/// `GET /`: redirects from the service's root to the console.
pub async fn front_door() -> Response {
    redirect("/console")
}

/// `GET /console`: redirects to the first organization's projects, or to sign-in.
pub async fn home(State(app): State<App>, person: Result<Person, super::answer::Refused>) -> Page {
    if let Ok(person) = person {
        return Ok(match person.memberships.first() {
            Some(first) => redirect(&format!("/console/organizations/{}/projects", first.organization)),
            None => redirect("/console/account"),
        });
    }
    Ok(redirect(if setup::is_open(&app).await? { "/console/setup" } else { "/console/sign-in" }))
}

/// The answer for an unknown path.
pub async fn unknown() -> Page {
    Err(Error::not_found("Page").into())
}

/// `GET /console/sign-in`
pub async fn show_sign_in(State(app): State<App>, headers: HeaderMap, Query(query): Query<HashMap<String, String>>) -> Page {
    let draft = Draft::default().with("next", query.get("next").cloned().unwrap_or_default());
    let page = offered(&app, &headers, draft.value("next")).await?;
    let ended = query.contains_key("ended").then(|| "Your session has ended. Sign in again.".to_owned());
    let notice = cookie::notice_of(&headers).or(ended);
    Ok(outside("Sign in", notice, || authentication::sign_in(&draft, &page))?)
}

/// The ways to sign in that this browser is offered beside a password.
async fn offered(app: &App, headers: &HeaderMap, next: &str) -> Result<SignIn> {
    Ok(SignIn {
        options: single_sign_on::remembered(app, headers, next).await?,
        single_sign_on: provider_lookup::any(app).await?,
        mails: app.mailer.is_set_up(),
    })
}

/// `GET /console/forgotten`
pub async fn show_forgotten() -> Page {
    Ok(outside("New password", None, || authentication::forgotten(&Draft::default()))?)
}

/// `POST /console/forgotten`
pub async fn send_forgotten(State(app): State<App>, letter: Letter) -> Page {
    let Letter { typed, origin, .. } = letter;
    match mail::send_forgotten(&app, typed.get("email"), &origin).await {
        Ok(()) => {
            let told = "If this address has an account, a mail with a password link has been sent.";
            Ok(super::answer::done(&app, "/console/sign-in", told))
        }
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            Ok(with_status(outside("New password", None, || authentication::forgotten(&draft))?, status))
        }
    }
}

/// `POST /console/sign-in`
pub async fn sign_in(State(app): State<App>, headers: HeaderMap, letter: Letter) -> Page {
    let Letter { typed, agent, origin } = letter;
    let (email, device) = (typed.get("email"), cookie::device_of(&app, &headers));
    match signing_in::sign_in(&app, email, typed.exact("password"), &origin, agent.as_deref(), device).await {
        Ok(secret) => {
            let mark = device::mark(&app, email, Timestamp::now());
            Ok(with_cookie(entered(&app, &secret, local(typed.get("next"))), cookie::device(&app, &mark)))
        }
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            let page = offered(&app, &headers, draft.value("next")).await?;
            Ok(with_status(outside("Sign in", None, || authentication::sign_in(&draft, &page))?, status))
        }
    }
}

/// The address if it is one of the console, so that `next` cannot redirect to another site.
pub(super) fn local(next: &str) -> &str {
    let plain = next.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if plain && (next == "/console" || next.starts_with("/console/")) && !next.contains("//") { next } else { "/console" }
}

pub(super) fn entered(app: &App, secret: &str, next: &str) -> Response {
    with_cookie(redirect(next), cookie::session(app, secret))
}

/// `POST /console/sign-out`
pub async fn sign_out(Submission { visit, .. }: Submission<Person>) -> Page {
    sessions::end(&visit.app, visit.session.account, &visit.session.id).await?;
    Ok(with_cookie(super::answer::done(&visit.app, "/console/sign-in", "You are signed out."), cookie::no_session(&visit.app)))
}

/// `GET /console/setup`
pub async fn show_setup(State(app): State<App>, Query(query): Query<HashMap<String, String>>) -> Page {
    let open = setup::is_open(&app).await?;
    let draft = Draft::default().with("code", query.get("code").cloned().unwrap_or_default());
    Ok(outside("Set up", None, || authentication::setup(&draft, open))?)
}

/// `POST /console/setup`
pub async fn make_owner(State(app): State<App>, letter: Letter) -> Page {
    let Letter { typed, agent, origin } = letter;
    let first = FirstOwner {
        code: typed.get("code"),
        organization: typed.get("organization"),
        email: typed.get("email"),
        password: typed.exact("password"),
    };
    match setup::make_owner(&app, &first, &origin, agent.as_deref()).await {
        Ok(secret) => Ok(entered(&app, &secret, "/console")),
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            let open = setup::is_open(&app).await?;
            Ok(with_status(outside("Set up", None, || authentication::setup(&draft, open))?, status))
        }
    }
}

/// `GET /console/invitation/{token}` and `GET /console/reset/{token}`
pub async fn show_link(State(app): State<App>, Path(token): Path<String>) -> Page {
    let link = links::open(&app, &token).await?;
    offer(&app, &token, &link, Draft::default()).await
}

/// `POST /console/invitation/{token}` and `POST /console/reset/{token}`
pub async fn use_link(State(app): State<App>, Path(token): Path<String>, letter: Letter) -> Page {
    let Letter { typed, agent, origin } = letter;
    let link = links::open(&app, &token).await?;
    match links::accept(&app, &token, typed.exact("password"), &origin, agent.as_deref()).await {
        Ok(secret) => Ok(entered(&app, &secret, "/console")),
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            Ok(with_status(offer(&app, &token, &link, draft).await?, status))
        }
    }
}

async fn offer(app: &App, token: &str, link: &Link, draft: Draft) -> Page {
    let Some(role) = link.role else {
        return Ok(outside("New password", None, || authentication::reset(token, &link.email, &draft))?);
    };
    let organization = organizations::name(&mut app.db.read().await?.conn(), link.organization).await?;
    let invitation = Invitation {
        token: token.to_owned(),
        email: link.email.clone(),
        organization: organization.ok_or_else(|| Error::not_found("Organization"))?,
        role: role.name().to_owned(),
        known: links::is_known(app, link).await?,
        options: single_sign_on::shown(provider_lookup::into(app, link.organization).await?, ""),
    };
    Ok(outside("Invitation", None, || authentication::invitation(&invitation, &draft))?)
}

#[cfg(test)]
mod tests {
    use super::local;

    #[test]
    fn nobody_is_led_elsewhere() {
        assert_eq!(local("/console/projects/1?x=1"), "/console/projects/1?x=1");
        for foreign in [
            "",
            "https://evil.example",
            "//evil.example",
            "/console//evil.example",
            "/\\evil.example",
            "/consoles",
            "/console/\\\\x",
        ] {
            assert_eq!(local(foreign), "/console", "{foreign}");
        }
    }
}
