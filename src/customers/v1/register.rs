//! `POST /v1/api/projects/register-organization` and `register-user`.

use crate::{
    access::{Authorized, Host, credential::HeaderOrBody},
    customers::registration::{self, NewCustomer, NewUser},
    error::Result,
    projects,
    state::App,
    web::{Answer, Fields, fields::Text},
};
use axum::extract::State;
use inlay_contract::ids::{CustomerId, ProjectUserId};
use serde::Serialize;

/// What registering a customer answers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RegisteredOrganization {
    project_organization_id: CustomerId,
    external_id: String,
}

/// Registers a customer.
pub async fn register_organization(
    State(app): State<App>,
    Authorized { caller, actor, body, .. }: Authorized<Host, HeaderOrBody>,
) -> Result<Answer<RegisteredOrganization>> {
    let mut fields = Fields::of(&body);
    let project = fields.required("projectId");
    let name = fields.required::<Text>("name");
    let external_id = fields.optional::<Text>("externalId").map(|id| id.0);
    let properties = fields.optional("properties").unwrap_or_default();
    let (project, name) = fields.finish_with(project.zip(name))?;
    let project = projects::of_organization(&app, caller.organization, project).await?;
    let new = NewCustomer { name: name.0, external_id, properties };
    let customer = registration::register_customer(&app, &actor, project.id, new).await?;
    Ok(Answer(RegisteredOrganization { project_organization_id: customer.id, external_id: customer.external_id }))
}

/// What registering a user answers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RegisteredUser {
    message: &'static str,
    user_id: ProjectUserId,
}

/// Registers a user.
pub async fn register_user(
    State(app): State<App>,
    Authorized { caller, actor, body, .. }: Authorized<Host, HeaderOrBody>,
) -> Result<Answer<RegisteredUser>> {
    let mut fields = Fields::of(&body);
    let project = fields.required("projectId");
    let name = fields.required::<Text>("name");
    let mut text = |field| fields.optional::<Text>(field).map(|text| text.0);
    let (external_id, customer) = (text("externalId"), text("projectOrganizationId"));
    let properties = fields.optional("properties").unwrap_or_default();
    let (role, id) = (fields.optional("userRoleId"), fields.optional("userId"));
    let (project, name) = fields.finish_with(project.zip(name))?;
    let project = projects::of_organization(&app, caller.organization, project).await?;
    let new = NewUser { name: name.0, external_id, id, properties, role, customer };
    let user = registration::register_user(&app, &actor, project.id, new).await?;
    Ok(Answer(RegisteredUser { message: "The user is registered.", user_id: user.id }))
}
