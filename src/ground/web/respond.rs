//! Turns results into HTTP responses (docs/spec/contract.md, section 1).

use crate::ground::error::{Code, Error};
use axum::{
    Json,
    http::{HeaderValue, StatusCode, header::RETRY_AFTER},
    response::{IntoResponse, Response},
};
use inlay_contract::envelope::{ErrorBody, Failure, Success};
use serde::Serialize;

/// A success: status 200 and the envelope, also for creations.
#[derive(Debug)]
pub struct Answer<T>(pub T);

impl<T: Serialize> IntoResponse for Answer<T> {
    fn into_response(self) -> Response {
        Json(Success::new(self.0)).into_response()
    }
}

/// An error's part of the access log. It is in the response's extensions and is never sent.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The error's code.
    pub code: Code,
    /// Details for the log only.
    pub context: Option<String>,
}

/// The status of a code.
pub fn status(code: Code) -> StatusCode {
    StatusCode::from_u16(code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let seconds = self.retry_seconds();
        let body = ErrorBody { message: self.message, code: self.code.into(), details: self.details.map(|details| *details) };
        let mut response = (status(self.code), Json(Failure::new(body))).into_response();
        if let Some(seconds) = seconds {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response.extensions_mut().insert(Refusal { code: self.code, context: self.context });
        response
    }
}
