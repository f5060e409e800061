//! `POST /v1/api/tenant/register-tenant`.

use super::registration::{Registration, register};
use crate::{
    access::{Authorized, Host, credential::HeaderOrBody},
    error::{Result, refusals},
    projects,
    state::App,
    web::{Answer, Body, Fields, fields::Text},
};
use axum::extract::State;
use inlay_contract::{
    ids::{ProjectId, TenantId},
    lifetime::Lifetime,
    permissions::RolePermissions,
};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// What registering a tenant answers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegisteredTenant {
    message: &'static str,
    token: String,
    tenant_id: TenantId,
}

/// A tenant to register or to find again.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the body that the handler reads")]
struct RegisterTenantBody {
    /// The project; may be left out when the organization has one.
    project_id: Option<ProjectId>,
    /// Its name.
    #[schema(min_length = 1, max_length = 512)]
    display_name: String,
    /// What its rows are narrowed by; row rules read it as `{{organization.<key>}}`.
    prefilters: Map<String, Value>,
    /// What makes it the same tenant; `displayName` when it is left out.
    #[schema(min_length = 1, max_length = 512)]
    key: Option<String>,
    /// What its users may do; in v1 an unset flag is off. Left out, what is stored stays.
    tenant_editing_permissions: Option<RolePermissions>,
    /// What the host keeps with it. Left out, what is stored stays.
    custom_metadata: Option<Map<String, Value>>,
    /// How long the token lives.
    expiration: Option<Lifetime>,
}

/// Registers a tenant, or finds it again, and issues a token for it.
#[utoipa::path(
    post,
    path = "/v1/api/tenant/register-tenant",
    tag = "Tenants and migration",
    request_body = RegisterTenantBody,
    security(("apiKey" = []), ("memberToken" = []), ()),
    responses(
        (status = 200, body = RegisteredTenant),
        (status = "default", description = refusals![ProjectNotFound]),
    ),
)]
pub async fn register_tenant(
    State(app): State<App>,
    Authorized { caller, actor, body, .. }: Authorized<Host, HeaderOrBody>,
) -> Result<Answer<RegisteredTenant>> {
    app.v1_calls.note(actor.organization, actor.who, "register-tenant");
    let (project, registration) = read(&body)?;
    let project = projects::named_or_only(&app, caller.organization, project).await?;
    let (tenant_id, issued) = register(&app, &caller, &actor, &project, &registration).await?;
    Ok(Answer(RegisteredTenant { message: "The tenant is registered.", token: issued.token, tenant_id }))
}

fn read(body: &Body) -> Result<(Option<ProjectId>, Registration)> {
    let mut fields = Fields::of(body);
    let project = fields.optional("projectId");
    let name = fields.required::<Text>("displayName");
    let prefilters = fields.required("prefilters");
    let key = fields.optional::<Text>("key").map(|key| key.0);
    let permissions = fields.permissions("tenantEditingPermissions");
    let metadata = fields.optional("customMetadata");
    let lifetime = fields.optional("expiration").unwrap_or_default();
    let (name, prefilters) = fields.finish_with(name.zip(prefilters))?;
    Ok((project, Registration { key, name: name.0, prefilters, permissions, metadata, lifetime }))
}
