//! `POST /v1/api/tenant/register-tenant`.

use crate::{
    concepts::{
        access::{Authorized, Host, credential::HeaderOrBody},
        projects,
    },
    flows::registration::tenants::{Registration, register},
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

body! {
    /// A tenant to register or to find again.
    struct RegisterTenantBody {
        /// The project; may be left out when the organization has one.
        project_id: Option<ProjectId>,
        /// Its name.
        display_name: Text,
        /// What its rows are narrowed by; row rules read it as `{{organization.<key>}}`.
        prefilters: Map<String, Value>,
        /// What makes it the same tenant; `displayName` when it is left out.
        key: Option<Text>,
        /// What its users may do; in v1 an unset flag is off. Left out, what is stored stays.
        tenant_editing_permissions: Option<RolePermissions>,
        /// What the host keeps with it. Left out, what is stored stays.
        custom_metadata: Option<Map<String, Value>>,
        /// How long the token lives.
        expiration: Option<Lifetime>,
    }
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
    let sent = RegisterTenantBody::of(&body, &app.settings.limits)?;
    let project = projects::named_or_only(&app, caller.organization, sent.project_id).await?;
    let (tenant_id, issued) = register(&app, &caller, &actor, &project, &sent.into()).await?;
    Ok(Answer(RegisteredTenant { message: "The tenant is registered.", token: issued.token, tenant_id }))
}

impl From<RegisterTenantBody> for Registration {
    fn from(sent: RegisterTenantBody) -> Self {
        Self {
            key: sent.key.map(|key| key.0),
            name: sent.display_name.0,
            prefilters: sent.prefilters,
            permissions: sent.tenant_editing_permissions,
            metadata: sent.custom_metadata,
            lifetime: sent.expiration.unwrap_or_default(),
        }
    }
}
