//! Reads a body and collects its problems, so that all invalid fields are reported at once.

use super::{Body, BodyField};
use crate::ground::{
    config::limits::Limits,
    error::{Error, Result},
    problems::Problems,
};
use serde_json::Value;
use std::collections::HashSet;

/// Reads a body and collects its problems.
#[derive(Debug)]
pub struct Reader<'l> {
    /// The operator's limits.
    pub limits: &'l Limits,
    problems: Problems,
    named: HashSet<String>,
}

impl<'l> Reader<'l> {
    /// Starts reading.
    pub fn new(limits: &'l Limits) -> Self {
        Self { limits, problems: Problems::default(), named: HashSet::new() }
    }

    /// Reads a field of an object at a path; the body's own path is empty. `None` means that a problem was added.
    pub fn field<T: BodyField>(&mut self, object: &Body, path: &str, name: &str) -> Option<T> {
        let path = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
        match object.get(name) {
            None => T::missing(&path, self),
            Some(Value::Null) => T::null(&path, self),
            Some(value) => T::read(value, &path, self),
        }
    }

    /// Reads the items of a list. `None` means that a problem was added.
    pub fn items<T: BodyField>(&mut self, items: &[Value], path: &str) -> Option<Vec<T>> {
        // Read all items first, so that each invalid one is reported.
        let read: Vec<Option<T>> =
            items.iter().enumerate().map(|(number, item)| T::read(item, &format!("{path}[{number}]"), self)).collect();
        read.into_iter().collect()
    }

    /// Adds a problem. Only the first one of a path is kept.
    pub fn problem(&mut self, path: &str, problem: impl Into<String>) {
        self.problems.add(path, problem);
    }

    /// Whether this value appears for the first time.
    pub fn is_first(&mut self, named: String) -> bool {
        self.named.insert(named)
    }

    /// Ends reading.
    ///
    /// # Errors
    /// 400 `VALIDATION_FAILED` with the invalid fields.
    pub fn finish<T>(self, read: Option<T>) -> Result<T> {
        self.problems.finish()?;
        read.ok_or_else(|| Error::internal("a field was neither read nor refused"))
    }
}
