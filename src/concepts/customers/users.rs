//! Changes of existing project users.

use super::{
    ProjectUser,
    properties::{Properties, merge},
    store,
};
use crate::{
    concepts::roles,
    ground::{
        audit::{self, Actor, Deed},
        error::{Error, Result},
        state::App,
        time::Timestamp,
    },
};
use inlay_contract::{
    field::Field,
    ids::{OrganizationId, ProjectId, ProjectUserId, RoleId},
    permissions::Permissions,
};
use serde_json::json;

/// A change of a user. Missing fields stay.
#[derive(Debug, Default)]
pub struct Change {
    /// A new role, or none.
    pub role: Field<RoleId>,
    /// A new name.
    pub name: Option<String>,
    /// Properties to merge, as embed-token does.
    pub properties: Properties,
}

/// Changes a user. A change without differences leaves `updated_at`.
///
/// # Errors
///
/// 404 for a user or role that the project does not have.
pub async fn change(app: &App, actor: &Actor, project: ProjectId, id: ProjectUserId, change: &Change) -> Result<ProjectUser> {
    if let Field::Value(role) = change.role {
        roles::of_project(app, project, role).await?;
    }
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let mut user = store::locked_user(conn, project, id).await?.ok_or_else(not_found)?;
    if apply(change, &mut user) {
        user.updated_at = Timestamp::now().max(Timestamp(user.updated_at.0 + 1));
        store::update_user(conn, &user).await?;
        let deed = Deed::new("projectUser.changed", id.0).in_project(project).named(&user.name);
        audit::record(conn, actor, deed.with("userRoleId", json!(user.user_role_id))).await?;
        tx.commit().await?;
    }
    Ok(user)
}

/// Applies a change. Returns whether anything differs.
fn apply(change: &Change, user: &mut ProjectUser) -> bool {
    let role = match change.role {
        Field::Absent => user.user_role_id,
        Field::Null => None,
        Field::Value(role) => Some(role),
    };
    let moved = std::mem::replace(&mut user.user_role_id, role) != role;
    let renamed = rename(&mut user.name, change.name.as_deref());
    merge(&mut user.properties, &change.properties) || moved || renamed
}

/// A user of a project.
///
/// # Errors
///
/// 404 when there is none.
pub async fn of_project(app: &App, project: ProjectId, id: ProjectUserId) -> Result<ProjectUser> {
    store::find_user(&mut app.db.read().await?.conn(), project, id).await?.ok_or_else(not_found)
}

/// A user of any project of an organization.
///
/// # Errors
///
/// 404 when there is none.
pub async fn of_organization(app: &App, organization: OrganizationId, id: ProjectUserId) -> Result<ProjectUser> {
    store::find_user_of_organization(&mut app.db.read().await?.conn(), organization, id).await?.ok_or_else(not_found)
}

/// The current permissions of a user's role.
///
/// # Errors
///
/// 404 when there is no such user.
pub async fn permissions(app: &App, project: ProjectId, id: ProjectUserId) -> Result<Permissions> {
    let user = of_project(app, project, id).await?;
    Ok(roles::of_user(app, user.project, user.user_role_id)
        .await?
        .map_or_else(Permissions::without_role, |role| role.permissions.resolve()))
}

/// 404 for a user that the project does not have.
pub fn not_found() -> Error {
    Error::not_found("Project user")
}

/// Renames. Returns whether the name changed.
pub fn rename(stored: &mut String, sent: Option<&str>) -> bool {
    match sent {
        Some(name) if name != stored => {
            name.clone_into(stored);
            true
        }
        _ => false,
    }
}
