//! `GET|POST /v1/api/projects/{projectId}/user-roles`, `PATCH|DELETE …/user-roles/{roleId}`.

use crate::{
    concepts::{
        access::{
            Authorized, Host,
            credential::{HeaderOrBody, HeaderOrQuery},
        },
        projects,
        roles::{self, Change, Role, change, create, remove},
    },
    ground::{
        error::{Result, refusals},
        state::App,
        web::{
            Answer, Path,
            body::{BodyObject, Text, body},
            paging::PageQuery,
        },
    },
};
use axum::extract::State;
use inlay_contract::{
    ids::{ProjectId, RoleId},
    permissions::RolePermissions,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// A project.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct ProjectPath {
    project_id: ProjectId,
}

/// A role of a project.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct RolePath {
    project_id: ProjectId,
    role_id: RoleId,
}

/// A list of roles.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserRoles {
    user_roles: Vec<Role>,
    /// `after` of the next part. Missing at the end of the list, and where no part was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// A created or changed role.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserRole {
    user_role: Role,
}

fn answer(role: Arc<Role>) -> Answer<UserRole> {
    Answer(UserRole { user_role: Arc::unwrap_or_clone(role) })
}

/// A deleted role.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RemovedRole)]
pub struct Removed {
    id: RoleId,
}

/// The list in cursors.
const LIST: &str = "roles";

/// Lists a project's roles, by name.
///
/// All of them, unless `limit` or `after` asks for a part.
#[utoipa::path(
    get,
    path = "/v1/api/projects/{projectId}/user-roles",
    tag = "Roles",
    params(ProjectPath, PageQuery),
    security(("apiKey" = []), ("memberToken" = []), ("apiKeyInQuery" = [])),
    responses(
        (status = 200, body = UserRoles),
        (status = "default", description = refusals![ProjectNotFound]),
    ),
)]
pub async fn list_roles(
    State(app): State<App>,
    Path(path): Path<ProjectPath>,
    Authorized { caller, body, .. }: Authorized<Host, HeaderOrQuery>,
) -> Result<Answer<UserRoles>> {
    let page = PageQuery::read(&body, &app.settings.limits)?;
    let after: Option<String> = page.after(LIST)?;
    let project = projects::of_organization(&app, caller.organization, path.project_id).await?;
    let part = roles::part(&app, project.id, after.as_deref(), page.most_of_whole()).await?;
    let (user_roles, next) = part.answer(LIST, |role| role)?;
    Ok(Answer(UserRoles { user_roles, next }))
}

body! {
    /// A role to create.
    struct RoleBody {
        /// Unique within the project.
        name: Text,
        /// The role's permissions.
        permissions: RolePermissions,
    }
}

/// Creates a role.
#[utoipa::path(
    post,
    path = "/v1/api/projects/{projectId}/user-roles",
    tag = "Roles",
    params(ProjectPath),
    request_body = RoleBody,
    security(("apiKey" = []), ("memberToken" = []), ()),
    responses(
        (status = 200, body = UserRole),
        (status = "default", description = refusals![ProjectNotFound, RoleNameTaken]),
    ),
)]
pub async fn create_role(
    State(app): State<App>,
    Path(path): Path<ProjectPath>,
    Authorized { caller, actor, body, .. }: Authorized<Host, HeaderOrBody>,
) -> Result<Answer<UserRole>> {
    let project = projects::of_organization(&app, caller.organization, path.project_id).await?;
    let RoleBody { name, permissions } = RoleBody::of(&body, &app.settings.limits)?;
    Ok(answer(create(&app, &actor, project.id, &name.0, &permissions).await?))
}

body! {
    /// Changes of a role. Missing fields stay.
    struct RoleChangeBody {
        /// Unique within the project.
        name: Option<Text>,
        /// New permissions, which replace all old ones.
        permissions: Option<RolePermissions>,
    }
}

/// Changes a role's name, its permissions, or both.
///
/// New permissions replace all old ones.
#[utoipa::path(
    patch,
    path = "/v1/api/projects/{projectId}/user-roles/{roleId}",
    tag = "Roles",
    params(RolePath),
    request_body = RoleChangeBody,
    security(("apiKey" = []), ("memberToken" = []), ()),
    responses(
        (status = 200, body = UserRole),
        (status = "default", description = refusals![ProjectNotFound, UserRoleNotFound, RoleNameTaken]),
    ),
)]
pub async fn change_role(
    State(app): State<App>,
    Path(path): Path<RolePath>,
    Authorized { caller, actor, body, .. }: Authorized<Host, HeaderOrBody>,
) -> Result<Answer<UserRole>> {
    let project = projects::of_organization(&app, caller.organization, path.project_id).await?;
    let RoleChangeBody { name, permissions } = RoleChangeBody::of(&body, &app.settings.limits)?;
    let sent = Change { name: name.map(|name| name.0), permissions };
    Ok(answer(change(&app, &actor, project.id, path.role_id, sent).await?))
}

/// Deletes a role.
///
/// Its users have no role then.
#[utoipa::path(
    delete,
    path = "/v1/api/projects/{projectId}/user-roles/{roleId}",
    tag = "Roles",
    params(RolePath),
    security(("apiKey" = []), ("memberToken" = [])),
    responses(
        (status = 200, body = Removed),
        (status = "default", description = refusals![ProjectNotFound, UserRoleNotFound]),
    ),
)]
pub async fn remove_role(
    State(app): State<App>,
    Path(path): Path<RolePath>,
    Authorized { caller, actor, .. }: Authorized<Host>,
) -> Result<Answer<Removed>> {
    let project = projects::of_organization(&app, caller.organization, path.project_id).await?;
    remove(&app, &actor, project.id, path.role_id).await?;
    Ok(Answer(Removed { id: path.role_id }))
}
