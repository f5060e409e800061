//! Shared by all embeddable pages: parsing their address, rendering them, and their messages when they cannot be opened.

pub mod address;
mod pages;
#[cfg(test)]
mod router_tests;

pub use pages::{FramePage, show};

use crate::ground::error::{Code, Error, Kind};
use inlay_contract::page::PageMessage;

/// The error of a token for another project than the page's. A page that does not exist gets the same.
pub fn elsewhere() -> Error {
    let told = "The token is for another project than this page, or the page does not exist. Check the page's address and the projectId of embed-token.";
    Error::new(Code::NotFound, told)
}

/// The message instead of a page that cannot be opened. `missing` is the message of a page that does not exist.
pub fn message_of(problem: &Error, missing: PageMessage) -> PageMessage {
    match (problem.kind(), problem.code) {
        (_, Code::TokenExpired) => PageMessage::SessionExpired,
        (_, Code::WorkspaceNotPublished) => PageMessage::WorkspaceNotPublished,
        (Kind::Unauthenticated, _) => PageMessage::InvalidToken,
        (Kind::NotFound, _) => missing,
        _ => PageMessage::Unavailable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_refusal_has_its_message() {
        let message = |problem: Error| message_of(&problem, PageMessage::WorkspaceNotFound);
        assert_eq!(message(Error::new(Code::TokenExpired, "")), PageMessage::SessionExpired);
        assert_eq!(message(Error::new(Code::InvalidToken, "")), PageMessage::InvalidToken);
        assert_eq!(message(Error::not_found("Workspace")), PageMessage::WorkspaceNotFound);
        assert_eq!(message(Error::internal("x")), PageMessage::Unavailable);
    }

    #[test]
    fn a_conflict_alone_does_not_say_that_a_workspace_is_not_published() {
        let message = |problem: &Error| message_of(problem, PageMessage::WorkspaceNotFound);
        assert_eq!(message(&Error::new(Code::WorkspaceNotPublished, "")), PageMessage::WorkspaceNotPublished);
        assert_eq!(message(&Error::new(Code::AnswerInProgress, "")), PageMessage::Unavailable);
    }
}
