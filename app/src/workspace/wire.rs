//! What the server hands to a workspace's page. It is made for a project user's eyes: no SQL, no instructions, no rule in it.

use crate::{
    calls::PageAddress,
    chat::wire::{ChartSource, DrawnChart, TurnView},
    frame::content::Opened,
};
use inlay_contract::{
    ids::{MessageId, PinId, ProjectUserId, ThreadId, WorkspaceId},
    page::PageMessage,
    permissions::Permissions,
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
    /// The names of parameters whose value cannot be used; the host is told of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
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
    /// What the page offers its viewer.
    pub permissions: Permissions,
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

/// A page of a workspace that was requested after the first HTML.
pub type OpenedWorkspace = Opened<WorkspacePage>;
