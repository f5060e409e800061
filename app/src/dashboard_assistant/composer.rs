//! The input for questions to the assistant.

use super::talk::Talk;
use crate::ui::effect::effect;
use crate::{
    chat::composer::{Input, input_box},
    ui::part::{IntoPart, Part},
};
use leptos::prelude::*;

/// The input grows up to this many lines.
const MOST_LINES: usize = 6;

/// The input with its button. It takes the focus when it is mounted.
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
