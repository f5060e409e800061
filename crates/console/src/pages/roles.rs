//! Roles: the 20 flags with their meanings, the flags they imply, and what a user with the role can do.

mod preview;

use crate::ui::{
    draft::Draft,
    form::{Field, Form},
    html::{Html, IntoHtml},
    numbers, parts,
};
use inlay_contract::permissions::{Flag, RolePermissions, Unset};
use leptos::prelude::*;
pub use preview::preview;

/// A role in the list.
#[derive(Clone, Debug)]
pub struct RoleRow {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Whether it grants editing.
    pub edits: bool,
    /// How many users have it.
    pub users: i64,
}

/// The list.
#[must_use]
pub fn list(project: &str, roles: &[RoleRow], may_change: bool) -> Html {
    let new = format!("/console/projects/{project}/roles/new");
    let action = may_change.then(|| parts::button(new.clone(), "New role"));
    if roles.is_empty() {
        let told = "A role defines what its users may do on a dashboard. Users without a role can only view.";
        let action = may_change.then(|| parts::button(new, "New role"));
        return view! { {parts::head("Roles", None, ())}{parts::empty(told, action)} }.html();
    }
    let row = |role: &RoleRow| {
        let kind = if role.edits { parts::badge("good", "Edits") } else { parts::badge("", "View only") };
        vec![
            parts::link(format!("/console/projects/{project}/roles/{}", role.id), role.name.clone()),
            kind,
            numbers::count(role.users),
        ]
    };
    view! {
        {parts::head("Roles", None, action)}
        {parts::figures("Roles", &["Role", "Kind", "Users"], &["Users"], roles.iter().map(row).collect())}
    }
    .html()
}

/// A role's page.
#[derive(Clone, Debug)]
pub struct RolePage {
    /// The project.
    pub project: String,
    /// Its id. `None` for a new one.
    pub id: Option<String>,
    /// Its stored name.
    pub name: String,
    /// How many users have it.
    pub users: i64,
    /// Its permissions, as typed so far.
    pub permissions: RolePermissions,
    /// Whether the organization has scheduled reports.
    pub reports: bool,
    /// The refused form for a copy.
    pub copy: Option<Draft>,
    /// Whether the member may change it.
    pub may_change: bool,
}

/// The field of a flag. Its value is `on`, `off`, or empty for unset.
#[must_use]
pub fn field_of(flag: Flag) -> String {
    format!("flag.{}", flag.name())
}

/// Draws it.
#[must_use]
pub fn show(page: &RolePage, draft: &Draft) -> Html {
    let list = format!("/console/projects/{}/roles", page.project);
    let own = page.id.as_ref().map(|id| format!("{list}/{id}"));
    let (title, submit) = if page.id.is_some() { (page.name.as_str(), "Save") } else { ("New role", "Create role") };
    let id = page.id.clone().map(|id| parts::facts(vec![("Role id", parts::code(id)), ("Users", numbers::count(page.users))]));
    let flags = table(draft, page.may_change);
    let preview = view! { <div data-preview="">{preview(&page.permissions, page.reports)}</div> };
    let body = if page.may_change {
        let action = own.clone().unwrap_or_else(|| list.clone());
        let address = format!("{list}/preview");
        let fields = view! {
                {Field::text("name", "Name").like("Analyst").draw(draft)}
            <div class="columns" data-preview-at=address>{flags}{preview}</div>
        };
        Form::new(action, submit).or(list.clone()).draw(draft, fields)
    } else {
        view! { <div class="columns">{flags}{preview}</div> }.html()
    };
    let duplicate = own.as_ref().filter(|_| page.may_change).map(|own| {
        let copy = page.copy.clone().unwrap_or_else(|| Draft::of([("name", format!("{} (Copy)", page.name))]));
        let field = Field::text("name", "Name of the copy").named("copy-name").draw(&copy);
        parts::part(
            "Duplicate",
            "Creates another role with the same permissions.",
            Form::new(format!("{own}/clone"), "Duplicate").quiet().draw(&copy, field),
        )
    });
    let remove = own.filter(|_| page.may_change).map(|own| {
        let told = match page.users {
            0 => "No users have this role.".to_owned(),
            1 => "1 user loses it and can then only view.".to_owned(),
            users => format!("{users} users lose it and can then only view."),
        };
        let form = Form::new(format!("{own}/remove"), "Delete role");
        parts::part("Delete", "", form.asking("remove", &format!("Delete {}?", page.name), view! { <p>{told}</p> }))
    });
    view! { {parts::head(title, Some((list, "Roles")), ())}{id}{body}{duplicate}{remove} }.html()
}

fn table(draft: &Draft, may_change: bool) -> Html {
    let rows = Flag::ALL.into_iter().map(|flag| row(flag, draft, may_change)).collect();
    parts::table("Permissions", &["Permission", "Set", "When unset"], rows)
}

fn row(flag: Flag, draft: &Draft, may_change: bool) -> Vec<Html> {
    let grants = flag.grants_editing().then(|| parts::badge("", "grants editing"));
    let name = view! {
        <strong>{flag.name()}</strong>" "{grants}<br /><span class="muted">{flag.meaning().replace('`', "")}</span>
    };
    let unset = match flag.unset() {
        Unset::On => "On",
        Unset::Off => "Off",
        Unset::OnIfEditing => "On if the role grants editing",
    };
    let field = field_of(flag);
    let value = draft.value(&field).to_owned();
    let options = [("", "Unset"), ("on", "On"), ("off", "Off")].map(|(option, label)| {
        let selected = option == value;
        view! { <option value=option selected=selected>{label}</option> }
    });
    let options = options.into_iter().collect_view();
    let select = view! { <select name=field aria-label=flag.name() disabled=!may_change>{options}</select> };
    vec![name.html(), select.html(), parts::muted(unset)]
}
