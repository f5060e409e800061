//! `POST /v1/api/projects/embed-token`.

use crate::{
    concepts::access::{Authorized, OrganizationKey},
    flows::sign_in::{IdentityInput, SignIn, sign_in},
    ground::{
        error::{Result, refusals},
        state::App,
        time::Timestamp,
        web::{
            Answer,
            body::{BodyObject, Text, Written, body},
        },
    },
};
use axum::extract::State;
use inlay_contract::{
    field::Field,
    ids::{CustomerId, ProjectId, ProjectUserId, RoleId},
    lifetime::Lifetime,
};
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt;
use utoipa::ToSchema;

/// The response of embed-token. `Debug` omits the token.
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

body! {
    /// A customer of the host product. Created when its `externalId` is new.
    struct SigningCustomer {
        /// The host's own id for it. Send one constant if your product has no customers.
        external_id: Text,
        /// Its name. Without one, or with an empty one: the stored name, or the `externalId` for a new customer.
        name: Written<512>,
        /// Properties that row rules read as `{{organization.<key>}}`. Merged: a sent key replaces its value, null removes it,
        /// a missing key is kept.
        properties: Option<Map<String, Value>>,
    }
}

body! {
    /// A user of the customer. Created when the `externalId` is new.
    struct SigningUser {
        /// The host's own id, unique within the customer.
        external_id: Text,
        /// Their name. Without one, or with an empty one: the stored name, or the `externalId` for a new user.
        name: Written<512>,
        /// Properties that row rules read as `{{user.<key>}}`. Merged like those of the customer.
        properties: Option<Map<String, Value>>,
        /// Their role from now on. If it is missing, the role stays; null removes it.
        user_role_id: Field<RoleId>,
        /// The role of a user whom this call creates, when `userRoleId` is missing.
        default_user_role_id: Option<RoleId>,
    }
}

body! {
    /// The user to sign in, and the token's lifetime.
    struct EmbedTokenBody {
        /// The project that the application or workspace belongs to.
        project_id: ProjectId,
        /// The customer.
        organization: SigningCustomer,
        /// The user.
        user: SigningUser,
        /// The token's lifetime.
        expiration: Option<Lifetime>,
    }
}

/// Signs a user in: creates or updates the customer and the user, and returns a token.
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
    let sent = EmbedTokenBody::of(&body, &app.settings.limits)?;
    let done = sign_in(&app, &caller, &actor, &sent.into()).await?;
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

impl From<EmbedTokenBody> for SignIn {
    fn from(EmbedTokenBody { project_id, organization, user, expiration }: EmbedTokenBody) -> Self {
        Self {
            project: project_id,
            customer: named(organization.external_id, organization.name, organization.properties),
            user: named(user.external_id, user.name, user.properties),
            role: user.user_role_id,
            default_role: user.default_user_role_id,
            lifetime: expiration.unwrap_or_default(),
        }
    }
}

fn named(external_id: Text, Written(name): Written<512>, properties: Option<Map<String, Value>>) -> IdentityInput {
    IdentityInput { external_id: external_id.0, name, properties: properties.unwrap_or_default() }
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
