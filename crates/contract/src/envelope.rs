//! The envelope of every response (docs/spec/contract.md, section 1).

use crate::code::WireCode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// `{"status":"success","data":…}`
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Success<T> {
    status: SuccessStatus,
    /// The result.
    pub data: T,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum SuccessStatus {
    #[serde(rename = "success")]
    Success,
}

impl<T> Success<T> {
    /// Wraps a result.
    pub const fn new(data: T) -> Self {
        Self { status: SuccessStatus::Success, data }
    }
}

/// `{"status":"error","error":…}`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Failure {
    status: FailureStatus,
    /// The error.
    pub error: ErrorBody,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
enum FailureStatus {
    #[serde(rename = "error")]
    Error,
}

impl Failure {
    /// Wraps an error.
    pub const fn new(error: ErrorBody) -> Self {
        Self { status: FailureStatus::Error, error }
    }
}

/// An error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ErrorBody {
    /// A sentence that says what went wrong and what to do.
    pub message: String,
    /// A stable code for programs, in `UPPER_CASE`.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub code: WireCode,
    /// For invalid input: the path of each bad field, with the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub details: Option<Map<String, Value>>,
}
