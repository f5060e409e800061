//! Answers as the server sends them. They are for project users: they contain no SQL, no instructions and no rules.

use crate::drawing::Drawing;
use inlay_contract::{
    chart::definition::ChartType,
    data::ChartData,
    ids::{MessageId, ThreadId},
    page::ChartFace,
    prose::Block,
};
use serde::{Deserialize, Serialize};

/// A question and its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnView {
    /// The question.
    pub question: MessageId,
    /// The question's text.
    pub text: String,
    /// The answer.
    pub answer: AnswerView,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AnswerView {
    /// The message.
    pub id: MessageId,
    /// Its steps.
    pub steps: Vec<StepView>,
    /// Its text.
    pub blocks: Vec<Block>,
    /// Its charts.
    pub charts: Vec<AnswerChart>,
    /// Its state.
    pub state: AnswerState,
    /// The reader's feedback.
    pub helpful: Option<bool>,
    /// Questions to ask next.
    #[serde(default, skip_serializing_if = "NextView::is_empty")]
    pub next: NextView,
}

/// What can be asked after an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NextView {
    /// Questions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<String>,
    /// The parts of the reading.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reading: Vec<ChipView>,
}

impl NextView {
    /// Whether nothing is offered.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.questions.is_empty() && self.reading.is_empty()
    }
}

/// A part of the reading of a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChipView {
    /// Which part: "By".
    pub part: String,
    /// What it is: "month".
    pub value: String,
    /// What it could be instead, each with the question that changes it.
    pub choices: Vec<(String, String)>,
}

/// The state of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AnswerState {
    /// In progress.
    Answering,
    /// Complete.
    Done,
    /// The reader stopped it.
    Stopped,
    /// The service stopped before it was complete.
    Interrupted,
    /// It failed, with the reason.
    Failed(String),
}

/// A step of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepView {
    /// Its name, in two or three words.
    pub name: String,
    /// Its state.
    pub status: StepState,
}

/// The state of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StepState {
    /// In progress.
    Running,
    /// Done.
    Done,
    /// Failed.
    Failed,
}

/// A chart of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AnswerChart {
    /// The answer, and the position of the chart in it.
    pub source: ChartSource,
    /// The chart.
    pub chart: DrawnChart,
    /// What adds the chart to the dashboard. `None` for charts of a workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer: Option<Offer>,
}

/// A chart that can be added to a dashboard. Its query is encrypted: the page cannot read it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Offer {
    /// The encrypted chart.
    pub sealed: String,
    /// Its name and kind.
    pub face: ChartFace,
    /// A suitable width and height, in columns and rows of the grid.
    pub size: (u16, u16),
}

/// Identifies a chart of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChartSource {
    /// The answer.
    pub message: MessageId,
    /// The position among its results, from 0.
    pub result: usize,
}

/// A chart with its content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DrawnChart {
    /// Its name.
    pub title: String,
    /// Its type.
    pub kind: ChartType,
    /// Its content.
    pub shown: Shown,
    /// How its rows were worked out. `None` where nothing tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofView>,
    /// The definition of a chart that is HTML, as JSON, where the server keeps no answer: from it and the rows the server draws the
    /// picture for a download.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
    /// The drawing for the first HTML. Never sent in JSON.
    #[serde(skip)]
    pub svg: Option<String>,
}

/// How the rows of a chart were worked out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProofView {
    /// What was worked out of which rows.
    pub sentence: String,
    /// Measures with their definitions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<(String, String)>,
    /// Who verified the query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified_by: Option<String>,
    /// How many rows were read, and when.
    pub read: String,
}

/// The content of a chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Shown {
    /// Rows.
    Rows {
        /// The drawing. `None` if the definition does not fit the rows.
        drawing: Option<Drawing>,
        /// The rows.
        data: ChartData,
    },
    /// No rows.
    Empty,
    /// The query failed, with the reason.
    Failed(String),
}

/// An event while an answer is being made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(not(target_arch = "wasm32"), expect(clippy::large_enum_variant, reason = "each is read once and gone"))]
pub enum PageEvent {
    /// The question is stored.
    Begun {
        /// The thread.
        thread: ThreadId,
        /// The question.
        question: MessageId,
        /// The answer.
        answer: MessageId,
    },
    /// A step began or ended.
    Step(StepView),
    /// The answer's text, from one of its blocks on.
    Prose {
        /// This many blocks stay as they are.
        keep: usize,
        /// The blocks after them.
        blocks: Vec<Block>,
    },
    /// A chart is drawn.
    Chart(AnswerChart),
    /// What can be asked next.
    Next(NextView),
    /// The answer has ended.
    Over(AnswerState),
}
