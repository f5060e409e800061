//! The users of a role: who has it, a search, and moving users in and out.

use crate::{
    pages::people::{UserRow, role, seen, user_link},
    ui::{
        form::csrf,
        html::{Html, IntoHtml},
        numbers,
        parts::{self, Turns},
    },
};
use leptos::prelude::*;

/// The users of a role.
#[derive(Clone, Debug, Default)]
pub struct RoleUsers {
    /// The search. Empty for all users with the role.
    pub search: String,
    /// The users with the role, on this page or found.
    pub with: Vec<UserRow>,
    /// The users without it that a search finds.
    pub others: Vec<UserRow>,
    /// The most rows of each list that a search finds.
    pub most: usize,
    /// Where the pages before and after are. Without a search.
    pub turns: Turns,
    /// How many users a search for parts of names read, if there are more.
    pub searched: Option<i64>,
    /// The project's other roles: id and name.
    pub other_roles: Vec<(String, String)>,
}

/// A role's page that this is a part of.
pub(super) struct Place<'a> {
    /// The project.
    pub project: &'a str,
    /// The role's address.
    pub own: &'a str,
    /// The role's name.
    pub name: &'a str,
    /// Whether the member may change users.
    pub may_change: bool,
}

/// Draws them.
pub(super) fn draw(place: &Place<'_>, page: &RoleUsers) -> Html {
    let told = "A change takes effect at once for API calls, and with the user's next token for what they see. A role that your server sends with a sign-in replaces it.";
    let beyond = page.searched.map(|read| {
        let read = numbers::whole(read);
        parts::muted(format!(
            "Parts of names and ids are searched among the first {read} users of this role by name and the {read} most recently \
             changed users of the project. For others, type the beginning of the name or id."
        ))
    });
    parts::part(
        "Users",
        if place.may_change { told } else { "" },
        view! {
            <form method="get" action="#role-users" id="role-users" class="search" role="search">
                <input type="search" name="q" value=page.search.clone() aria-label="Search users" placeholder="User, name or id" data-search="" />
                <button class="button">"Search"</button>
            </form>
            {beyond}
            {with(place, page)}
            {others(place, page)}
        },
    )
}

fn with(place: &Place<'_>, page: &RoleUsers) -> Html {
    if page.with.is_empty() {
        return none(place, page);
    }
    let row = |one: &UserRow| {
        let mut cells = vec![
            user_link(place.project, one),
            parts::code(one.external_id.clone()),
            parts::text(one.customer.clone().unwrap_or_default()),
            seen(one),
        ];
        cells.extend(place.may_change.then(|| button(&one.id, "Take out", &format!("Take out {}", one.name))));
        cells
    };
    let rows = page.with.iter().map(row).collect();
    let columns = ["User", "External id", "Customer", "Last visit", ""];
    let columns = if place.may_change { &columns[..] } else { &columns[..4] };
    let table = parts::table(&format!("Users with the role {}", place.name), columns, rows);
    let cut = (!page.search.is_empty()).then(|| first_of(page, page.with.len())).flatten();
    let body = if place.may_change {
        view! {
            <form method="post" action=format!("{}/users/move", place.own)>
                {csrf()}
                {search(page)}
                <div class="search">
                    <label for="role-to">"Users whom you take out get"</label>
                    <select id="role-to" name="to">{choices(page)}</select>
                </div>
                {table}
            </form>
        }
        .html()
    } else {
        table
    };
    view! { {body}{cut}{parts::turns(place.own, &[], &page.turns)} }.html()
}

/// What is said where nobody with the role is listed.
fn none(place: &Place<'_>, page: &RoleUsers) -> Html {
    let told = match (page.search.is_empty(), page.turns.page > 1, place.may_change) {
        (true, true, _) => return parts::empty("No more users.", Some(parts::link(place.own.to_owned(), "First page"))),
        (true, false, true) => "No user has this role. Search for a user to assign it.",
        (true, false, false) => "No user has this role.",
        (false, ..) if page.others.is_empty() || !place.may_change => "No users match this search.",
        (false, ..) => "No user with this role matches this search.",
    };
    parts::empty(told, None)
}

