//! Language models behind one trait. Both protocols are implemented here, because a library would buffer a line of any length,
//! and what a model sends must be limited.

mod anthropic;
mod openai;
mod wire;

use crate::{
    clients::Clients,
    settings::{Limits, ModelSettings, Provider, Usage},
};
use async_trait::async_trait;
use futures::stream::BoxStream;
use serde_json::Value;
use std::sync::{Arc, atomic::AtomicUsize};

/// A language model.
#[async_trait]
pub(crate) trait Model: Send + Sync {
    /// Calls the model and streams its response. Dropping the stream ends the call.
    async fn call(&self, prompt: &Prompt<'_>) -> Result<Deltas, ModelProblem>;
}

/// The pieces of an answer.
pub(crate) type Deltas = BoxStream<'static, Result<Delta, ModelProblem>>;

/// The input of a model.
pub(crate) struct Prompt<'a> {
    pub system: &'a str,
    pub turns: &'a [Turn],
    pub tools: &'a [Tool],
    /// The bytes that may still arrive, in all calls of this answer.
    pub bytes: &'a Arc<AtomicUsize>,
}

/// A turn of the conversation, as a model reads it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Turn {
    User(String),
    Assistant { text: String, calls: Vec<Call> },
    Results(Vec<CallResult>),
}

/// A tool call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub id: String,
    pub name: String,
    /// Its arguments, as the model wrote them.
    pub arguments: String,
}

/// The result of a tool call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CallResult {
    pub id: String,
    pub text: String,
    pub failed: bool,
}

/// A tool.
#[derive(Clone, Debug)]
pub(crate) struct Tool {
    pub name: &'static str,
    pub description: &'static str,
    /// JSON Schema of its arguments.
    pub parameters: Value,
}

/// A piece of an answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Delta {
    Text(String),
    /// A tool call begins. The number distinguishes the calls of one response.
    CallStart {
        index: u64,
        id: String,
        name: String,
    },
    /// More of a call's arguments.
    CallPart {
        index: u64,
        json: String,
    },
    /// The usage so far. Each replaces the one before.
    Cost(Usage),
    /// The response is complete.
    End,
}

/// Why a model call failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ModelProblem {
    /// It is not reachable, or is overloaded.
    #[error("the model cannot be reached: {0}")]
    Unavailable(String),
    /// It refuses the key, the model's name or the request.
    #[error("the model refused the request: {0}")]
    Refused(String),
    /// Its response is not valid or incomplete.
    #[error("the model's response is invalid: {0}")]
    Broken(&'static str),
    /// Its response exceeds the size limit.
    #[error("the model's response is too large")]
    TooMuch,
}

impl ModelProblem {
    /// Whether the built-in analyst may answer instead, since no text has been sent.
    pub(crate) const fn is_absence(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::Refused(_))
    }
}

/// The model of these settings.
pub(crate) fn model(settings: &ModelSettings, clients: &Arc<dyn Clients>, limits: Limits) -> Box<dyn Model> {
    let line = wire::Line { clients: Arc::clone(clients), limits };
    match settings.provider {
        Provider::OpenAi => Box::new(openai::OpenAi { settings: settings.clone(), line }),
        Provider::Anthropic => Box::new(anthropic::Anthropic { settings: settings.clone(), line }),
    }
}
