//! The least that a request can cost: bare axum handlers that `make bench` compares the service with.
//!
//! - `POST /v1/api/projects/embed-token` reads the body of a sign-in and signs the same token, without checking a key, a store or rules.
//! - `POST /answer` verifies such a token and returns stored bytes; `GET /token` signs one for it.
//!
//! `cargo run --release --example bare -- 127.0.0.1:4000 5000`, the second argument being the bytes of an answer.

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use axum::{
    Json, Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    routing::{get, post},
};
use chrono::{DateTime, SecondsFormat, Utc};
use inlay_contract::permissions::Permissions;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
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
#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    aud: String,
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
    known: DecodingKey,
    answer: Bytes,
    kid: String,
    id: Uuid,
}

const LIFETIME_SECONDS: i64 = 3600;
const AUDIENCE: &str = "inlay:embed";

impl Bare {
    fn sign(&self, sub: Uuid, project: Uuid, customer: Uuid, role: Option<Uuid>, now: i64) -> Result<String, StatusCode> {
        let claims = Claims {
            iss: "http://127.0.0.1:3000".to_owned(),
            aud: AUDIENCE.to_owned(),
            sub,
            org: self.id,
            project,
            customer,
            role,
            permissions: Permissions::without_role(),
            azp: self.id,
            iat: now,
            exp: now + LIFETIME_SECONDS,
            jti: Uuid::now_v7(),
        };
        let header = Header { kid: Some(self.kid.clone()), ..Header::new(Algorithm::EdDSA) };
        jsonwebtoken::encode(&header, &claims, &self.key).map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)
    }
}

async fn sign_in(State(bare): State<Arc<Bare>>, Json(body): Json<SignIn>) -> Result<Json<Value>, StatusCode> {
    let now = Utc::now().timestamp();
    // The two ids stand for those that a store would look up.
    let found = |party: &Party| Uuid::from_u64_pair(1, party.external_id.len() as u64);
    let (sub, customer) = (found(&body.user), found(&body.organization));
    let token = bare.sign(sub, body.project_id, customer, body.user.user_role_id, now)?;
    let expires_at =
        DateTime::from_timestamp(now + LIFETIME_SECONDS, 0).map(|at| at.to_rfc3339_opts(SecondsFormat::Millis, true));
    Ok(Json(json!({
        "status": "success",
        "data": {
            "token": token, "expiresAt": expires_at, "projectUserId": sub, "projectOrganizationId": customer,
            "userCreated": false, "organizationCreated": false,
        },
    })))
}

async fn token(State(bare): State<Arc<Bare>>) -> Result<String, StatusCode> {
    bare.sign(bare.id, bare.id, bare.id, None, Utc::now().timestamp())
}

async fn answer(
    State(bare): State<Arc<Bare>>,
    headers: HeaderMap,
) -> Result<([(header::HeaderName, &'static str); 1], Bytes), StatusCode> {
    let token = headers.get(header::AUTHORIZATION).and_then(|given| given.to_str().ok()?.strip_prefix("Bearer "));
    let mut wanted = Validation::new(Algorithm::EdDSA);
    wanted.set_audience(&[AUDIENCE]);
    jsonwebtoken::decode::<Claims>(token.unwrap_or_default(), &bare.known, &wanted).map_err(|_| StatusCode::UNAUTHORIZED)?;
    Ok(([(header::CONTENT_TYPE, "application/json")], bare.answer.clone()))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().ok_or("usage: bare ADDRESS:PORT [BYTES]")?;
    let bytes = arguments.next().map_or(Ok(0), |given| given.parse())?;
    let pair = Ed25519KeyPair::generate()?;
    let key = EncodingKey::from_ed_der(pair.to_pkcs8v1()?.as_ref());
    let known = DecodingKey::from_ed_der(pair.public_key().as_ref());
    let stored = Bytes::from(vec![b' '; bytes]);
    let bare = Bare { key, known, answer: stored, kid: Uuid::now_v7().to_string(), id: Uuid::now_v7() };
    let router = Router::new()
        .route("/v1/api/projects/embed-token", post(sign_in))
        .route("/token", get(token))
        .route("/answer", post(answer))
        .with_state(Arc::new(bare));
    axum::serve(tokio::net::TcpListener::bind(address).await?, router).await?;
    Ok(())
}
