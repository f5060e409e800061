//! What was asked and answered, as it stands in the sidebar and in the dialog.

use super::talk::Talk;
use crate::{
    edit::Editor,
    ui::{
        icons,
        part::{IntoPart, Part},
    },
    workspace::{
        chart::Figure,
        conversation::steps,
        icons as own, prose,
        talk::{Answer, Turn},
        wire::{AnswerChart, AnswerState, Offer},
    },
};
use inlay_contract::{edit::ChartEdit, permissions::Flag};
use leptos::prelude::*;
use std::sync::Arc;

/// What was said.
pub fn conversation(talk: Talk) -> Part {
    view! {
        <div class="conversation" role="log" aria-label="Conversation" aria-live="polite" tabindex="0">
            <For each=move || talk.turns.get() key=|turn| turn.key let:turn>
                {turn_view(talk, &turn)}
            </For>
        </div>
    }
    .part()
}

fn turn_view(talk: Talk, turn: &Turn) -> Part {
    let (answer, busy) = (turn.answer.clone(), turn.clone());
    let blocks = answer.blocks.clone();
    view! {
        <article class="turn">
            <div class="question"><p>{turn.text.clone()}</p></div>
            <div class="answer" aria-busy=move || busy.is_answering().to_string()>
                {steps(&answer)}
                <div class="prose">{move || blocks.with(|blocks| prose::blocks(blocks))}</div>
                {charts(&answer)}
                {ending(talk, turn)}
            </div>
        </article>
    }
    .part()
}

fn charts(answer: &Answer) -> Part {
    let charts = answer.charts.clone();
    view! {
        <div class="answer-charts">
            <For each=move || charts.get() key=|chart| Arc::as_ptr(chart) as usize let:chart>
                {chart_view(&chart)}
            </For>
        </div>
    }
    .part()
}

fn chart_view(chart: &AnswerChart) -> Part {
    let AnswerChart { source, chart, offer } = chart.clone();
    let editor = Editor::here().filter(|editor| editor.allows(Flag::AiCharts));
    let actions = editor.zip(offer).map(|(editor, offer)| add_button(editor, offer));
    view! { <Figure chart id=format!("{}-{}", source.message, source.result) actions=actions.part() /> }.part()
}

/// Puts the chart on the dashboard, where it is saved with everything else.
fn add_button(editor: Editor, Offer { sealed, face, size }: Offer) -> Part {
    let add = move |_| {
        editor.close();
        editor.add(face.clone(), ChartEdit::Described { sealed: sealed.clone() }, size);
    };
    view! {
        <div class="chart-actions">
            <button type="button" class="button" on:click=add>{icons::plus()}"Add to dashboard"</button>
        </div>
    }
    .part()
}

fn ending(talk: Talk, turn: &Turn) -> Part {
    let turn = turn.clone();
    (move || match turn.answer.state.get() {
        AnswerState::Answering => {
            let answer = &turn.answer;
            let said = answer.blocks.with(|blocks| !blocks.is_empty()) || answer.steps.with(|steps| !steps.is_empty());
            (!said).then(|| view! { <p class="thinking">"Thinking…"</p> }).part()
        }
        AnswerState::Done => ().part(),
        AnswerState::Stopped => note(talk, &turn, "Stopped."),
        AnswerState::Interrupted => note(talk, &turn, "The service stopped before this answer was complete."),
        AnswerState::Failed(why) => note(talk, &turn, &why),
    })
    .part()
}

fn note(talk: Talk, turn: &Turn, why: &str) -> Part {
    let again = turn.clone();
    view! {
        <p class="answer-note" role="status">{why.to_owned()}</p>
        <div class="quiet-actions">
            <button type="button" class="icon-button" aria-label="Try again" title="Try again" on:click=move |_| talk.ask_again(&again)>
                {own::retry()}
            </button>
        </div>
    }
    .part()
}
