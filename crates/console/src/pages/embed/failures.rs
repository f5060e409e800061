//! Troubleshooting: the text in the frame, the cause and the fix; a test of origins; the reasons of failing charts.

use super::EmbedPage;
use crate::ui::{
    html::{Html, IntoHtml},
    parts,
};
use inlay_contract::{code::Code, page::PageMessage};
use leptos::prelude::*;

/// An origin that was tested.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The text that was typed.
    pub typed: String,
    /// Whether its pages may frame the embeds.
    pub may_frame: bool,
    /// The reason, and what to do.
    pub told: String,
}

/// Draws the explanation.
#[must_use]
pub fn show(page: &EmbedPage, own: &str) -> Html {
    let rows = [empty_frames(own), tokens(page), nothing_there(page, own), charts(page, own)].into_iter().flatten().collect();
    parts::part(
        "Why an embed fails",
        "Start with the text in the frame. More is in the browser's console, in the messages above, and in your server's log.",
        view! {
            {parts::table("What embeds show when they fail", &["The frame shows", "Because", "What to do"], rows)}
            {origin(page)}
            <p>"More, including errors of the API: "<a href="/docs/troubleshooting">"Troubleshooting"</a>"."</p>
        },
    )
}

type Row = Vec<Html>;

fn row(shows: &str, because: &str, what: impl IntoHtml) -> Row {
    let what = what.html();
    vec![view! { <strong>{shows.to_owned()}</strong> }.html(), parts::text(because), view! { <span>{what}</span> }.html()]
}

fn empty_frames(own: &str) -> Vec<Row> {
    let origins = own.to_owned();
    vec![
        row(
            "Nothing; the browser's console names frame-ancestors, or says that the service refused to connect",
            "Your page's origin is not among the project's origins.",
            view! { "Try it below, and "<a href=origins>"add it"</a>". An origin includes scheme, host and port." },
        ),
        row(
            "Nothing; the console names frame-src or script-src",
            "Your page's own Content-Security-Policy blocks the frame.",
            "Add the sources of step 3.",
        ),
    ]
}

fn tokens(page: &EmbedPage) -> Vec<Row> {
    let developer = format!("/console/organizations/{}/developer", page.organization);
    vec![
        row(
            PageMessage::InvalidToken.text(),
            "No token arrived, the token is for another service, or it was revoked with its API key, user or customer.",
            "Put it URL-encoded into jwt, or send it by message. tokenHandoff needs parentOrigin: your page's origin only.",
        ),
        row(
            PageMessage::NoTokenReceived.text(),
            "No embed:set-token arrived within 15 s.",
            "Attach the listener before you set the frame's address, and post to the frame's window with the embed's origin.",
        ),
        row(
            PageMessage::SessionExpired.text(),
            "The token has expired, and no new one arrived.",
            "Let the page script renew it, or post a new token after 80% of its lifetime.",
        ),
        row(
            "Your own error: embed-token returned no token",
            "401 INVALID_API_KEY, 403 KEY_OWNER_NOT_PERMITTED, 404 PROJECT_NOT_FOUND or USER_ROLE_NOT_FOUND: your server's log has the code.",
            view! { "Compare key and ids with step 1; "<a href=developer>"Developer"</a>" lists the keys." },
        ),
    ]
}

fn nothing_there(page: &EmbedPage, own: &str) -> Vec<Row> {
    let links = page.unpublished.iter().map(|(id, name)| {
        view! { " "<a href=format!("{own}/workspaces/{id}")>{name.clone()}</a> }
    });
    let waiting = (!page.unpublished.is_empty()).then(|| view! { " Not in production yet:"{links.collect_view()}"." });
    vec![
        row(
            PageMessage::DashboardNotFound.text(),
            "The application or dashboard is in another project than the token, was deleted, or belongs to another user; or the application has no dashboard.",
            "Compare the ids in the address and projectId with those above.",
        ),
        row(
            PageMessage::WorkspaceNotFound.text(),
            "The same for a chat: the address names project and workspace, and the token must be for this project.",
            "Copy the address from step 2.",
        ),
        row(
            PageMessage::WorkspaceNotPublished.text(),
            "No version of the workspace is in production.",
            view! { "Publish a version and put it into production."{waiting} },
        ),
        row(PageMessage::Unavailable.text(), "A fault of the service.", "Its log has the request's id."),
    ]
}

