//! `POST /v1/api/projects/register-organization` and `register-user`.

use crate::{
    access::{Authorized, Host, credential::HeaderOrBody},
    customers::registration::{self, NewCustomer, NewUser},
    error::{Result, refusals},
    projects,
    state::App,
    web::{Answer, Fields, fields::Text},
};
use axum::extract::State;
use inlay_contract::ids::{CustomerId, ProjectId, ProjectUserId, RoleId};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// What registering a customer answers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegisteredOrganization {
    project_organization_id: CustomerId,
    external_id: String,
}

/// A customer to register.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the body that the handler reads")]
struct RegisterOrganizationBody {
    /// The project.
    project_id: ProjectId,
    /// Its name.
    #[schema(min_length = 1, max_length = 512)]
    name: String,
    /// The host's own id; the new id when it is left out.
    #[schema(min_length = 1, max_length = 512)]
    external_id: Option<String>,
    /// What row rules read as `{{organization.<key>}}`.
    properties: Option<Map<String, Value>>,
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
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegisteredUser {
    message: &'static str,
    user_id: ProjectUserId,
}

/// A user to register.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the body that the handler reads")]
struct RegisterUserBody {
    /// The project.
    project_id: ProjectId,
    /// Their name.
    #[schema(min_length = 1, max_length = 512)]
    name: String,
    /// What row rules read as `{{user.<key>}}`.
    properties: Option<Map<String, Value>>,
    /// Their role.
    user_role_id: Option<RoleId>,
    /// Their customer: its id or its `externalId`. A user without one cannot hold dashboards.
    #[schema(min_length = 1, max_length = 512)]
    project_organization_id: Option<String>,
    /// The host's own id; the user's id when it is left out.
    #[schema(min_length = 1, max_length = 512)]
    external_id: Option<String>,
    /// Their id, when the host chooses it.
    user_id: Option<ProjectUserId>,
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
