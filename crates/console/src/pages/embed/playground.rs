//! The playground: the console acts as the host. It signs a user in, frames the embed, and shows every message.

use super::EmbedPage;
use crate::ui::html::{Html, IntoHtml};
use crate::{
    Draft,
    ui::{
        form::{Control, Field, Form, csrf},
        parts,
    },
};
use leptos::prelude::*;

/// The choices of the playground.
#[derive(Clone, Debug, Default)]
pub struct Playground {
    /// The first customers: id and name.
    pub customers: Vec<(String, String)>,
    /// The newest users: id and name.
    pub users: Vec<(String, String)>,
    /// The user that was just created.
    pub user: String,
    /// The application's shared dashboards, the default one first.
    pub dashboards: Vec<Board>,
    /// The columns for filters by column, as `<connection>.<table>.<column>`.
    pub columns: Vec<String>,
}

/// A dashboard.
#[derive(Clone, Debug)]
pub struct Board {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its filters.
    pub filters: Vec<BoardFilter>,
}

/// A filter of a dashboard.
#[derive(Clone, Debug)]
pub struct BoardFilter {
    /// Its key: the parameter is `filter_<key>`.
    pub key: String,
    /// Its label.
    pub label: String,
    /// Its kind of value.
    pub kind: FilterKind,
}

/// The kind of a filter's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterKind {
    /// One or several values.
    Values,
    /// Two dates, or a period.
    Days,
    /// Two numbers.
    Numbers,
}

/// Boolean parameters, of dashboards and of chats.
const FLAGS: [&str; 4] = ["hideHeader", "hideDownloadButton", "transparent", "autoHeight"];
const CHAT_FLAGS: [&str; 1] = ["autoHeight"];
/// The keys of `placeholderOverrides`.
const WORDS: [&str; 5] = ["userName", "assistantName", "inputPlaceholder", "thinkingPlaceholder", "disclaimerText"];
/// The periods on offer. Filters accept others, too.
const PERIODS: [&str; 8] =
    ["today", "yesterday", "last_7_days", "last_30_days", "last_12_months", "this_month", "this_year", "previous_month"];

/// Draws it.
#[must_use]
pub fn show(page: &EmbedPage, own: &str, draft: &Draft) -> Html {
    let told = "This page acts as the host: it signs in one of your users, frames the embed, and shows every message. The token is valid for 5 minutes and cannot change anything.";
    let Some(play) = &page.playground else {
        return parts::part("Playground", told, parts::empty("The playground needs the role member.", None));
    };
    parts::part(
        "Playground",
        told,
        view! {
            {test_user(page, own, draft)}
            <div data-playground="" data-path=page.chosen.clone() data-embed=page.embed_url.clone() data-own=own.to_owned()>
                {csrf()}
                {controls(page, play)}
                <div class="frame" data-empty="The embed appears here."><iframe title="The embed as your users see it" data-frame=""></iframe></div>
                <div data-reasons="" aria-live="polite"></div>
                <div class="head-row"><h3>"Messages"</h3><button type="button" class="button" data-clear="">"Clear"</button></div>
                <ol class="messages" data-messages="" aria-live="polite" aria-label="Messages"></ol>
            </div>
            <noscript><p class="refused">"The playground needs JavaScript."</p></noscript>
        },
    )
}

fn is_chat(page: &EmbedPage) -> bool {
    page.chosen.starts_with("/share/workspace/")
}

/// The form for a test user, for projects that no host has signed a user in to.
fn test_user(page: &EmbedPage, own: &str, draft: &Draft) -> Html {
    let none = page.playground.as_ref().is_some_and(|play| play.users.is_empty());
    let roles = std::iter::once((String::new(), "No role".to_owned())).chain(page.roles.iter().cloned()).collect();
    let properties = page.properties.iter().map(|property| {
        let holder = if property.of_user { "user" } else { "organization" };
        let name = format!("{holder}.{}", property.key);
        Field::text(&name, &name).optional().draw(draft)
    });
    let draft_of = if draft.value("customer").is_empty() && !draft.is_refused() {
        draft.clone().with("customer", "Test customer").with("user", "Test user")
    } else {
        draft.clone()
    };
    let form = Form::new(format!("{own}/embed/test-user"), "Create test user").draw(
        draft,
        view! {
            <input type="hidden" name="embed" value=page.chosen.clone() />
            {Field::text("customer", "Customer").draw(&draft_of)}
            {Field::text("user", "User").draw(&draft_of)}
            {Field::new("role", "Role", Control::Choice(roles)).named("test-role").optional().draw(draft)}
            {properties.collect_view()}
        },
    );
    let told = "Row rules read these properties, as if your server had sent them. Empty properties are not sent. Write a list as JSON. Test users appear among your customers, with an id that starts with inlay-test:, and never replace a real user.";
    view! {
        <details class="more test-user" open=none || draft.is_refused() data-test-user="">
            <summary>{if none { "No user has signed in yet: create a test user" } else { "Create a test user" }}</summary>
            <p class="muted">{told}</p>
            {form}
        </details>
    }
    .html()
}

