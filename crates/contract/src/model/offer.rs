//! What the chart builder offers of a connection's model.

use crate::data::ColumnType;
use serde::{Deserialize, Serialize};

/// The measures, metrics and dimensions that the viewer can choose.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfferedModel {
    /// The measures and metrics.
    pub numbers: Vec<OfferedNumber>,
    /// The tables.
    pub tables: Vec<OfferedModelTable>,
}

/// A measure or a metric.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfferedNumber {
    /// Its name in queries.
    pub name: String,
    /// Its label.
    pub label: String,
    /// The tables whose rows it is made of.
    pub facts: Vec<String>,
    /// Whether it is the number of all rows of its table.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub counts_rows: bool,
    /// Whether the numbers of parts add up to the number of the whole.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub adds_up: bool,
    /// What else is known about it.
    #[serde(default, skip_serializing_if = "OfferedWords::is_empty")]
    pub words: OfferedWords,
}

/// A description and other names, to search by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfferedWords {
    /// Description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Other names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub synonyms: Vec<String>,
}

impl OfferedWords {
    /// Whether nothing else is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A table of the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfferedModelTable {
    /// Its name in queries.
    pub name: String,
    /// Its label.
    pub label: String,
    /// The name of its default time dimension, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Its dimensions: those that it declares, and its columns.
    pub dimensions: Vec<OfferedDimension>,
    /// The tables that its rows lead to, itself first.
    pub ways: Vec<OfferedWay>,
}

/// A dimension.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfferedDimension {
    /// Its name, without its table's.
    pub name: String,
    /// Its label.
    pub label: String,
    /// The type of its values. `None` for an expression, whose type only the database knows.
    pub kind: Option<ColumnType>,
    /// What else is known about it.
    #[serde(default, skip_serializing_if = "OfferedWords::is_empty")]
    pub words: OfferedWords,
}

/// A way along declared keys, many rows to one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfferedWay {
    /// The table at its end.
    pub table: String,
    /// The columns that it follows, joined by dots. Empty for the table itself.
    pub via: String,
    /// Whether it is the only way to the table, so that a query need not name it.
    pub is_only: bool,
}
