//! The conversation: questions, and answers while they arrive.

use super::{
    files::ChartFiles,
    pins::PinButton,
    session::Session,
    wire::{ChartRef, PinCollection, WorkspaceView},
};
use crate::{
    browser::clipboard,
    calls::{client, workspace},
    chat::{
        answer,
        conversation::Conversation,
        figure::figure,
        icons as own,
        turn::Turn,
        wire::{AnswerChart, ChartSource},
    },
    prose,
    ui::{
        icons,
        part::{IntoPart, Part},
    },
};
use inlay_contract::permissions::Flag;
use leptos::{prelude::*, task::spawn_local};

/// The conversation.
#[component]
pub fn Conversation(
    /// The workspace.
    view: StoredValue<WorkspaceView>,
) -> impl IntoView {
    let session = Session::here();
    let thinking = view.with_value(|view| view.words.thinking_placeholder.clone()).unwrap_or_else(|| "Thinking…".into());
    let name = view.with_value(|view| view.words.assistant_name.clone());
    let words = StoredValue::new(Words { thinking, name, session });
    answer::log(session, move |turn| turn_view(&turn, words))
}

/// The workspace's names and texts that every answer needs.
struct Words {
    thinking: String,
    name: Option<String>,
    session: Session,
}

fn turn_view(turn: &Turn, words: StoredValue<Words>) -> Part {
    let (name, thinking) = words.with_value(|words| (words.name.clone(), words.thinking.clone()));
    let charts = answer::charts(&turn.answer, move |chart| answer_chart(chart, words));
    let over = turn.clone();
    let ending = answer::ending(turn, thinking, move |why| actions(&over, why));
    view! {
        <article class="turn">
            {question(turn)}
            {answer::answer(turn, name, charts, ending)}
        </article>
    }
    .part()
}

fn question(turn: &Turn) -> Part {
    let session = Session::here();
    let (text, id) = (turn.text.clone(), turn.question.clone());
    let edit = {
        let text = text.clone();
        move |_| {
            session.edit(id.get_untracked(), text.clone());
        }
    };
    let kept = turn.question.clone();
    view! {
        <div class="question">
            <p>{text.clone()}</p>
            <div class="quiet-actions">
                {quiet("Copy question", own::copy, {
                    let text = text.clone();
                    move || clipboard::copy(&text)
                })}
                <button
                    type="button"
                    class="icon-button"
                    aria-label="Edit question"
                    title="Edit question"
                    disabled=move || kept.with(Option::is_none) || session.is_answering()
                    on:click=edit
                >
                    {own::pencil()}
                </button>
            </div>
        </div>
    }
    .part()
}

fn quiet(label: &'static str, icon: fn() -> Part, action: impl Fn() + 'static) -> Part {
    view! {
        <button type="button" class="icon-button" aria-label=label title=label on:click=move |_| action()>{icon()}</button>
    }
    .part()
}

fn answer_chart(chart: &AnswerChart, words: StoredValue<Words>) -> Part {
    let AnswerChart { source, chart, .. } = chart.clone();
    let editing = RwSignal::new(false);
    let session = words.with_value(|words| words.session);
    let edits = move || session.permissions.get().allows(Flag::CanEditChartFromSession);
    let actions = view! {
        <div class="chart-actions">
            <SaveButton source />
            <PinButton source place=PinCollection::Favorites label="Add to favorites" icon=own::star() />
            <PinButton source place=PinCollection::Canvas label="Add to canvas" icon=own::board() />
            {move || edits().then(|| view! {
                <button type="button" class="button button-quiet" aria-expanded=move || editing.get().to_string()
                    on:click=move |_| editing.update(|on| *on = !*on)>
                    {own::pencil()}"Edit chart"
                </button>
            })}
        </div>
        {
            let chart = chart.clone();
            move || editing.get().then(|| super::editor::editor(source, &chart, editing))
        }
    };
    session.report(&chart);
    let files = ChartFiles { chart: ChartRef::Answer(source), session };
    figure(chart, format!("{}-{}", source.message, source.result), files, actions.part())
}

#[component]
fn SaveButton(
    /// The chart.
    source: ChartSource,
) -> impl IntoView {
    let session = Session::here();
    let saved = RwSignal::new(false);
    let save = move |_| {
        saved.set(true);
        spawn_local(async move {
            match workspace::save_chart(client::address(), source).await {
                Ok(name) => session.tell(&format!("Saved to the library: {name}")),
                Err(refusal) => {
                    saved.set(false);
                    session.refuse(&refusal);
                }
            }
        });
    };
    view! {
        <button type="button" class="button button-quiet" disabled=move || saved.get() on:click=save>
            {move || if saved.get() { icons::check() } else { own::library() }}"Save to library"
        </button>
    }
    .part()
}

fn actions(turn: &Turn, note: Option<String>) -> Part {
    let session = Session::here();
    let failed = note.is_some();
    let again = turn.clone();
    let retry = move || session.ask_again(&again);
    let blocks = turn.answer.blocks.clone();
    let copy = move || clipboard::copy(&blocks.with_untracked(|blocks| prose::plain(blocks)));
    view! {
        {note.map(answer::note)}
        <div class="quiet-actions">
            {quiet("Copy answer", own::copy, copy)}
            {quiet(if failed { "Try again" } else { "Ask again" }, own::retry, retry)}
            {thumb(turn, true, "Good answer", own::thumb_up)}
            {thumb(turn, false, "Bad answer", own::thumb_down)}
        </div>
    }
    .part()
}

fn thumb(turn: &Turn, good: bool, label: &'static str, icon: fn() -> Part) -> Part {
    let session = Session::here();
    let (helpful, id) = (turn.answer.helpful.clone(), turn.answer.id.clone());
    let pressed = helpful.clone();
    let rate = move |_| {
        let Some(id) = id.get_untracked() else { return };
        let before = helpful.get_untracked();
        let now = if before == Some(good) { None } else { Some(good) };
        helpful.set(now);
        let helpful = helpful.clone();
        spawn_local(async move {
            if let Err(refusal) = workspace::rate(client::address(), id, now).await {
                helpful.set(before);
                session.refuse(&refusal);
            }
        });
    };
    view! {
        <button
            type="button"
            class="icon-button"
            aria-label=label
            title=label
            aria-pressed=move || (pressed.get() == Some(good)).to_string()
            on:click=rate
        >
            {icon()}
        </button>
    }
    .part()
}
