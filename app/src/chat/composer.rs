//! The input for questions.

use super::{conversation::Conversation, icons as own};
use crate::ui::{
    icons,
    part::{IntoPart, IntoParts, Part},
};
use leptos::{ev, html, prelude::*};

/// The labels and size of an input for questions.
pub struct Input {
    /// Its accessible name.
    pub label: &'static str,
    /// Its placeholder.
    pub placeholder: String,
    /// It grows up to this many lines.
    pub most_lines: usize,
    /// The element, so that other code can focus it.
    pub node: NodeRef<html::Textarea>,
}

/// Runs `action` when Enter is pressed without Shift.
pub fn on_enter(event: &ev::KeyboardEvent, action: impl FnOnce()) {
    if event.key() == "Enter" && !event.shift_key() && !event.is_composing() {
        event.prevent_default();
        action();
    }
}

/// The input with its button. It is not a form: a frame sandboxed with only `allow-scripts` cannot submit forms.
pub fn input_box(conversation: impl Conversation, Input { label, placeholder, most_lines, node }: Input) -> Part {
    let draft = conversation.draft();
    let lines = move || draft.text.with(|text| text.lines().count().clamp(1, most_lines)).to_string();
    let refused =
        move || draft.refused.get().map(|why| view! { <p class="composer-note composer-refused" role="alert">{why}</p> });
    view! {
        {refused}
        <div class="composer-box">
            <textarea
                node_ref=node
                aria-label=label
                placeholder=placeholder
                rows=lines
                aria-invalid=move || draft.refused.with(Option::is_some).then_some("true")
                prop:value=move || draft.text.get()
                on:input=move |event| draft.put(event_target_value(&event))
                on:keydown=move |event| on_enter(&event, || conversation.send())
            ></textarea>
            {move || button(conversation)}
        </div>
    }
    .part()
}

fn button(conversation: impl Conversation) -> Part {
    if conversation.is_answering() {
        return view! {
            <button type="button" class="send" aria-label="Stop" title="Stop" on:click=move |_| conversation.stop()>{own::stop()}</button>
        }
        .part();
    }
    let empty = move || conversation.draft().text.with(|text| text.trim().is_empty());
    view! {
        <button type="button" class="send" aria-label="Send" title="Send" disabled=empty on:click=move |_| conversation.send()>
            {icons::arrow_up()}
        </button>
    }
    .part()
}

/// Suggested questions, as buttons.
pub fn starters(conversation: impl Conversation, questions: impl IntoIterator<Item = String>) -> Part {
    let chips = questions.into_iter().map(|question| {
        let asked = question.clone();
        view! {
            <button type="button" class="starter" on:click=move |_| {
                conversation.ask(&asked);
            }>
                {question}
            </button>
        }
    });
    view! { <div class="starter-list">{chips.parts()}</div> }.part()
}
