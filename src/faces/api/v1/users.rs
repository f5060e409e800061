//! `PUT /v1/api/projects/{projectId}/users/{projectUserId}`.

use crate::{
    concepts::{
        access::{Authorized, Host, credential::HeaderOrBody},
        customers::{ProjectUser, users::Change},
        projects,
    },
    flows::registration::users::change,
    ground::{
        error::{Result, refusals},
        state::App,
        web::{
            Answer, Path,
            body::{BodyObject, Written, body},
        },
    },
};
use axum::extract::State;
use inlay_contract::{
    field::Field,
    ids::{ProjectId, ProjectUserId, RoleId},
};
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

/// The response of a change.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangedUser {
    project_user: ProjectUser,
}

body! {
    /// Changes of a user. Missing fields stay.
    struct ChangeUserBody {
        /// Their role; null removes it.
        user_role_id: Field<RoleId>,
        /// Their name. An empty one changes nothing.
        name: Written<512>,
        /// Merged: a sent key replaces its value, null removes it, a missing key is kept.
        properties: Option<Map<String, Value>>,
    }
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
    let ChangeUserBody { user_role_id: role, name: Written(name), properties } =
        ChangeUserBody::of(&body, &app.settings.limits)?;
    let sent = Change { role, name, properties: properties.unwrap_or_default() };
    Ok(Answer(ChangedUser { project_user: change(&app, &actor, project.id, path.project_user_id, &sent).await? }))
}
