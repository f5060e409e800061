//! The one place that turns results into HTTP answers (docs/spec/contract.md, section 1).

use crate::error::{Error, Kind};
use axum::{
    Json,
    http::{HeaderValue, StatusCode, header::RETRY_AFTER},
    response::{IntoResponse, Response},
};
use inlay_contract::envelope::{ErrorBody, Failure, Success};
use serde::Serialize;

/// A success: status 200 and the envelope, creation too.
#[derive(Debug)]
pub struct Answer<T>(pub T);

impl<T: Serialize> IntoResponse for Answer<T> {
    fn into_response(self) -> Response {
        Json(Success::new(self.0)).into_response()
    }
}

/// What the access log says about a refusal; travels in the answer's extensions, never to the caller.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The error's code.
    pub code: &'static str,
    /// What only the log may hold.
    pub context: Option<String>,
}

/// The status of a kind of error.
pub const fn status(kind: Kind) -> StatusCode {
    match kind {
        Kind::Invalid => StatusCode::BAD_REQUEST,
        Kind::Unauthenticated => StatusCode::UNAUTHORIZED,
        Kind::Forbidden => StatusCode::FORBIDDEN,
        Kind::NotFound => StatusCode::NOT_FOUND,
        Kind::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        Kind::Conflict => StatusCode::CONFLICT,
        Kind::Gone => StatusCode::GONE,
        Kind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Kind::UnsupportedMedia => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Kind::Unprocessable => StatusCode::UNPROCESSABLE_ENTITY,
        Kind::RateLimited { .. } => StatusCode::TOO_MANY_REQUESTS,
        Kind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Kind::Timeout => StatusCode::GATEWAY_TIMEOUT,
        Kind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let body =
            ErrorBody { message: self.message, code: self.code.to_owned(), details: self.details.map(|details| *details) };
        let mut response = (status(self.kind), Json(Failure::new(body))).into_response();
        if let Kind::RateLimited { retry_after } = self.kind {
            let seconds = retry_after.as_secs() + u64::from(retry_after.subsec_nanos() > 0);
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds.max(1)));
        }
        response.extensions_mut().insert(Refusal { code: self.code, context: self.context });
        response
    }
}
