//! `POST /v1/api/projects/user-token`.

use crate::{
    concepts::{
        access::{Authorized, Host, credential::HeaderOrBody},
        customers::users,
        projects, tokens,
    },
    flows::sign_in::issue,
    ground::{
        error::{Result, refusals},
        state::App,
        time::Timestamp,
        web::{
            Answer,
            body::{BodyObject, body},
        },
    },
};
use axum::extract::State;
use inlay_contract::{
    ids::{CustomerId, ProjectUserId},
    lifetime::Lifetime,
};
use serde::Serialize;
use utoipa::ToSchema;

/// The response of user-token.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserToken {
    token: String,
    expires_at: Timestamp,
    project_user_id: ProjectUserId,
    #[schema(required = true)]
    project_organization_id: Option<CustomerId>,
}

body! {
    /// The user of the token, and its lifetime.
    struct UserTokenBody {
        /// The registered user.
        user_id: ProjectUserId,
        /// The token's lifetime.
        expiration: Option<Lifetime>,
    }
}

/// Issues a token for a registered user.
#[utoipa::path(
    post,
    path = "/v1/api/projects/user-token",
    tag = "Sign-in",
    request_body = UserTokenBody,
    security(("apiKey" = []), ("memberToken" = []), ()),
    responses(
        (status = 200, body = UserToken),
        (status = "default", description = refusals![NotFound, ProjectNotFound]),
    ),
)]
pub async fn user_token(
    State(app): State<App>,
    Authorized { caller, body, .. }: Authorized<Host, HeaderOrBody>,
) -> Result<Answer<UserToken>> {
    let sent = UserTokenBody::of(&body, &app.settings.limits)?;
    let user = users::of_organization(&app, caller.organization, sent.user_id).await?;
    let project = projects::of_organization(&app, caller.organization, user.project).await?;
    let now = tokens::now(&app).await?;
    let issued = issue(&app, caller.key(), &project, &user, sent.expiration.unwrap_or_default(), now).await?;
    metrics::counter!("inlay_sign_ins_total").increment(1);
    Ok(Answer(UserToken {
        token: issued.token,
        expires_at: issued.expires_at,
        project_user_id: user.id,
        project_organization_id: user.project_organization_id,
    }))
}
