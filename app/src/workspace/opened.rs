//! The page as the frame sees it: whether it is open, for whom, and its parameters.

use super::wire::{WorkspaceContent, WorkspacePage, WorkspaceParameters, WorkspaceView};
use crate::frame::{
    content::Page,
    handover::{PageState, Visitor},
};
use inlay_contract::{page::PageMessage, permissions::Permissions};

impl Page for WorkspacePage {
    fn page_state(&self) -> PageState {
        match &self.content {
            WorkspaceContent::Message(message) => PageState::Message(*message),
            WorkspaceContent::AwaitingToken => PageState::Waiting,
            WorkspaceContent::Workspace(view) => {
                PageState::Open(Visitor { viewer: view.viewer, permissions: view.permissions })
            }
        }
    }

    fn parent_origin(&self) -> Option<&str> {
        self.parameters.parent_origin.as_deref()
    }

    fn auto_height(&self) -> bool {
        self.parameters.auto_height
    }

    fn refused(&self) -> &[String] {
        &self.parameters.refused
    }

    fn locale(&self) -> &str {
        &self.locale
    }

    fn without_content(&self, message: Option<PageMessage>) -> Self {
        let Self { locale, timezone, parameters, .. } = self.clone();
        let parameters = WorkspaceParameters { prompt: None, ..parameters };
        let content = message.map_or(WorkspaceContent::AwaitingToken, WorkspaceContent::Message);
        Self { content, parameters, locale, timezone }
    }
}

/// The viewer's permissions on a page. None if it shows no workspace.
#[must_use]
pub fn permissions(page: &WorkspacePage) -> Permissions {
    workspace(page).map(|view| view.permissions).unwrap_or_default()
}

/// The workspace of a page, if it shows one.
#[must_use]
pub fn workspace(page: &WorkspacePage) -> Option<&WorkspaceView> {
    match &page.content {
        WorkspaceContent::Workspace(view) => Some(view),
        WorkspaceContent::Message(_) | WorkspaceContent::AwaitingToken => None,
    }
}
