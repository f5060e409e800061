//! `POST /v1/api/projects/embed-token`.

use crate::{
    access::{Authorized, OrganizationKey},
    customers::sign_in::{Named, SignIn, sign_in},
    error::Result,
    state::App,
    time::Timestamp,
    web::{Answer, Body, Fields, fields::Text},
};
use axum::extract::State;
use inlay_contract::{
    ids::{CustomerId, ProjectUserId},
    lifetime::Lifetime,
};
use serde::Serialize;
use serde_json::{Map, Value};

/// What embed-token answers.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EmbedToken {
    token: String,
    expires_at: Timestamp,
    project_user_id: ProjectUserId,
    project_organization_id: CustomerId,
    user_created: bool,
    organization_created: bool,
}

/// Signs a user in: creates or updates the customer and the user, returns a token.
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
