//! Finding an organization's provider.

use crate::ui::{
    draft::Draft,
    form::{Control, Field, Form},
    html::{Html, IntoHtml},
};
use leptos::prelude::*;

/// A provider to sign in with.
#[derive(Clone, Debug)]
pub struct SignInOption {
    /// The URL where the sign-in starts.
    pub address: String,
    /// The organization's name.
    pub organization: String,
    /// The provider's host, if two providers have the same name.
    pub host: Option<String>,
}

/// The page for finding a provider.
#[derive(Clone, Debug)]
pub struct FindProvider {
    /// The providers that this browser has used.
    pub remembered: Vec<SignInOption>,
    /// The page to open afterwards.
    pub next: String,
    /// Whether a mail can list the providers.
    pub mails: bool,
}

/// The providers as buttons, the most likely one first.
#[must_use]
pub fn buttons(options: &[SignInOption]) -> Option<Html> {
    let button = |(at, option): (usize, &SignInOption)| {
        let host = option.host.as_ref().map(|host| format!(" ({host})")).unwrap_or_default();
        let class = if at == 0 { "button primary" } else { "button" };
        view! { <li><a class=class href=option.address.clone()>{format!("Continue with {}{host}", option.organization)}</a></li> }
    };
    let buttons = options.iter().enumerate().map(button).collect_view();
    (!options.is_empty()).then(|| view! { <ul class="ways">{buttons}</ul> }.html())
}

/// The separator between two ways to sign in.
#[must_use]
pub fn or(told: &'static str) -> Html {
    view! { <p class="or"><span>{told}</span></p> }.html()
}

/// The providers of an organization.
#[must_use]
pub fn into(organization: &str, options: &[SignInOption]) -> Html {
    view! {
        <h1>{format!("Sign in to {organization}")}</h1>
        <p class="muted">"Sign in at its provider with the email address of your invitation."</p>
        {buttons(options)}
        <p class="muted"><a href="/console/sso">"Another organization"</a>" · "<a href="/console/sign-in">"Sign in with a password"</a></p>
    }
    .html()
}

/// The page for finding a provider.
#[must_use]
pub fn find(page: &FindProvider, draft: &Draft) -> Html {
    let remembered = buttons(&page.remembered).map(|buttons| view! { {buttons}{or("or")} });
    let known = remembered.is_some();
    let forget = known.then(|| {
        view! { <div class="forget">{Form::new("/console/sso/forget", "Forget this on this browser").quiet().button(&[])}</div> }
    });
    let name =
        Field::text("organization", "Short name of your organization").like("acme").hint("Ask the person who invited you.");
    let mail = page.mails.then(|| {
        let field = Field::new("email", "Email address", Control::Input("email")).filled_with("username");
        let fields = view! {
            <input type="hidden" name="next" value=page.next.clone() />
            {field.hint("If your organization has a provider, you receive a mail with the link.").draw(draft)}
        };
        let form = Form::new("/console/sso", "Send sign-in link");
        let form = if known { form.quiet() } else { form };
        view! { {form.draw(draft, fields)}{or("or")} }
    });
    // Only one button is primary.
    let class = if page.mails || known { "button" } else { "button primary" };
    view! {
        <h1>"Single sign-on"</h1>
        {remembered}
        {mail}
        <form method="get" action="/console/sso" class="way">
            <input type="hidden" name="next" value=page.next.clone() disabled=page.next.is_empty() />
            {name.draw(draft)}
            <div class="actions"><button class=class>"Continue"</button></div>
        </form>
        <p class="muted"><a href="/console/sign-in">"Sign in with a password"</a></p>
        {forget}
    }
    .html()
}
