//! The chat completions API of `OpenAI` and compatible servers.

use super::{Call, Delta, Deltas, Model, ModelProblem, Prompt, Turn, wire::Line};
use crate::settings::{ModelSettings, Usage};
use async_trait::async_trait;
use futures::{StreamExt, stream};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use url::Url;

const ADDRESS: &str = "https://api.openai.com/v1/";

pub(super) struct OpenAi {
    pub settings: ModelSettings,
    pub line: Line,
}

#[async_trait]
impl Model for OpenAi {
    async fn call(&self, prompt: &Prompt<'_>) -> Result<Deltas, ModelProblem> {
        let address = address(self.settings.address.as_ref())?;
        let body = body(&self.settings.model, prompt);
        let key = self.settings.key.expose_secret();
        let request = |client: &reqwest::Client| {
            let request = client.post(address.clone()).json(&body);
            // Azure expects its keys in a header of its own.
            let request = if key.is_empty() { request } else { request.bearer_auth(key) };
            if address.host_str().is_some_and(|host| host.ends_with(".azure.com")) {
                request.header("api-key", key)
            } else {
                request
            }
        };
        let events = self.line.events(&address, request, prompt.bytes).await?;
        let mut finished = false;
        let deltas = events.map(Some).chain(stream::iter([None])).flat_map(move |event| {
            let deltas = match event {
                Some(Ok(Value::Null)) => vec![],
                Some(Ok(chunk)) => read(&chunk, &mut finished),
                Some(Err(problem)) => vec![Err(problem)],
                None if finished => vec![Ok(Delta::End)],
                None => vec![Err(ModelProblem::Broken("it is incomplete"))],
            };
            stream::iter(deltas)
        });
        Ok(deltas.boxed())
    }
}

/// The URL of completions: the address itself if it contains that path, as Azure's do.
fn address(base: Option<&Url>) -> Result<Url, ModelProblem> {
    let wrong = || ModelProblem::Refused("its URL is not valid".to_owned());
    let mut address = match base {
        Some(base) => base.clone(),
        None => Url::parse(ADDRESS).map_err(|_| wrong())?,
    };
    if !address.path().trim_end_matches('/').ends_with("/chat/completions") {
        address.path_segments_mut().map_err(|()| wrong())?.pop_if_empty().extend(["chat", "completions"]);
    }
    Ok(address)
}

fn body(model: &str, prompt: &Prompt<'_>) -> Value {
    let mut messages = vec![json!({"role": "system", "content": prompt.system})];
    for turn in prompt.turns {
        match turn {
            Turn::User(text) => messages.push(json!({"role": "user", "content": text})),
            Turn::Assistant { text, calls } if calls.is_empty() => messages.push(json!({"role": "assistant", "content": text})),
            Turn::Assistant { text, calls } => {
                let calls: Vec<Value> = calls
                    .iter()
                    .map(|Call { id, name, arguments }| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}))
                    .collect();
                let text = if text.is_empty() { Value::Null } else { json!(text) };
                messages.push(json!({"role": "assistant", "content": text, "tool_calls": calls}));
            }
            Turn::Results(results) => {
                messages.extend(
                    results.iter().map(|result| json!({"role": "tool", "tool_call_id": result.id, "content": result.text})),
                );
            }
        }
    }
    let tools: Vec<Value> = prompt
        .tools
        .iter()
        .map(|tool| json!({"type": "function", "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters}}))
        .collect();
    let mut body = json!({"model": model, "messages": messages, "stream": true, "stream_options": {"include_usage": true}});
    if !tools.is_empty() {
        body["tools"] = Value::Array(tools);
    }
    body
}

/// The pieces of one chunk.
fn read(chunk: &Value, finished: &mut bool) -> Vec<Result<Delta, ModelProblem>> {
    if chunk.get("error").is_some_and(|error| !error.is_null()) {
        return vec![Err(ModelProblem::Broken("it reports an error"))];
    }
    let Some(chunk) = chunk.as_object() else { return vec![Err(ModelProblem::Broken("it is not a completion"))] };
    let mut deltas = Vec::new();
    if let Some(usage) = chunk.get("usage").filter(|usage| usage.is_object()) {
        let count = |name: &str| usage[name].as_u64().unwrap_or_default();
        deltas.push(Ok(Delta::Cost(Usage { input_tokens: count("prompt_tokens"), output_tokens: count("completion_tokens") })));
    }
    let Some(choice) = chunk.get("choices").and_then(|choices| choices.get(0)) else { return deltas };
    let delta = &choice["delta"];
    if let Some(text) = delta["content"].as_str().filter(|text| !text.is_empty()) {
        deltas.push(Ok(Delta::Text(text.to_owned())));
    }
    for call in delta["tool_calls"].as_array().into_iter().flatten() {
        let index = call["index"].as_u64().unwrap_or_default();
        if let Some(name) = call["function"]["name"].as_str().filter(|name| !name.is_empty()) {
            let id = call["id"].as_str().unwrap_or_default().to_owned();
            deltas.push(Ok(Delta::CallStart { index, id, name: name.to_owned() }));
        }
        if let Some(json) = call["function"]["arguments"].as_str().filter(|json| !json.is_empty()) {
            deltas.push(Ok(Delta::CallPart { index, json: json.to_owned() }));
        }
    }
    *finished |= choice["finish_reason"].is_string();
    deltas
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_a_base_or_the_whole() {
        let at = |text: &str| address(Some(&Url::parse(text).unwrap())).unwrap().to_string();
        assert_eq!(address(None).unwrap().as_str(), "https://api.openai.com/v1/chat/completions");
        assert_eq!(at("http://127.0.0.1:11434/v1"), "http://127.0.0.1:11434/v1/chat/completions");
        let azure = "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21";
        assert_eq!(at(azure), azure);
    }
}
