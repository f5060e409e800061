//! Reads JSON objects from requests, within their limits. `body!` creates the reader and the API description from one declaration.

pub mod declare;
mod field;
mod kinds;
mod named;
mod permissions;
mod reader;

#[cfg(test)]
mod tests;

pub(crate) use declare::{body, schema_name, wire_name};
pub use field::{BodyField, BodyObject, Components, FromValue, nullable, reference, referenced};
pub use kinds::{
    Charts, FreeText, Ignored, Integer, Json, List, Once, Position, Switch, Text, Whole, Written, anything, simple,
};
pub use named::{ByName, Names};
pub use permissions::V1Permissions;
pub use reader::Reader;

use crate::ground::{
    config::limits::Limits,
    error::{Code, Error, Result},
    memory,
};
use axum::{
    body::{Body as RawBody, HttpBody},
    http::{
        HeaderMap,
        header::{CONTENT_LENGTH, CONTENT_TYPE},
    },
};
use futures::StreamExt;
use inlay_contract::json::{holds_nul, nul_in, settle};
use inlay_query::{Budget, Room};
use serde_json::{Map, Value};
use std::{collections::HashMap, time::Duration};
use tokio::time::timeout;

/// How long a caller's body may take to arrive.
pub const OF_CALLERS: Duration = Duration::from_secs(30);

/// The same for somebody whose credential is in the body.
pub const OF_STRANGERS: Duration = Duration::from_secs(15);

/// How long, and how many bytes, a body that nobody needs is read on after the answer. A caller who is still sending would
/// otherwise not see the answer.
const LINGERS: Duration = Duration::from_secs(2);
const MOST_LINGERING: usize = 4 << 20;

/// What a JSON value takes beside its text, in bytes, with the names of fields and what lists keep in reserve.
const OF_VALUE: usize = 100;

/// By how much the room of a body grows while it arrives, in bytes.
const STEP: usize = 16 << 10;

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

/// How a body is taken in.
#[derive(Clone, Copy, Debug)]
pub struct Taking<'a> {
    /// A field that does not count toward its size.
    pub uncounted: Option<Uncounted>,
    /// The memory that it shares with others.
    pub budget: &'a Budget,
    /// How long it may take to arrive.
    pub within: Duration,
}

/// A body that was sent, and its room in memory.
#[derive(Debug, Default)]
pub struct Sent {
    /// The body.
    pub body: Body,
    /// Its room, for as long as the body is used.
    pub room: Option<Room>,
    /// Why the body is refused although it can be read, once the credential is judged that may be in it.
    pub refused: Option<Error>,
}

/// Reads the JSON object of a body. One that is too large by its own account is refused before any of it is read.
///
/// # Errors
/// 415 for another media type, 413 over the size limit, 400 for anything but a JSON object, for too deep nesting or too many
/// values, 503 when many others send bodies.
pub async fn read(headers: &HeaderMap, raw: RawBody, limits: &Limits, taking: Taking<'_>) -> Result<Sent> {
    let Taking { uncounted, budget, .. } = taking;
    let most = limits.max_body_bytes.saturating_add(uncounted.map_or(0, |field| field.most));
    if !is_json(headers) {
        let told = "Send the body as `Content-Type: application/json`.";
        return Err(turn_away(raw, Error::new(Code::UnsupportedMediaType, told)));
    }
    if announced(headers) > most as u64 {
        return Err(turn_away(raw, too_large(limits)));
    }
    let (bytes, mut room) = bytes(raw, most, taking).await?.ok_or_else(|| too_large(limits))?;
    let values = judge(&bytes, limits)?;
    memory::grow(&mut room, budget, values.saturating_mul(OF_VALUE)).await?;
    let (body, refused) = parse(&bytes)?;
    let extra = uncounted.and_then(|field| body.get(field.field)?.as_str()).map_or(0, str::len);
    if bytes.len().saturating_sub(extra) > limits.max_body_bytes {
        return Err(too_large(limits));
    }
    Ok(Sent { body, room: Some(room), refused })
}

/// Answers before a body is read. The rest of it is read and thrown away for a moment.
pub fn turn_away(raw: RawBody, refused: Error) -> Error {
    if !raw.is_end_stream() {
        tokio::spawn(timeout(LINGERS, async move {
            let mut pieces = raw.into_data_stream();
            let mut left = MOST_LINGERING;
            while let Some(Ok(piece)) = pieces.next().await {
                let Some(rest) = left.checked_sub(piece.len()) else { break };
                left = rest;
            }
        }));
    }
    refused
}

