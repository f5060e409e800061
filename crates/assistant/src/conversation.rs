//! What was said so far. The server stores these as JSON and hands them back with the next question.

use inlay_contract::{chart::definition::ChartDefinition, data::ChartData};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The viewer.
    User,
    /// The analyst or a model.
    Assistant,
}

/// One turn of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What was said, as Markdown.
    pub text: String,
    /// What was drawn with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<ToolResult>,
}

impl Message {
    /// Something the viewer said.
    #[must_use]
    pub fn user(text: impl Into<String>) -> Self {
        Self { role: Role::User, text: text.into(), results: Vec::new() }
    }

    /// Something that was answered.
    #[must_use]
    pub fn assistant(text: impl Into<String>, results: Vec<ToolResult>) -> Self {
        Self { role: Role::Assistant, text: text.into(), results }
    }
}

/// The name of the tool that draws a chart.
pub const GENERATE_CHART: &str = "generateChart";

/// What a tool answered, as the contract's section 7 sends it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResult {
    /// Which tool: [`GENERATE_CHART`].
    pub tool_name: String,
    /// For `generateChart`: `{chartConfig, data}`.
    pub result: Value,
}

impl ToolResult {
    /// A chart with its rows. The definition holds its SQL, which `save-from-chat` needs; a page must not show it.
    #[must_use]
    pub fn chart(chart: &Chart) -> Self {
        Self { tool_name: GENERATE_CHART.to_owned(), result: serde_json::to_value(chart).unwrap_or_default() }
    }

    /// The chart that this drew, if it drew one.
    #[must_use]
    pub fn as_chart(&self) -> Option<Chart> {
        (self.tool_name == GENERATE_CHART).then(|| Chart::deserialize(&self.result).ok()).flatten()
    }
}

/// A chart with its rows: the result of `generateChart`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Chart {
    /// How the rows are drawn, and the SQL that reads them.
    pub chart_config: ChartDefinition,
    /// The rows.
    pub data: ChartData,
}

/// A chart of the dashboard that the viewer looks at while asking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChartOnScreen {
    /// Its id on the dashboard.
    pub id: String,
    /// How it is drawn.
    pub definition: ChartDefinition,
    /// Its rows, with the current filters.
    pub data: ChartData,
    /// The filters in force, by their label, as a person would say them.
    #[serde(default)]
    pub filters: Map<String, Value>,
}
