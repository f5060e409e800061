//! Finding one's way in through an organization's provider.

use crate::ui::{
    draft::Draft,
    form::{Control, Field, Form},
    html::{Html, IntoHtml},
};
use leptos::prelude::*;

/// A way in.
#[derive(Clone, Debug)]
pub struct WayIn {
    /// Where it begins.
    pub address: String,
    /// The name of the organization that it opens.
    pub organization: String,
    /// The provider's host, where the name does not tell two ways apart.
    pub host: Option<String>,
}

/// The page where people look for their way in.
#[derive(Clone, Debug)]
pub struct Ways {
    /// Those by which this browser came in before.
    pub remembered: Vec<WayIn>,
    /// Where one goes afterwards.
    pub next: String,
    /// Whether mail can say which there are.
    pub mails: bool,
}

/// Ways in as buttons, the first of them the likeliest.
#[must_use]
pub fn buttons(ways: &[WayIn]) -> Option<Html> {
    let button = |(at, way): (usize, &WayIn)| {
        let host = way.host.as_ref().map(|host| format!(" ({host})")).unwrap_or_default();
        let class = if at == 0 { "button primary" } else { "button" };
        view! { <li><a class=class href=way.address.clone()>{format!("Continue with {}{host}", way.organization)}</a></li> }
    };
    let buttons = ways.iter().enumerate().map(button).collect_view();
    (!ways.is_empty()).then(|| view! { <ul class="ways">{buttons}</ul> }.html())
}

/// What stands between two ways to go on.
#[must_use]
pub fn or(told: &'static str) -> Html {
    view! { <p class="or"><span>{told}</span></p> }.html()
}

/// The ways into an organization.
#[must_use]
pub fn into(organization: &str, ways: &[WayIn]) -> Html {
    view! {
        <h1>{format!("Sign in to {organization}")}</h1>
        <p class="muted">"Sign in at its provider with the email address of your invitation."</p>
        {buttons(ways)}
        <p class="muted"><a href="/console/sso">"Another organization"</a>" · "<a href="/console/sign-in">"Sign in with a password"</a></p>
    }
    .html()
}

/// Where people look for their way in.
#[must_use]
pub fn find(page: &Ways, draft: &Draft) -> Html {
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
    // One way is the likeliest.
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
