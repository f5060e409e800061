//! What may be asked about: the tables of a workspace's version, without hidden columns.

pub use inlay_contract::chart::question::Comparison;
use inlay_contract::{data::ColumnType, source::SourceKind};
use serde::{Deserialize, Serialize};

/// Everything that a conversation may be about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Scope {
    /// The workspace's name.
    pub workspace: String,
    /// Which SQL the source speaks.
    pub dialect: SourceKind,
    /// The tables in scope.
    pub tables: Vec<TableModel>,
    /// What the workspace's maker tells a model.
    #[serde(default)]
    pub instructions: Option<String>,
    /// Starter questions.
    #[serde(default)]
    pub example_questions: Vec<String>,
    /// Saved questions with the SQL that answers them, for models.
    #[serde(default)]
    pub examples: Vec<Example>,
}

/// A question and the SQL that answers it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    /// As a person would ask.
    pub question: String,
    /// As the source takes it.
    pub sql: String,
}

/// A table as people call it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TableModel {
    /// Its name in SQL, with its schema (`sales.orders`) where it is not in the default one.
    pub name: String,
    /// What people call it.
    #[serde(default)]
    pub label: Option<String>,
    /// What it holds.
    #[serde(default)]
    pub description: Option<String>,
    /// What else people call it, or one row of it.
    #[serde(default)]
    pub synonyms: Vec<String>,
    /// Its columns that the viewer may see.
    pub columns: Vec<ColumnModel>,
}

/// A column as people call it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ColumnModel {
    /// Its name in SQL.
    pub name: String,
    /// What people call it.
    #[serde(default)]
    pub label: Option<String>,
    /// What it holds, and in which unit.
    #[serde(default)]
    pub description: Option<String>,
    /// What else people call it.
    #[serde(default)]
    pub synonyms: Vec<String>,
    /// What it holds. SQLite keeps times as text: a text column whose values are days counts as one.
    #[serde(rename = "type")]
    pub kind: ColumnType,
    /// Words for some of its values: "late" for 15 minutes and more.
    #[serde(default)]
    pub terms: Vec<Term>,
    /// The column of another table whose values these are, as `table.column`; found by looking at names and values when missing.
    #[serde(default)]
    pub references: Option<String>,
}

/// A word of the trade for a condition on a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Term {
    /// What rows are called for which it holds: `late`, `delayed`.
    pub phrases: Vec<String>,
    /// What the share of such rows is called: `punctuality`.
    #[serde(default)]
    pub rates: Vec<String>,
    /// How the column's value stands to `value`.
    pub comparison: Comparison,
    /// In the column's unit.
    pub value: f64,
}
