// cargo add axum serde_json; cargo add tokio --features full; cargo add reqwest --features json
use axum::{
    Json, Router,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
    routing::post,
};
use serde_json::{Value, json};
use std::{env, error::Error, time::Duration};

/// Returns the signed-in user of your product. Use your own session, never the request's body or URL. Without a session, return `None`.
fn signed_in(_headers: &HeaderMap) -> Option<Value> {
    Some(json!({
        "projectId": "{{project}}",
        "organization": {
            "externalId": "example-customer",
            "name": "Example customer",
            "properties": {
                "{{organization.key}}": "{{organization.value}}",
            },
        },
        "user": {
            "externalId": "example-user",
            "name": "Example user",
            "userRoleId": "{{role}}",
            "properties": {
                "{{user.key}}": "{{user.value}}",
            },
        },
    }))
}

async fn embed_token(person: &Value) -> Result<Value, Box<dyn Error>> {
    let answer = reqwest::Client::new()
        .post("{{api}}/v1/api/projects/embed-token")
        .timeout(Duration::from_secs(10))
        .bearer_auth(env::var("INLAY_API_KEY")?)
        .json(person)
        .send()
        .await?;
    let status = answer.status();
    let body: Value = answer.json().await?;
    if !status.is_success() {
        let error = &body["error"];
        return Err(format!("embed-token answered {status} {}: {}", error["code"], error["message"]).into());
    }
    Ok(json!({ "token": body["data"]["token"], "expiresAt": body["data"]["expiresAt"] }))
}

async fn token(headers: HeaderMap) -> Response {
    let Some(person) = signed_in(&headers) else { return StatusCode::UNAUTHORIZED.into_response() };
    match embed_token(&person).await {
        Ok(token) => ([(header::CACHE_CONTROL, "no-store")], Json(token)).into_response(),
        Err(problem) => {
            eprintln!("{problem}");
            StatusCode::BAD_GATEWAY.into_response()
        }
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let port = env::var("PORT").unwrap_or_else(|_| "4000".to_owned());
    let listener = tokio::net::TcpListener::bind(format!("localhost:{port}")).await?;
    Ok(axum::serve(listener, Router::new().route("/analytics/token", post(token))).await?)
}
