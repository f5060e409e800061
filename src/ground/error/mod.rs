//! The error type. It does not depend on HTTP: `web::respond` turns it into a response and logs it. `message` and `details` are
//! for the caller, `context` is for the log only.

pub use inlay_contract::code::{Code, Kind};
use serde_json::{Map, Value};
use sqlx_sqlite::SqliteError;
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
#[derive(Clone, Debug)]
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

/// PostgreSQL's codes for values that a column cannot hold: U+0000 in text or JSON, a number out of range, a text that is too
/// long for an index.
const UNSTORABLE: [&str; 4] = ["22021", "22P05", "22003", "54000"];

impl From<sqlx::Error> for Error {
    fn from(fault: sqlx::Error) -> Self {
        match fault {
            // This happens when one request deletes an object while another one adds to it.
            sqlx::Error::Database(found) if found.is_foreign_key_violation() => {
                Self::new(Code::NotFound, "The object that this belongs to was just deleted.").with_context(found)
            }
            sqlx::Error::Database(found) if found.code().is_some_and(|code| UNSTORABLE.contains(&code.as_ref())) => {
                Self::new(Code::ValidationFailed, "The request holds a value that cannot be stored, such as U+0000 in a text.")
                    .with_context(found)
            }
            fault if is_passing(&fault) => {
                Self::new(Code::StoreUnavailable, "The service cannot use its store at the moment. Try again shortly.")
                    .with_retry_after(Duration::from_secs(1))
                    .with_context(fault)
            }
            other => Self::internal(format!("store: {other}")),
        }
    }
}

/// Whether the same request may succeed later: the store is away, busy, full, starting or stopping, or has ended one of two transactions
/// that block each other.
fn is_passing(fault: &sqlx::Error) -> bool {
    match fault {
        sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed
        | sqlx::Error::BeginFailed
        | sqlx::Error::Protocol(_)
        | sqlx::Error::Io(_) => true,
        sqlx::Error::Database(found) => {
            let Some(code) = found.code() else { return false };
            if found.try_downcast_ref::<SqliteError>().is_some() {
                // The low byte of an extended code is the code.
                code.parse::<u32>().is_ok_and(|code| PASSING_OF_SQLITE.contains(&(code & 0xff)))
            } else {
                PASSING_OF_POSTGRES.iter().any(|class| code.starts_with(class))
            }
        }
        _ => false,
    }
}

/// SQLite's BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, FULL and CANTOPEN.
const PASSING_OF_SQLITE: [u32; 8] = [5, 6, 7, 8, 9, 10, 13, 14];

/// PostgreSQL's codes and classes of codes: connection, a server that only reads, a transaction that did nothing for too long,
/// transaction rollback (40: deadlocks, serialization), out of resources, lock not available, shutdown or start, system error.
const PASSING_OF_POSTGRES: [&str; 8] = ["08", "25006", "25P03", "40", "53", "55P03", "57", "58"];

/// When who found the node busy may try again.
const BUSY: Duration = Duration::from_secs(2);

/// When a source that does not answer, or for which too many wait, is asked again.
const AWAY: Duration = Duration::from_secs(5);

impl Error {
    /// 503 for work that this node has no memory for at the moment.
    pub fn busy() -> Self {
        Self::new(Code::Unavailable, "The service is busy at the moment. Try again in a few seconds.").with_retry_after(BUSY)
    }
}

impl From<inlay_query::QueryError> for Error {
    fn from(problem: inlay_query::QueryError) -> Self {
        let wait = match problem {
            inlay_query::QueryError::Busy(_) => Some(BUSY),
            inlay_query::QueryError::SourceUnavailable(_) | inlay_query::QueryError::Refused(_) => Some(AWAY),
            _ => None,
        };
        let told = Self::new(problem.code(), problem.to_string()).with_context(problem.detail());
        match wait {
            Some(wait) => told.with_retry_after(wait),
            None => told,
        }
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
