//! Ids in a path.

use crate::ground::error::{Code, Error};
use axum::{
    extract::{FromRequestParts, RawPathParams},
    http::request::Parts,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use uuid::Uuid;

/// A path's parameters, by name: `Path<Ids>` where `Ids` derives `Deserialize`. An id that is not a UUID is refused by the
/// extractor that authenticates the caller, after the credential. Until then a nil id stands in its place.
#[derive(Debug)]
pub struct Path<T>(pub T);

/// The name of an id of the path that is not a UUID, in the request's extensions.
#[derive(Clone, Debug)]
pub struct BadPath(String);

impl BadPath {
    /// 400 for the id.
    pub fn refused(&self) -> Error {
        Error::invalid(&self.0, "must be a UUID")
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Path<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let invalid = |_| Error::new(Code::ValidationFailed, "The path cannot be read.");
        let params = RawPathParams::from_request_parts(parts, state).await.map_err(|problem| invalid(problem.to_string()))?;
        let given: Vec<(String, Option<Uuid>)> =
            params.iter().map(|(name, value)| (name.to_owned(), value.parse().ok())).collect();
        if let Some((name, _)) = given.iter().find(|(_, id)| id.is_none()) {
            parts.extensions.insert(BadPath(name.clone()));
        }
        let given: Map<String, Value> =
            given.into_iter().map(|(name, id)| (name, id.unwrap_or_default().to_string().into())).collect();
        serde_json::from_value(Value::Object(given)).map(Self).map_err(|problem| Error::internal(format!("path: {problem}")))
    }
}
