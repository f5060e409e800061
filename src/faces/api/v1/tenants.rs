//! `POST /v1/api/tenant/register-tenant`.

use crate::{
    concepts::{
        access::{Authorized, Host, credential::HeaderOrBody},
        projects,
    },
    flows::{
        registration::tenants::{Registration, register},
        v1_migration::calls::V1Calls,
    },
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

/// The response of register-tenant.
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
        /// The project. Optional if the organization has one project.
        project_id: Option<ProjectId>,
        /// Its name.
        display_name: Text,
        /// The filters of its rows. Row rules read them as `{{organization.<key>}}`.
        prefilters: Map<String, Value>,
        /// The key by which a later registration finds the same tenant. Defaults to `displayName`.
        key: Option<Text>,
        /// Its users' permissions; in v1 an unset flag is off. If missing, the stored ones stay.
        tenant_editing_permissions: Option<RolePermissions>,
        /// The host's own data about it. If missing, the stored data stays.
        custom_metadata: Option<Map<String, Value>>,
        /// The token's lifetime.
        expiration: Option<Lifetime>,
    }
}

/// Registers a tenant, or finds it by its key, and issues a token for it.
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
    app.part::<V1Calls>().note(actor.organization, actor.who, "register-tenant");
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
