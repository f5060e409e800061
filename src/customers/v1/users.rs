//! `PUT /v1/api/projects/{projectId}/users/{projectUserId}`.

use crate::{
    access::{Authorized, Host, credential::HeaderOrBody},
    customers::{
        ProjectUser,
        users::{Change, change},
    },
    error::{Result, refusals},
    projects,
    state::App,
    web::{Answer, Fields, Path, fields::Text},
};
use axum::extract::State;
use inlay_contract::ids::{ProjectId, ProjectUserId, RoleId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

/// A user of a project.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct UserPath {
    project_id: ProjectId,
    project_user_id: ProjectUserId,
}

/// What a change of a user answers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangedUser {
    project_user: ProjectUser,
}

/// What changes; what is left out stays.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the body that the handler reads")]
struct ChangeUserBody {
    /// Their role; null removes it.
    user_role_id: Option<RoleId>,
    /// Their name.
    #[schema(min_length = 1, max_length = 512)]
    name: Option<String>,
    /// Merged: a key sent replaces its value, null removes it, a key left out is kept.
    properties: Option<Map<String, Value>>,
}

/// Changes a user's role, name or properties.
#[utoipa::path(
    put,
    path = "/v1/api/projects/{projectId}/users/{projectUserId}",
    tag = "Customers and users",
    params(UserPath),
    request_body = ChangeUserBody,
    security(("apiKey" = []), ("memberToken" = []), ()),
    responses(
        (status = 200, body = ChangedUser),
        (status = "default", description = refusals![NotFound, ProjectNotFound, UserRoleNotFound]),
    ),
)]
pub async fn change_user(
    State(app): State<App>,
    Path(path): Path<UserPath>,
    Authorized { caller, actor, body, .. }: Authorized<Host, HeaderOrBody>,
) -> Result<Answer<ChangedUser>> {
    let project = projects::of_organization(&app, caller.organization, path.project_id).await?;
    let mut fields = Fields::of(&body);
    let sent = Change {
        role: fields.nullable("userRoleId"),
        name: fields.optional::<Text>("name").map(|name| name.0),
        properties: fields.optional("properties").unwrap_or_default(),
    };
    fields.finish()?;
    Ok(Answer(ChangedUser { project_user: change(&app, &actor, project.id, path.project_user_id, &sent).await? }))
}
