//! Ids in a path.

use crate::ground::error::{Code, Error};
use axum::{
    extract::{FromRequestParts, RawPathParams},
    http::request::Parts,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// A path's parameters, by name: `Path<Ids>` where `Ids` derives `Deserialize`.
#[derive(Debug)]
pub struct Path<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Path<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let invalid = |_| Error::new(Code::ValidationFailed, "The path cannot be read.");
        let params = RawPathParams::from_request_parts(parts, state).await.map_err(|problem| invalid(problem.to_string()))?;
        let given: Map<String, Value> = params.iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
        let bad = given.iter().find(|(_, value)| value.as_str().is_none_or(|text| text.parse::<uuid::Uuid>().is_err()));
        if let Some((name, _)) = bad {
            return Err(Error::invalid(name, "must be a UUID"));
        }
        serde_json::from_value(Value::Object(given)).map(Self).map_err(|problem| Error::internal(format!("path: {problem}")))
    }
}
