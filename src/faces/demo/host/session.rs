//! The portal's only call to Inlay: it signs the user in and gives the page a token, never the API key.

use super::{
    HostSettings,
    portal::{Airport, User},
};
use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::{collections::BTreeMap, sync::Arc, time::Duration};

/// How long the portal waits for Inlay's response.
const TIMEOUT: Duration = Duration::from_secs(5);
/// A token's lifetime. The page requests the next one after four fifths of it.
const EXPIRATION: &str = "1h";

/// The user who signs in. A real host takes both values from its own session and never from the browser. Here the visitor chooses.
#[derive(Debug, Deserialize)]
pub(super) struct SignIn {
    airport: String,
    user: String,
}

/// The response to the browser.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Session {
    token: String,
    expires_at: String,
    /// The page to embed, without the token.
    embed_url: String,
    /// The page for questions, without the token.
    ask_url: String,
}

/// Why there is no token, in words for the portal's user.
#[derive(Debug, thiserror::Error)]
pub(super) enum SignInError {
    #[error("Skyport does not know this airport or user.")]
    Unknown,
    #[error("Skyport is missing the id of the role “{0}”.")]
    RoleMissing(&'static str),
    #[error("Analytics are not reachable right now. Please try again in a moment.")]
    Unreachable,
    #[error("Analytics took too long to answer. Please try again in a moment.")]
    TooSlow,
    #[error("Analytics are busy right now. Please try again in a moment.")]
    Busy,
    #[error("Skyport’s API key for analytics is not valid. Ask your administrator to set a new one.")]
    KeyRefused,
    #[error("Analytics are not set up for your airport. Ask your administrator to check the project and its roles.")]
    NotSetUp,
    #[error("Analytics answered with an error. Please try again in a moment.")]
    Failed,
}

impl SignInError {
    const fn status(&self) -> StatusCode {
        match self {
            Self::Unknown => StatusCode::BAD_REQUEST,
            Self::RoleMissing(_) => StatusCode::INTERNAL_SERVER_ERROR,
            Self::TooSlow => StatusCode::GATEWAY_TIMEOUT,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Unreachable | Self::KeyRefused | Self::NotSetUp | Self::Failed => StatusCode::BAD_GATEWAY,
        }
    }
}

impl From<reqwest::Error> for SignInError {
    fn from(error: reqwest::Error) -> Self {
        if error.is_timeout() {
            return Self::TooSlow;
        }
        if error.is_decode() { Self::Failed } else { Self::Unreachable }
    }
}

impl IntoResponse for Session {
    fn into_response(self) -> Response {
        ([(header::CACHE_CONTROL, "no-store")], Json(self)).into_response()
    }
}

impl IntoResponse for SignInError {
    fn into_response(self) -> Response {
        let body = json!({ "error": { "message": self.to_string() } });
        (self.status(), [(header::CACHE_CONTROL, "no-store")], Json(body)).into_response()
    }
}

/// The client for Inlay's sign-in.
#[derive(Clone)]
pub(super) struct Inlay {
    client: reqwest::Client,
    settings: Arc<HostSettings>,
    authorization: HeaderValue,
}

#[derive(Deserialize)]
struct Answer {
    data: Granted,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Granted {
    token: String,
    expires_at: String,
}

impl Inlay {
    pub(super) fn new(settings: Arc<HostSettings>) -> Result<Self, super::HostError> {
        let mut authorization =
            HeaderValue::try_from(format!("Bearer {}", settings.api_key)).map_err(|_| super::HostError::Key)?;
        authorization.set_sensitive(true);
        // Inlay runs beside the demo, where a proxy for the internet would not find it.
        let client = reqwest::Client::builder().timeout(TIMEOUT).no_proxy().build().map_err(super::HostError::Client)?;
        Ok(Self { client, settings, authorization })
    }

    /// Signs the user in: the customer and the user are created at their first visit.
    pub(super) async fn sign_in(&self, who: &SignIn) -> Result<Session, SignInError> {
        let airport = Airport::find(&who.airport).ok_or(SignInError::Unknown)?;
        let user = airport.user(&who.user).ok_or(SignInError::Unknown)?;
        let answer = self
            .client
            .post(self.settings.api("v1/api/projects/embed-token"))
            .header(header::AUTHORIZATION, self.authorization.clone())
            .json(&request(&self.settings, airport, user)?)
            .send()
            .await?;
        if !answer.status().is_success() {
            return Err(refusal(answer).await);
        }
        let Granted { token, expires_at } = answer.json::<Answer>().await?.data;
        Ok(Session { token, expires_at, embed_url: self.settings.embed_page(), ask_url: self.settings.ask_page() })
    }
}

/// The body of the sign-in call.
fn request(settings: &HostSettings, airport: &Airport, user: &User) -> Result<Value, SignInError> {
    let role: &BTreeMap<String, String> = &settings.roles;
    let role = role.get(user.role).ok_or(SignInError::RoleMissing(user.role))?;
    Ok(json!({
        "projectId": settings.project_id,
        "organization": { "externalId": airport.code, "name": airport.name, "properties": { "airport": airport.code } },
        "user": { "externalId": user.id, "name": user.name, "userRoleId": role },
        "expiration": EXPIRATION,
    }))
}

/// The meaning of an API error for the user. Its own message is for developers and stays on the server.
async fn refusal(answer: reqwest::Response) -> SignInError {
    let status = answer.status();
    let body = answer.json::<Value>().await.unwrap_or_default();
    let code = body.pointer("/error/code").and_then(Value::as_str).unwrap_or("none");
    tracing::warn!(%status, code, "Inlay refused a sign-in of the demo's portal");
    match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => SignInError::KeyRefused,
        StatusCode::NOT_FOUND => SignInError::NotSetUp,
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => SignInError::Busy,
        _ => SignInError::Failed,
    }
}
