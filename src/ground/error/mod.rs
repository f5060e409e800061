//! The error type. It does not depend on HTTP: `web::respond` turns it into a response and logs it. `message` and `details` are for the caller, `context`
//! is for the log only.

pub use inlay_contract::code::{Code, Kind};
use serde_json::{Map, Value};
use std::{fmt, time::Duration};

/// The error codes of a handler, for its part of the API description:
/// `responses((status = 200, …), (status = "default", description = refusals![NotFound, ViewOnly]))`.
macro_rules! refusals {
    ($($code:ident),+ $(,)?) => {
        [$($crate::ground::error::Code::$code.as_str()),+].join(" ")
    };
}
pub(crate) use refusals;

/// An error.
#[derive(Debug)]
pub struct Error {
    /// The code, stable for programs. It determines the response's status and the log level.
    pub code: Code,
    /// A message for the caller that says what to do next.
    pub message: String,
    /// For invalid input: field path → problem.
    pub details: Option<Box<Map<String, Value>>>,
    /// How long the caller should wait before the next attempt.
    pub retry_after: Option<Duration>,
    /// Details for the log only.
    pub context: Option<String>,
}

/// The result of nearly everything.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Creates an error.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), details: None, retry_after: None, context: None }
    }

    /// 404 for an object that does not exist or that the caller may not see; both get the same response.
    pub fn not_found(what: &str) -> Self {
        Self::new(Code::NotFound, format!("{what} not found. Check the id and the credential that was sent."))
    }

    /// 400 for one invalid field.
    pub fn invalid(field: &str, problem: impl Into<String>) -> Self {
        let problem = problem.into();
        let message = format!("`{field}` {problem}");
        let details = Map::from_iter([(field.to_owned(), Value::String(problem))]);
        Self::new(Code::ValidationFailed, message).with_details(details)
    }

    /// The kind of error.
    pub const fn kind(&self) -> Kind {
        self.code.kind()
    }

    /// How long the caller should wait, in whole seconds, at least one.
    pub fn retry_seconds(&self) -> Option<u64> {
        let whole = |wait: Duration| wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
        self.retry_after.map(|wait| whole(wait).max(1))
    }

    /// 500 for an internal fault. `context` is logged and never shown.
    pub fn internal(context: impl fmt::Display) -> Self {
        Self::new(
            Code::Internal,
            "Something went wrong in the service. Try again. If it happens again, report the x-request-id.",
        )
        .with_context(context)
    }

    /// Adds details.
    #[must_use]
    pub fn with_details(mut self, details: Map<String, Value>) -> Self {
        self.details = Some(Box::new(details));
        self
    }

    /// Sets how long the caller should wait.
    #[must_use]
    pub const fn with_retry_after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }

    /// Sets the details for the log.
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
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Io(_) => {
                Self::new(Code::StoreUnavailable, "The service cannot reach its store at the moment. Try again shortly.")
                    .with_context(fault)
            }
            // This happens when one request deletes an object while another one adds to it.
            sqlx::Error::Database(found) if found.is_foreign_key_violation() => {
                Self::new(Code::NotFound, "The object that this belongs to was just deleted.").with_context(found)
            }
            // PostgreSQL ends one of two deadlocked transactions, which can be retried.
            sqlx::Error::Database(found) if found.code().is_some_and(|code| code == "40P01") => {
                Self::new(Code::StoreUnavailable, "Another request is changing the same object. Try again shortly.")
                    .with_context(found)
            }
            other => Self::internal(format!("store: {other}")),
        }
    }
}

impl From<inlay_query::QueryError> for Error {
    fn from(problem: inlay_query::QueryError) -> Self {
        Self::new(problem.code(), problem.to_string()).with_context(problem.detail())
    }
}

impl From<Error> for inlay_contract::page::Problem {
    fn from(problem: Error) -> Self {
        let retry_after = problem.retry_seconds();
        Self { code: problem.code.into(), message: problem.message, details: problem.details, retry_after }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::page::Problem;
    use serde_json::json;

    #[test]
    fn a_page_gets_what_an_api_caller_gets_and_no_more() {
        let details = Map::from_iter([("name".to_owned(), json!("is taken"))]);
        let error = Error::new(Code::RateLimited, "Wait.").with_details(details.clone()).with_context("secret");
        let problem = Problem::from(error.with_retry_after(Duration::from_millis(1_200)));
        let expected = json!({"code": "RATE_LIMITED", "message": "Wait.", "details": details, "retryAfter": 2});
        assert_eq!(serde_json::to_value(problem).expect("JSON"), expected);
    }

    #[test]
    fn waits_are_told_in_whole_seconds_rounded_up() {
        let told = |wait| Error::new(Code::RateLimited, "Wait.").with_retry_after(wait).retry_seconds();
        assert_eq!([0, 1, 1_000, 1_001].map(|wait| told(Duration::from_millis(wait))), [Some(1), Some(1), Some(1), Some(2)]);
        assert_eq!(Error::new(Code::NotFound, "No.").retry_seconds(), None);
    }
}
