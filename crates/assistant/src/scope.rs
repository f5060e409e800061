//! The scope of questions: the tables of a workspace's version, without hidden columns.

pub use inlay_contract::chart::question::Comparison;
use inlay_contract::{data::ColumnType, source::SourceKind};
use serde::{Deserialize, Serialize};

/// The scope of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Scope {
    /// The workspace's name.
    pub workspace: String,
    /// The source's SQL dialect.
    pub dialect: SourceKind,
    /// The tables in scope.
    pub tables: Vec<TableModel>,
    /// Instructions from the workspace's author for a model.
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

/// A table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TableModel {
    /// Its name in SQL, with its schema (`sales.orders`) unless it is the default one.
    pub name: String,
    /// Its label.
    #[serde(default)]
    pub label: Option<String>,
    /// Its description.
    #[serde(default)]
    pub description: Option<String>,
    /// Other names of the table or of one of its rows.
    #[serde(default)]
    pub synonyms: Vec<String>,
    /// Its columns that the viewer may see.
    pub columns: Vec<ColumnModel>,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ColumnModel {
    /// Its name in SQL.
    pub name: String,
    /// Its label.
    #[serde(default)]
    pub label: Option<String>,
    /// Its description, with its unit.
    #[serde(default)]
    pub description: Option<String>,
    /// Its other names.
    #[serde(default)]
    pub synonyms: Vec<String>,
    /// Its type. SQLite stores times as text: a text column whose values are dates counts as one of dates.
    #[serde(rename = "type")]
    pub kind: ColumnType,
    /// Names for ranges of its values: "late" for 15 minutes and more.
    #[serde(default)]
    pub terms: Vec<Term>,
    /// The column that it references, as `table.column`. `None`: found by comparing names and values.
    #[serde(default)]
    pub references: Option<String>,
}

/// A name for a condition on a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Term {
    /// Names of the matching rows: `late`, `delayed`.
    pub phrases: Vec<String>,
    /// Names of the share of matching rows: `punctuality`.
    #[serde(default)]
    pub rates: Vec<String>,
    /// The comparison of the column's value with `value`.
    pub comparison: Comparison,
    /// The threshold, in the column's unit.
    pub value: f64,
}
