//! The published signing keys.

use crate::ground::state::App;
use axum::{Json, extract::State};
use serde_json::Value;

/// `GET /.well-known/jwks.json`: the public keys that verify embed tokens.
pub async fn jwks(State(app): State<App>) -> Json<Value> {
    Json(crate::concepts::tokens::known(&app).keyring.public_set())
}
