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
        config::limits::Limits,
        error::{Result, refusals},
        state::App,
        web::{
            Answer, Body,
            body::{BodyObject, Reader, Text, V1Permissions, Written, body},
        },
    },
};
use axum::extract::State;
use inlay_contract::{
    ids::{ProjectId, TenantId},
    lifetime::Lifetime,
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
        /// Its name. Required without `key`. With `key`, and no name or an empty one, the stored name stays; a new tenant gets
        /// its key as name.
        display_name: Written<512>,
        /// The filters of its rows. Row rules read them as `{{organization.<key>}}`.
        prefilters: Map<String, Value>,
        /// The key by which a later registration finds the same tenant. Defaults to `displayName`.
        _key: Option<Text>,
        /// Its users' permissions; in v1 an unset flag is off. If missing, the stored ones stay.
        tenant_editing_permissions: Option<V1Permissions>,
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
    let (project, registration) = read(&body, &app.settings.limits)?;
    let project = projects::named_or_only(&app, caller.organization, project).await?;
    let (tenant_id, issued) = register(&app, &caller, &actor, &project, &registration).await?;
    Ok(Answer(RegisteredTenant { message: "The tenant is registered.", token: issued.token, tenant_id }))
}

/// The project that a body names, and what it says about the tenant.
fn read(body: &Body, limits: &Limits) -> Result<(Option<ProjectId>, Registration)> {
    let mut reader = Reader::new(limits);
    let sent = RegisterTenantBody::fields(body, "", &mut reader);
    let key = reader.field::<Option<Text>>(body, "", "key").and_then(|key| key.map(|key| key.0));
    let name = reader.field::<Written<512>>(body, "", "displayName").and_then(|name| name.0);
    let key = key.or(name);
    if key.is_none() {
        reader.problem("displayName", "is required");
    }
    let (sent, key) = reader.finish(sent.zip(key))?;
    let registration = Registration {
        key,
        name: sent.display_name.0,
        prefilters: sent.prefilters,
        permissions: sent.tenant_editing_permissions.map(|sent| sent.0),
        metadata: sent.custom_metadata,
        lifetime: sent.expiration.unwrap_or_default(),
    };
    Ok((sent.project_id, registration))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_tenant_is_found_by_its_key_or_its_name() {
        for (name, key, found) in [
            (json!("Acme"), json!("k"), Some(("k", Some("Acme")))),
            (json!("Acme"), json!(null), Some(("Acme", Some("Acme")))),
            (json!(""), json!("k"), Some(("k", None))),
            (json!(null), json!("k"), Some(("k", None))),
            (json!(""), json!(null), None),
            (json!(null), json!(null), None),
            (json!("Acme"), json!(""), None),
            (json!(5), json!("k"), None),
        ] {
            let body = json!({"displayName": name, "key": key, "prefilters": {}});
            let read = read(body.as_object().expect("an object"), &Limits::in_tests()).ok();
            let read = read.map(|(_, registration)| (registration.key, registration.name));
            assert_eq!(read, found.map(|(key, name)| (key.to_owned(), name.map(str::to_owned))), "{body}");
        }
    }

    #[test]
    fn every_missing_field_is_told() {
        let refused = read(&Body::new(), &Limits::in_tests()).expect_err("refused").details.expect("details");
        assert_eq!(refused.keys().collect::<Vec<_>>(), ["prefilters", "displayName"]);
    }
}
