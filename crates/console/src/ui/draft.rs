//! The values of a submitted form, and its errors.

use std::collections::BTreeMap;

/// The CSRF token of the session. Forms read it from the page's context.
#[derive(Clone, Debug)]
pub struct Csrf(pub String);

/// The values of a form, with the errors of its fields.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    values: BTreeMap<String, String>,
    problems: BTreeMap<String, String>,
    /// The error of the form as a whole.
    pub message: Option<String>,
}

impl Draft {
    /// A form with these values.
    pub fn of<N: Into<String>, V: Into<String>>(values: impl IntoIterator<Item = (N, V)>) -> Self {
        let values = values.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        Self { values, ..Self::default() }
    }

    /// Adds a value.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.values.insert(name.to_owned(), value.into());
        self
    }

    /// Adds an error to a field.
    pub fn refuse(&mut self, name: &str, problem: impl Into<String>) {
        self.problems.insert(name.to_owned(), problem.into());
    }

    /// Removes a value: a password is never sent back.
    pub fn forget(&mut self, name: &str) {
        self.values.remove(name);
    }

    /// The value of a field.
    #[must_use]
    pub fn value(&self, name: &str) -> &str {
        self.values.get(name).map_or("", String::as_str)
    }

    /// The names of the fields with values.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }

    /// Whether a checkbox is ticked.
    #[must_use]
    pub fn ticked(&self, name: &str) -> bool {
        !self.value(name).is_empty()
    }

    /// The error of a field.
    #[must_use]
    pub fn problem(&self, name: &str) -> Option<&str> {
        self.problems.get(name).map(String::as_str)
    }

    /// Whether there is any error.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.message.is_some() || !self.problems.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_draft_keeps_what_was_typed() {
        let mut draft = Draft::of([("name", "Analyst"), ("password", "hunter2")]);
        assert!(!draft.is_refused());
        draft.refuse("name", "is taken");
        draft.forget("password");
        assert_eq!((draft.value("name"), draft.problem("name")), ("Analyst", Some("is taken")));
        assert!(draft.is_refused() && draft.value("password").is_empty());
    }
}
