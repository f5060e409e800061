//! What can go wrong.

use reqwest::Response;
use serde::Deserialize;
use serde_json::{Map, Value};

/// Why a call gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The service refused.
    #[error(transparent)]
    Refused(#[from] Box<Refusal>),
    /// The service could not be reached, took too long, or answered what no version of it answers.
    #[error("the service gave no answer")]
    NoAnswer(#[from] reqwest::Error),
    /// The API key cannot stand in a header.
    #[error("this is no API key")]
    Key,
}

/// A refusal of the service. Its message speaks to developers, not to a host's users.
#[derive(Debug, thiserror::Error)]
#[error("{status} {code}: {message}")]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// `UPPER_CASE`, stable; `NO_ANSWER` for what is not the service's own (a proxy's page).
    pub code: String,
    /// What is wrong, and what to do about it.
    pub message: String,
    /// For invalid input: a field's path → what is wrong with it.
    pub details: Map<String, Value>,
    /// Ties the call to a line of the service's log.
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
    /// Reads a refusal.
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
