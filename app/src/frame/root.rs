//! The root of every embedded page.

use super::{
    Frame,
    blank::{Message, Waiting},
    content::{Content, Page},
    handover::PageState,
    host::Host,
};
use crate::ui::effect::effect;
use crate::{
    browser::theme,
    ui::part::{IntoPart, Part},
};
use leptos::prelude::*;

/// The state that a page takes over from the one before.
pub struct Handed {
    /// The token that arrived by message.
    pub token: String,
    /// What was open.
    pub place: Option<String>,
}

/// The page. The server and the browser draw the same view from the same data.
pub fn root<C: Content>(page: C::Page, handed: Option<Handed>) -> Part {
    let (handed, place) = handed.map(|handed| (handed.token, handed.place)).unzip();
    let host = Host::new(page.parent_origin());
    let content = C::new(page, host, place.flatten());
    let frame = Frame::new(content, host);
    // Effects run only in the browser, after the page is mounted.
    effect(move || frame.open(handed.clone()));
    // A page whose token arrives by message gets its project's language with its content.
    effect(move || theme::speak(content.page().locale()));
    (move || draw(content)).part()
}

fn draw<C: Content>(content: C) -> Part {
    let page = content.page();
    match page.page_state() {
        PageState::Message(message) => view! { <Message message /> }.part(),
        PageState::Waiting => view! { <Waiting /> }.part(),
        PageState::Open(_) => content.draw(&page),
    }
}
