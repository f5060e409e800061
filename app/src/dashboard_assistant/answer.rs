//! The questions and answers of a conversation, as the sidebar and the dialog draw them.

use super::talk::Talk;
use crate::{
    calls::{Refusal, edit},
    chat::{
        answer,
        conversation::Conversation,
        figure::figure,
        icons as own,
        turn::Turn,
        wire::{AnswerChart, DrawnChart, Offer, Shown},
    },
    edit::Editor,
    tile::menu::Files,
    ui::{
        icons,
        part::{IntoPart, Part},
    },
};
use inlay_contract::{code::Code, edit::ChartEdit, permissions::Flag};
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
            {answer::answer(turn, None, answer::charts(&turn.answer, move |chart| chart_view(talk, chart)), ending)}
        </article>
    }
    .part()
}

fn chart_view(talk: Talk, chart: &AnswerChart) -> Part {
    let AnswerChart { source, chart, offer } = chart.clone();
    let editor = Editor::here().filter(|editor| editor.allows(Flag::AiCharts));
    let actions = editor.zip(offer).map(|(editor, offer)| add_button(editor, offer));
    let files = ShownFiles { talk, chart: StoredValue::new(chart.clone()) };
    figure(chart, format!("{}-{}", source.message, source.result), files, actions.part())
}

/// The files of a chart of an answer. The server stores no answer of the assistant: the page sends what it shows.
#[derive(Clone, Copy)]
struct ShownFiles {
    talk: Talk,
    chart: StoredValue<DrawnChart>,
}

impl Files for ShownFiles {
    async fn workbook(self) -> Result<String, Refusal> {
        let DrawnChart { title, shown, .. } = self.chart.get_value();
        match shown {
            Shown::Rows { data, .. } => edit::rows_file(self.talk.scope(), title, data).await,
            Shown::Empty | Shown::Failed(_) => Err(Refusal::new(Code::Unavailable, "This chart has no rows to download.")),
        }
    }

    async fn picture(self) -> Option<String> {
        let DrawnChart { definition, shown, .. } = self.chart.get_value();
        let Shown::Rows { data, .. } = shown else { return None };
        edit::shown_picture(self.talk.scope(), definition?, data).await.ok().flatten()
    }

    fn say(self, refusal: Refusal) {
        self.talk.say(refusal);
    }
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
