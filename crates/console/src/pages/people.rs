//! Customers and their users.

use crate::ui::{
    draft::Draft,
    form::{Control, Field, Form},
    html::{Html, IntoHtml},
    numbers,
    parts::{self, Turns},
};
use leptos::prelude::*;

/// A customer in the list.
#[derive(Clone, Debug)]
pub struct CustomerRow {
    /// Its id.
    pub id: String,
    /// The host's id.
    pub external_id: String,
    /// Its name.
    pub name: String,
    /// How many users it has.
    pub users: i64,
    /// When it was created.
    pub created_at: String,
}

/// The list.
#[derive(Clone, Debug)]
pub struct ListPage {
    /// The project.
    pub project: String,
    /// The search. Empty for all customers.
    pub search: String,
    /// The matching customers.
    pub customers: Vec<CustomerRow>,
    /// The matching users. Empty without a search.
    pub users: Vec<UserRow>,
    /// The most rows of each list that a search finds.
    pub most: usize,
    /// Where the pages before and after are. Without a search.
    pub turns: Turns,
    /// How many customers and users the search for parts of names read, if there are more.
    pub searched: Option<i64>,
}

/// Draws it.
#[must_use]
pub fn list(page: &ListPage) -> Html {
    let found = match (page.search.is_empty(), page.customers.is_empty() && page.users.is_empty()) {
        (true, true) if page.turns.page > 1 => {
            let first = format!("/console/projects/{}/customers", page.project);
            parts::empty("No more customers.", Some(parts::link(first, "First page")))
        }
        (true, true) => parts::empty("Customers appear here when your server signs their users in for the first time.", None),
        (false, true) => parts::empty("No customers or users match this search.", None),
        (_, false) => view! { {customers(page)}{users(page)} }.html(),
    };
    let own = format!("/console/projects/{}/customers", page.project);
    let beyond = page.searched.map(|read| {
        let read = numbers::whole(read);
        parts::muted(format!(
            "Parts of names and ids are searched among the first {read} customers by name and the {read} most recently changed users. \
             For others, type the beginning of the name or id."
        ))
    });
    view! {
        {parts::head("Customers", None, ())}
        <form method="get" class="search" role="search">
            <input type="search" name="q" value=page.search.clone() aria-label="Search customers and users" placeholder="Customer or user, name or id" data-search="" />
            <button class="button">"Search"</button>
        </form>
        {beyond}
        {found}
        {parts::turns(&own, &[], &page.turns)}
    }
    .html()
}

fn customers(page: &ListPage) -> Option<Html> {
    let row = |one: &CustomerRow| {
        vec![
            parts::link(format!("/console/projects/{}/customers/{}", page.project, one.id), one.name.clone()),
            parts::code(one.external_id.clone()),
            numbers::count(one.users),
            parts::time(&one.created_at),
        ]
    };
    let rows: Vec<_> = page.customers.iter().map(row).collect();
    let more = if page.search.is_empty() { None } else { first_of(page, rows.len()) };
    let columns = ["Customer", "External id", "Users", "Since"];
    (!rows.is_empty()).then(|| view! { {parts::figures("Customers", &columns, &["Users"], rows)}{more} }.html())
}

fn users(page: &ListPage) -> Option<Html> {
    let row = |one: &UserRow| {
        vec![
            user_link(&page.project, one),
            parts::code(one.external_id.clone()),
            parts::text(one.customer.clone().unwrap_or_default()),
            role(one),
            seen(one),
        ]
    };
    let rows: Vec<_> = page.users.iter().map(row).collect();
    let more = first_of(page, rows.len());
    let table = || parts::table("Users", &["User", "External id", "Customer", "Role", "Last visit"], rows);
    (!page.users.is_empty()).then(|| parts::part("Users", "", view! { {table()}{more} }).html())
}

fn first_of(page: &ListPage, shown: usize) -> Option<Html> {
    (shown >= page.most).then(|| parts::muted(format!("The first {}. Search to find others.", page.most)))
}

