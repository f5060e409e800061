//! The project file (docs/spec/contract.md, section 8): a whole project as text. `inlay apply` is idempotent and finds objects
//! by name; `inlay export` writes the file from the store.

pub mod apply;
pub mod changes;
pub mod check;
pub mod dashboards;
pub mod draft;
pub mod exchange;
pub mod export;
pub mod losses;
pub mod model;
pub mod preview;
pub mod project_state;
mod queries;
mod reading;
mod semantics;
pub mod sources;
pub mod tiles;
mod writing;

#[cfg(test)]
mod draft_tests;
#[cfg(test)]
mod exchange_tests;
#[cfg(test)]
mod modelled_charts_tests;
#[cfg(test)]
mod round_trip_tests;
#[cfg(test)]
mod tests;

use std::fmt;

/// A problem of a project file: where it is, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileProblem {
    /// The line, from 1. 0 when unknown.
    pub line: u64,
    /// The field, as a path: `charts[2].connection`.
    pub field: String,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for FileProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.field.as_str()) {
            (0, "") => write!(f, "{}", self.message),
            (0, field) => write!(f, "{field}: {}", self.message),
            (line, "") => write!(f, "line {line}: {}", self.message),
            (line, field) => write!(f, "line {line}, {field}: {}", self.message),
        }
    }
}

impl std::error::Error for FileProblem {}
