//! A conversation with the assistant. It is kept only while its dashboard is open.

use super::wire::{AssistantTask, Earlier, Question};
use crate::{
    calls::{Refusal, Scope},
    chat::{
        conversation::{Conversation, Draft, UnderWay},
        stream,
        turn::Turn,
        wire::AnswerState,
    },
    prose,
    session::Session,
    tile::board::Board,
};
use leptos::{prelude::*, task::spawn_local};
use web_sys::AbortController;

/// The path that questions are posted to.
const PATH: &str = "/share/assistant";
/// At most this many earlier questions are sent with a new one.
const REMEMBERED: usize = 8;

/// A conversation.
#[derive(Clone, Copy)]
pub struct Talk {
    /// Its questions and answers.
    pub turns: RwSignal<Vec<Turn>>,
    draft: Draft,
    task: AssistantTask,
    board: Board,
    session: Session,
    keys: StoredValue<u32>,
    under_way: UnderWay,
}

impl Talk {
    /// Starts a conversation about a dashboard. An answer in progress is stopped when the component is removed.
    #[must_use]
    pub fn new(task: AssistantTask, board: Board) -> Self {
        let talk = Self {
            turns: RwSignal::new(Vec::new()),
            draft: Draft::default(),
            task,
            board,
            session: Session::here(),
            keys: StoredValue::new(0),
            under_way: UnderWay::default(),
        };
        on_cleanup(move || talk.stop());
        talk
    }

    /// The scope of requests.
    #[must_use]
    pub fn scope(self) -> Scope {
        self.board.scope()
    }

    /// Shows the viewer why a download failed.
    pub fn say(self, refusal: Refusal) {
        self.board.say(refusal);
    }

    async fn hear(self, question: Question, controller: AbortController, turn: Turn) {
        let noted = turn.clone();
        let heard = move |event| {
            noted.note(event);
        };
        if let Err(refusal) = stream::ask(PATH, &question, &controller, heard).await {
            if self.draft.give_back(&turn.text, &refusal) {
                self.turns.update(|turns| turns.retain(|other| other.key != turn.key));
            }
            turn.answer.state.set(AnswerState::Failed(refusal.0.message.clone()));
            self.session.refuse(&refusal);
        }
        self.under_way.ended(&controller);
    }

    /// Clears the conversation.
    pub fn start_afresh(self) {
        self.stop();
        self.turns.set(Vec::new());
        self.draft.put(String::new());
    }
}

impl Conversation for Talk {
    fn turns(self) -> RwSignal<Vec<Turn>> {
        self.turns
    }

    fn draft(self) -> Draft {
        self.draft
    }

    fn send(self) {
        let text = self.draft.text.get_untracked();
        if self.ask(&text) {
            self.draft.put(String::new());
        }
    }

    fn ask(self, text: &str) -> bool {
        let Some(text) = self.askable(text) else { return false };
        let Some(controller) = self.under_way.begin() else { return false };
        let earlier = self.turns.with_untracked(|turns| told(turns));
        self.keys.update_value(|key| *key = key.wrapping_add(1));
        let turn = Turn::asked(self.keys.get_value(), text.clone());
        self.turns.update(|turns| turns.push(turn.clone()));
        let question = Question {
            scope: self.board.scope(),
            dashboard: self.board.id.get_untracked(),
            filters: self.board.filters.with_untracked(|filters| filters.active().clone()),
            task: self.task,
            earlier,
            message: text,
        };
        spawn_local(async move { self.hear(question, controller, turn).await });
        true
    }

    fn ask_again(self, turn: &Turn) {
        let text = turn.text.clone();
        self.turns.update(|turns| turns.retain(|other| other.key < turn.key));
        self.ask(&text);
    }

    fn stop(self) {
        self.under_way.stop();
    }
}

/// The earlier questions and answers, as they are sent with the next question.
fn told(turns: &[Turn]) -> Vec<Earlier> {
    let lately = &turns[turns.len().saturating_sub(REMEMBERED)..];
    let turn = |turn: &Turn| Earlier {
        asked: turn.text.clone(),
        answered: turn.answer.blocks.with_untracked(|blocks| prose::plain(blocks)),
    };
    lately.iter().map(turn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::wire::PageEvent;
    use inlay_contract::prose::{Block, Span};

    #[test]
    fn the_last_questions_are_told_with_their_answers() {
        let turns: Vec<Turn> = (0..10).map(|key| Turn::asked(key, format!("question {key}"))).collect();
        let blocks = vec![Block::Paragraph(vec![Span::Text("Three.".into())])];
        turns[9].note(PageEvent::Prose { keep: 0, blocks });
        let told = told(&turns);
        assert_eq!((told.len(), told[0].asked.as_str()), (REMEMBERED, "question 2"));
        assert_eq!((told[7].asked.as_str(), told[7].answered.as_str()), ("question 9", "Three."));
    }
}
