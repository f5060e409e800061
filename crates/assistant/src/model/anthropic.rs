//! Anthropic's messages API.

use super::{Call, Delta, Deltas, Model, ModelProblem, Prompt, Turn, wire::Line};
use crate::settings::{ModelSettings, Usage};
use async_trait::async_trait;
use futures::{StreamExt, stream};
use secrecy::ExposeSecret;
use serde_json::{Map, Value, json};
use url::Url;

const ADDRESS: &str = "https://api.anthropic.com/v1/";
const VERSION: &str = "2023-06-01";
/// The most tokens that one call may write. The API requires a number.
const MOST_TOKENS: u32 = 4096;

pub(super) struct Anthropic {
    pub settings: ModelSettings,
    pub line: Line,
}

#[async_trait]
impl Model for Anthropic {
    async fn call(&self, prompt: &Prompt<'_>) -> Result<Deltas, ModelProblem> {
        let address = address(self.settings.address.as_ref())?;
        let body = body(&self.settings.model, prompt);
        let key = self.settings.key.expose_secret();
        let request = |client: &reqwest::Client| {
            client.post(address.clone()).header("x-api-key", key).header("anthropic-version", VERSION).json(&body)
        };
        let events = self.line.events(&address, request, prompt.bytes).await?;
        let mut state = State::default();
        let deltas = events.map(Some).chain(stream::iter([None])).flat_map(move |event| {
            let deltas = match event {
                Some(Ok(event)) => state.read(&event),
                Some(Err(problem)) => vec![Err(problem)],
                None if state.finished => vec![Ok(Delta::End)],
                None => vec![Err(ModelProblem::Broken("it is incomplete"))],
            };
            stream::iter(deltas)
        });
        Ok(deltas.boxed())
    }
}

fn address(base: Option<&Url>) -> Result<Url, ModelProblem> {
    let wrong = || ModelProblem::Refused("its URL is not valid".to_owned());
    let mut address = match base {
        Some(base) => base.clone(),
        None => Url::parse(ADDRESS).map_err(|_| wrong())?,
    };
    let path = address.path().trim_end_matches('/').to_owned();
    if !path.ends_with("/messages") {
        let mut segments = address.path_segments_mut().map_err(|()| wrong())?;
        segments.pop_if_empty();
        // A bare host is completed with the path of the API's version.
        if path.is_empty() {
            segments.push("v1");
        }
        segments.push("messages");
    }
    Ok(address)
}

fn body(model: &str, prompt: &Prompt<'_>) -> Value {
    let mut messages: Vec<Value> = Vec::new();
    for turn in prompt.turns {
        let (role, content) = match turn {
            Turn::User(text) => ("user", vec![json!({"type": "text", "text": text})]),
            Turn::Assistant { text, calls } => {
                let said = (!text.trim().is_empty()).then(|| json!({"type": "text", "text": text}));
                ("assistant", said.into_iter().chain(calls.iter().map(call)).collect())
            }
            Turn::Results(results) => {
                let results = results.iter().map(|result| {
                    json!({"type": "tool_result", "tool_use_id": result.id, "content": result.text, "is_error": result.failed})
                });
                ("user", results.collect())
            }
        };
        // Consecutive turns of the same side become one message.
        match messages.last_mut().filter(|last| last["role"] == role) {
            Some(last) => {
                if let Some(known) = last["content"].as_array_mut() {
                    known.extend(content);
                }
            }
            None if content.is_empty() => {}
            None => messages.push(json!({"role": role, "content": content})),
        }
    }
    let tools: Vec<Value> = prompt
        .tools
        .iter()
        .map(|tool| json!({"name": tool.name, "description": tool.description, "input_schema": tool.parameters}))
        .collect();
    let mut body =
        json!({"model": model, "max_tokens": MOST_TOKENS, "system": prompt.system, "messages": messages, "stream": true});
    if !tools.is_empty() {
        body["tools"] = Value::Array(tools);
    }
    body
}

fn call(call: &Call) -> Value {
    let input: Value =
        serde_json::from_str(&call.arguments).ok().filter(Value::is_object).unwrap_or_else(|| Value::Object(Map::new()));
    json!({"type": "tool_use", "id": call.id, "name": call.name, "input": input})
}

/// The state of a stream.
#[derive(Default)]
struct State {
    usage: Usage,
    finished: bool,
}

impl State {
    /// The pieces of one event.
    fn read(&mut self, event: &Value) -> Vec<Result<Delta, ModelProblem>> {
        let index = event["index"].as_u64().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let delta = match event["type"].as_str() {
            Some("message_start") => self.cost(&event["message"]["usage"]),
            Some("message_delta") => self.cost(&event["usage"]),
            Some("content_block_start") if event["content_block"]["type"] == "tool_use" => {
                let block = &event["content_block"];
                Some(Delta::CallStart { index, id: text(&block["id"]), name: text(&block["name"]) })
            }
            Some("content_block_start") => Some(Delta::Text(text(&event["content_block"]["text"]))),
            Some("content_block_delta") => match event["delta"]["type"].as_str() {
                Some("text_delta") => Some(Delta::Text(text(&event["delta"]["text"]))),
                Some("input_json_delta") => Some(Delta::CallPart { index, json: text(&event["delta"]["partial_json"]) }),
                _ => None,
            },
            Some("message_stop") => {
                self.finished = true;
                None
            }
            Some("error") => return vec![Err(ModelProblem::Broken("it reports an error"))],
            Some(_) => None,
            None => return vec![Err(ModelProblem::Broken("it is not a completion"))],
        };
        delta.into_iter().filter(|delta| *delta != Delta::Text(String::new())).map(Ok).collect()
    }

    fn cost(&mut self, usage: &Value) -> Option<Delta> {
        let mut input = 0;
        for name in ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"] {
            input += usage[name].as_u64().unwrap_or_default();
        }
        self.usage.input_tokens = self.usage.input_tokens.max(input);
        self.usage.output_tokens = usage["output_tokens"].as_u64().unwrap_or(self.usage.output_tokens);
        Some(Delta::Cost(self.usage))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_a_host_a_base_or_the_whole() {
        let at = |text: &str| address(Some(&Url::parse(text).unwrap())).unwrap().to_string();
        assert_eq!(address(None).unwrap().as_str(), "https://api.anthropic.com/v1/messages");
        for text in ["http://127.0.0.1:1", "http://127.0.0.1:1/v1", "http://127.0.0.1:1/v1/messages"] {
            assert_eq!(at(text), "http://127.0.0.1:1/v1/messages");
        }
    }
}
