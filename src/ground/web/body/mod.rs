//! Reads JSON objects from requests, within their limits. `body!` creates the reader and the API description from one declaration.

pub mod declare;
mod field;
mod kinds;
mod permissions;
mod reader;

#[cfg(test)]
mod tests;

pub(crate) use declare::{body, schema_name, wire_name};
pub use field::{BodyField, BodyObject, Components, FromValue, nullable, reference, referenced};
pub use kinds::{
    Charts, FreeText, Ignored, Integer, Json, List, Once, Position, Switch, Text, Whole, Written, anything, simple,
};
pub use permissions::V1Permissions;
pub use reader::Reader;

use crate::ground::{
    config::limits::Limits,
    error::{Code, Error, Result},
};
use axum::{
    body::{Body as RawBody, to_bytes},
    http::{HeaderMap, header::CONTENT_TYPE},
};
use inlay_contract::json::holds_nul;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// A request's JSON object; for GET and DELETE, its query as an object.
pub type Body = Map<String, Value>;

/// A text field that does not count toward the size of its body.
#[derive(Clone, Copy, Debug)]
pub struct Uncounted {
    /// The field's name.
    pub field: &'static str,
    /// How many bytes it may add to the body.
    pub most: usize,
}

/// Reads the JSON object of a body.
///
/// # Errors
/// 415 for another media type, 413 over the size limit, 400 for anything but a JSON object or for too deep nesting.
pub async fn read(headers: &HeaderMap, body: RawBody, limits: &Limits, uncounted: Option<Uncounted>) -> Result<Body> {
    let most = limits.max_body_bytes.saturating_add(uncounted.map_or(0, |field| field.most));
    let read = to_bytes(body, most).await;
    if !is_json(headers) {
        return Err(Error::new(Code::UnsupportedMediaType, "Send the body as `Content-Type: application/json`."));
    }
    let bytes = read.map_err(|_| too_large(limits))?;
    let read = parse(&bytes, limits.max_json_depth)?;
    let extra = uncounted.and_then(|field| read.get(field.field)?.as_str()).map_or(0, str::len);
    if bytes.len().saturating_sub(extra) > limits.max_body_bytes {
        return Err(too_large(limits));
    }
    Ok(read)
}

/// 413, also for a body whose declared length is too large.
pub fn too_large(limits: &Limits) -> Error {
    Error::new(Code::BodyTooLarge, format!("The body is larger than {} bytes.", limits.max_body_bytes))
}

fn is_json(headers: &HeaderMap) -> bool {
    let Some(kind) = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()) else { return false };
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

fn parse(bytes: &[u8], max_depth: usize) -> Result<Body> {
    let malformed = |problem: &str| Error::new(Code::ValidationFailed, format!("The body {problem}."));
    if depth(bytes) > max_depth {
        return Err(malformed(&format!("is nested deeper than {max_depth} levels")));
    }
    let body = match serde_json::from_slice(bytes) {
        Ok(Value::Object(body)) => body,
        Ok(_) => return Err(malformed("must be a JSON object")),
        Err(_) => return Err(malformed("is not valid JSON")),
    };
    if holds_nul(bytes) { Err(malformed("must not contain the character U+0000")) } else { Ok(body) }
}

/// A query as an object of texts.
///
/// # Errors
/// 400 for the character U+0000.
pub fn of_query(query: &HashMap<String, String>) -> Result<Body> {
    if query.iter().any(|(name, value)| name.contains('\0') || value.contains('\0')) {
        return Err(Error::new(Code::ValidationFailed, "The query must not contain the character U+0000."));
    }
    Ok(query.iter().map(|(name, value)| (name.clone(), Value::String(value.clone()))).collect())
}

/// The maximum nesting of arrays and objects, determined without parsing.
fn depth(bytes: &[u8]) -> usize {
    let (mut now, mut deepest, mut in_text, mut escaped) = (0_usize, 0, false, false);
    for byte in bytes {
        match (in_text, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (true, b'"') => in_text = false,
            (true, _) => {}
            (false, b'"') => in_text = true,
            (false, b'[' | b'{') => {
                now += 1;
                deepest = deepest.max(now);
            }
            (false, b']' | b'}') => now = now.saturating_sub(1),
            (false, _) => {}
        }
    }
    deepest
}
