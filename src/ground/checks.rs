//! Checks of names, and the problems of several fields at once.

use crate::ground::{
    error::{Code, Error, Result},
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

/// The problems of several fields.
#[derive(Debug, Default)]
pub struct Problems(Vec<(String, String)>);

impl Problems {
    /// Adds the result of a field's check.
    pub fn note(&mut self, field: &str, checked: Result<(), String>) {
        if let Err(problem) = checked {
            self.0.push((field.to_owned(), problem));
        }
    }

    /// Returns an error if there are problems.
    ///
    /// # Errors
    /// 400 with each invalid field.
    pub fn finish(self) -> Result<()> {
        let Some((field, problem)) = self.0.first() else { return Ok(()) };
        let message = format!("`{field}` {problem}");
        let details = self.0.iter().map(|(field, problem)| (field.clone(), problem.clone().into())).collect();
        Err(Error::new(Code::ValidationFailed, message).with_details(details))
    }
}
