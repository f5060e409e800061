//! `POST /share/chat`: an answer as its page draws it. The same answer as the API's, its Markdown read, its charts drawn.

use super::{address::Address, drawn, page};
use crate::{
    access::credential::Credential,
    chat::{self, Answering, Question, Surroundings, prose, v2::stream::event_stream},
    embeds::backend::problem,
    error::{Error, Result},
    state::App,
    web::{body, respond::status},
};
use axum::{
    Json,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use futures::stream;
use inlay_app::{
    backend::Style,
    workspace::wire::{AnswerState, PageEvent, PageQuestion},
};
use inlay_assistant::Event;
use inlay_contract::{ids::MessageId, prose::Block};
use serde_json::Value;
use std::collections::VecDeque;
use tokio::sync::mpsc::Receiver;

/// Answers a page's question. A refusal is `{"code","message"}` with its status.
pub async fn answer(State(app): State<App>, request: Request) -> Response {
    match begin(&app, request).await {
        Ok(response) => response,
        Err(refused) => {
            let code = status(refused.kind);
            (code, Json(problem(refused))).into_response()
        }
    }
}

async fn begin(app: &App, request: Request) -> Result<Response> {
    let (parts, raw) = request.into_parts();
    let missing = || Error::unauthenticated("MISSING_CREDENTIALS", "Invalid or missing token.");
    let Some(Credential::Token(token)) = Credential::in_header(&parts.headers)? else { return Err(missing()) };
    let body = body::read(&parts.headers, raw, &app.settings.limits).await?;
    let unread = |fault: serde_json::Error| Error::invalid("body", format!("cannot be read: {fault}"));
    let asked: PageQuestion = serde_json::from_value(Value::Object(body)).map_err(unread)?;
    let longest = app.settings.limits.chat_message_characters;
    if asked.message.trim().is_empty() || asked.message.chars().count() > longest {
        return Err(Error::invalid("message", format!("must have 1 to {longest} characters")));
    }
    let address = Address::read(&asked.address.path, &asked.address.search).ok_or_else(|| Error::not_found("Workspace"))?;
    let visit = page::enter(app, &token, &address).await?;
    let around = Surroundings { timezone: address.timezone.clone(), locale: address.locale.clone() };
    let question = Question { thread: asked.thread, message: asked.message, replaces: asked.replaces, around };
    let answering = chat::ask(app, &visit.viewer, visit.subject.workspace.id, question).await?;
    let telling = Telling::new(answering, visit.style);
    let events = stream::unfold(telling, async |mut telling| {
        let event = telling.next().await?;
        Some((serde_json::to_string(&event).unwrap_or_default(), telling))
    });
    Ok(event_stream(events))
}

/// An answer on its way to a page.
struct Telling {
    events: Receiver<Event>,
    answer: MessageId,
    style: Style,
    waiting: VecDeque<PageEvent>,
    text: String,
    said: Vec<Block>,
    results: usize,
}

impl Telling {
    fn new(answering: Answering, style: Style) -> Self {
        let Answering { thread, question, answer, events, .. } = answering;
        let waiting = VecDeque::from([PageEvent::Begun { thread, question, answer }]);
        Self { events, answer, style, waiting, text: String::new(), said: Vec::new(), results: 0 }
    }

    /// The next event; none when the answer is over.
    async fn next(&mut self) -> Option<PageEvent> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Some(event);
            }
            let event = self.events.recv().await?;
            self.take(event);
            // Words that came together are read together.
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
            Event::ToolResult { tool_result } => {
                let result = self.results;
                self.results += 1;
                drawn::made(&self.style, self.answer, result, &tool_result).map(PageEvent::Chart)
            }
            Event::Done => Some(PageEvent::Over(AnswerState::Done)),
            Event::Error { message, .. } => Some(PageEvent::Over(AnswerState::Failed(message))),
        };
        // What was said before stands before.
        self.tell_prose();
        self.waiting.extend(told);
    }

    /// Tells what has changed of the text: from the first block that reads differently now.
    fn tell_prose(&mut self) {
        let blocks = prose::blocks(&self.text);
        let keep = self.said.iter().zip(&blocks).take_while(|(old, new)| old == new).count();
        if keep < blocks.len() || keep < self.said.len() {
            self.waiting.push_back(PageEvent::Prose { keep, blocks: blocks[keep..].to_vec() });
            self.said = blocks;
        }
    }
}
