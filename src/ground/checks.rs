//! Checks of names.

use crate::ground::{
    error::{Code, Error},
    web::body::{FromValue, Text},
};
use serde_json::Value;

/// Checks a name.
pub fn is_name(text: &str) -> Result<(), String> {
    if text.chars().any(char::is_control) {
        return Err("must not contain control characters".to_owned());
    }
    Text::<512>::from_value(&Value::String(text.to_owned())).map(drop)
}

/// 409 for a name that is already in use.
pub fn taken(code: Code, told: String) -> Error {
    let details = serde_json::Map::from_iter([("name".to_owned(), "is taken".into())]);
    Error::new(code, told).with_details(details)
}
