//! Where an answer goes while it is made: out as events, and into what is kept of it.

use crate::{
    conversation::ToolResult,
    event::{Event, StepStatus},
};
use tokio::sync::mpsc::Sender;

/// An answer in the making. Whoever listened may be gone; what was said is kept all the same.
#[derive(Debug)]
pub(crate) struct Telling {
    events: Sender<Event>,
    pub text: String,
    pub results: Vec<ToolResult>,
}

impl Telling {
    pub(crate) const fn new(events: Sender<Event>) -> Self {
        Self { events, text: String::new(), results: Vec::new() }
    }

    /// Whether nobody listens any more.
    pub(crate) fn is_deserted(&self) -> bool {
        self.events.is_closed()
    }

    /// Whether anything was said.
    pub(crate) fn has_text(&self) -> bool {
        !self.text.trim().is_empty()
    }

    /// Whether anything was said or drawn.
    pub(crate) fn has_content(&self) -> bool {
        self.has_text() || !self.results.is_empty()
    }

    pub(crate) async fn step(&self, name: &str, status: StepStatus) {
        self.send(Event::Step { name: name.to_owned(), status }).await;
    }

    /// Says the next piece of the text.
    pub(crate) async fn say(&mut self, piece: &str) {
        self.text.push_str(piece);
        self.send(Event::Text { delta: piece.to_owned() }).await;
    }

    /// Shows a chart.
    pub(crate) async fn draw(&mut self, result: ToolResult) {
        self.results.push(result.clone());
        self.send(Event::ToolResult { tool_result: result }).await;
    }

    pub(crate) async fn send(&self, event: Event) {
        // A listener that is gone is noticed by `is_deserted`.
        let _ = self.events.send(event).await;
    }
}
