//! Where questions to the assistant are written.

use super::talk::Talk;
use crate::ui::effect::effect;
use crate::{
    chat::composer::{Input, input_box},
    ui::part::{IntoPart, Part},
};
use leptos::prelude::*;

/// As many lines as the input grows to.
const MOST_LINES: usize = 6;

/// The input with its button; it gets the focus as soon as it stands.
pub fn composer(talk: Talk, label: &'static str, placeholder: &'static str) -> Part {
    let node = NodeRef::<leptos::html::Textarea>::new();
    effect(move || {
        if let Some(input) = node.get() {
            let _ = input.focus();
        }
    });
    let input = Input { label, placeholder: placeholder.to_owned(), most_lines: MOST_LINES, node };
    view! { <div class="composer">{input_box(talk, input)}</div> }.part()
}
