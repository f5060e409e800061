//! Where questions are written.

use super::{icons as own, session::Session, wire::WorkspaceView};
use crate::ui::{
    icons,
    part::{IntoPart, IntoParts, Part},
};
use leptos::{ev, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// The input's id, so that others can give it the focus.
const INPUT: &str = "question";
/// As many lines as it grows to.
const MOST_LINES: usize = 8;

/// Puts the focus into the input.
pub fn focus() {
    let input = document().get_element_by_id(INPUT).and_then(|input| input.dyn_into::<HtmlElement>().ok());
    if let Some(input) = input {
        let _ = input.focus();
    }
}

/// Does something when a line is finished by Enter.
pub fn on_enter(event: &ev::KeyboardEvent, action: impl FnOnce()) {
    if event.key() == "Enter" && !event.shift_key() && !event.is_composing() {
        event.prevent_default();
        action();
    }
}

/// The input with its button. It is no form: a frame sandboxed with scripts alone may not send one.
#[component]
pub fn Composer(
    /// The workspace.
    view: StoredValue<WorkspaceView>,
) -> impl IntoView {
    let session = Session::here();
    let placeholder = view.with_value(|view| view.words.input_placeholder.clone());
    let placeholder = placeholder.unwrap_or_else(|| "Ask about your data".to_owned());
    let disclaimer = view.with_value(|view| view.words.disclaimer_text.clone());
    let on_key = move |event: ev::KeyboardEvent| {
        on_enter(&event, || session.send_draft());
        if event.key() == "Escape" && session.editing.get_untracked().is_some() {
            session.editing.set(None);
            session.draft.set(String::new());
        }
    };
    let lines = move || session.draft.with(|draft| draft.lines().count().clamp(1, MOST_LINES)).to_string();
    view! {
        <div class="composer">
            {move || session.editing.get().is_some().then(|| editing(session))}
            <div class="composer-box">
                <textarea
                    id=INPUT
                    aria-label="Question"
                    placeholder=placeholder.clone()
                    rows=lines
                    maxlength="8000"
                    prop:value=move || session.draft.get()
                    on:input=move |event| session.draft.set(event_target_value(&event))
                    on:keydown=on_key
                ></textarea>
                {move || button(session)}
            </div>
            {disclaimer.map(|text| view! { <p class="disclaimer">{text}</p> })}
        </div>
    }
    .part()
}

fn editing(session: Session) -> Part {
    let leave = move |_| {
        session.editing.set(None);
        session.draft.set(String::new());
    };
    view! {
        <p class="composer-note">
            "This takes the question's place; what was said after it goes."
            <button type="button" class="button button-quiet" on:click=leave>"Keep it"</button>
        </p>
    }
    .part()
}

fn button(session: Session) -> Part {
    if session.is_answering() {
        view! {
            <button type="button" class="send" aria-label="Stop" title="Stop" on:click=move |_| session.stop()>
                {own::stop()}
            </button>
        }
        .part()
    } else {
        let empty = move || session.draft.with(|draft| draft.trim().is_empty());
        view! {
            <button type="button" class="send" aria-label="Send" title="Send" disabled=empty on:click=move |_| session.send_draft()>{icons::arrow_up()}</button>
        }
        .part()
    }
}

/// Questions to start with, while nothing has been said.
#[component]
pub fn Starters(
    /// The workspace.
    view: StoredValue<WorkspaceView>,
) -> impl IntoView {
    let session = Session::here();
    let greeting = view.with_value(|view| match &view.words.user_name {
        Some(name) => format!("Hello {name}, what would you like to know?"),
        None => "What would you like to know?".to_owned(),
    });
    let starters = move || {
        let chips = view.with_value(|view| view.starters.clone()).into_iter().map(|question| {
            let asked = question.clone();
            view! {
                <button type="button" class="starter" on:click=move |_| {
                    session.ask(&asked, None);
                }>
                    {question}
                </button>
            }
        });
        chips.parts()
    };
    view! {
        <div class="starters">
            <p class="greeting">{greeting}</p>
            <div class="starter-list">{starters()}</div>
        </div>
    }
    .part()
}
