//! The messages of a conversation. The server stores them as JSON and sends them with the next question.

use inlay_contract::{chart::definition::ChartDefinition, data::ChartData};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

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

/// The name of the result that holds questions to ask next.
pub const SUGGEST_QUESTIONS: &str = "suggestQuestions";

/// The result of a tool, in the format of section 7 of the contract.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResult {
    /// The tool: [`GENERATE_CHART`] or [`SUGGEST_QUESTIONS`].
    pub tool_name: String,
    /// For `generateChart`: `{chartConfig, data, proof}`. For `suggestQuestions`: `{questions, reading}`.
    pub result: Value,
}

impl ToolResult {
    /// A chart with its rows. The definition contains the SQL, which `save-from-chat` needs; a page must not show it.
    #[must_use]
    pub fn chart(chart: &Chart) -> Self {
        Self { tool_name: GENERATE_CHART.to_owned(), result: serde_json::to_value(chart).unwrap_or_default() }
    }

    /// Questions to ask next, and the parts of the reading, if it has some.
    #[must_use]
    pub fn suggestions(questions: &[String], reading: &[Chip]) -> Self {
        let mut result = json!({ "questions": questions });
        if !reading.is_empty() {
            result["reading"] = json!(reading);
        }
        Self { tool_name: SUGGEST_QUESTIONS.to_owned(), result }
    }

    /// The parts of the reading of this result, if it holds some.
    #[must_use]
    pub fn as_reading(&self) -> Option<Vec<Chip>> {
        let reading = (self.tool_name == SUGGEST_QUESTIONS).then(|| self.result.get("reading")).flatten()?;
        Vec::deserialize(reading).ok()
    }

    /// The questions of this result, if it holds some.
    #[must_use]
    pub fn as_suggestions(&self) -> Option<Vec<String>> {
        let questions = (self.tool_name == SUGGEST_QUESTIONS).then(|| self.result.get("questions")).flatten()?;
        Vec::deserialize(questions).ok()
    }

    /// The chart of this result, if it has one.
    #[must_use]
    pub fn as_chart(&self) -> Option<Chart> {
        (self.tool_name == GENERATE_CHART).then(|| Chart::deserialize(&self.result).ok()).flatten()
    }
}

/// A part of the reading of a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Chip {
    /// Which part: `Number`, `By`, `Only`, `Period`.
    pub part: String,
    /// What it is.
    pub value: String,
    /// What it could be instead.
    pub choices: Vec<Choice>,
}

/// What a part of a reading could be instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Choice {
    /// In words.
    pub label: String,
    /// The question that changes it.
    pub question: String,
}

/// A chart with its rows: the result of `generateChart`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Chart {
    /// The definition, with its SQL.
    pub chart_config: ChartDefinition,
    /// The rows.
    pub data: ChartData,
    /// How the rows were worked out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
}

/// How the rows of a chart were worked out, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Proof {
    /// What was worked out of which rows.
    pub sentence: String,
    /// The declared measures and metrics in it that have a description.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<Defined>,
    /// Who verified the query. `None` if nobody did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified_by: Option<String>,
}

/// A measure with its definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Defined {
    /// Its label.
    pub label: String,
    /// What it is.
    pub definition: String,
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
