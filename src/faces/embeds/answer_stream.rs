//! Streams an answer to a page: its Markdown parsed, its charts drawn.

use super::{assets, workspace::drawn};
use crate::{
    concepts::{
        access::{
            self, Viewer,
            credential::{ApiVersion, Credential},
        },
        chat::{DataScope, prose},
        dashboards::described::{self, Described},
    },
    faces::api::v2::chat::stream::event_stream,
    ground::{
        error::{Code, Error, Result},
        memory::Memory,
        state::App,
        web::body::{self, Sent},
    },
};
use axum::{extract::Request, response::Response};
use futures::stream;
use inlay_app::{
    calls::{self, Style},
    chat::wire::{AnswerState, ChartSource, Offer, PageEvent},
};
use inlay_assistant::{Event, ToolResult};
use inlay_contract::{
    ids::{ConnectionId, MessageId, ProjectUserId},
    page::ChartFace,
    prose::Block,
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::{collections::VecDeque, sync::Arc};
use tokio::sync::mpsc::Receiver;

/// Reads a page's question and its token.
///
/// # Errors
/// 401 without a token; 400, 413 or 415 for an invalid body.
pub(super) async fn read<T: DeserializeOwned>(app: &App, request: Request) -> Result<(String, T)> {
    let (parts, raw) = request.into_parts();
    let missing = || Error::new(Code::MissingCredentials, "Invalid or missing token.");
    let Some(Credential::Token(token)) = Credential::in_header(&parts.headers, ApiVersion::V2)? else { return Err(missing()) };
    let memory = app.part::<Memory>();
    let taking = access::taking(&memory, Viewer::has_signed(app, &token));
    let Sent { body, room: _room, refused } = body::read(&parts.headers, raw, &app.settings.limits, taking).await?;
    if let Some(refused) = refused {
        return Err(refused);
    }
    let unread = |fault: serde_json::Error| Error::invalid("body", format!("cannot be read: {fault}"));
    Ok((token, serde_json::from_value(Value::Object(body)).map_err(unread)?))
}

/// Checks a question's length.
///
/// # Errors
/// 400 for an empty or too long question.
pub(super) fn check(app: &App, message: &str) -> Result<()> {
    let longest = app.settings.limits.chat_message_characters;
    if message.trim().is_empty() || message.chars().count() > longest {
        return Err(Error::new(
            Code::ValidationFailed,
            format!("A question must have 1 to {longest} characters; this one has {}.", message.chars().count()),
        ));
    }
    Ok(())
}

/// An answer as a stream of events, or the error.
pub(super) fn respond(answer_stream: Result<AnswerStream>) -> Response {
    assets::name_build(match answer_stream {
        Ok(answer_stream) => {
            let events = stream::unfold(answer_stream, async |mut answer_stream| {
                let event = answer_stream.next().await?;
                Some((serde_json::to_string(&event).unwrap_or_default(), answer_stream))
            });
            event_stream(events)
        }
        Err(refused) => calls::refused(&refused.into()),
    })
}

/// Prepares charts of answers to be added to a dashboard.
pub(super) struct Offers {
    /// The service.
    pub app: App,
    /// The user.
    pub user: ProjectUserId,
    /// The connection that the charts run on.
    pub connection: ConnectionId,
}

impl Offers {
    fn of(&self, result: &ToolResult) -> Option<Offer> {
        let definition = drawn::definition(result)?;
        let face = ChartFace::from(&definition);
        let size = definition.kind.size();
        let chart = Described { connection: self.connection, definition };
        match described::seal(&self.app, self.user, &chart) {
            Ok(sealed) => Some(Offer { sealed, face, size }),
            Err(problem) => {
                tracing::error!(context = problem.context, "a chart could not be sealed");
                None
            }
        }
    }
}

/// An answer that is streamed to a page.
pub(super) struct AnswerStream {
    events: Receiver<Event>,
    answer: MessageId,
    style: Style,
    data_scope: Arc<DataScope>,
    offers: Option<Offers>,
    /// Whether the page alone keeps the answer, with what a download of its charts needs.
    is_unstored: bool,
    waiting: VecDeque<PageEvent>,
    text: String,
    said: Vec<Block>,
    results: usize,
}

impl AnswerStream {
    pub(super) fn new(answer: MessageId, events: Receiver<Event>, style: Style, data_scope: Arc<DataScope>) -> Self {
        let (waiting, text, said) = (VecDeque::new(), String::new(), Vec::new());
        Self { events, answer, style, data_scope, offers: None, is_unstored: false, waiting, text, said, results: 0 }
    }

    /// Adds an event before the answer.
    pub(super) fn after(mut self, event: PageEvent) -> Self {
        self.waiting.push_back(event);
        self
    }

    /// An answer that the server does not store. Its charts are prepared to be added to a dashboard, if there are `offers`.
    pub(super) fn unstored(self, offers: Option<Offers>) -> Self {
        Self { offers, is_unstored: true, ..self }
    }

    /// The next event. `None` when the answer is complete.
    async fn next(&mut self) -> Option<PageEvent> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Some(event);
            }
            let event = self.events.recv().await?;
            self.take(event);
            // Parse text that arrived together only once.
            while let Ok(event) = self.events.try_recv() {
                self.take(event);
            }
            self.tell_prose();
        }
    }

    fn take(&mut self, event: Event) {
        let told = match event {
            Event::Text { delta } => {
                self.text.push_str(&delta);
                return;
            }
            Event::Step { name, status } => Some(PageEvent::Step(drawn::step_view(name, status))),
            Event::ToolResult { tool_result } => self.result(&tool_result),
            Event::Done => Some(PageEvent::Over(AnswerState::Done)),
            Event::Error { message, .. } => Some(PageEvent::Over(AnswerState::Failed(message))),
        };
        // Text before the chart must be sent before it.
        self.tell_prose();
        self.waiting.extend(told);
    }

    fn result(&mut self, found: &ToolResult) -> Option<PageEvent> {
        let source = ChartSource { message: self.answer, result: self.results };
        self.results += 1;
        if let Some(next) = drawn::next(found) {
            return Some(PageEvent::Next(next));
        }
        let mut chart = drawn::made(&self.style, &self.data_scope, source, found, self.is_unstored)?;
        chart.offer = self.offers.as_ref().and_then(|offers| offers.of(found));
        Some(PageEvent::Chart(chart))
    }

    /// Sends the changed part of the text: from the first block that differs.
    fn tell_prose(&mut self) {
        let blocks = prose::blocks(&self.text);
        let keep = self.said.iter().zip(&blocks).take_while(|(old, new)| old == new).count();
        if keep < blocks.len() || keep < self.said.len() {
            self.waiting.push_back(PageEvent::Prose { keep, blocks: blocks[keep..].to_vec() });
            self.said = blocks;
        }
    }
}
