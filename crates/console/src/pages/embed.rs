//! The Embed page: code for a host's server and page with the real ids, the required Content-Security-Policy, and a playground.

pub mod failures;
pub mod playground;
pub mod samples;

use crate::ui::html::{Html, IntoHtml};
use crate::{Draft, ui::parts};
use failures::Tried;
use leptos::prelude::*;
use playground::Playground;
use samples::Property;

/// The page.
#[derive(Clone, Debug, Default)]
pub struct EmbedPage {
    /// The project.
    pub project: String,
    /// The organization.
    pub organization: String,
    /// The base URL of the API.
    pub base_url: String,
    /// The base URL of the embeds.
    pub embed_url: String,
    /// The origin of the embeds, for policies.
    pub embed_origin: String,
    /// The embeds: path and name.
    pub embeds: Vec<(String, String)>,
    /// The path of the chosen embed.
    pub chosen: String,
    /// The roles: id and name.
    pub roles: Vec<(String, String)>,
    /// The id of the role in the code. Empty without roles.
    pub role: String,
    /// The properties that row rules and connections read. Those of customers come first.
    pub properties: Vec<Property>,
    /// The origins that may frame the embeds. Empty allows any.
    pub allowed_origins: Vec<String>,
    /// Workspaces that cannot be embedded yet: id and name.
    pub unpublished: Vec<(String, String)>,
    /// An origin that was tested.
    pub tried: Option<Tried>,
    /// The playground, if the member may use it.
    pub playground: Option<Playground>,
}

impl EmbedPage {
    /// The role in the code: id and name.
    fn role(&self) -> Option<&(String, String)> {
        self.roles.iter().find(|(id, _)| *id == self.role)
    }
}

/// Draws it. `draft` is the form for a test user.
#[must_use]
pub fn show(page: &EmbedPage, draft: &Draft) -> Html {
    let own = format!("/console/projects/{}", page.project);
    if page.embeds.is_empty() {
        let action = parts::button(format!("{own}/applications"), "Create an application");
        return view! { {parts::head("Embed", None, ())}{parts::empty("Nothing to embed yet.", Some(action))} }.html();
    }
    let options = page.embeds.iter().map(|(path, name)| {
        let selected = *path == page.chosen;
        view! { <option value=path.clone() selected=selected>{name.clone()}</option> }
    });
    let options = options.collect_view();
    let keys = format!("/console/organizations/{}/developer", page.organization);
    view! {
        {parts::head("Embed", None, ())}
        <form method="get" class="search">
            <label for="embed-choice" class="unseen">"What to embed"</label>
            <select id="embed-choice" name="embed">{options}</select>
            {hidden("role", &page.role)}
            <button class="button">"Show"</button>
        </form>
        {server(page, keys)}
        {host_page(page)}
        {policy(page, &own)}
        {playground::show(page, &own, draft)}
        {failures::show(page, &own)}
    }
    .html()
}

/// A choice that another form of the page makes.
fn hidden(name: &'static str, value: &str) -> Option<Html> {
    (!value.is_empty()).then(|| view! { <input type="hidden" name=name value=value.to_owned() /> }.html())
}

/// The choice of the role in the code.
fn role_choice(page: &EmbedPage) -> Option<Html> {
    let options = page.roles.iter().map(|(id, name)| {
        let selected = *id == page.role;
        view! { <option value=id.clone() selected=selected>{name.clone()}</option> }
    });
    let options = options.collect_view();
    page.role().map(|_| {
        view! {
            <form method="get" action="#code-role" class="search" id="code-role">
                {hidden("embed", &page.chosen)}
                <label for="role-choice">"Role in the code"</label>
                <select id="role-choice" name="role">{options}</select>
                <button class="button">"Use this role"</button>
            </form>
        }
        .html()
    })
}

fn server(page: &EmbedPage, keys: String) -> Html {
    let told = "On each page that shows an embed, your server signs the user in and returns the token to the page. The API key never leaves the server.";
    let role = page.role().map(|(_, name)| {
        view! { <li>"Their role, " <strong>{name.clone()}</strong>" here, is named by its id. If you leave the role out, the user keeps their role."</li> }
    });
    let read = (!page.properties.is_empty()).then(|| {
        view! { <li>"The code contains all properties that this project's rules read. Send each one: without it, every query of its table fails."</li> }
    });
    let organization = page.organization.clone();
    parts::part(
        "1. Your server",
        told,
        view! {
            <ul>
                <li>"Put a key into INLAY_API_KEY: "<a href=keys>"API keys"</a>" are created under Account settings → Developer. With a user-scoped key, also send "
                    <code>"organizationId"</code>" "{parts::code(organization)}" beside "<code>"projectId"</code>"."</li>
                <li>"Each program is complete: it serves "<code>"POST /analytics/token"</code>", which the page in step 2 calls. Replace the example's customer and user with those of your session."</li>
                {read}{role}
            </ul>
            {role_choice(page)}
            {languages(page)}
        },
    )
}

/// The languages as radio buttons that look like tabs. The arrow keys move between them without a script. The console's script
/// stores the choice.
fn languages(page: &EmbedPage) -> Html {
    let one = |(number, (id, name, text)): (usize, (&'static str, &'static str, String))| {
        let choice = format!("language-{id}");
        view! {
            <input type="radio" name="language" id=choice.clone() value=id checked=number == 0 class="tab unseen" />
            <label for=choice>{name}</label>
            <div class="panel">{parts::copied(name, text)}</div>
        }
    };
    let all = samples::servers(page).into_iter().enumerate().map(one).collect_view();
    view! { <div class="tabs" role="radiogroup" aria-label="Language" data-remember="language">{all}</div> }.html()
}

fn host_page(page: &EmbedPage) -> Html {
    let (html, script) = samples::script(page);
    parts::part(
        "2. Your page",
        "",
        view! {
            <h3>"With the page script"</h3>
            <p class="muted">"The script creates the frame, requests tokens from your server at /analytics/token, sends them by message and renews them."</p>
            {parts::copied("In the page", html)}
            <p class="muted">"In "<code>"/analytics.js"</code>", a file of your own site:"</p>
            {parts::copied("In /analytics.js", script)}
            <h3>"Or a plain iframe"</h3>
            <p class="muted">"Your server puts the token into the address, URL-encoded. The script renews the token before it expires; a plain frame does not."</p>
            {parts::copied("A plain iframe", samples::frame(page))}
        },
    )
}

fn policy(page: &EmbedPage, own: &str) -> Html {
    let (script, frame) = samples::policies(page);
    let origins = if page.allowed_origins.is_empty() {
        view! { <p>"Any page may frame this project's embeds. "<a href=own.to_owned()>"Name your origins"</a>" before you go live."</p> }.html()
    } else {
        let list = page.allowed_origins.iter().map(|origin| view! { <li>{parts::code(origin.clone())}</li> }).collect_view();
        view! {
            <p>"Pages of these origins may frame this project's embeds ("<a href=own.to_owned()>"change them"</a>"):"</p>
            <ul>{list}</ul>
        }
        .html()
    };
    parts::part(
        "3. Content-Security-Policy",
        "If your page has a policy, add these sources to its directives. Otherwise skip this step.",
        view! {
            <h3>"With the page script"</h3>
            {parts::copied("Policy with the page script", script)}
            <h3>"With a plain iframe"</h3>
            <p class="muted">"Only a frame: no script of Inlay runs in your page, so script-src stays as it is."</p>
            {parts::copied("Policy with a plain iframe", frame)}
            {origins}
        },
    )
}
