//! One error type. It knows no HTTP: `web::respond` turns it into an answer and logs it.
//! What the caller may read (`message`, `details`) stands apart from what the log needs (`context`).

use serde_json::{Map, Value};
use std::{fmt, time::Duration};

/// The kind of problem; decides the status of an answer and the loudness of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Kind {
    Invalid,
    Unauthenticated,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    Conflict,
    Gone,
    TooLarge,
    UnsupportedMedia,
    Unprocessable,
    RateLimited { retry_after: Duration },
    Unavailable,
    Timeout,
    Internal,
}

/// A problem.
#[derive(Debug)]
pub struct Error {
    /// What kind it is.
    pub kind: Kind,
    /// `UPPER_CASE`, stable, for programs.
    pub code: &'static str,
    /// What the caller may read; tells them what to do next.
    pub message: String,
    /// For invalid input: field path → what is wrong with it.
    pub details: Option<Box<Map<String, Value>>>,
    /// What only the log may hold.
    pub context: Option<String>,
}

/// The result of nearly everything.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error of a kind.
    pub fn new(kind: Kind, code: &'static str, message: impl Into<String>) -> Self {
        Self { kind, code, message: message.into(), details: None, context: None }
    }

    /// 404 for what does not exist, or not for this caller: both answer alike.
    pub fn not_found(what: &str) -> Self {
        Self::new(Kind::NotFound, "NOT_FOUND", format!("{what} not found. Check the id and the credential that was sent."))
    }

    /// A single bad field.
    pub fn invalid(field: &str, problem: impl Into<String>) -> Self {
        let problem = problem.into();
        let message = format!("`{field}` {problem}");
        let details = Map::from_iter([(field.to_owned(), Value::String(problem))]);
        Self::new(Kind::Invalid, "VALIDATION_FAILED", message).with_details(details)
    }

    /// A refusal of what the caller may not do.
    pub fn forbidden(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Kind::Forbidden, code, message)
    }

    /// A refusal of a credential.
    pub fn unauthenticated(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Kind::Unauthenticated, code, message)
    }

    /// A clash with what is stored.
    pub fn conflict(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Kind::Conflict, code, message)
    }

    /// A fault of ours. `context` is logged, never shown.
    pub fn internal(context: impl fmt::Display) -> Self {
        Self::new(
            Kind::Internal,
            "INTERNAL",
            "Something went wrong on our side. Try again; if it stays, report the x-request-id.",
        )
        .with_context(context)
    }

    /// Adds details.
    #[must_use]
    pub fn with_details(mut self, details: Map<String, Value>) -> Self {
        self.details = Some(Box::new(details));
        self
    }

    /// Adds what only the log may hold.
    #[must_use]
    pub fn with_context(mut self, context: impl fmt::Display) -> Self {
        self.context = Some(context.to_string());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<sqlx::Error> for Error {
    fn from(fault: sqlx::Error) -> Self {
        match fault {
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Io(_) => Self::new(
                Kind::Unavailable,
                "STORE_UNAVAILABLE",
                "The service cannot reach its store at the moment. Try again shortly.",
            )
            .with_context(fault),
            // Found when somebody deletes what somebody else is adding to: whoever comes second meets nothing.
            sqlx::Error::Database(found) if found.is_foreign_key_violation() => {
                Self::new(Kind::NotFound, "NOT_FOUND", "What this belongs to was deleted at this moment.").with_context(found)
            }
            // PostgreSQL ends one of two transactions that wait for each other; its change may be tried again.
            sqlx::Error::Database(found) if found.code().is_some_and(|code| code == "40P01") => {
                Self::new(Kind::Unavailable, "STORE_UNAVAILABLE", "Others change the same at this moment. Try again shortly.")
                    .with_context(found)
            }
            other => Self::internal(format!("store: {other}")),
        }
    }
}

impl From<inlay_query::QueryError> for Error {
    fn from(problem: inlay_query::QueryError) -> Self {
        let (kind, code) = match problem.code() {
            "SOURCE_UNAVAILABLE" => (Kind::Unavailable, "SOURCE_UNAVAILABLE"),
            "QUERY_TIMEOUT" => (Kind::Timeout, "QUERY_TIMEOUT"),
            "ROW_RULE_UNRESOLVED" => (Kind::Unprocessable, "ROW_RULE_UNRESOLVED"),
            _ => (Kind::Unprocessable, "QUERY_FAILED"),
        };
        Self::new(kind, code, problem.to_string()).with_context(problem.detail())
    }
}
