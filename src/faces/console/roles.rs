//! Roles of a project.

mod users;

pub use users::{assign, take_out};

use super::{
    answer::Page,
    seen,
    submission::{Submission, Typed, with_status},
    visit::Visit,
};
use crate::{
    concepts::{
        organizations::members::{Reads, Worker},
        reports,
        roles::{self, Change, Role},
    },
    ground::{
        checks::is_name,
        error::{Error, Result},
    },
};
use axum::response::{Html, IntoResponse, Response};
use inlay_console::{
    Draft, Section,
    pages::roles::{self as views, RolePage, RoleRow, field_of},
};
use inlay_contract::{
    ids::RoleId,
    permissions::{Flag, RolePermissions, Template},
};
use std::sync::Arc;

/// `GET /console/projects/{project}/roles`
pub async fn list(visit: Visit) -> Page {
    let app = visit.app();
    let mut rows = Vec::new();
    for role in roles::list(app, visit.project()?.id).await? {
        let users = roles::users(&mut app.db.read().await?.conn(), role.id).await?;
        rows.push(RoleRow { id: role.id.to_string(), name: role.name, permissions: role.permissions, users });
    }
    let project = visit.project()?.id.to_string();
    visit.page("Roles", Section::Roles, || views::list(&project, &rows, visit.is::<Worker>())).await
}

/// `GET …/roles/new`. `?template=` fills the form in.
pub async fn show_new(visit: Visit<Worker>) -> Page {
    let template = template_of(&visit);
    let permissions = template.map(Template::permissions).unwrap_or_default();
    let draft = fields_of(&permissions).with("name", template.map_or("", Template::name));
    draw(&visit, None, draft, permissions).await
}

/// The template in the query, for members who may change the role.
fn template_of<R: Reads>(visit: &Visit<R>) -> Option<Template> {
    Template::keyed(visit.person.query("template")).filter(|_| visit.is::<Worker>())
}

async fn found<R: Reads>(visit: &Visit<R>) -> Result<Arc<Role>> {
    let id: RoleId = visit.person.id("role")?;
    roles::of_project(visit.app(), visit.project()?.id, id).await
}

/// `GET …/roles/{role}`. `?template=` fills the form in and saves nothing.
pub async fn show(visit: Visit) -> Page {
    let role = found(&visit).await?;
    let permissions = template_of(&visit).map_or_else(|| role.permissions.clone(), Template::permissions);
    draw(&visit, Some(&role), draft_of(&role, &permissions), permissions).await
}

/// A role's form with these permissions.
fn draft_of(role: &Role, permissions: &RolePermissions) -> Draft {
    fields_of(permissions).with("name", &role.name).with("seen", version_of(role))
}

/// The fields of the flags.
fn fields_of(permissions: &RolePermissions) -> Draft {
    let word = |flag| match permissions.get(flag) {
        None => "",
        Some(true) => "on",
        Some(false) => "off",
    };
    Draft::of(Flag::ALL.into_iter().map(|flag| (field_of(flag), word(flag))))
}

/// A fingerprint of a role, to detect changes since a form was rendered.
fn version_of(role: &Role) -> String {
    seen(&(&role.name, serde_json::to_string(&role.permissions).unwrap_or_default()))
}

fn permissions(typed: &Typed) -> RolePermissions {
    let set = |flag: Flag| match typed.get(&field_of(flag)) {
        "on" => Some((flag, true)),
        "off" => Some((flag, false)),
        _ => None,
    };
    Flag::ALL.into_iter().filter_map(set).collect()
}

async fn draw<R: Reads>(visit: &Visit<R>, role: Option<&Role>, draft: Draft, permissions: RolePermissions) -> Page {
    draw_with(visit, role, draft, permissions, None).await
}

async fn draw_with<R: Reads>(
    visit: &Visit<R>,
    role: Option<&Role>,
    draft: Draft,
    permissions: RolePermissions,
    copy: Option<Draft>,
) -> Page {
    let users = match role {
        Some(role) => roles::users(&mut visit.app().db.read().await?.conn(), role.id).await?,
        None => 0,
    };
    let page = RolePage {
        project: visit.project()?.id.to_string(),
        id: role.map(|role| role.id.to_string()),
        name: role.map(|role| role.name.clone()).unwrap_or_default(),
        users,
        permissions,
        template: template_of(visit),
        reports: has_reports(visit).await?,
        copy,
        held: match role {
            Some(role) => Some(users::held(visit, role).await?),
            None => None,
        },
        may_change: visit.is::<Worker>(),
    };
    let title = if page.name.is_empty() { "New role" } else { &page.name };
    visit.page(title, Section::Roles, || views::show(&page, &draft)).await
}

async fn has_reports<R: Reads>(visit: &Visit<R>) -> Result<bool> {
    reports::enabled(visit.app(), visit.member.organization).await
}

fn named(typed: &Typed) -> Result<String> {
    let name = typed.get("name");
    is_name(name).map_err(|problem| Error::invalid("name", problem))?;
    Ok(name.to_owned())
}

/// `POST …/roles`
pub async fn create(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let project = visit.project()?.id;
    let permissions = permissions(&typed);
    let made = async { roles::create(visit.app(), &visit.member.actor(), project, &named(&typed)?, &permissions).await };
    match made.await {
        Ok(role) => Ok(visit.done(&visit.at(&format!("roles/{}", role.id)), "Role created.")),
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            Ok(with_status(draw(&visit, None, draft, permissions).await?, status))
        }
    }
}

/// `POST …/roles/{role}/clone`
pub async fn clone(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let role = found(&visit).await?;
    let made =
        async { roles::create(visit.app(), &visit.member.actor(), role.project_id, &named(&typed)?, &role.permissions).await };
    match made.await {
        Ok(copy) => Ok(visit.done(&visit.at(&format!("roles/{}", copy.id)), "Role created.")),
        Err(problem) => {
            let (status, copy) = typed.refused(problem)?;
            let permissions = role.permissions.clone();
            let draft = draft_of(&role, &permissions);
            Ok(with_status(draw_with(&visit, Some(&role), draft, permissions, Some(copy)).await?, status))
        }
    }
}

/// `POST …/roles/{role}`
pub async fn change(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let role = found(&visit).await?;
    let now = version_of(&role);
    let permissions = permissions(&typed);
    let saved = async {
        super::unchanged(typed.get("seen"), &now)?;
        let change = Change { name: Some(named(&typed)?), permissions: Some(permissions.clone()) };
        roles::change(visit.app(), &visit.member.actor(), role.project_id, role.id, change).await
    };
    match saved.await {
        Ok(_) => {
            Ok(visit.done(&visit.at(&format!("roles/{}", role.id)), "Saved. It takes effect with each user's next token."))
        }
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            Ok(with_status(draw(&visit, Some(&role), draft.with("seen", now), permissions).await?, status))
        }
    }
}

/// `POST …/roles/preview`: shows what a user with these permissions can do, while they are edited.
pub async fn preview(Submission { visit, typed }: Submission<Visit<Worker>>) -> Result<Response> {
    let (permissions, reports) = (permissions(&typed), has_reports(&visit).await?);
    Ok(Html(inlay_console::shell::fragment("", || views::preview(&permissions, reports))).into_response())
}

/// `POST …/roles/{role}/remove`
pub async fn remove(Submission { visit, .. }: Submission<Visit<Worker>>) -> Page {
    let removal = async {
        let role = found(&visit).await?;
        roles::remove(visit.app(), &visit.member.actor(), role.project_id, role.id).await
    };
    visit.removed("roles", removal.await, "Role deleted.", "This role has already been deleted.")
}
