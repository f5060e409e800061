//! The root of every embedded page.

use super::{
    application::Application,
    message::{Message, Waiting},
};
use crate::ui::part::{IntoPart, Part};
use crate::{bridge::Bridge, calls::Drawn, session::Session};
use inlay_contract::page::{EmbedPage, PageContent};
use leptos::prelude::*;
use std::sync::Arc;

/// The page, whatever it shows. Drawn alike by the server and, from the same data, by the browser.
#[component]
pub fn Root(
    /// What the page shows first.
    page: Drawn<EmbedPage>,
    /// A token that came by message before this page was built; the host knows already that it is ready.
    token: Option<String>,
) -> impl IntoView {
    let session = Session::new(page);
    provide_context(session);
    let bridge = Bridge::new(session, &session.page_untracked().content);
    provide_context(bridge);
    // Effects run in the browser alone, once the page stands.
    Effect::new(move |_| bridge.open(token.clone()));
    move || content(&session.page())
}

fn content(page: &Arc<Drawn<EmbedPage>>) -> Part {
    match &page.content.content {
        PageContent::Message { message } => view! { <Message message=*message /> }.part(),
        PageContent::AwaitingToken => view! { <Waiting /> }.part(),
        PageContent::Application(_) => view! { <Application page=Arc::clone(page) /> }.part(),
    }
}
