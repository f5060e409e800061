//! Setup, sign-in, invitations, password reset.

use super::single_sign_on::{self, SignInOption};
use crate::ui::{
    draft::Draft,
    form::{Control, Field, Form},
    html::{Html, IntoHtml},
};
use leptos::prelude::*;

fn password(name: &str, label: &str, fresh: bool) -> Field {
    let field = Field::new(name, label, Control::Input("password"));
    if fresh {
        field.filled_with("new-password").hint("At least 12 characters.")
    } else {
        field.filled_with("current-password")
    }
}

fn email() -> Field {
    Field::new("email", "Email address", Control::Input("email")).filled_with("username")
}

/// What the sign-in page offers besides the password.
#[derive(Clone, Debug)]
pub struct SignIn {
    /// The providers that this browser has used.
    pub options: Vec<SignInOption>,
    /// Whether any organization has a provider.
    pub single_sign_on: bool,
    /// Whether a password can be reset by mail.
    pub mails: bool,
}

/// A form that is less prominent when providers are listed.
fn beside(form: Form, options: &[SignInOption]) -> Form {
    if options.is_empty() { form } else { form.quiet() }
}

/// The sign-in page. The draft's `next` is the page to open afterwards.
#[must_use]
pub fn sign_in(draft: &Draft, page: &SignIn) -> Html {
    let next = draft.value("next").to_owned();
    let fields = view! {
        <input type="hidden" name="next" value=next.clone() />
        {email().draw(draft)}
        {password("password", "Password", false).draw(draft)}
    };
    let options =
        single_sign_on::buttons(&page.options).map(|buttons| view! { {buttons}{single_sign_on::or("or by password")} });
    let forgotten = page.mails.then(|| view! { <p class="muted"><a href="/console/forgotten">"Forgot your password?"</a></p> });
    let another = page.single_sign_on.then(|| {
        // A form, so that `next` does not have to be part of a URL.
        view! {
            {single_sign_on::or("or")}
            <form method="get" action="/console/sso" class="way">
                <input type="hidden" name="next" value=next.clone() disabled=next.is_empty() />
                <button class="button">"Single sign-on"</button>
            </form>
        }
    });
    let form = beside(Form::new("/console/sign-in", "Sign in"), &page.options);
    view! { <h1>"Sign in"</h1>{options}{form.draw(draft, fields)}{forgotten}{another} }.html()
}

/// The page for requesting a password reset.
#[must_use]
pub fn forgotten(draft: &Draft) -> Html {
    view! {
        <h1>"New password"</h1>
        <p class="muted">"You receive a mail with a link that works once."</p>
        {Form::new("/console/forgotten", "Send the link").or("/console/sign-in").draw(draft, email().draw(draft))}
    }
    .html()
}

/// The page that creates the first owner. `open`: there is no owner yet.
#[must_use]
pub fn setup(draft: &Draft, open: bool) -> Html {
    if !open {
        return view! {
            <h1>"Inlay is set up"</h1>
            <p>"An owner already exists."</p>
            <p><a class="button primary" href="/console/sign-in">"Sign in"</a></p>
        }
        .html();
    }
    let fields = view! {
        {Field::text("code", "Set-up code").hint("Inlay printed it on standard error when it started.").draw(draft)}
        {Field::text("organization", "Organization").like("Acme").hint("It owns projects, members and API keys.").draw(draft)}
        {email().draw(draft)}
        {password("password", "Password", true).draw(draft)}
    };
    view! {
        <h1>"Set up Inlay"</h1>
        <p class="muted">"Create the organization and its owner: you."</p>
        {Form::new("/console/setup", "Create owner").draw(draft, fields)}
    }
    .html()
}

/// What an invitation offers.
#[derive(Clone, Debug)]
pub struct Invitation {
    /// The token of the link.
    pub token: String,
    /// The invited email address.
    pub email: String,
    /// The organization's name.
    pub organization: String,
    /// The role.
    pub role: String,
    /// Whether this email address has an account with a password.
    pub known: bool,
    /// The organization's providers. A person without an account can join through them without a password.
    pub options: Vec<SignInOption>,
}

/// The page of an invitation.
#[must_use]
pub fn invitation(offer: &Invitation, draft: &Draft) -> Html {
    let (label, told) = if offer.known {
        ("Your password", "You already have an account: enter its password to join.")
    } else if offer.options.is_empty() {
        ("Choose a password", "Choose a password to join.")
    } else {
        ("Choose a password", "Join through your organization's provider, or choose a password.")
    };
    let address = format!("/console/invitation/{}", offer.token);
    let fields = view! {
        <input type="hidden" name="username" value=offer.email.clone() autocomplete="username" />
        {password("password", label, !offer.known).draw(draft)}
    };
    let options = if offer.known { &[][..] } else { &offer.options };
    let form = beside(Form::new(address, "Join"), options);
    let options = single_sign_on::buttons(options).map(|buttons| view! { {buttons}{single_sign_on::or("or by a password")} });
    view! {
        <h1>{format!("Join {}", offer.organization)}</h1>
        <p class="muted">{format!("{} is invited as {}. {told}", offer.email, offer.role)}</p>
        {options}
        {form.draw(draft, fields)}
    }
    .html()
}

/// The page of a password reset.
#[must_use]
pub fn reset(token: &str, email: &str, draft: &Draft) -> Html {
    let fields = view! {
        <input type="hidden" name="username" value=email.to_owned() autocomplete="username" />
        {password("password", "New password", true).draw(draft)}
    };
    view! {
        <h1>"Choose a new password"</h1>
        <p class="muted">{format!("For {email}. You will be signed out everywhere.")}</p>
        {Form::new(format!("/console/reset/{token}"), "Save password").draw(draft, fields)}
    }
    .html()
}