/// The choices for users who are taken out. Of two roles, it is the other one.
fn choices(page: &RoleUsers) -> Html {
    // Nobody gets more by being taken out, unless a member chooses it.
    let all = std::iter::once((String::new(), "No role: view-only".to_owned())).chain(page.other_roles.iter().cloned());
    let option = |(id, name): (String, String)| {
        let selected = id.is_empty();
        view! { <option value=id selected=selected>{name}</option> }
    };
    all.map(option).collect_view().html()
}

fn others(place: &Place<'_>, page: &RoleUsers) -> Option<Html> {
    if page.others.is_empty() || !place.may_change {
        return None;
    }
    let row = |one: &UserRow| {
        vec![
            user_link(place.project, one),
            parts::code(one.external_id.clone()),
            parts::text(one.customer.clone().unwrap_or_default()),
            role(one),
            seen(one),
            button(&one.id, "Assign", &format!("Assign {} to {}", place.name, one.name)),
        ]
    };
    let rows = page.others.iter().map(row).collect();
    let table = parts::table("Other users", &["User", "External id", "Customer", "Role", "Last visit", ""], rows);
    Some(
        view! {
            <h3>"Other users"</h3>
            <form method="post" action=format!("{}/users", place.own)>{csrf()}{search(page)}{table}</form>
            {first_of(page, page.others.len())}
        }
        .html(),
    )
}

fn button(user: &str, name: &'static str, label: &str) -> Html {
    view! { <button class="button" name="user" value=user.to_owned() aria-label=label.to_owned()>{name}</button> }.html()
}

/// The search, to which a change leads back.
fn search(page: &RoleUsers) -> Html {
    view! { <input type="hidden" name="q" value=page.search.clone() /> }.html()
}

fn first_of(page: &RoleUsers, shown: usize) -> Option<Html> {
    (shown >= page.most).then(|| parts::muted(format!("The first {}. Search to find others.", page.most)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(id: &str, role: Option<&str>) -> UserRow {
        UserRow {
            id: id.to_owned(),
            external_id: format!("x-{id}"),
            name: format!("Name of {id}"),
            customer: None,
            role: role.map(str::to_owned),
            seen_at: None,
        }
    }

    fn drawn(page: &RoleUsers, may_change: bool) -> String {
        let owner = Owner::new();
        let place = Place { project: "p", own: "/roles/r", name: "Analyst", may_change };
        let html = owner.with(|| draw(&place, page).to_html());
        owner.cleanup();
        html
    }

    fn page(search: &str, with: Vec<UserRow>, others: Vec<UserRow>) -> RoleUsers {
        let other_roles = vec![("v".to_owned(), "Viewer".to_owned())];
        RoleUsers { search: search.to_owned(), with, others, most: 200, other_roles, ..RoleUsers::default() }
    }

    #[test]
    fn no_role_is_proposed_to_who_is_taken_out() {
        let two = page("", vec![user("a", Some("Analyst"))], Vec::new());
        let drawn = drawn(&two, true);
        assert!(
            drawn.contains("<option value=\"\" selected>No role") && drawn.contains("<option value=\"v\">Viewer"),
            "{drawn}"
        );
    }

    #[test]
    fn who_may_not_change_users_sees_no_buttons_and_no_others() {
        let found = page("na", vec![user("a", Some("Analyst"))], vec![user("b", Some("Viewer"))]);
        let worker = drawn(&found, true);
        for part in
            ["Take out Name of a", "Assign Analyst to Name of b", "action=\"/roles/r/users/move\"", "action=\"/roles/r/users\""]
        {
            assert!(worker.contains(part), "{part}: {worker}");
        }
        let viewer = drawn(&found, false);
        assert!(
            viewer.contains("Name of a") && !viewer.contains("Name of b") && !viewer.contains("method=\"post\""),
            "{viewer}"
        );
    }

    #[test]
    fn empty_lists_say_why() {
        assert!(drawn(&page("", Vec::new(), Vec::new()), true).contains("Search for a user to assign it."));
        assert!(drawn(&page("x", Vec::new(), Vec::new()), true).contains("No users match this search."));
        assert!(drawn(&page("x", Vec::new(), vec![user("b", None)]), true).contains("No user with this role matches"));
        let cut = RoleUsers { most: 1, ..page("x", vec![user("a", None)], Vec::new()) };
        assert!(drawn(&cut, true).contains("The first 1. Search to find others."));
    }
}
