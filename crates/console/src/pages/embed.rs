//! Embed: code for a host's server and page with the real ids, what its policy needs, and a playground that plays the host.

pub mod samples;

use crate::ui::{form::csrf, parts};
use leptos::prelude::*;

/// The page.
#[derive(Clone, Debug)]
pub struct EmbedPage {
    /// The project.
    pub project: String,
    /// The organization.
    pub organization: String,
    /// Where hosts reach the API.
    pub base_url: String,
    /// Where browsers reach the pages.
    pub embed_url: String,
    /// The origin of the pages, for policies.
    pub embed_origin: String,
    /// The console's own origin.
    pub origin: String,
    /// What can be embedded: path and name.
    pub embeds: Vec<(String, String)>,
    /// The path of what was chosen.
    pub chosen: String,
    /// The roles: id and name.
    pub roles: Vec<(String, String)>,
    /// The properties that row rules read of customers.
    pub properties: Vec<String>,
    /// The origins that may frame the embeds; any when there is none.
    pub allowed_origins: Vec<String>,
    /// The users to play: id and name.
    pub users: Vec<(String, String)>,
    /// Whether the reader may play.
    pub may_play: bool,
}

/// Draws it.
#[must_use]
pub fn show(page: &EmbedPage) -> AnyView {
    let own = format!("/console/projects/{}", page.project);
    if page.embeds.is_empty() {
        let action = parts::button(format!("{own}/applications"), "Make an application");
        return view! { {parts::head("Embed", None, ())}{parts::empty("There is nothing to embed yet.", Some(action))} }
            .into_any();
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
            <button class="button">"Show"</button>
        </form>
        {server(page, keys)}
        {host_page(page)}
        {policy(page, &own)}
        {playground(page, &own)}
    }
    .into_any()
}

fn server(page: &EmbedPage, keys: String) -> AnyView {
    let blocks = samples::servers(page).into_iter().enumerate().map(|(number, (language, text))| {
        view! {
            <details class="sample" name="server" open=number == 0>
                <summary>{language}</summary>
                {parts::copied(language, text)}
            </details>
        }
    });
    let told = "On each page that shows an embed, your server signs its user in and hands the token to the page. The API key never leaves the server.";
    parts::part(
        "1. Your server",
        told,
        view! {
            <p><a href=keys>"API keys"</a>" are made under Developer. Put one into INLAY_API_KEY."</p>
            {blocks.collect_view()}
        },
    )
}

fn host_page(page: &EmbedPage) -> AnyView {
    let told = "The page script makes the frame, hands tokens over by message and renews them.";
    parts::part(
        "2. Your page",
        told,
        view! {
            {parts::copied("With the page script", samples::script(page))}
            {parts::copied("Or a plain iframe", samples::frame(page))}
        },
    )
}

fn policy(page: &EmbedPage, own: &str) -> AnyView {
    let origins = if page.allowed_origins.is_empty() {
        view! { <p>"Any page may frame this project's embeds. "<a href=own.to_owned()>"Name your origins"</a>" before you go live."</p> }.into_any()
    } else {
        let list = page.allowed_origins.iter().map(|origin| view! { <li>{parts::code(origin.clone())}</li> }).collect_view();
        view! {
            <p>"Pages of these origins may frame this project's embeds. A frame that stays empty, with "<em>"refused to connect"</em>
                " in the browser's console, stands on a page of another origin: "<a href=own.to_owned()>"add it"</a>"."</p>
            <ul>{list}</ul>
        }
        .into_any()
    };
    parts::part(
        "3. Content-Security-Policy",
        "If your page has one, it needs these sources.",
        view! {
            {parts::copied("Policy", samples::policy(page))}
            {origins}
        },
    )
}

/// What a dashboard's address switches on, and its texts with an example of each.
const FLAGS: [&str; 4] = ["hideHeader", "hideDownloadButton", "transparent", "autoHeight"];
const TEXTS: [(&str, &str); 3] = [("dashboardId", "an id"), ("timezone", "Europe/Berlin"), ("locale", "de")];
/// The same of a chat's.
const CHAT_FLAGS: [&str; 1] = ["autoHeight"];
const CHAT_TEXTS: [(&str, &str); 5] =
    [("prompt", "How many orders?"), ("theme", "dark"), ("nav", "canvas"), ("timezone", "Europe/Berlin"), ("locale", "de")];

fn playground(page: &EmbedPage, own: &str) -> AnyView {
    let told = "This page plays the host: it signs one of your users in, frames the embed, and shows every message. The token lasts five minutes and can change nothing.";
    if !page.may_play || page.users.is_empty() {
        return parts::part("Playground", told, parts::empty("No user has been signed in yet.", None));
    }
    let users = page.users.iter().map(|(id, name)| view! { <option value=id.clone()>{name.clone()}</option> }).collect_view();
    let is_chat = page.chosen.starts_with("/share/workspace/");
    let (flags, texts): (&[&str], &[(&str, &str)]) = if is_chat { (&CHAT_FLAGS, &CHAT_TEXTS) } else { (&FLAGS, &TEXTS) };
    let flags = flags.iter().map(|name| view! { <label class="flag"><input type="checkbox" name=*name />{*name}</label> });
    let flags = flags.collect_view();
    let texts = texts.iter().map(|(name, example)| {
        view! { <label class="flag">{*name}<input type="text" name=*name placeholder=*example autocomplete="off" data-text="" /></label> }
    });
    let texts = texts.collect_view();
    let roles = page.roles.iter().map(|(id, name)| view! { <option value=id.clone()>{name.clone()}</option> }).collect_view();
    let filters = (!is_chat).then(|| {
        view! {
            <div class="field"><label for="play-params">"Filters"</label>
                <input id="play-params" type="text" placeholder="?filter_region=%22north%22" autocomplete="off" /></div>
        }
    });
    let send = (!is_chat).then(|| view! { <button type="button" class="button" data-send="">"Send embed:set-params"</button> });
    let address = format!("{}{}", page.embed_url, page.chosen);
    parts::part(
        "Playground",
        told,
        view! {
            <div data-playground=address data-tokens=format!("{own}/users") data-origin=page.origin.clone()>
                {csrf()}
                <div class="play">
                    <div class="field"><label for="play-user">"User"</label><select id="play-user">{users}</select></div>
                    <div class="field"><label for="play-role">"Role"</label>
                        <select id="play-role"><option value="">"The user's own"</option>{roles}</select></div>
                    <fieldset><legend>"Parameters"</legend>{flags}{texts}</fieldset>
                    {filters}
                    <div class="row-actions start">
                        <button type="button" class="button primary" data-play="">"Sign in and frame"</button>
                        {send}
                    </div>
                </div>
                <div class="frame"><iframe title="The embed as your users see it" data-frame=""></iframe></div>
                <h3>"Messages"</h3>
                <ol class="messages" data-messages="" aria-live="polite" aria-label="Messages"></ol>
            </div>
            <noscript><p class="refused">"The playground needs JavaScript."</p></noscript>
        },
    )
}
