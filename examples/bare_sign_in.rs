//! The minimum cost of a sign-in: a bare axum handler that reads the body of `embed-token` and signs the same token, without
//! checking a key, a store or rules. `make bench` compares the service with it.
//!
//! `cargo run --release --example bare_sign_in -- 127.0.0.1:4000`

use aws_lc_rs::signature::Ed25519KeyPair;
use axum::{Json, Router, extract::State, http::StatusCode, routing::post};
use chrono::{DateTime, SecondsFormat, Utc};
use inlay_contract::permissions::Permissions;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use uuid::Uuid;

/// The body of `embed-token`, every field of it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SignIn {
    project_id: Uuid,
    organization: Party,
    user: Party,
    #[expect(dead_code, reason = "read as the service reads it; one lifetime is enough here")]
    expiration: Option<String>,
}

/// A customer or a user.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "read as the service reads it; nothing is stored here")]
struct Party {
    external_id: String,
    name: Option<String>,
    properties: Option<Map<String, Value>>,
    user_role_id: Option<Uuid>,
    default_user_role_id: Option<Uuid>,
}

/// The claims of an embed token.
#[derive(Serialize)]
struct Claims {
    iss: &'static str,
    aud: &'static str,
    sub: Uuid,
    org: Uuid,
    project: Uuid,
    customer: Uuid,
    role: Option<Uuid>,
    permissions: Permissions,
    azp: Uuid,
    iat: i64,
    exp: i64,
    jti: Uuid,
}

/// The handler's state.
struct Bare {
    key: EncodingKey,
    kid: String,
    id: Uuid,
}

const LIFETIME_SECONDS: i64 = 3600;

async fn sign_in(State(bare): State<Arc<Bare>>, Json(body): Json<SignIn>) -> Result<Json<Value>, StatusCode> {
    let now = Utc::now().timestamp();
    let exp = now + LIFETIME_SECONDS;
    // The two ids stand for those that a store would look up.
    let found = |party: &Party| Uuid::from_u64_pair(1, party.external_id.len() as u64);
    let (sub, customer) = (found(&body.user), found(&body.organization));
    let claims = Claims {
        iss: "http://127.0.0.1:3000",
        aud: "inlay:embed",
        sub,
        org: bare.id,
        project: body.project_id,
        customer,
        role: body.user.user_role_id,
        permissions: Permissions::without_role(),
        azp: bare.id,
        iat: now,
        exp,
        jti: Uuid::now_v7(),
    };
    let header = Header { kid: Some(bare.kid.clone()), ..Header::new(Algorithm::EdDSA) };
    let token = jsonwebtoken::encode(&header, &claims, &bare.key).map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    let expires_at = DateTime::from_timestamp(exp, 0).map(|at| at.to_rfc3339_opts(SecondsFormat::Millis, true));
    Ok(Json(json!({
        "status": "success",
        "data": {
            "token": token, "expiresAt": expires_at, "projectUserId": sub, "projectOrganizationId": customer,
            "userCreated": false, "organizationCreated": false,
        },
    })))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address = std::env::args().nth(1).ok_or("usage: bare_sign_in ADDRESS:PORT")?;
    let pair = Ed25519KeyPair::generate()?;
    let key = EncodingKey::from_ed_der(pair.to_pkcs8v1()?.as_ref());
    let bare = Bare { key, kid: Uuid::now_v7().to_string(), id: Uuid::now_v7() };
    let router = Router::new().route("/v1/api/projects/embed-token", post(sign_in)).with_state(Arc::new(bare));
    axum::serve(tokio::net::TcpListener::bind(address).await?, router).await?;
    Ok(())
}