fn controls(page: &EmbedPage, play: &Playground) -> Html {
    let filters = (!is_chat(page)).then(|| filters(play));
    let send = (!is_chat(page)).then(|| {
        view! {
            <button type="button" class="button" data-send="">"Send embed:set-params"</button>
            <button type="button" class="button" data-check-charts="">"Check the charts"</button>
        }
    });
    view! {
        <div class="play">
            {who(page, play)}
            {(!is_chat(page)).then(|| kinds(play))}
            <fieldset><legend>"Parameters"</legend>{if is_chat(page) { of_chat() } else { of_dashboards() }}</fieldset>
            {filters}
            <fieldset>
                <legend>"Token"</legend>
                <label class="flag">"Token delivery"
                    <select data-token-by=""><option value="message">"By message (tokenHandoff)"</option><option value="address">"In the address (jwt)"</option></select>
                </label>
                {text("dbAuthToken", "for a database's own row policy")}
            </fieldset>
            <p class="muted">"Address of the frame:"</p>
            <div class="copied" data-copy=""><pre tabindex="0" role="group" aria-label="Address" data-address=""></pre></div>
            <div class="row-actions start">
                <button type="button" class="button primary" data-play="">"Sign in and frame"</button>
                {send}
            </div>
            <p role="status" class="muted" data-told=""></p>
        </div>
    }
    .html()
}

fn options(all: &[(String, String)], chosen: &str) -> Html {
    let one = |(id, name): &(String, String)| {
        let selected = !chosen.is_empty() && id == chosen;
        view! { <option value=id.clone() selected=selected>{name.clone()}</option> }
    };
    all.iter().map(one).collect_view().html()
}

/// The selects for customer and user, each with a search by name or id.
fn who(page: &EmbedPage, play: &Playground) -> Html {
    view! {
        <div class="field">
            <label for="play-customer">"Customer"</label>
            <input type="search" placeholder="Search customers" aria-label="Search customers" autocomplete="off" data-find-customer="" />
            <select id="play-customer"><option value="">"Any customer"</option>{options(&play.customers, "")}</select>
        </div>
        <div class="field">
            <label for="play-user">"User"</label>
            <input type="search" placeholder="Search users" aria-label="Search users" autocomplete="off" data-find-user="" />
            <select id="play-user">{options(&play.users, &play.user)}</select>
        </div>
        <div class="field"><label for="play-role">"Role"</label>
            <select id="play-role"><option value="">"The user's own"</option>{options(&page.roles, "")}</select></div>
    }
    .html()
}

fn text(name: &'static str, example: &'static str) -> Html {
    view! { <label class="flag">{name}<input type="text" name=name placeholder=example autocomplete="off" data-text="" /></label> }
        .html()
}

fn choice(name: &'static str, values: &[&'static str]) -> Html {
    let values = values.iter().map(|value| view! { <option value=*value>{*value}</option> }).collect_view();
    view! { <label class="flag">{name}<select name=name data-text=""><option value="">"not given"</option>{values}</select></label> }
        .html()
}

