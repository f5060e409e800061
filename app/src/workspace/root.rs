//! The root of a workspace's page.

use super::{
    bridge::Bridge,
    page::Workspace,
    session::Session,
    wire::{WorkspaceContent, WorkspacePage},
};
use crate::{
    browser::theme,
    pages::message::{Message, Waiting},
    ui::part::{IntoPart, Part},
};
use leptos::prelude::*;
use std::sync::Arc;

/// The page, whatever it shows. Drawn alike by the server and, from the same data, by the browser.
#[component]
pub fn Root(
    /// What the page shows first.
    page: WorkspacePage,
) -> impl IntoView {
    let session = Session::new(page);
    provide_context(session);
    let bridge = Bridge::new(session);
    provide_context(bridge);
    // Effects run in the browser alone, once the page stands.
    Effect::new(move |_| bridge.open());
    move || content(&session.page.get())
}

fn content(page: &Arc<WorkspacePage>) -> Part {
    let locale = page.locale.clone();
    // A page whose token came by message learns its project's language with its content.
    Effect::new(move |_| theme::speak(&locale));
    match &page.content {
        WorkspaceContent::Message(message) => view! { <Message message=*message /> }.part(),
        WorkspaceContent::AwaitingToken => view! { <Waiting /> }.part(),
        WorkspaceContent::Workspace(view) => view! { <Workspace view=(**view).clone() /> }.part(),
    }
}
