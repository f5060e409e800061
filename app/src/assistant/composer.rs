//! Where questions to the assistant are written.

use super::talk::Talk;
use crate::{
    ui::{
        icons,
        part::{IntoPart, Part},
    },
    workspace::{composer::on_enter, icons as own},
};
use leptos::{html, prelude::*};

/// As many lines as the input grows to.
const MOST_LINES: usize = 6;

/// The input with its button; it gets the focus as soon as it stands.
pub fn composer(talk: Talk, label: &'static str, placeholder: &'static str) -> Part {
    let input = NodeRef::<html::Textarea>::new();
    Effect::new(move |_| {
        if let Some(input) = input.get() {
            let _ = input.focus();
        }
    });
    let lines = move || talk.draft.with(|draft| draft.lines().count().clamp(1, MOST_LINES)).to_string();
    view! {
        <div class="composer">
            <div class="composer-box">
                <textarea
                    node_ref=input
                    aria-label=label
                    placeholder=placeholder
                    rows=lines
                    maxlength="8000"
                    prop:value=move || talk.draft.get()
                    on:input=move |event| talk.draft.set(event_target_value(&event))
                    on:keydown=move |event| on_enter(&event, || talk.send())
                ></textarea>
                {move || button(talk)}
            </div>
        </div>
    }
    .part()
}

fn button(talk: Talk) -> Part {
    if talk.is_answering() {
        return view! {
            <button type="button" class="send" aria-label="Stop" title="Stop" on:click=move |_| talk.stop()>{own::stop()}</button>
        }
        .part();
    }
    let empty = move || talk.draft.with(|draft| draft.trim().is_empty());
    view! {
        <button type="button" class="send" aria-label="Send" title="Send" disabled=empty on:click=move |_| talk.send()>
            {icons::arrow_up()}
        </button>
    }
    .part()
}