/// A link to a user's page.
pub(super) fn user_link(project: &str, one: &UserRow) -> Html {
    parts::link(format!("/console/projects/{project}/users/{}", one.id), one.name.clone())
}

/// The role of a user.
pub(super) fn role(one: &UserRow) -> Html {
    one.role.clone().map_or_else(|| parts::muted("View only"), parts::text)
}

/// When a user last opened a dashboard.
pub(super) fn seen(one: &UserRow) -> Html {
    parts::time_or(one.seen_at.as_deref(), "Not yet")
}

/// A user in a list.
#[derive(Clone, Debug)]
pub struct UserRow {
    /// Their id.
    pub id: String,
    /// The host's id.
    pub external_id: String,
    /// Their name.
    pub name: String,
    /// Their customer's name, if they have one.
    pub customer: Option<String>,
    /// Their role's name.
    pub role: Option<String>,
    /// When they last opened a dashboard.
    pub seen_at: Option<String>,
}

/// A customer's page.
#[derive(Clone, Debug)]
pub struct CustomerPage {
    /// The project.
    pub project: String,
    /// Its id.
    pub id: String,
    /// The host's id.
    pub external_id: String,
    /// Its name.
    pub name: String,
    /// Its properties as JSON.
    pub properties: String,
    /// Its users on this page.
    pub users: Vec<UserRow>,
    /// Where the pages before and after are.
    pub turns: Turns,
    /// Whether the member may revoke tokens.
    pub may_change: bool,
}

/// Draws it.
#[must_use]
pub fn customer(page: &CustomerPage) -> Html {
    let list = format!("/console/projects/{}/customers", page.project);
    let row = |one: &UserRow| vec![user_link(&page.project, one), parts::code(one.external_id.clone()), role(one), seen(one)];
    let own = format!("{list}/{}", page.id);
    let users = if page.users.is_empty() {
        let (told, first) = match page.turns.page > 1 {
            true => ("No more users.", Some(parts::link(own.clone(), "First page"))),
            false => ("No user yet.", None),
        };
        parts::empty(told, first)
    } else {
        parts::table("Users", &["User", "External id", "Role", "Last visit"], page.users.iter().map(row).collect())
    };
    let revoke = page.may_change.then(|| {
        let told = view! { <p>"Within 1 s, every token that was issued to its users until now is revoked. Your server can sign them in again."</p> };
        let form = Form::new(format!("{list}/{}/revoke", page.id), "Revoke tokens").asking("revoke", &format!("Sign all users of {} out?", page.name), told);
        parts::part("Revoke", "", form)
    });
    view! {
        {parts::head(&page.name, Some((list, "Customers")), ())}
        {parts::facts(vec![("Customer id", parts::code(page.id.clone())), ("External id", parts::code(page.external_id.clone()))])}
        {properties("What row rules read as {{organization.key}}.", &page.properties)}
        {parts::part("Users", "", view! { {users}{parts::turns(&own, &[], &page.turns)} })}
        {revoke}
    }
    .html()
}

fn properties(told: &str, json: &str) -> Html {
    let shown = if json == "{}" { parts::empty("No properties sent.", None) } else { parts::copied("Properties", json) };
    parts::part("Properties", told, shown)
}

/// A user's page.
#[derive(Clone, Debug)]
pub struct UserPage {
    /// The project.
    pub project: String,
    /// Their id.
    pub id: String,
    /// The host's id.
    pub external_id: String,
    /// Their name.
    pub name: String,
    /// Their customer: id and name.
    pub customer: Option<(String, String)>,
    /// Their properties as JSON.
    pub properties: String,
    /// The roles of the project: id and name.
    pub roles: Vec<(String, String)>,
    /// When they were created.
    pub created_at: String,
    /// When they were last changed.
    pub updated_at: String,
    /// When they last opened a dashboard.
    pub seen_at: Option<String>,
    /// Whether the member may change them.
    pub may_change: bool,
}

