//! The input for questions to a workspace.

use super::{session::Session, wire::WorkspaceView};
use crate::{
    chat::composer::{self, Input, input_box},
    ui::part::{IntoPart, Part},
};
use leptos::{ev, prelude::*};

/// The input grows up to this many lines.
const MOST_LINES: usize = 8;

/// The input with its button, and the workspace's note below it.
#[component]
pub fn Composer(
    /// The workspace.
    view: StoredValue<WorkspaceView>,
) -> impl IntoView {
    let session = Session::here();
    let placeholder = view.with_value(|view| view.words.input_placeholder.clone());
    let disclaimer = view.with_value(|view| view.words.disclaimer_text.clone());
    let on_key = move |event: ev::KeyboardEvent| {
        if event.key() == "Escape" && session.editing.get_untracked().is_some() {
            session.leave_editing();
        }
    };
    let input = Input {
        label: "Question",
        placeholder: placeholder.unwrap_or_else(|| "Ask about your data".to_owned()),
        most_lines: MOST_LINES,
        node: session.input,
    };
    view! {
        <div class="composer" on:keydown=on_key>
            {move || session.editing.get().is_some().then(|| editing(session))}
            {input_box(session, input)}
            {disclaimer.map(|text| view! { <p class="disclaimer">{text}</p> })}
        </div>
    }
    .part()
}

fn editing(session: Session) -> Part {
    view! {
        <p class="composer-note">
            "This replaces the question and deletes every message after it."
            <button type="button" class="button button-quiet" on:click=move |_| session.leave_editing()>"Keep it"</button>
        </p>
    }
    .part()
}

/// Suggested questions, shown in an empty conversation.
#[component]
pub fn Starters(
    /// The workspace.
    view: StoredValue<WorkspaceView>,
) -> impl IntoView {
    let greeting = view.with_value(|view| match &view.words.user_name {
        Some(name) => format!("Hello {name}, what would you like to know?"),
        None => "What would you like to know?".to_owned(),
    });
    let starters = composer::starters(Session::here(), view.with_value(|view| view.starters.clone()));
    view! {
        <div class="starters">
            <p class="greeting">{greeting}</p>
            {starters}
        </div>
    }
    .part()
}
