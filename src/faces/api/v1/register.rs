//! `POST /v1/api/projects/register-organization` and `register-user`.

use crate::{
    concepts::{
        access::{Authorized, Host, credential::HeaderOrBody},
        projects,
    },
    flows::registration::customers::{self, NewCustomer, NewUser},
    ground::{
        error::{Result, refusals},
        state::App,
        web::{
            Answer,
            body::{BodyObject, Text, body},
        },
    },
};
use axum::extract::State;
use inlay_contract::ids::{CustomerId, ProjectId, ProjectUserId, RoleId};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// The response of register-organization.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegisteredOrganization {
    project_organization_id: CustomerId,
    external_id: String,
}

body! {
    /// A customer to register.
    struct RegisterOrganizationBody {
        /// The project.
        project_id: ProjectId,
        /// Its name.
        name: Text,
        /// The host's own id. Defaults to the new id.
        external_id: Option<Text>,
        /// Properties that row rules read as `{{organization.<key>}}`.
        properties: Option<Map<String, Value>>,
    }
}

/// Registers a customer.
#[utoipa::path(
    post,
    path = "/v1/api/projects/register-organization",
    tag = "Customers and users",
    request_body = RegisterOrganizationBody,
    security(("apiKey" = []), ("memberToken" = []), ()),
    responses(
        (status = 200, body = RegisteredOrganization),
        (status = "default", description = refusals![ProjectNotFound, ExternalIdTaken]),
    ),
)]
pub async fn register_organization(
    State(app): State<App>,
    Authorized { caller, actor, body, .. }: Authorized<Host, HeaderOrBody>,
) -> Result<Answer<RegisteredOrganization>> {
    let sent = RegisterOrganizationBody::of(&body, &app.settings.limits)?;
    let project = projects::of_organization(&app, caller.organization, sent.project_id).await?;
    let new = NewCustomer {
        name: sent.name.0,
        external_id: sent.external_id.map(|id| id.0),
        properties: sent.properties.unwrap_or_default(),
    };
    let customer = customers::register_customer(&app, &actor, project.id, new).await?;
    Ok(Answer(RegisteredOrganization { project_organization_id: customer.id, external_id: customer.external_id }))
}

/// The response of register-user.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegisteredUser {
    message: &'static str,
    user_id: ProjectUserId,
}

body! {
    /// A user to register.
    struct RegisterUserBody {
        /// The project.
        project_id: ProjectId,
        /// Their name.
        name: Text,
        /// The host's own id. Defaults to the user's id.
        external_id: Option<Text>,
        /// Their customer: its id or its `externalId`. A user without a customer cannot hold dashboards.
        project_organization_id: Option<Text>,
        /// Properties that row rules read as `{{user.<key>}}`.
        properties: Option<Map<String, Value>>,
        /// Their role.
        user_role_id: Option<RoleId>,
        /// Their id, if the host chooses it.
        user_id: Option<ProjectUserId>,
    }
}

/// Registers a user.
#[utoipa::path(
    post,
    path = "/v1/api/projects/register-user",
    tag = "Customers and users",
    request_body = RegisterUserBody,
    security(("apiKey" = []), ("memberToken" = []), ()),
    responses(
        (status = 200, body = RegisteredUser),
        (status = "default", description = refusals![NotFound, ProjectNotFound, UserRoleNotFound, ExternalIdTaken]),
    ),
)]
pub async fn register_user(
    State(app): State<App>,
    Authorized { caller, actor, body, .. }: Authorized<Host, HeaderOrBody>,
) -> Result<Answer<RegisteredUser>> {
    let sent = RegisterUserBody::of(&body, &app.settings.limits)?;
    let project = projects::of_organization(&app, caller.organization, sent.project_id).await?;
    let new = NewUser {
        name: sent.name.0,
        external_id: sent.external_id.map(|id| id.0),
        id: sent.user_id,
        properties: sent.properties.unwrap_or_default(),
        role: sent.user_role_id,
        customer: sent.project_organization_id.map(|id| id.0),
    };
    let user = customers::register_user(&app, &actor, project.id, new).await?;
    Ok(Answer(RegisteredUser { message: "The user is registered.", user_id: user.id }))
}
