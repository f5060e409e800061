//! Server rendering of a workspace's page.

use super::{
    content::ConversationPage,
    wire::{OpenedWorkspace, WorkspaceContent, WorkspacePage},
};
use crate::frame::ssr::{self, Document};
use inlay_contract::theme::Theme;

/// The document of a page.
#[must_use]
pub fn document(page: WorkspacePage, theme: &Theme) -> Document {
    let flag = if page.parameters.auto_height { " data-auto-height" } else { "" };
    Document {
        attributes: format!("{}{flag}", ssr::look(&page.locale, theme)),
        title: title(&page).to_owned(),
        sheets: &["workspace"],
        bundle: "inlay-workspace",
        charts: false,
        data: ssr::data(&page),
        body: ssr::body::<ConversationPage>(page),
    }
}

/// A page for a document that is already open.
#[must_use]
pub fn opened(page: WorkspacePage, theme: &Theme) -> OpenedWorkspace {
    OpenedWorkspace { style: ssr::style(theme), title: title(&page).to_owned(), page }
}

fn title(page: &WorkspacePage) -> &str {
    match &page.content {
        WorkspaceContent::Workspace(view) => &view.name,
        WorkspaceContent::Message(message) => message.text(),
        WorkspaceContent::AwaitingToken => "Loading",
    }
}
