//! What the server hands to a workspace's page. It is made for a project user's eyes: no SQL, no instructions, no rule in it.

use crate::backend::{PageAddress, Picture};
use inlay_contract::{
    chart::definition::ChartType,
    data::ChartData,
    ids::{MessageId, PinId, ProjectUserId, ThreadId, WorkspaceId},
    page::{ChartFace, PageMessage},
    prose::Block,
    workspace::Placeholders,
};
use serde::{Deserialize, Serialize};

/// Everything that a `/share/workspace/…` page shows first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkspacePage {
    /// What is shown.
    pub content: WorkspaceContent,
    /// What the address asked for.
    pub parameters: WorkspaceParameters,
    /// BCP 47; for numbers and dates.
    pub locale: String,
    /// IANA name; days are those of this zone.
    pub timezone: String,
}

/// What a page shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum WorkspaceContent {
    /// One sentence alone.
    Message(PageMessage),
    /// The shell of a page whose token comes from the parent by message.
    AwaitingToken,
    /// The conversation.
    Workspace(Box<WorkspaceView>),
}

/// What the address asked for, as far as the page needs it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct WorkspaceParameters {
    /// The first question, sent by itself once the frame is seen.
    pub prompt: Option<String>,
    /// The panel that is open at first.
    pub nav: Option<Panel>,
    /// The host page's origin, when it was given and is well-formed.
    pub parent_origin: Option<String>,
    /// Report the content's height.
    pub auto_height: bool,
}

/// What stands beside the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Panel {
    /// The viewer's threads.
    History,
    /// Charts kept at hand.
    Favorites,
    /// Charts arranged to be looked at together.
    Canvas,
}

impl Panel {
    /// Its name on the page.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::History => "History",
            Self::Favorites => "Favorites",
            Self::Canvas => "Canvas",
        }
    }
}

/// A workspace as its viewer sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceView {
    /// The workspace.
    pub id: WorkspaceId,
    /// Its name.
    pub name: String,
    /// The words of the page: the host's, else the workspace's.
    pub words: Placeholders,
    /// Questions to start with.
    pub starters: Vec<String>,
    /// The thread that is open; none for a new one.
    pub thread: Option<ThreadView>,
    /// Whether the viewer may change an answer's chart.
    pub edits_charts: bool,
    /// Whether the viewer may make a dashboard of the canvas.
    pub adds_dashboards: bool,
    /// Who the viewer is, so that a new token for another user is noticed.
    pub viewer: ProjectUserId,
}

/// A thread in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadEntry {
    /// The thread.
    pub id: ThreadId,
    /// Its title.
    pub title: String,
    /// The day when something was said in it last, as the viewer's language writes it.
    pub day: String,
}

/// A thread with what was said in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadView {
    /// The thread.
    pub id: ThreadId,
    /// Questions with their answers, in order.
    pub turns: Vec<TurnView>,
}

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

/// A chart that the viewer keeps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PinView {
    /// The pin.
    pub id: PinId,
    /// Where it came from.
    pub source: ChartSource,
    /// Whether it takes the whole width.
    pub wide: bool,
    /// The chart.
    pub chart: DrawnChart,
}

/// Where a chart is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Place {
    /// Among the favourites.
    Favorites,
    /// On the canvas.
    Canvas,
}

/// A question, as the page sends it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageQuestion {
    /// Where: the page's own address.
    pub address: PageAddress,
    /// The thread that it goes on; a new one begins without.
    pub thread: Option<ThreadId>,
    /// What is asked.
    pub message: String,
    /// An earlier question that it takes the place of, with everything after it.
    pub replaces: Option<MessageId>,
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

/// A page that was asked for after the first HTML, with what stands outside its body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenedWorkspace {
    /// The page.
    pub page: WorkspacePage,
    /// The theme's custom properties, for the `style` of `<html>`.
    pub style: String,
    /// The document's title.
    pub title: String,
}
