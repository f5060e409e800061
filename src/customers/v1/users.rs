//! `PUT /v1/api/projects/{projectId}/users/{projectUserId}`.

use crate::{
    access::{Authorized, Host, credential::HeaderOrBody},
    customers::{
        ProjectUser,
        users::{Change, change},
    },
    error::Result,
    projects,
    state::App,
    web::{Answer, Fields, Path, fields::Text},
};
use axum::extract::State;
use inlay_contract::ids::{ProjectId, ProjectUserId};
use serde::{Deserialize, Serialize};

/// A user of a project.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UserPath {
    project_id: ProjectId,
    project_user_id: ProjectUserId,
}

/// What a change of a user answers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangedUser {
    project_user: ProjectUser,
}

/// Changes a user's role, name or properties.
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
