//! API keys of both kinds: last use and rate limits.

use super::Developer;
use crate::ui::{
    cell::told_at,
    draft::Draft,
    form::{Control, Field, Form, csrf},
    html::{Html, IntoHtml},
    parts,
};
use leptos::prelude::*;

/// An API key in the list.
#[derive(Clone, Debug)]
pub struct KeyRow {
    /// Its id.
    pub id: String,
    /// Its label.
    pub label: String,
    /// Its owner.
    pub owner: String,
    /// Whether each of its calls names the organization.
    pub user_scoped: bool,
    /// When it was created.
    pub created_at: String,
    /// When it was used last.
    pub last_used_at: Option<String>,
    /// Its limit in requests per second. `None` is the service's limit.
    pub per_second: Option<u32>,
    /// Whether it is valid.
    pub active: bool,
    /// Whether the member may revoke and limit it.
    pub may_change: bool,
}

/// A refused limit of a key.
#[derive(Clone, Debug)]
pub struct KeyLimit {
    /// The key's id.
    pub key: String,
    /// What was typed.
    pub typed: String,
    /// Why it was refused.
    pub told: String,
}

/// Draws the keys.
pub(super) fn part(page: &Developer, draft: &Draft, refused: Option<&KeyLimit>) -> Html {
    let list = if page.keys.is_empty() {
        parts::empty("No key yet. Your server signs its users in with an API key.", None)
    } else {
        let columns = ["Key", "Kind", "Created", "Last used", "Requests per second", ""];
        parts::table("API keys", &columns, page.keys.iter().map(|key| row(page, key, refused)).collect())
    };
    let form = page.works.then(|| {
        let kinds = [
            ("organization", "Organization key: acts for this organization"),
            ("user", "User-scoped key: each call names one of your organizations"),
        ];
        let kinds = kinds.map(|(value, label)| (value.to_owned(), label.to_owned())).to_vec();
        let fields = view! {
            {Field::text("label", "Name").like("Production").draw(draft)}
            {Field::new("kind", "Kind", Control::Choice(kinds)).draw(draft)}
        };
        parts::adding("New key", true, draft.is_refused(), Form::new(at(page, ""), "Create key").draw(draft, fields))
    });
    let told = "A key belongs to the member who created it, and works as long as they are an owner, admin or member. A limit is in \
        requests per second on all nodes together, with a burst of twice as many.";
    // If the key was revoked in the meantime, its error has no field to be shown at.
    let elsewhere = refused.filter(|limit| !page.keys.iter().any(|key| key.id == limit.key && key.active && key.may_change));
    parts::part("API keys", told, view! { {elsewhere.map(|limit| parts::refused(&limit.told))}{form}{list} })
}

fn at(page: &Developer, rest: &str) -> String {
    format!("/console/organizations/{}/developer/keys{rest}", page.organization)
}

fn row(page: &Developer, key: &KeyRow, refused: Option<&KeyLimit>) -> Vec<Html> {
    let kind = if key.user_scoped { "User-scoped" } else { "Organization" };
    let told = view! { <p>"Within 1 s, calls with this key are refused and every token that it issued is revoked."</p> };
    let action = match (key.active, key.may_change) {
        (false, _) => parts::badge("bad", "Revoked"),
        (true, false) => ().html(),
        (true, true) => {
            let question = format!("Revoke {}?", key.label);
            Form::new(at(page, &format!("/{}/revoke", key.id)), "Revoke").asking(&key.id, &question, told)
        }
    };
    let limit = if key.active && key.may_change {
        limit(page, key, refused.filter(|limit| limit.key == key.id))
    } else {
        key.per_second.map_or_else(|| parts::muted("Service limit"), |limit| parts::text(limit.to_string()))
    };
    vec![
        view! { {key.label.clone()}<br /><span class="muted small">{key.owner.clone()}</span> }.html(),
        parts::text(kind),
        parts::time(&key.created_at),
        parts::time_or(key.last_used_at.as_deref(), "Never"),
        limit,
        action,
    ]
}

/// The form for a key's limit.
fn limit(page: &Developer, key: &KeyRow, refused: Option<&KeyLimit>) -> Html {
    let now = key.per_second.map(|limit| limit.to_string()).unwrap_or_default();
    let shown = refused.map_or_else(|| now.clone(), |limit| limit.typed.clone());
    let invalid = refused.is_some().then_some("true");
    let told = told_at(&format!("limit.{}", key.id));
    view! {
        <form method="post" action=at(page, &format!("/{}/limit", key.id)) class="inline">
            {csrf()}
            <input type="hidden" name="seen" value=now />
            <input type="number" name="perSecond" min="1" max=page.most_per_second.to_string() step="1" value=shown placeholder="Service limit"
                aria-label=format!("Requests per second of {}", key.label) aria-describedby=told.clone() aria-invalid=invalid />
            <button class="button" aria-label=format!("Set the limit of {}", key.label)>"Set"</button>
            <span class="problem" id=told data-problem="">{refused.map(|limit| limit.told.clone())}</span>
        </form>
    }
    .html()
}
