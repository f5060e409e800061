//! `GET|POST /v1/api/projects/{projectId}/user-roles`, `PATCH|DELETE …/user-roles/{roleId}`.

use super::{Change, Role, change, create, list, remove};
use crate::{
    access::{
        Authorized, Host,
        credential::{HeaderOrBody, HeaderOrQuery},
    },
    error::Result,
    projects,
    state::App,
    web::{Answer, Fields, Path, fields::Text},
};
use axum::extract::State;
use inlay_contract::ids::{ProjectId, RoleId};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A project.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProjectPath {
    project_id: ProjectId,
}

/// A role of a project.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RolePath {
    project_id: ProjectId,
    role_id: RoleId,
}

/// What the list answers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UserRoles {
    user_roles: Vec<Role>,
}

/// What making and changing a role answer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UserRole {
    user_role: Role,
}

fn answer(role: Arc<Role>) -> Answer<UserRole> {
    Answer(UserRole { user_role: Arc::unwrap_or_clone(role) })
}

/// What removing a role answers.
#[derive(Debug, Serialize)]
pub struct Removed {
    id: RoleId,
}

/// Lists a project's roles, by name.
pub async fn list_roles(
    State(app): State<App>,
    Path(path): Path<ProjectPath>,
    Authorized { caller, .. }: Authorized<Host, HeaderOrQuery>,
) -> Result<Answer<UserRoles>> {
    let project = projects::of_organization(&app, caller.organization, path.project_id).await?;
    Ok(Answer(UserRoles { user_roles: list(&app, project.id).await? }))
}

/// Makes a role.
pub async fn create_role(
    State(app): State<App>,
    Path(path): Path<ProjectPath>,
    Authorized { caller, actor, body, .. }: Authorized<Host, HeaderOrBody>,
) -> Result<Answer<UserRole>> {
    let project = projects::of_organization(&app, caller.organization, path.project_id).await?;
    let mut fields = Fields::of(&body);
    let name = fields.required::<Text>("name");
    let permissions = fields.required_permissions("permissions");
    let (name, permissions) = fields.finish_with(name.zip(permissions))?;
    Ok(answer(create(&app, &actor, project.id, &name.0, &permissions).await?))
}

/// Changes a role's name, or replaces its permissions whole, or both.
pub async fn change_role(
    State(app): State<App>,
    Path(path): Path<RolePath>,
    Authorized { caller, actor, body, .. }: Authorized<Host, HeaderOrBody>,
) -> Result<Answer<UserRole>> {
    let project = projects::of_organization(&app, caller.organization, path.project_id).await?;
    let mut fields = Fields::of(&body);
    let name = fields.optional::<Text>("name").map(|name| name.0);
    let permissions = fields.permissions("permissions");
    fields.finish()?;
    Ok(answer(change(&app, &actor, project.id, path.role_id, Change { name, permissions }).await?))
}

/// Removes a role; its users are left without one.
pub async fn remove_role(
    State(app): State<App>,
    Path(path): Path<RolePath>,
    Authorized { caller, actor, .. }: Authorized<Host>,
) -> Result<Answer<Removed>> {
    let project = projects::of_organization(&app, caller.organization, path.project_id).await?;
    remove(&app, &actor, project.id, path.role_id).await?;
    Ok(Answer(Removed { id: path.role_id }))
}
