//! A local server that implements the models' protocols and follows a script.

use axum::{
    Router,
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, Response, StatusCode},
    routing::post,
};
use futures::{StreamExt, stream};
use inlay_assistant::{ModelSettings, Provider};
use serde_json::{Value, json};
use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::net::TcpListener;

/// What the model does in a call.
#[derive(Clone, Debug)]
pub enum Act {
    /// Sends a text.
    Say(String),
    /// Calls a tool.
    Call(&'static str, Value),
    /// Responds with a status.
    Status(u16),
    /// Sends these bytes.
    Raw(String),
    /// Sends a text and closes the connection.
    Half(String),
    /// Repeats a text forever.
    Endless(String),
    /// Sends nothing forever.
    Silence,
}

/// The server's side of a test.
#[derive(Clone)]
pub struct Scripted {
    pub address: String,
    script: Arc<Mutex<VecDeque<Act>>>,
    /// The requests, in order.
    pub asked: Arc<Mutex<Vec<(HeaderMap, Value)>>>,
    /// How many streams were closed by the client.
    pub dropped: Arc<AtomicUsize>,
}

/// Starts a server with a script. The last act is repeated.
pub async fn scripted(acts: impl IntoIterator<Item = Act>) -> Scripted {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}/v1", listener.local_addr().expect("an address"));
    let scripted = Scripted {
        address,
        script: Arc::new(Mutex::new(acts.into_iter().collect())),
        asked: Arc::default(),
        dropped: Arc::default(),
    };
    let router = Router::new()
        .route("/v1/chat/completions", post(openai))
        .route("/v1/messages", post(anthropic))
        .with_state(scripted.clone());
    tokio::spawn(async move { axum::serve(listener, router).await });
    scripted
}

impl Scripted {
    /// Settings with this server's address.
    pub fn settings(&self, provider: Provider) -> ModelSettings {
        ModelSettings {
            provider,
            address: Some(self.address.parse().expect("an address")),
            model: "scripted".to_owned(),
            key: "sk-secret-key".into(),
            prices: None,
        }
    }

    /// The bodies of the requests.
    pub fn bodies(&self) -> Vec<Value> {
        self.asked.lock().expect("the list").iter().map(|(_, body)| body.clone()).collect()
    }

    fn next(&self, headers: HeaderMap, body: &Bytes) -> Act {
        let body = serde_json::from_slice(body).expect("JSON");
        self.asked.lock().expect("the list").push((headers, body));
        let mut script = self.script.lock().expect("the script");
        if script.len() > 1 { script.pop_front().expect("an act") } else { script.front().expect("an act").clone() }
    }
}

async fn openai(State(scripted): State<Scripted>, headers: HeaderMap, body: Bytes) -> Response<Body> {
    let chunk = |delta: Value, finish: Value| {
        format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}))
    };
    let usage = format!(
        "data: {}\n\ndata: [DONE]\n\n",
        json!({"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 10}})
    );
    let act = scripted.next(headers, &body);
    let text =
        |text: &str| -> Vec<String> { pieces(text).map(|piece| chunk(json!({"content": piece}), Value::Null)).collect() };
    match &act {
        Act::Say(said) => finished([text(said), vec![chunk(json!({}), json!("stop")), usage]].concat()),
        Act::Call(name, arguments) => {
            let arguments = arguments.to_string();
            let first = json!({"tool_calls": [{"index": 0, "id": "call_1", "type": "function", "function": {"name": name, "arguments": ""}}]});
            let rest = pieces(&arguments)
                .map(|piece| chunk(json!({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}), Value::Null));
            let mut all = vec![chunk(first, Value::Null)];
            all.extend(rest);
            all.extend([chunk(json!({}), json!("tool_calls")), usage]);
            finished(all)
        }
        Act::Half(said) => finished(text(said)),
        Act::Endless(said) => endless(&scripted, chunk(json!({"content": said}), Value::Null)),
        other => plain(&scripted, other),
    }
}

async fn anthropic(State(scripted): State<Scripted>, headers: HeaderMap, body: Bytes) -> Response<Body> {
    let event = |event: Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default());
    let start = event(json!({"type": "message_start", "message": {"usage": {"input_tokens": 100, "output_tokens": 1}}}));
    let stop = event(json!({"type": "content_block_stop", "index": 0}))
        + &event(json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 10}}))
        + &event(json!({"type": "message_stop"}));
    let act = scripted.next(headers, &body);
    let said =
        |text: &str| event(json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}));
    match &act {
        Act::Say(text) => {
            let block =
                event(json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}));
            finished([vec![start, block], pieces(text).map(|piece| said(&piece)).collect(), vec![stop]].concat())
        }
        Act::Call(name, arguments) => {
            let block = json!({"type": "tool_use", "id": "toolu_1", "name": name, "input": {}});
            let block = event(json!({"type": "content_block_start", "index": 0, "content_block": block}));
            let arguments = arguments.to_string();
            let part = |piece: String| {
                event(
                    json!({"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": piece}}),
                )
            };
            finished([vec![start, block], pieces(&arguments).map(part).collect(), vec![stop]].concat())
        }
        Act::Half(text) => finished(vec![start, said(text)]),
        Act::Endless(text) => endless(&scripted, said(text)),
        other => plain(&scripted, other),
    }
}

fn plain(scripted: &Scripted, act: &Act) -> Response<Body> {
    match act {
        Act::Status(status) => {
            let body = json!({"error": {"message": "no: sk-secret-key-that-is-rather-long-indeed"}}).to_string();
            Response::builder().status(*status).body(Body::from(body)).expect("a response")
        }
        Act::Raw(bytes) => finished(vec![bytes.clone()]),
        _ => endless(scripted, String::new()),
    }
}

/// Pieces that end within words and within JSON.
fn pieces(text: &str) -> impl Iterator<Item = String> {
    let letters: Vec<char> = text.chars().collect();
    letters.chunks(7).map(|piece| piece.iter().collect()).collect::<Vec<String>>().into_iter()
}

fn finished(events: Vec<String>) -> Response<Body> {
    let body = Body::from_stream(stream::iter(events).map(Ok::<_, std::io::Error>));
    Response::builder().status(StatusCode::OK).header("content-type", "text/event-stream").body(body).expect("a response")
}

/// Counts when the client closes the stream.
struct Dropped(Arc<AtomicUsize>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

fn endless(scripted: &Scripted, event: String) -> Response<Body> {
    let guard = Dropped(scripted.dropped.clone());
    let silent = event.is_empty();
    let events = stream::unfold((guard, event), move |(guard, event)| async move {
        tokio::time::sleep(if silent { Duration::from_secs(3600) } else { Duration::from_millis(1) }).await;
        Some((Ok::<_, std::io::Error>(event.clone()), (guard, event)))
    });
    Response::builder().header("content-type", "text/event-stream").body(Body::from_stream(events)).expect("a response")
}
