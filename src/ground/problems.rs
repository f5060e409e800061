//! The invalid fields of a form or a body, so that all are reported at once (docs/spec/contract.md, section 1: `details` maps
//! each invalid field's path to its problem, `message` names the first).

use super::error::{Code, Error, Result};
use serde_json::Value;

/// The problems of several fields. Only the first one of a field is kept.
#[derive(Debug, Default)]
pub struct Problems(Vec<(String, String)>);

impl Problems {
    /// Adds a field's problem.
    pub fn add(&mut self, field: &str, problem: impl Into<String>) {
        if self.0.iter().all(|(known, _)| known != field) {
            self.0.push((field.to_owned(), problem.into()));
        }
    }

    /// Adds the result of a field's check.
    pub fn note(&mut self, field: &str, checked: Result<(), String>) {
        if let Err(problem) = checked {
            self.add(field, problem);
        }
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns an error if there are problems.
    ///
    /// # Errors
    /// 400 with each invalid field.
    pub fn finish(self) -> Result<()> {
        self.finish_as(|field, problem| format!("`{field}` {problem}"))
    }

    /// The same, with a message for the first field of the caller's own.
    ///
    /// # Errors
    /// 400 with each invalid field.
    pub fn finish_as(self, message: impl Fn(&str, &str) -> String) -> Result<()> {
        let Some((field, problem)) = self.0.first() else { return Ok(()) };
        let message = message(field, problem);
        let details = self.0.into_iter().map(|(field, problem)| (field, Value::String(problem))).collect();
        Err(Error::new(Code::ValidationFailed, message).with_details(details))
    }
}