/// The length that the sender announces; 0 if it does not.
fn announced(headers: &HeaderMap) -> u64 {
    headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok()).unwrap_or(0)
}

/// The bytes of a body of any type, with their room. `None` for more than `most`, and for a body that breaks off.
///
/// # Errors
/// 400 for a body that does not end within the time, since it is kept in memory meanwhile; 503 when many others send bodies.
pub async fn bytes(raw: RawBody, most: usize, taking: Taking<'_>) -> Result<Option<(Vec<u8>, Room)>> {
    let Taking { budget, within, .. } = taking;
    let late = |_| Error::new(Code::ValidationFailed, format!("The body did not arrive within {} seconds.", within.as_secs()));
    timeout(within, arrived(raw, most, budget)).await.map_err(late)?
}

async fn arrived(raw: RawBody, most: usize, budget: &Budget) -> Result<Option<(Vec<u8>, Room)>> {
    let mut room = memory::room(budget, 1).await?;
    let (mut bytes, mut pieces) = (Vec::new(), raw.into_data_stream());
    while let Some(piece) = pieces.next().await {
        let Ok(piece) = piece else { return Ok(None) };
        let length = bytes.len().saturating_add(piece.len());
        if length > most {
            return Ok(None);
        }
        if length > room.bytes() {
            let missing = length - room.bytes();
            memory::grow(&mut room, budget, missing.max(STEP)).await?;
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(Some((bytes, room)))
}

/// 413, also for a body whose declared length is too large.
pub fn too_large(limits: &Limits) -> Error {
    Error::new(Code::BodyTooLarge, format!("The body is larger than {} bytes.", limits.max_body_bytes))
}

fn is_json(headers: &HeaderMap) -> bool {
    let Some(kind) = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()) else { return false };
    kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

fn malformed(problem: &str) -> Error {
    Error::new(Code::ValidationFailed, format!("The body {problem}."))
}

/// Refuses a body that would take much memory or a deep stack, before it is parsed. Returns about how many values it has.
fn judge(bytes: &[u8], limits: &Limits) -> Result<usize> {
    let Outline { depth, values } = outline(bytes);
    if depth > limits.max_json_depth {
        return Err(malformed(&format!("is nested deeper than {} levels", limits.max_json_depth)));
    }
    if values > limits.max_json_values {
        return Err(malformed(&format!("holds more than {} values", limits.max_json_values)));
    }
    Ok(values)
}

/// The body, and why it is refused all the same.
fn parse(bytes: &[u8]) -> Result<(Body, Option<Error>)> {
    let mut body = match serde_json::from_slice(bytes) {
        Ok(Value::Object(body)) => body,
        Ok(_) => return Err(malformed("must be a JSON object")),
        Err(_) => return Err(malformed("is not valid JSON")),
    };
    settle(&mut body);
    let refused = holds_nul(bytes).then(|| nul_in(&body)).flatten().map(|path| nul_at(&path));
    Ok((body, refused))
}

fn nul_at(path: &str) -> Error {
    Error::invalid(if path.is_empty() { "body" } else { path }, "must not contain the character U+0000")
}

/// A query as an object of texts.
///
/// # Errors
/// 400 for the character U+0000.
pub fn of_query(query: &HashMap<String, String>) -> Result<Body> {
    if let Some((name, _)) = query.iter().find(|(name, value)| name.contains('\0') || value.contains('\0')) {
        return Err(nul_at(if name.contains('\0') { "query" } else { name }));
    }
    Ok(query.iter().map(|(name, value)| (name.clone(), Value::String(value.clone()))).collect())
}

/// What a text would be as JSON, determined without parsing.
struct Outline {
    /// The maximum nesting of arrays and objects.
    depth: usize,
    /// How many values it has, at most: one for each comma and each list or object.
    values: usize,
}

fn outline(bytes: &[u8]) -> Outline {
    let (mut now, mut found, mut in_text, mut escaped) = (0_usize, Outline { depth: 0, values: 1 }, false, false);
    for byte in bytes {
        match (in_text, byte) {
            (true, _) if escaped => escaped = false,
            (true, b'\\') => escaped = true,
            (true, b'"') => in_text = false,
            (true, _) => {}
            (false, b'"') => in_text = true,
            (false, b'[' | b'{') => {
                now += 1;
                found.depth = found.depth.max(now);
                found.values += 1;
            }
            (false, b']' | b'}') => now = now.saturating_sub(1),
            (false, b',') => found.values += 1,
            (false, _) => {}
        }
    }
    found
}
