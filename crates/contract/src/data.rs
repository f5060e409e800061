//! The rows of a chart, as the headless API and the page get them (docs/spec/contract.md, section 4).

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a column holds, after reading; decides how a value is shown and which axis it gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ColumnType {
    /// Whole and broken numbers.
    Number,
    /// Text.
    Text,
    /// A day: `2001-01-31`.
    Date,
    /// A day and time: `2001-01-31T12:30:00`.
    Timestamp,
    /// True or false.
    Boolean,
    /// Anything else, as JSON.
    Json,
}

/// A column of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Column {
    /// The name that the chart's SQL gives it.
    pub name: String,
    /// What it holds.
    #[serde(rename = "type")]
    pub kind: ColumnType,
}

/// A chart's answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChartData {
    /// Columns in the query's order.
    pub columns: Vec<Column>,
    /// Rows in the query's order; each as long as `columns`.
    pub rows: Vec<Vec<Value>>,
    /// Whether the row or size limit cut the answer.
    pub truncated: bool,
    /// Whether the answer came from the result cache.
    pub cached: bool,
    /// How long the source took, in milliseconds (0 when cached).
    pub duration_ms: u64,
}

impl ChartData {
    /// The position of a column by its name.
    #[must_use]
    pub fn position(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }
}
