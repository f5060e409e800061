//! The conversation: questions, and answers as they are made.

use super::{
    chart::Figure,
    functions, icons as own,
    pins::PinButton,
    prose,
    session::Session,
    talk::{Answer, Turn},
    wire::{AnswerChart, AnswerState, ChartSource, Place, StepState, StepView, WorkspaceView},
};
use crate::{
    backend::client,
    browser::clipboard,
    ui::{
        icons,
        part::{IntoPart, IntoParts, Part},
    },
};
use leptos::{prelude::*, task::spawn_local};
use std::sync::Arc;

/// The log.
#[component]
pub fn Conversation(
    /// The workspace.
    view: StoredValue<WorkspaceView>,
) -> impl IntoView {
    let session = Session::here();
    let edits = view.with_value(|view| view.edits_charts);
    let thinking = view.with_value(|view| view.words.thinking_placeholder.clone()).unwrap_or_else(|| "Thinking…".into());
    let name = view.with_value(|view| view.words.assistant_name.clone());
    let words = StoredValue::new(Words { thinking, name, edits });
    view! {
        <div class="conversation" role="log" aria-label="Conversation" aria-live="polite" tabindex="0">
            <For each=move || session.turns.get() key=|turn| turn.key let:turn>
                <TurnView turn words />
            </For>
        </div>
    }
    .part()
}

/// What every answer needs of the workspace.
struct Words {
    thinking: String,
    name: Option<String>,
    edits: bool,
}

#[component]
fn TurnView(
    /// The turn.
    turn: Turn,
    /// What the workspace says.
    words: StoredValue<Words>,
) -> impl IntoView {
    let answer = turn.answer.clone();
    let name = words.with_value(|words| words.name.clone());
    view! {
        <article class="turn">
            {question(&turn)}
            <div class="answer" aria-busy={
                let turn = turn.clone();
                move || turn.is_answering().to_string()
            }>
                {name.map(|name| view! { <p class="answer-name">{name}</p> })}
                {steps(&answer)}
                <div class="prose">{
                    let blocks = answer.blocks.clone();
                    move || blocks.with(|blocks| prose::blocks(blocks))
                }</div>
                {charts(&answer, words)}
                {ending(&turn, words)}
            </div>
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
            session.editing.set(id.get_untracked());
            session.draft.set(text.clone());
            super::composer::focus();
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

/// What was done, folded into one quiet line.
pub(crate) fn steps(answer: &Answer) -> Part {
    let (steps, state) = (answer.steps.clone(), answer.state.clone());
    (move || {
        let steps = steps.get();
        let current = steps.last().map(|step| step.name.clone());
        let going_on = state.with(|state| *state == AnswerState::Answering);
        let line = if going_on { current } else { (!steps.is_empty()).then(|| told(&steps)) };
        line.map(|line| {
            let items = steps.iter().map(step).parts();
            view! {
                <details class="steps" class:steps-running=going_on>
                    <summary>{line}</summary>
                    <ul>{items}</ul>
                </details>
            }
        })
    })
    .part()
}

fn step(step: &StepView) -> Part {
    let mark = match step.status {
        StepState::Running => "…",
        StepState::Done => "",
        StepState::Failed => " — did not work",
    };
    view! { <li>{format!("{}{mark}", step.name)}</li> }.part()
}

fn told(steps: &[StepView]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for step in steps {
        if !names.contains(&step.name.as_str()) {
            names.push(&step.name);
        }
    }
    names.join(" · ")
}

fn charts(answer: &Answer, words: StoredValue<Words>) -> Part {
    let charts = answer.charts.clone();
    view! {
        <div class="answer-charts">
            <For each=move || charts.get() key=|chart| Arc::as_ptr(chart) as usize let:chart>
                {answer_chart(&chart, words)}
            </For>
        </div>
    }
    .part()
}

fn answer_chart(chart: &AnswerChart, words: StoredValue<Words>) -> Part {
    let AnswerChart { source, chart, .. } = chart.clone();
    let editing = RwSignal::new(false);
    let actions = view! {
        <div class="chart-actions">
            <SaveButton source />
            <PinButton source place=Place::Favorites label="Add to favorites" icon=own::star() />
            <PinButton source place=Place::Canvas label="Add to canvas" icon=own::board() />
            {words.with_value(|words| words.edits).then(|| view! {
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
    view! { <Figure chart id=format!("{}-{}", source.message, source.result) actions=actions.part() /> }.part()
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
            match functions::save_chart(client::address(), source).await {
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

/// What stands below an answer: that it is coming, how it ended, what its reader may do.
fn ending(turn: &Turn, words: StoredValue<Words>) -> Part {
    let turn = turn.clone();
    (move || {
        let answer = &turn.answer;
        match answer.state.get() {
            AnswerState::Answering => {
                let said = answer.blocks.with(|blocks| !blocks.is_empty()) || answer.steps.with(|steps| !steps.is_empty());
                (!said).then(|| view! { <p class="thinking">{words.with_value(|words| words.thinking.clone())}</p> }).part()
            }
            AnswerState::Done => actions(&turn, None),
            AnswerState::Stopped => actions(&turn, Some("Stopped.".to_owned())),
            AnswerState::Interrupted => actions(&turn, Some("The service stopped before this answer was complete.".to_owned())),
            AnswerState::Failed(why) => actions(&turn, Some(why)),
        }
    })
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
        {note.map(|note| view! { <p class="answer-note" role="status">{note}</p> })}
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
            if let Err(refusal) = functions::rate(client::address(), id, now).await {
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
