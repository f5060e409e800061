//! The differences between the pages in a frame: dashboards and workspaces.

use super::{
    handover::{PageState, Visitor},
    host::Host,
};
use crate::{
    calls::{opened::Opened, refusal::Refusal, scope::PageAddress},
    ui::part::Part,
};
use inlay_contract::{ids::DashboardId, page::PageMessage, permissions::Permissions};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{future::Future, sync::Arc};

/// A page's content and parameters, as the server writes them into the HTML.
pub trait Page: Clone + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The page's state for the hand-over.
    fn page_state(&self) -> PageState;
    /// The host page's origin.
    fn parent_origin(&self) -> Option<&str>;
    /// Whether the host wants to be told the content's height.
    fn auto_height(&self) -> bool;
    /// The names of the address's invalid parameters.
    fn refused(&self) -> &[String];
    /// The page's language.
    fn locale(&self) -> &str;
    /// The same page with other content: the wait for a token, or a message.
    #[must_use]
    fn without_content(&self, message: Option<PageMessage>) -> Self;
}

/// The state of a page in its frame: dashboards or a workspace.
pub trait Content: Copy + Send + Sync + 'static {
    /// The page's type.
    type Page: Page;
    /// The message if the address leads nowhere.
    const MISSING: PageMessage;
    /// Whether this wasm has all tools that the page may need.
    const HAS_TOOLS: bool;

    /// Creates the state of a page and provides it as context. `resumed` is what was open on the page before.
    fn new(page: Self::Page, host: Host, resumed: Resumed) -> Self;
    /// The current page. Tracked.
    fn page(self) -> Arc<Self::Page>;
    /// The current page. Not tracked.
    fn page_untracked(self) -> Arc<Self::Page>;
    /// Replaces the page.
    fn show(self, page: Self::Page);
    /// The view of a page with content.
    fn draw(self, page: &Arc<Self::Page>) -> Part;
    /// Applies new permissions of the same user.
    fn apply(self, permissions: Permissions);
    /// Applies filters that the host sent.
    fn set_filters(self, host: Host, search: &str);
    /// Called before the content is requested.
    fn begins(self) {}

    /// What is open on the page, for the wasm that takes over.
    fn resumed(self) -> Resumed {
        Resumed::default()
    }

    /// Replaces the page with a message.
    fn show_message(self, message: PageMessage) {
        self.show(self.page_untracked().without_content(Some(message)));
    }

    /// Asks the server for the user of the token in use.
    fn check(address: PageAddress) -> impl Future<Output = Result<Visitor, Refusal>>;
    /// Asks the server for the page: as its address says, or for the same user as before, with what they had open.
    fn open(self, resumes: bool) -> impl Future<Output = Result<Opened<Self::Page>, Refusal>>;
}

/// What a viewer has open on a page, besides what the address says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Resumed {
    /// The dashboard.
    pub place: Option<DashboardId>,
    /// Whether the host has been told that it is drawn.
    pub loaded: bool,
    /// The active filters as a query.
    pub filters: Option<String>,
    /// The filters that the host sent before a dashboard was there to take them.
    pub pending: Option<String>,
}
