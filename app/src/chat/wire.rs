//! What the server tells of answers. It is made for a project user's eyes: no SQL, no instructions, no rule in it.

use crate::calls::Picture;
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
    /// What was asked.
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
    /// What was done for it.
    pub steps: Vec<StepView>,
    /// What it says.
    pub blocks: Vec<Block>,
    /// What it draws.
    pub charts: Vec<AnswerChart>,
    /// How far it is.
    pub state: AnswerState,
    /// Whether its reader found it helpful.
    pub helpful: Option<bool>,
}

/// How far an answer is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AnswerState {
    /// More is to come.
    Answering,
    /// Complete.
    Done,
    /// Its reader stopped it.
    Stopped,
    /// The service stopped meanwhile.
    Interrupted,
    /// It failed, and why.
    Failed(String),
}

/// Something that was done for an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepView {
    /// A few words.
    pub name: String,
    /// How it goes.
    pub status: StepState,
}

/// How a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StepState {
    /// It has begun.
    Running,
    /// It is over.
    Done,
    /// It did not work.
    Failed,
}

/// A chart of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AnswerChart {
    /// The answer, and which of its results the chart is.
    pub source: ChartSource,
    /// The chart.
    pub chart: DrawnChart,
    /// What puts it on the dashboard that it was made for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer: Option<Offer>,
}

/// A chart as a dashboard takes it. What it asks is sealed: the page cannot read it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Offer {
    /// The chart.
    pub sealed: String,
    /// Its name and kind.
    pub face: ChartFace,
    /// The width and height that show it well, in columns and rows of the grid.
    pub size: (u16, u16),
}

/// Names a chart of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChartSource {
    /// The answer.
    pub message: MessageId,
    /// Which of its results, from 0.
    pub result: usize,
}

/// A chart with what is drawn of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DrawnChart {
    /// Its name.
    pub title: String,
    /// How it is drawn.
    pub kind: ChartType,
    /// What it shows.
    pub shown: Shown,
    /// The picture for the first HTML; drawn by the server, never sent in JSON.
    #[serde(skip)]
    pub svg: Option<String>,
}

/// What a chart shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(
    not(target_arch = "wasm32"),
    expect(clippy::large_enum_variant, reason = "nearly all of them are rows; a box would save nothing")
)]
pub enum Shown {
    /// Its rows.
    Rows {
        /// What is drawn of them; none where the definition does not fit.
        picture: Option<Picture>,
        /// The rows.
        data: ChartData,
    },
    /// No row fits.
    Empty,
    /// They could not be had, and why.
    Failed(String),
}

/// What happens while an answer is made, as its page draws it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::large_enum_variant, reason = "each is read once and gone")]
pub enum PageEvent {
    /// The question is kept.
    Begun {
        /// The thread.
        thread: ThreadId,
        /// The question.
        question: MessageId,
        /// The answer.
        answer: MessageId,
    },
    /// Something is done.
    Step(StepView),
    /// The answer's text from one of its blocks on.
    Prose {
        /// How many blocks stay as they are.
        keep: usize,
        /// What follows them.
        blocks: Vec<Block>,
    },
    /// A chart is drawn.
    Chart(AnswerChart),
    /// The answer is over.
    Over(AnswerState),
}
