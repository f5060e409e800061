//! The rows of a chart, for the headless API and the page (docs/spec/contract.md, section 4).

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The type of a column. It decides how values are shown and which axis they get.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ColumnType {
    /// Numbers, with or without decimals.
    Number,
    /// Text.
    Text,
    /// A date: `2001-01-31`.
    Date,
    /// A date and time: `2001-01-31T12:30:00`.
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
    /// Its name in the chart's SQL.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: ColumnType,
}

/// The result of a chart's query.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChartData {
    /// The columns, in the query's order.
    pub columns: Vec<Column>,
    /// The rows, in the query's order. Each has one value per column.
    pub rows: Vec<Vec<Value>>,
    /// Whether the result was cut at the row or size limit.
    pub truncated: bool,
    /// Whether the result came from the cache.
    pub cached: bool,
    /// How long the query took, in milliseconds. 0 if cached.
    pub duration_ms: u64,
    /// When the rows were read, as RFC 3339 in UTC. Only in an older result that takes the place of one while the data source does not
    /// answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<String>,
}

impl ChartData {
    /// The position of the column with this name.
    #[must_use]
    pub fn position(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }
}
