//! The output of an answer: sent as events, and collected to be stored.

use crate::{
    confidence::Confidence,
    conversation::{Chip, ToolResult},
    event::{Event, StepStatus},
};
use tokio::sync::mpsc::Sender;

/// An answer in progress. It is collected even if the receiver of its events is gone.
#[derive(Debug)]
pub(crate) struct Transcript {
    events: Sender<Event>,
    pub text: String,
    pub results: Vec<ToolResult>,
    /// Whether the question was understood as one that has no answer here.
    pub declined: bool,
    /// How sure the analyst is of its reading.
    pub confidence: Option<Confidence>,
}

impl Transcript {
    pub(crate) const fn new(events: Sender<Event>) -> Self {
        Self { events, text: String::new(), results: Vec::new(), declined: false, confidence: None }
    }

    /// Whether the receiver is gone.
    pub(crate) fn is_deserted(&self) -> bool {
        self.events.is_closed()
    }

    /// Whether there is any text.
    pub(crate) fn has_text(&self) -> bool {
        !self.text.trim().is_empty()
    }

    /// Whether there is any text or chart.
    pub(crate) fn has_content(&self) -> bool {
        self.has_text() || !self.results.is_empty()
    }

    pub(crate) async fn step(&self, name: &str, status: StepStatus) {
        self.send(Event::Step { name: name.to_owned(), status }).await;
    }

    /// Appends text.
    pub(crate) async fn say(&mut self, piece: &str) {
        self.text.push_str(piece);
        self.send(Event::Text { delta: piece.to_owned() }).await;
    }

    /// Adds a result.
    pub(crate) async fn draw(&mut self, result: ToolResult) {
        self.results.push(result.clone());
        self.send(Event::ToolResult { tool_result: result }).await;
    }

    /// Adds questions to ask next, if there are any.
    pub(crate) async fn suggest(&mut self, questions: &[String]) {
        self.offer(questions, &[]).await;
    }

    /// Adds questions to ask next and the parts of the reading, if there are any.
    pub(crate) async fn offer(&mut self, questions: &[String], reading: &[Chip]) {
        if !questions.is_empty() || !reading.is_empty() {
            self.draw(ToolResult::suggestions(questions, reading)).await;
        }
    }

    pub(crate) async fn send(&self, event: Event) {
        // A missing receiver is detected by `is_deserted`.
        let _ = self.events.send(event).await;
    }
}
