//! `POST /share/chat`: an answer for the page. The same answer as the API's, with its Markdown parsed and its charts drawn.

use super::page;
use crate::{
    concepts::chat::{self, Answering, Question, ViewerLocale},
    faces::embeds::answer_stream::{self, AnswerStream, respond},
    ground::{error::Result, state::App},
};
use axum::{
    extract::{Request, State},
    response::Response,
};
use inlay_app::{chat::wire::PageEvent, workspace::wire::PageQuestion};

/// Answers a page's question. An error is `{"code","message"}` with its status.
pub async fn answer(State(app): State<App>, request: Request) -> Response {
    respond(begin(&app, request).await)
}

async fn begin(app: &App, request: Request) -> Result<AnswerStream> {
    let (token, asked) = answer_stream::read::<PageQuestion>(app, request).await?;
    answer_stream::check(app, &asked.message)?;
    let address = page::address(app, &asked.address)?;
    let visit = page::enter(app, &token, &address).await?;
    let viewer_locale = ViewerLocale { timezone: address.asked.timezone.clone(), locale: address.asked.locale.clone() };
    let question = Question { thread: asked.thread, message: asked.message, replaces: asked.replaces, viewer_locale };
    let answering = chat::ask(app, &visit.viewer, visit.open_workspace.workspace.id, question).await?;
    let Answering { thread, question, answer, events, .. } = answering;
    let begun = PageEvent::Begun { thread, question, answer };
    Ok(AnswerStream::new(answer, events, visit.style, visit.open_workspace.data_scope).after(begun))
}