fn flags(names: &[&'static str]) -> Html {
    let one =
        |name: &&'static str| view! { <label class="flag"><input type="checkbox" name=*name data-flag="" />{*name}</label> };
    names.iter().map(one).collect_view().html()
}

/// The three kinds of dashboard pages: an application with its navigation, one of its dashboards, and a dashboard by its own
/// id.
fn kinds(play: &Playground) -> Html {
    let boards: Vec<_> = play.dashboards.iter().map(|board| (board.id.clone(), board.name.clone())).collect();
    let known = boards.iter().map(|(id, name)| view! { <option value=id.clone()>{name.clone()}</option> }).collect_view();
    let first = boards.first().map(|(id, _)| id.clone()).unwrap_or_default();
    view! {
        <fieldset>
            <legend>"Page"</legend>
            <label class="flag">"Page to embed"
                <select data-page="">
                    <option value="application">"The application, with navigation"</option>
                    <option value="one">"One dashboard of the application"</option>
                    <option value="dashboard">"A dashboard by its id, in its application"</option>
                </select>
            </label>
            <label class="flag" data-of-page="one" hidden=true>"dashboardId"
                <select name="dashboardId" data-text="" data-board="">{options(&boards, "")}</select>
            </label>
            <label class="flag" data-of-page="dashboard" hidden=true>"/share/dashboard/"
                <input type="text" list="play-boards" value=first autocomplete="off" data-board="" data-dashboard="" />
            </label>
            <datalist id="play-boards">{known}</datalist>
        </fieldset>
    }
    .html()
}

/// The parameters for language and time zone.
fn reading() -> Html {
    view! { {text("timezone", "Europe/Berlin")}{text("locale", "de")} }.html()
}

fn of_dashboards() -> Html {
    view! {
        {flags(&FLAGS)}
        {reading()}
    }
    .html()
}

fn of_chat() -> Html {
    let word = |name: &&'static str| {
        view! { <label class="flag">{*name}<input type="text" autocomplete="off" data-word=*name /></label> }
    };
    let question = |number: u8| {
        let label = format!("exampleQuestions, {number}");
        view! { <label class="flag">{label}<input type="text" autocomplete="off" data-question="" /></label> }
    };
    view! {
        {text("prompt", "How many orders?")}
        {choice("theme", &["light", "dark"])}
        {choice("nav", &["favorites", "canvas"])}
        {flags(&CHAT_FLAGS)}
        {reading()}
        <fieldset><legend>"placeholderOverrides"</legend>{WORDS.iter().map(word).collect_view()}</fieldset>
        <fieldset><legend>"exampleQuestions"</legend>{(1..=3).map(question).collect_view()}</fieldset>
    }
    .html()
}

fn filters(play: &Playground) -> Html {
    let board = |(number, board): (usize, &Board)| {
        let all = board.filters.iter().map(filter).collect_view();
        let none = board.filters.is_empty().then(|| parts::muted("This dashboard has no filters of its own."));
        view! { <div class="filters" data-filters=board.id.clone() hidden=number != 0>{all}{none}</div> }
    };
    let boards = play.dashboards.iter().enumerate().map(board).collect_view();
    let columns = play.columns.iter().map(|column| view! { <option value=column.clone()></option> });
    let columns = columns.collect_view();
    view! {
        <fieldset>
            <legend>"Filters"</legend>
            {boards}
            <div class="filters" data-by-column="">
                <label class="flag">"By column: f_"<input type="text" list="play-columns" autocomplete="off" placeholder="connection.table.column" data-column="" /></label>
                <label class="flag">"Value"<input type="text" autocomplete="off" placeholder="text or JSON" data-value="" /></label>
            </div>
            <datalist id="play-columns">{columns}</datalist>
            <button type="button" class="button" data-add-column="">"Add a column"</button>
        </fieldset>
    }
    .html()
}

fn filter(filter: &BoardFilter) -> Html {
    let name = format!("filter_{}", filter.key);
    let label = format!("{} ({name})", filter.label);
    match filter.kind {
        FilterKind::Values => view! {
            <label class="flag">{label}<input type="text" autocomplete="off" placeholder="text or JSON" data-filter=name data-kind="values" /></label>
        }
        .html(),
        FilterKind::Numbers => ends(label, name, "number", ().html()),
        FilterKind::Days => {
            let periods = PERIODS.iter().map(|period| view! { <option value=*period>{*period}</option> }).collect_view();
            let select = view! {
                <label class="flag">"period"<select data-period=""><option value="">"not given"</option>{periods}</select></label>
            };
            ends(label, name, "date", select.html())
        }
    }
}

fn ends(label: String, name: String, kind: &'static str, period: Html) -> Html {
    view! {
        <fieldset data-filter=name data-kind="range">
            <legend>{label}</legend>
            {period}
            <label class="flag">"from"<input type=kind data-from="" /></label>
            <label class="flag">"to (not included)"<input type=kind data-to="" /></label>
        </fieldset>
    }
    .html()
}
