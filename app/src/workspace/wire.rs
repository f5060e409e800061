//! The data of a workspace's page. It is for project users: it contains no SQL, no instructions and no rules.

use crate::{
    calls::{opened::Opened, scope::PageAddress},
    chat::wire::{ChartSource, DrawnChart, TurnView},
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
    /// Its content.
    pub content: WorkspaceContent,
    /// The address's parameters.
    pub parameters: WorkspaceParameters,
    /// BCP 47; for numbers and dates.
    pub locale: String,
    /// IANA name of the time zone for dates.
    pub timezone: String,
}

/// The content of a page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum WorkspaceContent {
    /// A single message.
    Message(PageMessage),
    /// An empty page that waits for a token by message.
    AwaitingToken,
    /// The conversation.
    Workspace(Box<WorkspaceView>),
}

/// The address's parameters, as far as the page needs them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct WorkspaceParameters {
    /// The first question. It is sent when the frame becomes visible.
    pub prompt: Option<String>,
    /// The panel that is open at first.
    pub nav: Option<Panel>,
    /// The host page's origin, if given and valid.
    pub parent_origin: Option<String>,
    /// Report the content's height.
    pub auto_height: bool,
    /// The names of invalid parameters, for the host.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
}

/// A panel beside the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Panel {
    /// The viewer's threads.
    History,
    /// Pinned charts.
    Favorites,
    /// Pinned charts in an arrangement.
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
    /// The page's texts: the host's, or else the workspace's.
    pub words: Placeholders,
    /// Suggested questions.
    pub starters: Vec<String>,
    /// The open thread. `None` for a new one.
    pub thread: Option<ThreadView>,
    /// The viewer's permissions.
    pub permissions: Permissions,
    /// The viewer, to notice a token of another user.
    pub viewer: ProjectUserId,
    /// The viewer's name, which history and favorites show (docs/spec/service.md, "Project user").
    pub viewer_name: String,
}

/// A thread in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadEntry {
    /// The thread.
    pub id: ThreadId,
    /// Its title.
    pub title: String,
    /// The day of its last message, in the viewer's language.
    pub day: String,
}

/// A thread with its last turns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadView {
    /// The thread.
    pub id: ThreadId,
    /// Its last turns.
    pub shown: Turns,
}

/// Turns of a thread that follow each other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Turns {
    /// In order.
    pub turns: Vec<TurnView>,
    /// Whether the thread has turns before these.
    pub has_earlier: bool,
}

/// A pinned chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PinView {
    /// The pin.
    pub id: PinId,
    /// The chart of the answer that was pinned.
    pub source: ChartSource,
    /// Whether it takes the full width.
    pub wide: bool,
    /// The chart.
    pub chart: DrawnChart,
}

/// A chart of the page, for its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ChartRef {
    /// A chart of an answer.
    Answer(ChartSource),
    /// A pinned chart, whose answer may be deleted.
    Pin(PinId),
}

/// The places for pinned charts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PinCollection {
    /// Favorites.
    Favorites,
    /// The canvas.
    Canvas,
}

/// A question, as the page sends it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageQuestion {
    /// The page's own address.
    pub address: PageAddress,
    /// Its thread. `None` starts a new one.
    pub thread: Option<ThreadId>,
    /// The question's text.
    pub message: String,
    /// The earlier question that it replaces, with everything after it.
    pub replaces: Option<MessageId>,
}

/// A workspace's page that is requested after the first HTML.
pub type OpenedWorkspace = Opened<WorkspacePage>;
