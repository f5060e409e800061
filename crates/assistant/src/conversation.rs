//! The messages of a conversation. The server stores them as JSON and sends them with the next question.

use inlay_contract::{chart::definition::ChartDefinition, data::ChartData};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The author of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The viewer.
    User,
    /// The analyst or a model.
    Assistant,
}

/// A message of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// The author.
    pub role: Role,
    /// The text, as Markdown.
    pub text: String,
    /// Its charts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<ToolResult>,
}

impl Message {
    /// A message of the viewer.
    #[must_use]
    pub fn user(text: impl Into<String>) -> Self {
        Self { role: Role::User, text: text.into(), results: Vec::new() }
    }

    /// An answer.
    #[must_use]
    pub fn assistant(text: impl Into<String>, results: Vec<ToolResult>) -> Self {
        Self { role: Role::Assistant, text: text.into(), results }
    }
}

/// The name of the tool that draws a chart.
pub const GENERATE_CHART: &str = "generateChart";

/// The result of a tool, in the format of section 7 of the contract.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResult {
    /// The tool: [`GENERATE_CHART`].
    pub tool_name: String,
    /// For `generateChart`: `{chartConfig, data}`.
    pub result: Value,
}

impl ToolResult {
    /// A chart with its rows. The definition contains the SQL, which `save-from-chat` needs; a page must not show it.
    #[must_use]
    pub fn chart(chart: &Chart) -> Self {
        Self { tool_name: GENERATE_CHART.to_owned(), result: serde_json::to_value(chart).unwrap_or_default() }
    }

    /// The chart of this result, if it has one.
    #[must_use]
    pub fn as_chart(&self) -> Option<Chart> {
        (self.tool_name == GENERATE_CHART).then(|| Chart::deserialize(&self.result).ok()).flatten()
    }
}

/// A chart with its rows: the result of `generateChart`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Chart {
    /// The definition, with its SQL.
    pub chart_config: ChartDefinition,
    /// The rows.
    pub data: ChartData,
}

/// A chart of the dashboard that the question is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChartOnScreen {
    /// Its id on the dashboard.
    pub id: String,
    /// How it is drawn.
    pub definition: ChartDefinition,
    /// Its rows, with the current filters.
    pub data: ChartData,
    /// The active filters by label, with readable values.
    #[serde(default)]
    pub filters: Map<String, Value>,
}
