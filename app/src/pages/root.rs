//! The root of every embedded page.

use super::{
    application::Application,
    message::{Message, Waiting},
};
use crate::session::Session;
use inlay_contract::page::{EmbedPage, PageContent};
use leptos::prelude::*;
use std::sync::Arc;

/// The page, whatever it shows. Drawn alike by the server and, from the same data, by the browser.
#[component]
pub fn Root(
    /// What the page shows first.
    page: EmbedPage,
) -> impl IntoView {
    let session = Session::new(page);
    provide_context(session);
    move || content(&session.page())
}

fn content(page: &Arc<EmbedPage>) -> AnyView {
    match &page.content {
        PageContent::Message { message } => view! { <Message message=*message /> }.into_any(),
        PageContent::AwaitingToken => view! { <Waiting /> }.into_any(),
        PageContent::Application(_) => view! { <Application page=Arc::clone(page) /> }.into_any(),
    }
}
