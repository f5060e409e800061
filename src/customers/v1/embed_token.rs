//! `POST /v1/api/projects/embed-token`.

use crate::{
    access::{Authorized, OrganizationKey},
    customers::sign_in::{Named, SignIn, sign_in},
    error::{Result, refusals},
    state::App,
    time::Timestamp,
    web::{Answer, Body, Fields, fields::Text},
};
use axum::extract::State;
use inlay_contract::{
    ids::{CustomerId, ProjectId, ProjectUserId, RoleId},
    lifetime::Lifetime,
};
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt;
use utoipa::ToSchema;

/// What embed-token answers. `Debug` shows nothing of the token.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EmbedToken {
    token: String,
    expires_at: Timestamp,
    project_user_id: ProjectUserId,
    project_organization_id: CustomerId,
    user_created: bool,
    organization_created: bool,
}

impl fmt::Debug for EmbedToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EmbedToken")
            .field("expires_at", &self.expires_at)
            .field("project_user_id", &self.project_user_id)
            .field("project_organization_id", &self.project_organization_id)
            .finish_non_exhaustive()
    }
}

/// Who signs in, and for how long.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the body that the handler reads")]
struct EmbedTokenBody {
    /// The project that the application or workspace belongs to.
    project_id: ProjectId,
    /// The customer.
    organization: SigningCustomer,
    /// The user.
    user: SigningUser,
    /// How long the token lives.
    expiration: Option<Lifetime>,
}

/// A customer of the host product; created when its `externalId` is new.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the body that the handler reads")]
struct SigningCustomer {
    /// The host's own id for it; one constant where there are no customers.
    #[schema(min_length = 1, max_length = 512)]
    external_id: String,
    /// Its name. Left out, the stored one stays; at first it is the `externalId`.
    #[schema(min_length = 1, max_length = 512)]
    name: Option<String>,
    /// What row rules read as `{{organization.<key>}}`. Merged: a key sent replaces its value, null removes it, a key left out is kept.
    properties: Option<Map<String, Value>>,
}

/// A user of the customer; created when the `externalId` is new.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the body that the handler reads")]
struct SigningUser {
    /// The host's own id, unique within the customer.
    #[schema(min_length = 1, max_length = 512)]
    external_id: String,
    /// Their name. Left out, the stored one stays; at first it is the `externalId`.
    #[schema(min_length = 1, max_length = 512)]
    name: Option<String>,
    /// What row rules read as `{{user.<key>}}`. Merged like those of the customer.
    properties: Option<Map<String, Value>>,
    /// Their role from now on. Left out, it stays; null removes it.
    user_role_id: Option<RoleId>,
    /// The role of a user whom this call creates, when `userRoleId` is left out.
    default_user_role_id: Option<RoleId>,
}

/// Signs a user in: creates or updates the customer and the user, returns a token.
#[utoipa::path(
    post,
    path = "/v1/api/projects/embed-token",
    tag = "Sign-in",
    request_body = EmbedTokenBody,
    security(("apiKey" = [])),
    responses(
        (status = 200, body = EmbedToken),
        (status = "default", description = refusals![ProjectNotFound, UserRoleNotFound]),
    ),
)]
pub async fn embed_token(
    State(app): State<App>,
    Authorized { caller, actor, body, .. }: Authorized<OrganizationKey>,
) -> Result<Answer<EmbedToken>> {
    let done = sign_in(&app, &caller, &actor, &read(&body)?).await?;
    metrics::counter!("inlay_sign_ins_total").increment(1);
    Ok(Answer(EmbedToken {
        token: done.issued.token,
        expires_at: done.issued.expires_at,
        project_user_id: done.user,
        project_organization_id: done.customer,
        user_created: done.user_created,
        organization_created: done.customer_created,
    }))
}

fn read(body: &Body) -> Result<SignIn> {
    let mut fields = Fields::of(body);
    let project = fields.required("projectId");
    let customer = named(&mut fields, "organization");
    let user = named(&mut fields, "user");
    let role = fields.nullable("user.userRoleId");
    let default_role = fields.optional("user.defaultUserRoleId");
    let lifetime = fields.optional::<Lifetime>("expiration").unwrap_or_default();
    let (project, (customer, user)) = fields.finish_with(project.zip(customer.zip(user)))?;
    Ok(SignIn { project, customer, user, role, default_role, lifetime })
}

fn named(fields: &mut Fields<'_>, object: &str) -> Option<Named> {
    let external_id = fields.required::<Text>(&format!("{object}.externalId"));
    let name = fields.optional::<Text>(&format!("{object}.name"));
    let properties = fields.optional::<Map<String, Value>>(&format!("{object}.properties"));
    Some(Named { external_id: external_id?.0, name: name.map(|name| name.0), properties: properties.unwrap_or_default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_no_token() {
        let answer = EmbedToken {
            token: "s3cret".to_owned(),
            expires_at: Timestamp(0),
            project_user_id: ProjectUserId::generate(),
            project_organization_id: CustomerId::generate(),
            user_created: true,
            organization_created: true,
        };
        let shown = format!("{answer:?}");
        assert!(shown.contains("expires_at") && !shown.contains("s3cret"), "{shown}");
    }
}
