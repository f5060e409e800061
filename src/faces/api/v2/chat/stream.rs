//! An answer as server-sent events.

use crate::concepts::chat::ask::Answering;
use axum::{
    http::{HeaderName, HeaderValue},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures::{Stream, StreamExt, stream};
use inlay_contract::ids::{MessageId, ThreadId};
use serde::Serialize;
use serde_json::{Map, Value};
use std::{convert::Infallible, time::Duration};
use utoipa::ToSchema;

/// How often a silent stream says that it is alive, so that nothing between closes it.
const ALIVE_EVERY: Duration = Duration::from_secs(15);

/// One event of an answer.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes what the stream writes")]
pub(super) struct ChatEvent {
    /// What it is: `thread` comes first, `done` or `error` last.
    r#type: EventType,
    /// `thread`: the thread that question and answer belong to.
    #[schema(nullable = false)]
    thread_id: Option<ThreadId>,
    /// `thread`: the question, to be named in `replaces`.
    #[schema(nullable = false)]
    question_id: Option<MessageId>,
    /// `thread`: the answer.
    #[schema(nullable = false)]
    answer_id: Option<MessageId>,
    /// `step`: what is being done, in a few words.
    #[schema(nullable = false)]
    name: Option<String>,
    /// `step`: how it goes.
    #[schema(nullable = false)]
    status: Option<StepProgress>,
    /// `text`: to be appended to the answer's Markdown.
    #[schema(nullable = false)]
    delta: Option<String>,
    /// `tool-result`: what a tool made.
    #[schema(nullable = false)]
    tool_result: Option<ToolOutput>,
    /// `error`: for programs.
    #[schema(nullable = false)]
    code: Option<String>,
    /// `error`: for people.
    #[schema(nullable = false)]
    message: Option<String>,
}

/// What an event is.
#[derive(ToSchema)]
#[schema(rename_all = "kebab-case")]
#[expect(dead_code, reason = "describes what the stream writes")]
enum EventType {
    Thread,
    Step,
    Text,
    ToolResult,
    Done,
    Error,
}

/// How a step goes.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "describes what the stream writes")]
pub(super) enum StepProgress {
    Running,
    Done,
    Failed,
}

/// What a tool made.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes what the stream writes")]
pub(super) struct ToolOutput {
    /// Which tool: `generateChart` draws.
    tool_name: String,
    /// Of `generateChart`: `chartConfig`, which `save-from-chat` takes as it is, and `data`, its rows.
    result: Map<String, Value>,
}

/// The first event.
#[derive(Serialize)]
#[serde(tag = "type", rename = "thread", rename_all = "camelCase")]
struct Begun {
    thread_id: ThreadId,
    question_id: MessageId,
    answer_id: MessageId,
}

/// An answer as it is made.
pub(super) fn respond(answering: Answering) -> Response {
    let Answering { thread, question, answer, events, .. } = answering;
    let begun = Begun { thread_id: thread, question_id: question, answer_id: answer };
    let later = stream::unfold(events, async |mut events| Some((written(&events.recv().await?), events)));
    event_stream(stream::iter([written(&begun)]).chain(later))
}

/// A stream of events as a response that nothing on its way holds back.
pub fn event_stream(events: impl Stream<Item = String> + Send + 'static) -> Response {
    let events = events.map(|text| Ok::<_, Infallible>(Event::default().data(text)));
    let mut response = Sse::new(events).keep_alive(KeepAlive::new().interval(ALIVE_EVERY)).into_response();
    response.headers_mut().insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response
}

fn written(event: &impl Serialize) -> String {
    serde_json::to_string(event).unwrap_or_default()
}
