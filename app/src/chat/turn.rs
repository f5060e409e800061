//! The turns of a conversation, and how events change the one in progress.

use super::wire::{AnswerChart, AnswerState, AnswerView, ChartSource, NextView, PageEvent, StepState, StepView, TurnView};
use inlay_contract::{
    ids::{MessageId, ThreadId},
    prose::Block,
};
use leptos::prelude::*;
use std::sync::Arc;

/// A question with its answer, as the page shows them. Its signals live as long as it does.
#[derive(Clone)]
pub struct Turn {
    /// A key that is unique on the page.
    pub key: u32,
    /// The question's text.
    pub text: String,
    /// The question's id, once the server has stored it.
    pub question: ArcRwSignal<Option<MessageId>>,
    /// The answer.
    pub answer: Answer,
}

/// An answer, as the page shows it.
#[derive(Clone)]
pub struct Answer {
    /// Its id, once the server has stored its beginning.
    pub id: ArcRwSignal<Option<MessageId>>,
    /// Its steps.
    pub steps: ArcRwSignal<Vec<StepView>>,
    /// Its text.
    pub blocks: ArcRwSignal<Vec<Block>>,
    /// Its charts.
    pub charts: ArcRwSignal<Vec<Arc<AnswerChart>>>,
    /// Its state.
    pub state: ArcRwSignal<AnswerState>,
    /// The reader's feedback.
    pub helpful: ArcRwSignal<Option<bool>>,
    /// What can be asked next.
    pub next: ArcRwSignal<NextView>,
}

impl Turn {
    /// A new question.
    #[must_use]
    pub fn asked(key: u32, text: String) -> Self {
        let answer = Answer {
            id: ArcRwSignal::new(None),
            steps: ArcRwSignal::new(Vec::new()),
            blocks: ArcRwSignal::new(Vec::new()),
            charts: ArcRwSignal::new(Vec::new()),
            state: ArcRwSignal::new(AnswerState::Answering),
            helpful: ArcRwSignal::new(None),
            next: ArcRwSignal::new(NextView::default()),
        };
        Self { key, text, question: ArcRwSignal::new(None), answer }
    }

    /// A question with a stored answer.
    #[must_use]
    pub fn kept(key: u32, TurnView { question, text, answer }: TurnView) -> Self {
        let AnswerView { id, steps, blocks, charts, state, helpful, next } = answer;
        let turn = Self::asked(key, text);
        turn.question.set(Some(question));
        turn.answer.id.set(Some(id));
        turn.answer.steps.set(steps);
        turn.answer.blocks.set(blocks);
        turn.answer.charts.set(charts.into_iter().map(Arc::new).collect());
        turn.answer.state.set(state);
        turn.answer.helpful.set(helpful);
        turn.answer.next.set(next);
        turn
    }

    /// Applies an event. Returns the thread's id if the event has it.
    pub fn note(&self, event: PageEvent) -> Option<ThreadId> {
        let answer = &self.answer;
        match event {
            PageEvent::Begun { thread, question, answer: id } => {
                self.question.set(Some(question));
                answer.id.set(Some(id));
                return Some(thread);
            }
            PageEvent::Step(step) => answer.steps.update(|steps| put_step(steps, step)),
            PageEvent::Prose { keep, blocks } => answer.blocks.update(|said| {
                said.truncate(keep);
                said.extend(blocks);
            }),
            PageEvent::Chart(chart) => answer.charts.update(|charts| charts.push(Arc::new(chart))),
            PageEvent::Next(next) => answer.next.set(next),
            PageEvent::Over(state) => answer.state.set(state),
        }
        None
    }

    /// Replaces a chart that was edited.
    pub fn replace(&self, mut chart: AnswerChart) {
        self.answer.charts.update(|charts| {
            if let Some(old) = charts.iter_mut().find(|old| old.source == chart.source) {
                // Another title or type changes nothing of how the rows were worked out.
                chart.chart.proof = old.chart.proof.clone();
                *old = Arc::new(chart);
            }
        });
    }

    /// Whether a chart belongs to this answer.
    #[must_use]
    pub fn has(&self, source: ChartSource) -> bool {
        self.answer.id.get_untracked() == Some(source.message)
    }

    /// Whether the answer is in progress. Tracked.
    #[must_use]
    pub fn is_answering(&self) -> bool {
        self.answer.state.with(|state| *state == AnswerState::Answering)
    }
}

/// Replaces the step if it is in progress, or else appends it.
fn put_step(steps: &mut Vec<StepView>, step: StepView) {
    match steps.iter_mut().rev().find(|old| old.name == step.name) {
        Some(old) if old.status == StepState::Running => *old = step,
        _ => steps.push(step),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::prose::Span;

    fn paragraph(text: &str) -> Block {
        Block::Paragraph(vec![Span::Text(text.into())])
    }

    #[test]
    fn events_make_the_answer() {
        let turn = Turn::asked(0, "How many?".into());
        let thread = ThreadId::generate();
        let (question, answer) = (MessageId::generate(), MessageId::generate());
        assert_eq!(turn.note(PageEvent::Begun { thread, question, answer }), Some(thread));
        let step = |status| PageEvent::Step(StepView { name: "Reading".into(), status });
        turn.note(step(StepState::Running));
        turn.note(step(StepState::Done));
        turn.note(step(StepState::Running));
        let steps = turn.answer.steps.get_untracked();
        assert_eq!(steps.iter().map(|step| step.status).collect::<Vec<_>>(), [StepState::Done, StepState::Running]);
        turn.note(PageEvent::Prose { keep: 0, blocks: vec![paragraph("a"), paragraph("b")] });
        turn.note(PageEvent::Prose { keep: 1, blocks: vec![paragraph("b c")] });
        assert_eq!(turn.answer.blocks.get_untracked(), [paragraph("a"), paragraph("b c")]);
        assert!(turn.is_answering() && turn.has(ChartSource { message: answer, result: 0 }));
        turn.note(PageEvent::Next(NextView { questions: vec!["By month".into()], reading: Vec::new() }));
        assert_eq!(turn.answer.next.get_untracked().questions, ["By month"]);
        turn.note(PageEvent::Over(AnswerState::Done));
        assert!(!turn.is_answering());
    }
}
