//! A local server with a model's protocol that follows a script.

use crate::{
    concepts::language_models::{self, Budgets, Model},
    testing::World,
};
use axum::{
    Json, Router,
    body::Body,
    extract::State,
    http::{StatusCode, header::CONTENT_TYPE},
    response::{IntoResponse, Response},
    routing::post,
};
use futures::{StreamExt, stream};
use inlay_assistant::{ModelSettings, Provider};
use secrecy::SecretString;
use serde_json::{Value, json};
use std::{
    collections::VecDeque,
    convert::Infallible,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::net::TcpListener;

/// What the model does when it is called. The last act is repeated.
#[derive(Clone)]
pub(crate) enum Act {
    Say(&'static str),
    Call(&'static str, Value),
    Status(u16),
    Garbage,
    /// Repeats everything that it was sent, including its rules.
    Recite,
    /// Sends a text and breaks off.
    Half(&'static str),
    /// Sends the same text without end.
    Endless(&'static str),
    /// Sends ten megabytes of a text.
    Flood(&'static str),
}

/// The address of scripted models: the only private address that tests allow models to have, so that the rest of this machine
/// stays refused.
pub(crate) const HOME: &str = "127.0.0.2";

/// A local server with a model's protocol.
#[derive(Clone, Default)]
pub(crate) struct Script {
    pub(crate) acts: Arc<Mutex<VecDeque<Act>>>,
    pub(crate) asked: Arc<Mutex<Vec<Value>>>,
}

impl Script {
    /// Lets this script answer in the world's workspaces.
    pub(crate) async fn play(world: &World, acts: Vec<Act>, budgets: Budgets) -> Self {
        let script = Self { acts: Arc::new(Mutex::new(acts.into())), asked: Arc::default() };
        let listener = TcpListener::bind((HOME, 0)).await.expect("a port");
        let address = format!("http://{}/v1/", listener.local_addr().expect("an address"));
        let router = Router::new().route("/v1/chat/completions", post(complete)).with_state(script.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        let settings = ModelSettings {
            provider: Provider::OpenAi,
            address: Some(address.parse().expect("an address")),
            model: "scripted".to_owned(),
            key: SecretString::from("sk-secret".to_owned()),
            prices: None,
        };
        let mut tx = world.app.db.write().await.expect("a transaction");
        let model = Model { settings, budgets };
        language_models::put(&mut tx.conn(), &world.app.sealer, world.organization, None, &model).await.expect("kept");
        tx.commit().await.expect("committed");
        script
    }

    /// What tools returned to the model.
    pub(crate) fn told(&self) -> String {
        let asked = self.asked.lock().expect("no test died while it held the lock");
        let messages = asked.iter().flat_map(|body| body["messages"].as_array().into_iter().flatten());
        messages.filter(|message| message["role"] == "tool").map(|message| message["content"].to_string()).collect()
    }

    /// Everything that the model was ever sent.
    pub(crate) fn sent(&self) -> String {
        Value::Array(self.asked.lock().expect("no test died while it held the lock").clone()).to_string()
    }
}

async fn complete(State(script): State<Script>, Json(body): Json<Value>) -> Response {
    let recited = body["messages"].to_string();
    script.asked.lock().expect("no test died while it held the lock").push(body);
    let mut acts = script.acts.lock().expect("no test died while it held the lock");
    let act = if acts.len() > 1 { acts.pop_front() } else { acts.front().cloned() };
    let chunk = |delta: Value, end: Value| {
        format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": delta, "finish_reason": end}]}))
    };
    let text = match act.expect("an act") {
        Act::Recite => chunk(json!({"content": recited}), Value::Null) + &chunk(json!({}), json!("stop")),
        Act::Half(text) => return sent(chunk(json!({"content": text}), Value::Null)),
        Act::Endless(text) => {
            let event = chunk(json!({"content": text}), Value::Null);
            let events = stream::repeat_with(move || Ok::<_, Infallible>(event.clone())).then(async |event| {
                tokio::time::sleep(Duration::from_millis(20)).await;
                event
            });
            return ([(CONTENT_TYPE, "text/event-stream")], Body::from_stream(events)).into_response();
        }
        Act::Flood(text) => return sent(chunk(json!({"content": text.repeat(1 + (10 << 20) / text.len())}), Value::Null)),
        Act::Status(status) => return StatusCode::from_u16(status).expect("a status").into_response(),
        Act::Garbage => "data: {\"choices\": \u{0}}}\n\ndata: <html>\n\n".to_owned(),
        Act::Say(text) => chunk(json!({"content": text}), Value::Null) + &chunk(json!({}), json!("stop")),
        Act::Call(name, arguments) => {
            let function = json!({"name": name, "arguments": arguments.to_string()});
            let call = json!({"tool_calls": [{"index": 0, "id": "c1", "type": "function", "function": function}]});
            chunk(call, Value::Null) + &chunk(json!({}), json!("tool_calls"))
        }
    };
    sent(text + "data: [DONE]\n\n")
}

fn sent(events: String) -> Response {
    ([(CONTENT_TYPE, "text/event-stream")], events).into_response()
}
