//! The signed-in person's own page: password, sessions.

use super::{
    answer::{Page, done, with_cookie},
    cookie,
    submission::{Submission, with_status},
    visit::Person,
};
use crate::{
    concepts::organizations::{sessions, sign_in},
    ground::error::{Code, Error},
};
use inlay_console::{
    Draft, Section,
    pages::account::{self, SessionRow},
};

/// `GET /console/account`
pub async fn show(person: Person) -> Page {
    draw(&person, Draft::default()).await
}

async fn draw(person: &Person, draft: Draft) -> Page {
    let sessions = sessions::list(&person.app, &person.session).await?;
    let row = |session: sessions::Session| SessionRow {
        id: hex::encode(&session.id),
        agent: session.agent.unwrap_or_else(|| "Unknown browser".to_owned()),
        address: session.address.unwrap_or_default(),
        seen_at: session.seen_at.to_string(),
        created_at: session.created_at.to_string(),
        current: session.id == person.session.id,
    };
    let rows: Vec<_> = sessions.into_iter().map(row).collect();
    let by_password = person.session.within.is_none();
    person.page("Account", Section::Account, || account::show(&person.session.email, &rows, by_password, &draft))
}

/// `POST /console/account/password`
pub async fn change_password(Submission { visit: person, typed }: Submission<Person>) -> Page {
    if person.session.within.is_some() {
        return Err(not_here().into());
    }
    let (old, new) = (typed.exact("old"), typed.exact("password"));
    match sign_in::change_password(&person.app, &person.session, old, new, &person.origin).await {
        Ok(()) => Ok(done(&person.app, "/console/account", "Password changed. Your other sessions have ended.")),
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            Ok(with_status(draw(&person, draft).await?, status))
        }
    }
}

/// 403 for what concerns other organizations, for a person who signed in through one organization's provider.
pub fn not_here() -> Error {
    let told = "You signed in through your organization's provider, which covers this organization only. Sign in with your password to change this.";
    Error::new(Code::SingleSignOn, told)
}

/// `POST /console/account/sessions/end`
pub async fn end_session(Submission { visit: person, typed }: Submission<Person>) -> Page {
    let all = sessions::list(&person.app, &person.session).await?;
    if let Some(session) = all.into_iter().find(|session| hex::encode(&session.id) == typed.get("session")) {
        sessions::end(&person.app, person.session.account, &session.id).await?;
    }
    Ok(done(&person.app, "/console/account", "Session ended."))
}

/// `POST /console/account/sessions/end-all`
pub async fn end_all(Submission { visit: person, .. }: Submission<Person>) -> Page {
    sessions::end_all(&person.app, &person.session).await?;
    let answer = done(&person.app, "/console/sign-in", "You are signed out everywhere.");
    Ok(with_cookie(answer, cookie::no_session(&person.app)))
}
