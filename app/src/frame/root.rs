//! The root of every embedded page.

use super::{
    Frame,
    blank::{Message, Waiting},
    content::{Content, Page},
    handover::Standing,
    host::Host,
};
use crate::ui::effect::effect;
use crate::{
    browser::theme,
    ui::part::{IntoPart, Part},
};
use leptos::prelude::*;

/// What a page takes over from the one that it succeeds.
pub struct Handed {
    /// The token that came by message.
    pub token: String,
    /// What was open.
    pub place: Option<String>,
}

/// The page, whatever it shows. Drawn alike by the server and, from the same data, by the browser.
pub fn root<C: Content>(page: C::Page, handed: Option<Handed>) -> Part {
    let (handed, place) = handed.map(|handed| (handed.token, handed.place)).unzip();
    let host = Host::new(page.parent_origin());
    let content = C::new(page, host, place.flatten());
    let frame = Frame::new(content, host);
    // Effects run in the browser alone, once the page stands.
    effect(move || frame.open(handed.clone()));
    // A page whose token came by message learns its project's language with its content.
    effect(move || theme::speak(content.page().locale()));
    (move || draw(content)).part()
}

fn draw<C: Content>(content: C) -> Part {
    let page = content.page();
    match page.standing() {
        Standing::Message(message) => view! { <Message message /> }.part(),
        Standing::Waiting => view! { <Waiting /> }.part(),
        Standing::Open(_) => content.draw(&page),
    }
}
