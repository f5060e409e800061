//! The scope of questions: the tables of a workspace's version, without hidden columns.

use crate::{verified::Verified, written::WrittenQuery};
pub use inlay_contract::chart::question::Comparison;
use inlay_contract::{
    data::ColumnType,
    model::{Aggregate, OfferedWay},
    source::SourceKind,
};
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
    /// Saved questions with the queries that answer them, for models.
    #[serde(default)]
    pub examples: Vec<Example>,
    /// The semantic model of the tables, if they declare measures (docs/model.md).
    #[serde(default)]
    pub model: Option<SemanticModel>,
    /// Whether a language model queries the semantic model only, without SQL of its own.
    #[serde(default)]
    pub model_only: bool,
    /// Questions with the queries that a person has verified. They are looked at first.
    #[serde(default)]
    pub verified: Vec<Verified>,
}

impl Scope {
    /// Whether a language model has any way to rows.
    #[must_use]
    pub const fn is_open_to_models(&self) -> bool {
        !self.model_only || self.model.is_some()
    }
}

/// What queries of the semantic model can name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SemanticModel {
    /// The measures and metrics.
    pub numbers: Vec<Number>,
    /// The tables.
    pub tables: Vec<SemanticTable>,
}

/// What people call a part of the semantic model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Words {
    /// Its label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Its description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its other names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub synonyms: Vec<String>,
}

/// A measure or a metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Number {
    /// Its name in queries.
    pub name: String,
    /// What people call it.
    #[serde(flatten)]
    pub words: Words,
    /// The tables whose rows it is made of.
    pub facts: Vec<String>,
    /// How rows become the measure. `None` for a metric.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aggregate: Option<Aggregate>,
    /// Whether less of it is better.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lower_is_better: bool,
}

/// A table of the semantic model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SemanticTable {
    /// Its name.
    pub name: String,
    /// The dimension that `time` stands for beside its measures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Its dimensions: those that it declares, and its columns.
    pub dimensions: Vec<Dimension>,
    /// The tables that its rows lead to, itself not among them.
    pub ways: Vec<OfferedWay>,
}

/// A dimension. One that is a column of the catalogue has its words there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Dimension {
    /// Its name in queries: `table.dimension`.
    pub name: String,
    /// What people call it.
    #[serde(flatten)]
    pub words: Words,
}

/// A question and the query that answers it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Example {
    /// As a person would ask.
    pub question: String,
    /// The query that answers it.
    pub query: WrittenQuery,
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
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rates: Vec<String>,
    /// The comparison of the column's value with `value`. A text is equal or not, nothing else.
    pub comparison: Comparison,
    /// What the column's value is compared with.
    pub value: TermValue,
}

impl Term {
    /// Whether it has words, and its comparison fits its value.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let fits = matches!(
            (&self.value, self.comparison),
            (TermValue::Number(_), _) | (TermValue::Text(_), Comparison::Equal | Comparison::NotEqual)
        );
        fits && !(self.phrases.is_empty() && self.rates.is_empty())
    }

    /// Whether it is another name of one value.
    pub(crate) fn is_a_value(&self) -> bool {
        matches!((&self.value, self.comparison), (TermValue::Text(_), Comparison::Equal))
    }
}

/// What a term compares a column's value with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TermValue {
    /// A threshold, in the column's unit.
    Number(f64),
    /// One of the column's values: `USA`, which people also call `America`.
    Text(String),
}
