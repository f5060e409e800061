//! The account page: password and sessions.

use crate::ui::{
    agent::browser,
    draft::Draft,
    form::{Control, Field, Form},
    html::{Html, IntoHtml},
    parts,
};
use leptos::prelude::*;

/// A session in the list.
#[derive(Clone, Debug)]
pub struct SessionRow {
    /// Its id, for ending it.
    pub id: String,
    /// The browser.
    pub agent: String,
    /// The client's IP address.
    pub address: String,
    /// When it was used last.
    pub seen_at: String,
    /// When it began.
    pub created_at: String,
    /// Whether it is the current session.
    pub current: bool,
}

/// The account page. `by_password`: the person signed in with a password, not through an organization's provider.
#[must_use]
pub fn show(email: &str, sessions: &[SessionRow], by_password: bool, draft: &Draft) -> Html {
    let old = Field::new("old", "Your password", Control::Input("password")).filled_with("current-password");
    let new = Field::new("password", "New password", Control::Input("password"))
        .filled_with("new-password")
        .hint("At least 12 characters. Your other sessions end.");
    let fields = view! { {old.draw(draft)}{new.draw(draft)} };
    let rows = sessions.iter().map(row).collect();
    let password = if by_password {
        parts::part("Password", "", Form::new("/console/account/password", "Change password").draw(draft, fields))
    } else {
        let told = "You signed in through your organization's provider. This session opens this organization only. To change your password, sign in with it.";
        parts::part("Password", told, ())
    };
    view! {
        {parts::head(email, None, ())}
        {password}
        {parts::part("Sessions", "Your active sessions.", view! {
            {parts::table("Sessions", &["Browser", "Address", "Last used", "Signed in", ""], rows)}
            {Form::new("/console/account/sessions/end-all", "Sign out everywhere").quiet().button(&[])}
        })}
    }
    .html()
}

fn row(session: &SessionRow) -> Vec<Html> {
    let end = if session.current {
        parts::badge("good", "This session")
    } else {
        Form::new("/console/account/sessions/end", "End").quiet().button(&[("session", &session.id)])
    };
    vec![
        view! { <span title=session.agent.clone()>{browser(&session.agent)}</span> }.html(),
        parts::text(session.address.clone()),
        parts::time(&session.seen_at),
        parts::time(&session.created_at),
        end,
    ]
}
