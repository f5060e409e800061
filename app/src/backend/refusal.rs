//! Why the server did not answer a page: the error type of the server functions.

use inlay_contract::page::{PageMessage, Problem};
use leptos::server_fn::{
    codec::JsonEncoding,
    error::{FromServerFnError, ServerFnErrorErr},
};
use serde::{Deserialize, Serialize};

/// A problem with a request as a whole: the token is refused, the dashboard is not there, the server is out of reach.
/// What is wrong with one chart alone is no refusal but a `TileContent::Failed`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Refusal(pub Problem);

/// The code of a request that no answer came to.
pub const UNREACHABLE: &str = "UNREACHABLE";

impl Refusal {
    /// A refusal with a code of the contract.
    #[must_use]
    pub fn new(code: &str, message: &str) -> Self {
        Self(Problem { code: code.to_owned(), message: message.to_owned() })
    }

    /// No answer came.
    #[must_use]
    pub fn out_of_reach() -> Self {
        Self::new(UNREACHABLE, "The server could not be reached. Check the connection and try again.")
    }

    /// Whether no answer came.
    #[must_use]
    pub fn is_out_of_reach(&self) -> bool {
        self.0.code == UNREACHABLE
    }

    /// The sentence that takes the page's place; none when the page can stay.
    #[must_use]
    pub fn page_message(&self) -> Option<PageMessage> {
        match self.0.code.as_str() {
            "TOKEN_EXPIRED" => Some(PageMessage::SessionExpired),
            "INVALID_TOKEN" | "TOKEN_REVOKED" | "MISSING_CREDENTIALS" => Some(PageMessage::InvalidToken),
            "NOT_FOUND" => Some(PageMessage::DashboardNotFound),
            _ => None,
        }
    }

    /// The sentence that takes the page's place when a part of it was refused, as a filter's list of values: only a token that
    /// does not count any more is more than that part's own failure.
    #[must_use]
    pub fn session_message(&self) -> Option<PageMessage> {
        self.page_message().filter(|message| *message != PageMessage::DashboardNotFound)
    }

    /// The HTTP status that goes with the code.
    #[must_use]
    pub fn status(&self) -> u16 {
        match self.0.code.as_str() {
            "VALIDATION_FAILED" | "ORGANIZATION_ID_REQUIRED" => 400,
            "TOKEN_EXPIRED"
            | "INVALID_TOKEN"
            | "TOKEN_REVOKED"
            | "MISSING_CREDENTIALS"
            | "INVALID_API_KEY"
            | "TENANT_NOT_MIGRATED" => 401,
            "REPORTS_DISABLED"
            | "VIEWING_AS"
            | "VIEW_ONLY"
            | "PERMISSION_DENIED"
            | "NOT_DASHBOARD_OWNER"
            | "PROJECT_USER_WITHOUT_ORGANIZATION"
            | "MEMBER_NOT_PERMITTED"
            | "NOT_A_MEMBER"
            | "KEY_OWNER_NOT_PERMITTED" => 403,
            "NOT_FOUND" | "PROJECT_NOT_FOUND" | "USER_ROLE_NOT_FOUND" => 404,
            "METHOD_NOT_ALLOWED" => 405,
            "DASHBOARD_CHANGED"
            | "DASHBOARD_NAME_TAKEN"
            | "REPORT_LIMIT"
            | "REPORT_RUNNING"
            | "ANSWER_IN_PROGRESS"
            | "EXTERNAL_ID_TAKEN"
            | "ROLE_NAME_TAKEN"
            | "SHARED_DASHBOARD_READ_ONLY"
            | "WEBHOOK_LIMIT"
            | "WORKSPACE_NOT_PUBLISHED" => 409,
            "MIGRATED_TO_V2" => 410,
            "BODY_TOO_LARGE" => 413,
            "UNSUPPORTED_MEDIA_TYPE" => 415,
            "CHART_UNFIT" | "DRILL_UNAVAILABLE" | "FILTER_UNAVAILABLE" | "QUERY_FAILED" | "ROW_RULE_UNRESOLVED" => 422,
            "RATE_LIMITED" => 429,
            "IDENTITY_PROVIDER_UNAVAILABLE" | "SOURCE_UNAVAILABLE" | "STORE_UNAVAILABLE" | "UNAVAILABLE" => 503,
            "QUERY_TIMEOUT" => 504,
            _ => 500,
        }
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

impl FromServerFnError for Refusal {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        match error {
            ServerFnErrorErr::Args(_) | ServerFnErrorErr::MissingArg(_) | ServerFnErrorErr::Deserialization(_) => {
                Self::new("VALIDATION_FAILED", "The request could not be read.")
            }
            ServerFnErrorErr::Request(_) => Self::out_of_reach(),
            _ => Self::new("INTERNAL", "Something went wrong on the server. Please try again."),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_tokens_take_the_page_away_and_faults_do_not() {
        let message = |code| Refusal::new(code, "").page_message();
        assert_eq!(message("TOKEN_EXPIRED"), Some(PageMessage::SessionExpired));
        assert_eq!(message("INVALID_TOKEN"), Some(PageMessage::InvalidToken));
        assert_eq!(message("TOKEN_REVOKED"), Some(PageMessage::InvalidToken));
        assert_eq!(message("UNAVAILABLE"), None);
        assert_eq!(Refusal::out_of_reach().page_message(), None);
    }

    #[test]
    fn a_part_that_is_not_found_leaves_the_page() {
        let message = |code| Refusal::new(code, "").session_message();
        assert_eq!(message("NOT_FOUND"), None);
        assert_eq!(message("FILTER_UNAVAILABLE"), None);
        assert_eq!(message("TOKEN_EXPIRED"), Some(PageMessage::SessionExpired));
        assert_eq!(message("TOKEN_REVOKED"), Some(PageMessage::InvalidToken));
    }

    #[test]
    fn the_server_functions_own_errors_carry_no_internals() {
        let refusal = Refusal::from_server_fn_error(ServerFnErrorErr::ServerError("select * from secrets".into()));
        assert!(!refusal.0.message.contains("secrets"));
        assert_eq!(Refusal::from_server_fn_error(ServerFnErrorErr::Args("x".into())).status(), 400);
    }
}
