//! Exchange of a project's semantic model with [Apache Ossie](https://github.com/apache/ossie), core specification 0.2.0.dev0.
//!
//! [`export`] writes tables as datasets, references as relationships, and measures and metrics as metrics in standard SQL. What
//! Ossie cannot say is kept in extensions of the vendor `INLAY`, so that [`import`] returns the same model. From documents of
//! other tools, `import` takes what has one sure meaning and leaves a [`Note`] about the rest.
//!
//! A dataset's `source` is the name of a table: of `database.schema.table`, `schema.table` is kept, since the connection says
//! which database it is and the catalogue lists tables as `table` or `schema.table`.
//!
//! The embedded JSON Schema is Ossie's own, Apache-2.0; see `NOTICE`.

mod document;
mod export;
mod expression;
mod extension;
mod import;
mod names;
mod schema;
mod sql;

use inlay_contract::model::{Metric, TableModel};
use std::{collections::BTreeMap, fmt};

pub use export::export;
pub use import::import;

/// A semantic model, as it is exchanged. Hidden columns and closed tables are no part of it: the caller leaves them out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SemanticModel {
    /// The name, such as the project's.
    pub name: String,
    /// Description.
    pub description: Option<String>,
    /// The tables, by the catalogue's names: `table`, or `schema.table`.
    pub tables: BTreeMap<String, Table>,
    /// Metrics, by name.
    pub metrics: BTreeMap<String, Metric>,
}

/// A table of the model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Display name.
    pub label: Option<String>,
    /// Description.
    pub description: Option<String>,
    /// Other names for it.
    pub synonyms: Vec<String>,
    /// The columns that the project file lists.
    pub columns: BTreeMap<String, Column>,
    /// Key, default time dimension, dimensions and measures.
    pub model: TableModel,
}

/// A column of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// Display name.
    pub label: Option<String>,
    /// Description.
    pub description: Option<String>,
    /// Other names for it.
    pub synonyms: Vec<String>,
    /// The column of another table whose values these are, as `table.column`.
    pub references: Option<String>,
}

/// What a document means.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// The model.
    pub model: SemanticModel,
    /// What was left out or changed, in the order of the document.
    pub notes: Vec<Note>,
}

/// Something that was left out or changed.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Note {
    /// Where in the document: `metrics.revenue`, `datasets.orders.fields.status`.
    pub at: String,
    /// What was not read as it stands, and why.
    pub why: String,
    /// What to do about it.
    pub advice: String,
}

impl fmt::Display for Note {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}: {}. {}.", self.at, self.why, self.advice)
    }
}

/// A reason why a document cannot be read at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{at}{}{why}", if at.is_empty() { "" } else { ": " })]
pub struct Problem {
    /// Where in the document: `semantic_model[0].datasets[1].source`. Empty for the whole document.
    pub at: String,
    /// What is wrong.
    pub why: String,
}