fn charts(page: &EmbedPage, own: &str) -> Vec<Row> {
    let name = |of_user: bool, key: &String| parts::code(format!("{}.{key}", if of_user { "user" } else { "organization" }));
    let names = page.properties.iter().map(|property| view! { " "{name(property.of_user, &property.key)} });
    let connections = format!("{own}/connections");
    vec![
        row(
            "A chart: The rules for your data could not be applied",
            "ROW_RULE_UNRESOLVED: a property that the rule reads was not sent, or the table has no rule.",
            view! { "Send every property that the rules read:"{names.collect_view()}". Tables and rules are under "<a href=connections>"Connections"</a>"." },
        ),
        row(
            "A chart: This query was refused",
            "QUERY_FAILED: its SQL uses a hidden or missing column or table, or the database refused it.",
            "Press Check the charts in the playground: it shows details that viewers do not see.",
        ),
        row(
            "A chart: The data source cannot be reached, or This query took too long",
            "SOURCE_UNAVAILABLE, QUERY_TIMEOUT.",
            "Test the connection. Give the chart a shorter period, or its table an index.",
        ),
        row(
            "No rows",
            "The property that you sent differs from the values in the rows: ATL is not atl.",
            "Check the user's properties under Customers, and test the rule as this user.",
        ),
    ]
}

fn origin(page: &EmbedPage) -> Html {
    let (typed, verdict) = match &page.tried {
        None => (String::new(), None),
        Some(tried) => {
            let class = if tried.may_frame { "notice" } else { "refused" };
            (tried.typed.clone(), Some(view! { <p class=class role="status" id="origin-verdict">{tried.told.clone()}</p> }))
        }
    };
    view! {
        <h3>"May your page frame the embeds?"</h3>
        <form method="get" action="#try-origin" class="search" id="try-origin">
            <input type="hidden" name="embed" value=page.chosen.clone() />
            {super::hidden("role", &page.role)}
            <label for="origin" class="unseen">"Origin of your page"</label>
            <input id="origin" type="text" name="origin" value=typed placeholder="https://host.example" autocomplete="off" />
            <button class="button">"Try origin"</button>
        </form>
        {verdict}
    }
    .html()
}

/// A chart that fails for the chosen user.
#[derive(Clone, Debug)]
pub struct Failing {
    /// The URL of its dashboard in the console.
    pub address: String,
    /// The dashboard's name.
    pub dashboard: String,
    /// The chart's name.
    pub chart: String,
    /// The error code.
    pub code: Code,
    /// The reason.
    pub reason: String,
}

/// The result of checking the charts.
#[must_use]
pub fn reasons(dashboards: usize, charts: usize, failing: &[Failing]) -> Html {
    if dashboards == 0 {
        return parts::warning("This user has no dashboard at this address: the page shows Dashboard not found.");
    }
    let number = |count: usize, one: &str| parts::counted(i64::try_from(count).unwrap_or(i64::MAX), one);
    let looked = format!("Queried as this user: {} on {}", number(charts, "chart"), number(dashboards, "dashboard"));
    if failing.is_empty() {
        return view! { <p class="notice">{format!("{looked}. All of them work.")}</p> }.html();
    }
    let rows = failing.iter().map(|one| {
        vec![
            parts::link(one.address.clone(), one.dashboard.clone()),
            parts::text(one.chart.clone()),
            parts::code(one.code.as_str()),
            parts::text(one.reason.clone()),
        ]
    });
    view! {
        <p>{format!("{looked}. {} of them fail; viewers see only the code's message.", failing.len())}</p>
        {parts::table("Charts that fail", &["Dashboard", "Chart", "Code", "Details"], rows.collect())}
    }
    .html()
}
