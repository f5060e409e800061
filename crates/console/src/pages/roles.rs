//! Roles: templates, the flags with their meanings, and what a user with the role can do.

mod flags;
mod preview;
mod templates;
mod users;

use crate::ui::{
    draft::Draft,
    form::{Field, Form},
    html::{Html, IntoHtml},
    numbers, parts,
};
use inlay_contract::permissions::{Flag, RolePermissions, Template};
use leptos::prelude::*;
pub use preview::preview;
pub use users::RoleUsers;

/// A role in the list.
#[derive(Clone, Debug)]
pub struct RoleRow {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its permissions.
    pub permissions: RolePermissions,
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
        vec![
            parts::link(format!("/console/projects/{project}/roles/{}", role.id), role.name.clone()),
            kind(&role.permissions),
            numbers::count(role.users),
        ]
    };
    view! {
        {parts::head("Roles", None, action)}
        {parts::figures("Roles", &["Role", "Kind", "Users"], &["Users"], roles.iter().map(row).collect())}
    }
    .html()
}

/// The template that a role equals, or whether it grants editing.
fn kind(permissions: &RolePermissions) -> Html {
    let edits = permissions.grants_editing();
    let plain = if edits { "Edits" } else { "View only" };
    parts::badge(if edits { "good" } else { "" }, Template::of(permissions).map_or(plain, Template::name))
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
    /// The template that its form was filled in from.
    pub template: Option<Template>,
    /// Whether the organization has scheduled reports.
    pub reports: bool,
    /// The refused form for a copy.
    pub copy: Option<Draft>,
    /// Who has it. `None` for a new one.
    pub held: Option<RoleUsers>,
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
    let flags = flags::groups(draft, page.may_change);
    let preview = view! { <div data-preview="">{preview(&page.permissions, page.reports)}</div> };
    let body = if page.may_change {
        let action = own.clone().unwrap_or_else(|| list.clone());
        let address = format!("{list}/preview");
        let form = own.clone().unwrap_or_else(|| format!("{list}/new"));
        let fields = view! {
            {Field::text("name", "Name").like("Analyst").draw(draft)}
            {templates::choice(page, &form)}
            <div class="columns" data-preview-at=address>{flags}{preview}</div>
        };
        Form::new(action, submit).or(list.clone()).draw(draft, fields)
    } else {
        view! { <div class="columns">{flags}{preview}</div> }.html()
    };
    let held = own.as_ref().zip(page.held.as_ref()).map(|(own, held)| {
        users::draw(&users::Place { project: &page.project, own, name: &page.name, may_change: page.may_change }, held)
    });
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
    view! { {parts::head(title, Some((list, "Roles")), ())}{id}{body}{held}{duplicate}{remove} }.html()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_names_the_template_that_a_role_equals() {
        let owner = Owner::new();
        let drawn = |permissions: RolePermissions| owner.with(|| kind(&permissions).to_html());
        for template in Template::ALL {
            assert!(drawn(template.permissions()).contains(template.name()), "{template:?}");
        }
        let mut other = Template::Editor.permissions();
        other.set(Flag::HideHeader, true);
        assert!(drawn(other).contains(">Edits<"));
        assert!(drawn(RolePermissions::default()).contains(">View only<"));
        owner.cleanup();
    }
}
