//! The questions and answers of a conversation, as the sidebar and the dialog draw them.

use super::talk::Talk;
use crate::{
    chat::{
        answer,
        conversation::Conversation,
        figure::Figure,
        icons as own,
        turn::Turn,
        wire::{AnswerChart, Offer},
    },
    edit::Editor,
    ui::{
        icons,
        part::{IntoPart, Part},
    },
};
use inlay_contract::{edit::ChartEdit, permissions::Flag};
use leptos::prelude::*;

/// Draws the conversation.
pub fn conversation(talk: Talk) -> Part {
    answer::log(talk, move |turn| turn_view(talk, &turn))
}

fn turn_view(talk: Talk, turn: &Turn) -> Part {
    let again = turn.clone();
    let over = move |why: Option<String>| why.map(|why| stopped(talk, &again, why)).part();
    let ending = answer::ending(turn, "Thinking…".to_owned(), over);
    view! {
        <article class="turn">
            <div class="question"><p>{turn.text.clone()}</p></div>
            {answer::answer(turn, None, answer::charts(&turn.answer, chart_view), ending)}
        </article>
    }
    .part()
}

fn chart_view(chart: &AnswerChart) -> Part {
    let AnswerChart { source, chart, offer } = chart.clone();
    let editor = Editor::here().filter(|editor| editor.allows(Flag::AiCharts));
    let actions = editor.zip(offer).map(|(editor, offer)| add_button(editor, offer));
    view! { <Figure chart id=format!("{}-{}", source.message, source.result) actions=actions.part() /> }.part()
}

/// Adds the chart to the dashboard. It is stored when the dashboard is saved.
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

fn stopped(talk: Talk, turn: &Turn, why: String) -> Part {
    let again = turn.clone();
    view! {
        {answer::note(why)}
        <div class="quiet-actions">
            <button type="button" class="icon-button" aria-label="Try again" title="Try again" on:click=move |_| talk.ask_again(&again)>
                {own::retry()}
            </button>
        </div>
    }
    .part()
}
