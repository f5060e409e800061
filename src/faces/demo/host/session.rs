//! The host's only call to Inlay: it signs the user in and gives the page a token, never the API key.

use super::{Customer, Embedded, HostSettings, User};
use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};

/// How long the host waits for Inlay's response.
const TIMEOUT: Duration = Duration::from_secs(5);
/// A token's lifetime. The page requests the next one after four fifths of it.
const EXPIRATION: &str = "1h";

/// The user who signs in. A real host takes both values from its own session and never from the browser. Here the visitor chooses.
#[derive(Debug, Deserialize)]
pub(super) struct SignIn {
    /// The customer's id, under the name that the product has for customers.
    #[serde(alias = "airport", alias = "shop")]
    customer: String,
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

/// Why there is no token, in words for the host's user.
#[derive(Debug, thiserror::Error)]
pub(super) enum SignInError {
    #[error("This customer or user is not known.")]
    Unknown,
    #[error("The id of the role “{0}” is missing.")]
    RoleMissing(&'static str),
    #[error("Analytics are not reachable right now. Please try again in a moment.")]
    Unreachable,
    #[error("Analytics took too long to answer. Please try again in a moment.")]
    TooSlow,
    #[error("Analytics are busy right now. Please try again in a moment.")]
    Busy,
    #[error("The API key for analytics is not valid. Ask your administrator to set a new one.")]
    KeyRefused,
    #[error("Analytics are not set up here. Ask your administrator to check the project and its roles.")]
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

/// The client for Inlay's sign-in, for one product.
#[derive(Clone)]
pub(super) struct Inlay {
    client: reqwest::Client,
    embedded: Arc<Embedded>,
    sign_in: String,
    embed: String,
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
    pub(super) fn new(settings: &HostSettings, embedded: Embedded) -> Result<Self, super::HostError> {
        let mut authorization =
            HeaderValue::try_from(format!("Bearer {}", settings.api_key)).map_err(|_| super::HostError::Key)?;
        authorization.set_sensitive(true);
        // Inlay runs beside the demo, where a proxy for the internet would not find it.
        let client = reqwest::Client::builder().timeout(TIMEOUT).no_proxy().build().map_err(super::HostError::Client)?;
        let sign_in = format!("{}/v1/api/projects/embed-token", settings.api());
        Ok(Self { client, embedded: Arc::new(embedded), sign_in, embed: settings.embed().to_owned(), authorization })
    }

    /// Signs the user in: the customer and the user are created at their first visit.
    pub(super) async fn sign_in(&self, who: &SignIn) -> Result<Session, SignInError> {
        let customer = self.embedded.product.customer(&who.customer).ok_or(SignInError::Unknown)?;
        let user = customer.user(&who.user).ok_or(SignInError::Unknown)?;
        let answer = self
            .client
            .post(&self.sign_in)
            .header(header::AUTHORIZATION, self.authorization.clone())
            .json(&request(&self.embedded, customer, user)?)
            .send()
            .await?;
        if !answer.status().is_success() {
            return Err(refusal(answer).await);
        }
        let Granted { token, expires_at } = answer.json::<Answer>().await?.data;
        let Embedded { project_id, application_id, workspace_id, .. } = &*self.embedded;
        Ok(Session {
            token,
            expires_at,
            embed_url: format!("{}/share/application/{application_id}", self.embed),
            ask_url: format!("{}/share/workspace/{project_id}/{workspace_id}", self.embed),
        })
    }
}

/// The body of the sign-in call.
fn request(embedded: &Embedded, customer: &Customer, user: &User) -> Result<Value, SignInError> {
    let role = embedded.roles.get(user.role).ok_or(SignInError::RoleMissing(user.role))?;
    Ok(json!({
        "projectId": embedded.project_id,
        "organization": { "externalId": customer.id, "name": customer.name, "properties": { embedded.product.property: customer.id } },
        "user": { "externalId": user.id, "name": user.name, "userRoleId": role },
        "expiration": EXPIRATION,
    }))
}

/// The meaning of an API error for the user. Its own message is for developers and stays on the server.
async fn refusal(answer: reqwest::Response) -> SignInError {
    let status = answer.status();
    let body = answer.json::<Value>().await.unwrap_or_default();
    let code = body.pointer("/error/code").and_then(Value::as_str).unwrap_or("none");
    tracing::warn!(%status, code, "Inlay refused a sign-in of the demo's host");
    match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => SignInError::KeyRefused,
        StatusCode::NOT_FOUND => SignInError::NotSetUp,
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => SignInError::Busy,
        _ => SignInError::Failed,
    }
}
