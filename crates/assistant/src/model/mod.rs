//! Language models behind one trait. The two protocols are written out here: a library would read a line of any length before it
//! showed it, and what a model may send has to end somewhere.

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

/// A model that can be asked.
#[async_trait]
pub(crate) trait Model: Send + Sync {
    /// Asks, and listens to the answer. Dropping the stream ends the call.
    async fn call(&self, prompt: &Prompt<'_>) -> Result<Deltas, ModelProblem>;
}

/// The pieces of an answer.
pub(crate) type Deltas = BoxStream<'static, Result<Delta, ModelProblem>>;

/// Everything that a model gets to read.
pub(crate) struct Prompt<'a> {
    pub system: &'a str,
    pub turns: &'a [Turn],
    pub tools: &'a [Tool],
    /// Bytes that may still come, over all calls of this answer.
    pub bytes: &'a Arc<AtomicUsize>,
}

/// A part of the conversation, as a model reads it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Turn {
    User(String),
    Assistant { text: String, calls: Vec<Call> },
    Results(Vec<CallResult>),
}

/// What a model asks to be done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub id: String,
    pub name: String,
    /// Its arguments, as the model wrote them.
    pub arguments: String,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CallResult {
    pub id: String,
    pub text: String,
    pub failed: bool,
}

/// What a model may ask for.
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
    /// A call begins; the number tells calls of one answer apart.
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
    /// What it cost so far; each replaces the one before.
    Cost(Usage),
    /// The answer is complete.
    End,
}

/// Why a model does not answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ModelProblem {
    /// It cannot be reached, or says that it is too busy.
    #[error("the model cannot be reached: {0}")]
    Unavailable(String),
    /// It refuses the key, the model's name or the request.
    #[error("the model refused the request: {0}")]
    Refused(String),
    /// It sends what nobody can read, or stops halfway.
    #[error("the model's response is invalid: {0}")]
    Broken(&'static str),
    /// It sends more than it may.
    #[error("the model's response is too large")]
    TooMuch,
}

impl ModelProblem {
    /// Whether somebody else may answer instead, as nothing has been said yet.
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
