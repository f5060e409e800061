//! Project user roles: named sets of permission flags. `inlay_contract::permissions` defines the flags.

mod store;

#[cfg(test)]
mod holders_tests;
#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use store::RoleRow;
pub use store::{insert_row, list_of_project, update, users, without_users};

use crate::ground::{
    audit::{self, Actor, Deed},
    error::{Code, Error, Kind, Result},
    paging::Part,
    remembered::{Kept, Remembered},
    state::App,
    store::{Conn, version::Scope},
    time::Timestamp,
};
use inlay_contract::{
    ids::{OrganizationId, ProjectId, RoleId},
    permissions::RolePermissions,
};
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;
use utoipa::ToSchema;

/// A role. All fields are always present.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Role {
    /// The value for `user.userRoleId`.
    pub id: RoleId,
    /// Unique within a project.
    pub name: String,
    /// The organization that owns the project.
    pub organization_id: OrganizationId,
    /// The project.
    pub project_id: ProjectId,
    /// The role's permissions.
    pub permissions: RolePermissions,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

impl Kept for Role {
    const MOST: u64 = 10_000;

    fn scopes(&self) -> Vec<Scope> {
        vec![self.organization_id.into()]
    }
}

/// A role of a project.
///
/// # Errors
/// 404 `USER_ROLE_NOT_FOUND` when there is none, or it is another project's.
pub async fn of_project(app: &App, project: ProjectId, id: RoleId) -> Result<Arc<Role>> {
    let read = async || store::find(&mut app.db.read().await?.conn(), id).await;
    let found = app.part::<Remembered<RoleId, Role>>().get(app, id, read).await?;
    found.filter(|role| role.project_id == project).ok_or_else(not_found)
}

/// The roles of a project, by name.
pub async fn list(app: &App, project: ProjectId) -> Result<Vec<Role>> {
    store::list_of_project(&mut app.db.read().await?.conn(), project).await
}

/// The next roles of a project, by name: those behind the name `after`.
pub async fn part(app: &App, project: ProjectId, after: Option<&str>, most: usize) -> Result<Part<Role, String>> {
    let to_read = Part::<Role, String>::to_read(most);
    let rows = store::part_of_project(&mut app.db.read().await?.conn(), project, after, to_read).await?;
    Ok(Part::of(rows, most, |last| last.name.clone()))
}

/// Creates a role.
///
/// # Errors
///
/// 409 `ROLE_NAME_TAKEN`.
pub async fn create(
    app: &App,
    actor: &Actor,
    project: ProjectId,
    name: &str,
    permissions: &RolePermissions,
) -> Result<Arc<Role>> {
    let mut tx = app.db.write().await?;
    let id = insert(&mut tx.conn(), actor, project, name, permissions).await?;
    tx.commit().await?;
    app.refresh().await?;
    of_project(app, project, id).await
}

/// Creates a role within a transaction. The caller refreshes the nodes' caches after the commit.
///
/// # Errors
///
/// 409 `ROLE_NAME_TAKEN`.
pub async fn insert(
    conn: &mut Conn<'_>,
    actor: &Actor,
    project: ProjectId,
    name: &str,
    permissions: &RolePermissions,
) -> Result<RoleId> {
    let id = store::insert_row(conn, project, name, permissions).await?;
    let deed = Deed::new("userRole.created", id.0).in_project(project).named(name);
    audit::record(conn, actor, deed.with("permissions", json!(permissions))).await?;
    Ok(id)
}

/// A change of a role. Missing fields stay.
#[derive(Debug, Default)]
pub struct Change {
    /// A new name.
    pub name: Option<String>,
    /// New permissions, which replace all old ones.
    pub permissions: Option<RolePermissions>,
}

/// Changes a role.
///
/// # Errors
///
/// 404 when the project has no such role, 409 `ROLE_NAME_TAKEN`.
pub async fn change(app: &App, actor: &Actor, project: ProjectId, id: RoleId, change: Change) -> Result<Arc<Role>> {
    let mut tx = app.db.write().await?;
    let role = locked(&mut tx.conn(), project, id).await?;
    let name = change.name.unwrap_or_else(|| role.name.clone());
    let permissions = change.permissions.unwrap_or_else(|| role.permissions.clone());
    if name == role.name && permissions == role.permissions {
        return Ok(Arc::new(role));
    }
    let conn = &mut tx.conn();
    store::update(conn, id, &name, &permissions).await?;
    let deed = Deed::new("userRole.changed", id.0).in_project(project).named(&name);
    audit::record(conn, actor, deed.with("permissions", json!(permissions))).await?;
    tx.commit().await?;
    app.refresh().await?;
    of_project(app, project, id).await
}

/// Deletes a role. Its users have no role then.
///
/// # Errors
///
/// 404 when the project has no such role.
pub async fn remove(app: &App, actor: &Actor, project: ProjectId, id: RoleId) -> Result<()> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let role = locked(conn, project, id).await?;
    store::delete(conn, id).await?;
    audit::record(conn, actor, Deed::new("userRole.deleted", id.0).in_project(project).named(&role.name)).await?;
    tx.commit().await?;
    app.refresh().await
}

/// A role, locked against other writers until this transaction ends.
async fn locked(conn: &mut Conn<'_>, project: ProjectId, id: RoleId) -> Result<Role> {
    store::lock(conn, id).await?;
    store::find(conn, id).await?.filter(|role| role.project_id == project).ok_or_else(not_found)
}

/// A user's current role. `None` when it was just deleted.
pub async fn of_user(app: &App, project: ProjectId, role: Option<RoleId>) -> Result<Option<Arc<Role>>> {
    let Some(id) = role else { return Ok(None) };
    match of_project(app, project, id).await {
        Ok(role) => Ok(Some(role)),
        Err(gone) if gone.kind() == Kind::NotFound => Ok(None),
        Err(problem) => Err(problem),
    }
}

/// 404 for a role that the project does not have.
pub fn not_found() -> Error {
    Error::new(Code::UserRoleNotFound, "User role not found. Send the id of a role of the same project.")
}
