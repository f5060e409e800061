//! The questions and answers of a conversation, as the page draws them.

use super::{
    composer::starters,
    conversation::Conversation,
    turn::{Answer, Turn},
    wire::{AnswerChart, AnswerState, ChipView, NextView, StepState, StepView},
};
use crate::{
    prose,
    ui::{
        menu::{Menu, MenuItem},
        part::{IntoPart, IntoParts, Part},
    },
};
use leptos::prelude::*;
use std::sync::Arc;

/// The conversation. `turn` draws each turn.
pub fn log(conversation: impl Conversation, turn: impl Fn(Turn) -> Part + Copy + Send + Sync + 'static) -> Part {
    let turns = conversation.turns();
    view! {
        <div class="conversation" role="log" aria-label="Conversation" aria-live="polite" tabindex="0">
            <For each=move || turns.get() key=|turn| turn.key let:one>
                {turn(one)}
            </For>
        </div>
        {move || next(conversation)}
    }
    .part()
}

/// What can be asked after the last answer, once it is complete.
fn next(conversation: impl Conversation) -> Part {
    let last = conversation.turns().with(|turns| turns.last().map(|turn| (turn.key, turn.answer.clone())));
    let last = last.filter(|(_, answer)| answer.state.with(|state| *state == AnswerState::Done));
    let offered = last.map(|(turn, answer)| (turn, answer.next.get())).filter(|(_, next)| !next.is_empty());
    offered
        .map(|(turn, NextView { questions, reading })| {
            let asked = (!questions.is_empty()).then(|| {
                view! { <div class="next" role="group" aria-label="Ask next">{starters(conversation, questions)}</div> }
            });
            view! { {read_as(conversation, turn, reading)}{asked} }
        })
        .part()
}

/// The parts of the reading. One that could be something else is a menu.
fn read_as(conversation: impl Conversation, turn: u32, reading: Vec<ChipView>) -> Part {
    let chip = |(at, ChipView { part, value, choices }): (usize, ChipView)| {
        let name = format!("{part} {value}");
        let face = view! { <span class="chip-label">{part}</span>" "<span>{value}</span> }.part();
        if choices.is_empty() {
            return view! { <span class="chip">{face}</span> }.part();
        }
        let item = |(label, question): (String, String)| {
            MenuItem::new(&label, ().part(), move || {
                conversation.ask(&question);
            })
        };
        let items = choices.into_iter().map(item).collect();
        view! { <Menu label=name id=format!("chip-{turn}-{at}") items chip=face /> }.part()
    };
    (!reading.is_empty())
        .then(|| {
            let chips = reading.into_iter().enumerate().map(chip).parts();
            view! { <div class="reading" role="group" aria-label="Read as">{chips}</div> }
        })
        .part()
}

/// An answer: its steps, its text, its charts, its ending.
pub fn answer(turn: &Turn, name: Option<String>, charts: Part, ending: Part) -> Part {
    let (busy, blocks) = (turn.clone(), turn.answer.blocks.clone());
    view! {
        <div class="answer" aria-busy=move || busy.is_answering().to_string()>
            {name.map(|name| view! { <p class="answer-name">{name}</p> })}
            {steps(&turn.answer)}
            <div class="prose">{move || blocks.with(|blocks| prose::blocks(blocks))}</div>
            {charts}
            {ending}
        </div>
    }
    .part()
}

/// The steps, folded into one line.
fn steps(answer: &Answer) -> Part {
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
        StepState::Failed => " — failed",
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

/// An answer's charts. `chart` draws each of them.
pub fn charts(answer: &Answer, chart: impl Fn(&AnswerChart) -> Part + Copy + Send + Sync + 'static) -> Part {
    let charts = answer.charts.clone();
    view! {
        <div class="answer-charts">
            <For each=move || charts.get() key=|chart| Arc::as_ptr(chart) as usize let:one>
                {chart(&one)}
            </For>
        </div>
    }
    .part()
}

/// What is shown below an answer: a note while it is being made. Then `over` draws why it is incomplete, if it is.
pub fn ending(turn: &Turn, thinking: String, over: impl Fn(Option<String>) -> Part + Send + Sync + 'static) -> Part {
    let answer = turn.answer.clone();
    (move || match answer.state.get() {
        AnswerState::Answering => {
            let said = answer.blocks.with(|blocks| !blocks.is_empty()) || answer.steps.with(|steps| !steps.is_empty());
            (!said).then(|| view! { <p class="thinking">{thinking.clone()}</p> }).part()
        }
        AnswerState::Done => over(None),
        AnswerState::Stopped => over(Some("Stopped.".to_owned())),
        AnswerState::Interrupted => over(Some("The service stopped before this answer was complete. Ask again.".to_owned())),
        AnswerState::Failed(why) => over(Some(why)),
    })
    .part()
}

/// Says why an answer is incomplete.
pub fn note(why: String) -> Part {
    view! { <p class="answer-note" role="status">{why}</p> }.part()
}
