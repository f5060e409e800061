//! What a form or a body may hold, and what is wrong with several of its fields at once.

use crate::ground::{
    error::{Code, Error, Result},
    web::body::{FromValue, Text},
};
use serde_json::Value;

/// Whether a text will do as a name.
///
/// # Errors
/// What is wrong with it.
pub fn is_name(text: &str) -> Result<(), String> {
    if text.chars().any(char::is_control) {
        return Err("must not hold control characters".to_owned());
    }
    Text::<512>::from_value(&Value::String(text.to_owned())).map(drop)
}

/// 409 for a name that something else has.
pub fn taken(code: Code, told: String) -> Error {
    let details = serde_json::Map::from_iter([("name".to_owned(), "is taken".into())]);
    Error::new(code, told).with_details(details)
}

/// What is wrong with several fields.
#[derive(Debug, Default)]
pub struct Problems(Vec<(String, String)>);

impl Problems {
    /// Notes what a check of a field said.
    pub fn note(&mut self, field: &str, checked: Result<(), String>) {
        if let Err(problem) = checked {
            self.0.push((field.to_owned(), problem));
        }
    }

    /// Refuses when anything was noted.
    ///
    /// # Errors
    /// 400 with each bad field.
    pub fn finish(self) -> Result<()> {
        let Some((field, problem)) = self.0.first() else { return Ok(()) };
        let message = format!("`{field}` {problem}");
        let details = self.0.iter().map(|(field, problem)| (field.clone(), problem.clone().into())).collect();
        Err(Error::new(Code::ValidationFailed, message).with_details(details))
    }
}
