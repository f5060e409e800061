//! Why the server refused a call: the error type of the server functions.

use inlay_contract::{
    code::{Code, WireCode},
    page::{PageMessage, Problem},
};
#[cfg(feature = "ssr")]
use leptos::server_fn::{
    codec::JsonEncoding,
    error::{FromServerFnError, ServerFnErrorErr},
};
use serde::{Deserialize, Serialize};
#[cfg(feature = "ssr")]
use serde_json::Map;

/// The key for the body as a whole in a problem's details.
const BODY: &str = "body";

/// A problem with a request as a whole: the token is refused, the dashboard does not exist, the server is not reachable. A
/// problem with a single chart is not a refusal but a `TileContent::Failed`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Refusal(pub Problem);

impl Refusal {
    /// A refusal with an error code.
    #[must_use]
    pub fn new(code: impl Into<WireCode>, message: &str) -> Self {
        Self(Problem::new(code, message))
    }

    /// The server failed, or its response cannot be read.
    #[must_use]
    pub fn fault() -> Self {
        Self::new(Code::Internal, "Something went wrong on the server. Please try again.")
    }

    /// The server could not read the request.
    #[cfg(feature = "ssr")]
    #[must_use]
    pub fn unread() -> Self {
        let Self(problem) = Self::new(Code::ValidationFailed, "The request could not be read.");
        let details = Map::from_iter([(BODY.to_owned(), "cannot be read".into())]);
        Self(Problem { details: Some(Box::new(details)), ..problem })
    }

    /// Whether the server could not read the body as a whole, as opposed to one of its fields.
    #[must_use]
    pub fn is_unread(&self) -> bool {
        self.0.details.as_ref().is_some_and(|details| details.contains_key(BODY))
    }

    /// The server did not respond.
    #[must_use]
    pub fn out_of_reach() -> Self {
        Self::new(Code::Unreachable, "The server could not be reached. Check the connection and try again.")
    }

    /// Whether the server did not respond.
    #[must_use]
    pub fn is_out_of_reach(&self) -> bool {
        self.0.code == Code::Unreachable
    }

    /// Whether the same request may succeed later: the server did not respond, or could not decide.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        let passing = [Code::Unreachable, Code::Unavailable, Code::StoreUnavailable, Code::Internal, Code::RateLimited];
        passing.into_iter().any(|code| self.0.code == code)
    }

    /// The message that replaces the page. `None` if the page can stay.
    #[must_use]
    pub fn page_message(&self) -> Option<PageMessage> {
        let code = &self.0.code;
        if *code == Code::TokenExpired {
            Some(PageMessage::SessionExpired)
        } else if *code == Code::InvalidToken || *code == Code::TokenRevoked || *code == Code::MissingCredentials {
            Some(PageMessage::InvalidToken)
        } else {
            (*code == Code::NotFound).then_some(PageMessage::DashboardNotFound)
        }
    }

    /// The message that replaces the page when a request for a part of it was refused, such as a filter's values. Only a token
    /// that is no longer valid affects more than that part.
    #[must_use]
    pub fn session_message(&self) -> Option<PageMessage> {
        self.page_message().filter(|message| *message != PageMessage::DashboardNotFound)
    }

    /// The HTTP status of the code.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.0.code.status()
    }
}

#[cfg(feature = "ssr")]
impl FromServerFnError for Refusal {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        match error {
            ServerFnErrorErr::Args(_) | ServerFnErrorErr::MissingArg(_) | ServerFnErrorErr::Deserialization(_) => {
                Self::unread()
            }
            ServerFnErrorErr::Request(_) => Self::out_of_reach(),
            _ => Self::fault(),
        }
    }
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;

    #[test]
    fn refused_tokens_take_the_page_away_and_faults_do_not() {
        let message = |code| Refusal::new(code, "").page_message();
        assert_eq!(message(Code::TokenExpired), Some(PageMessage::SessionExpired));
        assert_eq!(message(Code::InvalidToken), Some(PageMessage::InvalidToken));
        assert_eq!(message(Code::TokenRevoked), Some(PageMessage::InvalidToken));
        assert_eq!(message(Code::Unavailable), None);
        assert_eq!(Refusal::out_of_reach().page_message(), None);
    }

    #[test]
    fn a_code_of_a_newer_server_is_a_fault_that_leaves_the_page() {
        let newer: Refusal = serde_json::from_str(r#"{"code":"OF_A_NEWER_SERVER","message":"No."}"#).expect("a refusal");
        assert_eq!((newer.page_message(), newer.session_message(), newer.status()), (None, None, 500));
        assert_eq!((newer.is_out_of_reach(), &*newer.0.message), (false, "No."));
    }

    #[test]
    fn a_part_that_is_not_found_leaves_the_page() {
        let message = |code| Refusal::new(code, "").session_message();
        assert_eq!(message(Code::NotFound), None);
        assert_eq!(message(Code::FilterUnavailable), None);
        assert_eq!(message(Code::TokenExpired), Some(PageMessage::SessionExpired));
        assert_eq!(message(Code::TokenRevoked), Some(PageMessage::InvalidToken));
    }

    #[test]
    fn the_server_functions_own_errors_carry_no_internals() {
        let refusal = Refusal::from_server_fn_error(ServerFnErrorErr::ServerError("select * from secrets".into()));
        assert!(!refusal.0.message.contains("secrets"));
        assert_eq!(Refusal::from_server_fn_error(ServerFnErrorErr::Args("x".into())).status(), 400);
    }
}
