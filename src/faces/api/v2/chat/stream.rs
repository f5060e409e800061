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

/// How often a silent stream sends a comment, so that proxies keep it open.
const ALIVE_EVERY: Duration = Duration::from_secs(15);

/// One event of an answer.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes what the stream writes")]
pub(super) struct ChatEvent {
    /// The event's type: `thread` comes first, `done` or `error` last.
    r#type: EventType,
    /// `thread`: the thread of the question and the answer.
    #[schema(nullable = false)]
    thread_id: Option<ThreadId>,
    /// `thread`: the question, for use in `replaces`.
    #[schema(nullable = false)]
    question_id: Option<MessageId>,
    /// `thread`: the answer.
    #[schema(nullable = false)]
    answer_id: Option<MessageId>,
    /// `step`: a short description of the step.
    #[schema(nullable = false)]
    name: Option<String>,
    /// `step`: its status.
    #[schema(nullable = false)]
    status: Option<StepProgress>,
    /// `text`: text to append to the answer's Markdown.
    #[schema(nullable = false)]
    delta: Option<String>,
    /// `tool-result`: a tool's result.
    #[schema(nullable = false)]
    tool_result: Option<ToolOutput>,
    /// `error`: the error's code.
    #[schema(nullable = false)]
    code: Option<String>,
    /// `error`: the error's message.
    #[schema(nullable = false)]
    message: Option<String>,
}

/// The type of an event.
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

/// The status of a step.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "describes what the stream writes")]
pub(super) enum StepProgress {
    Running,
    Done,
    Failed,
}

/// A tool's result.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes what the stream writes")]
pub(super) struct ToolOutput {
    /// The tool's name: `generateChart` draws a chart, `suggestQuestions` offers questions to ask next.
    tool_name: String,
    /// For `generateChart`: `chartConfig`, which `save-from-chat` accepts unchanged, `data`, its rows, and `proof`, which tells in words
    /// how they were worked out (`sentence`, `measures` with their definitions, `verifiedBy`). For `suggestQuestions`: `questions`, and
    /// `reading`, the parts of how the question was read (`part`, `value`) with what each could be instead (`choices`: `label`, `question`).
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

/// Streams an answer while it is written.
pub(super) fn respond(answering: Answering) -> Response {
    let Answering { thread, question, answer, events, .. } = answering;
    let begun = Begun { thread_id: thread, question_id: question, answer_id: answer };
    let later = stream::unfold(events, async |mut events| Some((written(&events.recv().await?), events)));
    event_stream(stream::iter([written(&begun)]).chain(later))
}

/// A stream of events as a response that proxies do not buffer.
pub fn event_stream(events: impl Stream<Item = String> + Send + 'static) -> Response {
    let events = events.map(|text| Ok::<_, Infallible>(Event::default().data(text)));
    let mut response = Sse::new(events).keep_alive(KeepAlive::new().interval(ALIVE_EVERY)).into_response();
    response.headers_mut().insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    response
}

fn written(event: &impl Serialize) -> String {
    serde_json::to_string(event).unwrap_or_default()
}
