//! `POST /v1/api/tenant/register-tenant`.

use super::registration::{Registration, register};
use crate::{
    access::{Authorized, Host, credential::HeaderOrBody},
    error::Result,
    projects,
    state::App,
    web::{Answer, Body, Fields, fields::Text},
};
use axum::extract::State;
use inlay_contract::ids::{ProjectId, TenantId};
use serde::Serialize;

/// What registering a tenant answers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RegisteredTenant {
    message: &'static str,
    token: String,
    tenant_id: TenantId,
}

/// Registers a tenant, or finds it again, and issues a token for it.
pub async fn register_tenant(
    State(app): State<App>,
    Authorized { caller, actor, body, .. }: Authorized<Host, HeaderOrBody>,
) -> Result<Answer<RegisteredTenant>> {
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
