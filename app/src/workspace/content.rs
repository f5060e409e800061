//! A workspace's part of the frame: how its page is opened, shown and replaced.

use super::{opened::workspace, page::Workspace, session::Session, wire::WorkspacePage};
use crate::{
    calls::{PageAddress, Refusal, embed::TokenCheck, opened::Opened, workspace as calls},
    filters::query,
    frame::{
        content::{Content, Resumed},
        handover::Visitor,
        host::Host,
    },
    ui::part::{IntoPart, Part},
};
use inlay_contract::{filter, page::PageMessage, permissions::Permissions};
use leptos::prelude::*;
use std::sync::Arc;

/// A workspace's page in its frame.
#[derive(Clone, Copy)]
pub struct ConversationPage(Session);

impl Content for ConversationPage {
    type Page = WorkspacePage;

    const MISSING: PageMessage = PageMessage::WorkspaceNotFound;
    const HAS_TOOLS: bool = true;

    fn new(page: WorkspacePage, host: Host, _: Resumed) -> Self {
        let session = Session::new(page, host);
        provide_context(session);
        Self(session)
    }

    fn page(self) -> Arc<WorkspacePage> {
        self.0.page()
    }

    fn page_untracked(self) -> Arc<WorkspacePage> {
        self.0.page_untracked()
    }

    fn show(self, page: WorkspacePage) {
        self.0.show(page);
    }

    fn draw(self, page: &Arc<WorkspacePage>) -> Part {
        let Some(view) = workspace(page).cloned() else { return ().part() };
        view! { <Workspace view /> }.part()
    }

    fn apply(self, permissions: Permissions) {
        self.0.permissions.set(permissions);
    }

    fn set_filters(self, host: Host, search: &str) {
        for (name, _) in query::pairs(search).filter(|(name, _)| filter::is_parameter(name)) {
            host.refuse_parameter(format!("{name} is not a filter: workspaces have no filters."));
        }
    }

    async fn check(address: PageAddress) -> Result<Visitor, Refusal> {
        let TokenCheck { viewer, permissions } = calls::check_workspace_token(address).await?;
        Ok(Visitor { viewer, permissions })
    }

    fn open(self, resumes: bool) -> impl Future<Output = Result<Opened<WorkspacePage>, Refusal>> {
        calls::open_workspace(self.0.requests(resumes))
    }
}
