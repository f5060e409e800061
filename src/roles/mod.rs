//! Project user roles: named sets of permission flags. What the flags mean is in `inlay_contract::permissions`.

pub mod store;

use crate::{
    error::{Error, Kind, Result},
    state::App,
    time::Timestamp,
};
use inlay_contract::{
    ids::{OrganizationId, ProjectId, RoleId},
    permissions::RolePermissions,
};
use serde::Serialize;
use std::sync::Arc;

/// A role, as the API shows it: all fields are always there.
#[derive(Clone, Debug, Serialize)]
pub struct Role {
    /// What `user.userRoleId` takes.
    pub id: RoleId,
    /// Unique within a project.
    pub name: String,
    /// The organization that owns the project.
    pub organization_id: OrganizationId,
    /// The project.
    pub project_id: ProjectId,
    /// The flags that the role mentions.
    pub permissions: RolePermissions,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
}

/// A role of a project.
///
/// # Errors
/// 404 `USER_ROLE_NOT_FOUND` when there is none, or it is another project's.
pub async fn of_project(app: &App, project: ProjectId, id: RoleId) -> Result<Arc<Role>> {
    let version = app.known().version;
    let read = async || store::find(&mut app.db.read().await?.conn(), id).await;
    let found = app.roles.get(version, id, read).await?;
    found.filter(|role| role.project_id == project).ok_or_else(not_found)
}

/// 404 for a role that the project does not have.
pub fn not_found() -> Error {
    Error::new(Kind::NotFound, "USER_ROLE_NOT_FOUND", "User role not found. Send the id of a role of the same project.")
}
