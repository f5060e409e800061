//! What differs between the pages that stand in a frame.

use super::{
    handover::{Standing, Visitor},
    host::Host,
};
use crate::{
    calls::{PageAddress, Refusal, client},
    ui::part::Part,
};
use inlay_contract::{page::PageMessage, permissions::Permissions};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{future::Future, sync::Arc};

/// What a page shows and was asked for, as the server writes it into the HTML.
pub trait Page: Clone + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// What the page shows.
    fn standing(&self) -> Standing;
    /// The host page's origin.
    fn parent_origin(&self) -> Option<&str>;
    /// Whether the host wants to know the content's height.
    fn auto_height(&self) -> bool;
    /// The names of the address's parameters that cannot be used.
    fn refused(&self) -> &[String];
    /// The page's language.
    fn locale(&self) -> &str;
    /// The same page with other content: the wait for a token, or one sentence.
    #[must_use]
    fn without_content(&self, message: Option<PageMessage>) -> Self;
}

/// The state of a page in its frame: dashboards or a workspace.
pub trait Content: Copy + Send + Sync + 'static {
    /// What it shows.
    type Page: Page;
    /// What the page says if its address leads nowhere.
    const MISSING: PageMessage;
    /// Whether this wasm holds all tools that the page may have.
    const HAS_TOOLS: bool;

    /// The state of a page that shows this first. Provides it as context. `place` is what was open on the page that it succeeds.
    fn new(page: Self::Page, host: Host, place: Option<String>) -> Self;
    /// What is shown. Tracked.
    fn page(self) -> Arc<Self::Page>;
    /// What is shown. Not tracked.
    fn page_untracked(self) -> Arc<Self::Page>;
    /// Shows another page in place of this one.
    fn show(self, page: Self::Page);
    /// The view of a page with content.
    fn draw(self, page: &Arc<Self::Page>) -> Part;
    /// Offers the same user other tools.
    fn apply(self, permissions: Permissions);
    /// The host sent filters.
    fn set_filters(self, host: Host, search: &str);
    /// The content is about to be requested.
    fn begins(self) {}

    /// The page's own address with what its viewer has changed.
    fn address(self) -> PageAddress {
        client::address()
    }

    /// What of the page is open, beside what the address names.
    fn place(self) -> Option<String> {
        None
    }

    /// Shows a sentence in place of the page.
    fn show_message(self, message: PageMessage) {
        self.show(self.page_untracked().without_content(Some(message)));
    }

    /// Asks the server whose token is in use.
    fn check(address: PageAddress) -> impl Future<Output = Result<Visitor, Refusal>>;
    /// Asks the server for the page.
    fn open(address: PageAddress) -> impl Future<Output = Result<Opened<Self::Page>, Refusal>>;
}

/// A page that was requested after the first HTML, with what stands outside its body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Opened<P> {
    /// The page.
    pub page: P,
    /// The theme's custom properties, for the `style` of `<html>`.
    pub style: String,
    /// The document's title.
    pub title: String,
}