/// Draws it.
#[must_use]
pub fn user(page: &UserPage, draft: &Draft) -> Html {
    let own = format!("/console/projects/{}/users/{}", page.project, page.id);
    let back = match &page.customer {
        Some((id, name)) => (format!("/console/projects/{}/customers/{id}", page.project), name.as_str()),
        None => (format!("/console/projects/{}/customers", page.project), "Customers"),
    };
    let actions = page.may_change.then(|| parts::button(format!("{own}/view"), "View as"));
    let mut roles = vec![(String::new(), "No role: view-only".to_owned())];
    roles.extend(page.roles.iter().cloned());
    let role = if page.may_change {
        let field = Field::new("role", "Role", Control::Choice(roles))
            .optional()
            .hint("Takes effect at once for API calls, and with their next token for what they see.");
        Form::new(own.clone(), "Save").draw(draft, field.draw(draft))
    } else {
        let name = roles.iter().find(|(id, _)| id == draft.value("role")).map(|(_, name)| name.clone());
        parts::text(name.unwrap_or_default())
    };
    let revoke = page.may_change.then(|| {
        let told = view! { <p>"Within 1 s, every token that was issued to this user until now is revoked. Your server can sign them in again."</p> };
        let form = Form::new(format!("{own}/revoke"), "Revoke tokens").asking("revoke", &format!("Sign {} out?", page.name), told);
        parts::part("Revoke", "", form)
    });
    view! {
        {parts::head(&page.name, Some(back), actions)}
        {parts::facts(vec![
            ("User id", parts::code(page.id.clone())),
            ("External id", parts::code(page.external_id.clone())),
            ("Created", parts::time(&page.created_at)),
            ("Changed", parts::time(&page.updated_at)),
            ("Last visit", parts::time_or(page.seen_at.as_deref(), "Not yet")),
        ])}
        {parts::part("Role", "", role)}
        {properties("What row rules read as {{user.key}}.", &page.properties)}
        {revoke}
    }
    .html()
}

/// An application or a workspace, for viewing as a user.
#[derive(Clone, Debug)]
pub struct Embed {
    /// The URL of its page.
    pub address: String,
    /// Its name.
    pub name: String,
}

/// The page that shows what a user sees (View as).
#[derive(Clone, Debug)]
pub struct Viewing {
    /// The project.
    pub project: String,
    /// The user's id.
    pub user: String,
    /// The user's name.
    pub name: String,
    /// The embeds to view.
    pub embeds: Vec<Embed>,
    /// The console's own origin, for messages to the frame.
    pub origin: String,
}

/// Draws it.
#[must_use]
pub fn viewing(page: &Viewing) -> Html {
    let own = format!("/console/projects/{}/users/{}", page.project, page.user);
    let head = parts::head(&format!("What {} sees", page.name), Some((own.clone(), page.name.as_str())), ());
    if page.embeds.is_empty() {
        let action = parts::button(format!("/console/projects/{}/applications", page.project), "Create an application");
        return view! { {head}{parts::empty("This project has no application yet.", Some(action))} }.html();
    }
    let options =
        page.embeds.iter().map(|one| view! { <option value=one.address.clone()>{one.name.clone()}</option> }).collect_view();
    view! {
        {head}
        <p class="warning">{format!("You are viewing as {}. The token is valid for 5 minutes, the audit log records the visit, and you cannot change anything.", page.name)}</p>
        <div data-viewing=format!("{own}/token") data-origin=page.origin.clone()>
            {crate::ui::form::csrf()}
            <div class="field"><label for="embed">"Page"</label><select id="embed" data-embed="">{options}</select></div>
            <div class="frame"><iframe title=format!("What {} sees", page.name) data-frame=""></iframe></div>
        </div>
        <noscript><p class="refused">"This page needs JavaScript to send a token to a frame."</p></noscript>
    }
    .html()
}
