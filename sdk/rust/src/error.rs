//! The errors of calls.

use reqwest::Response;
use serde::Deserialize;
use serde_json::{Map, Value};

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The service refused.
    #[error(transparent)]
    Refused(#[from] Box<Refusal>),
    /// The service was not reachable, timed out, or sent an invalid response.
    #[error("the service did not respond, or sent an invalid response")]
    NoAnswer(#[from] reqwest::Error),
    /// The service sent a list whose entries are of another form.
    #[error("the service sent a list whose entries are of another form")]
    Answer(#[source] serde_json::Error),
    /// The API key contains characters that are not allowed in a header.
    #[error("the API key contains characters that are not allowed in a header")]
    Key,
}

/// An error from the service. Its message is for developers, not for a host's users.
#[derive(Debug, thiserror::Error)]
#[error("{status} {code}: {message}")]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// A stable code in `UPPER_CASE`. `NO_ANSWER` for a response that is not the service's own, such as a proxy's page.
    pub code: String,
    /// What is wrong, and what to do.
    pub message: String,
    /// For invalid input: the path of each bad field, with the reason.
    pub details: Map<String, Value>,
    /// The request's id in the service's log.
    pub request_id: Option<String>,
}

#[derive(Deserialize)]
struct Failure {
    error: Body,
}

#[derive(Deserialize)]
struct Body {
    message: String,
    code: String,
    #[serde(default)]
    details: Map<String, Value>,
}

impl Refusal {
    /// Parses an error response.
    pub(crate) async fn read(answer: Response) -> Self {
        let status = answer.status().as_u16();
        let request_id = answer.headers().get("x-request-id").and_then(|id| id.to_str().ok()).map(str::to_owned);
        let body = answer.json::<Failure>().await.map_or_else(
            |_| Body { message: format!("The service answered {status}"), code: "NO_ANSWER".to_owned(), details: Map::new() },
            |failure| failure.error,
        );
        Self { status, code: body.code, message: body.message, details: body.details, request_id }
    }
}
