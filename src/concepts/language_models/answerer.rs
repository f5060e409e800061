//! What answers questions on a node, whichever model is chosen.

use super::reach::Reach;
use crate::ground::{config::Settings, state::Part};
use inlay_assistant::{Assistant, Limits};
use std::sync::Arc;

/// Answers questions.
pub struct Answerer {
    /// The assistant, with its way to language models.
    pub assistant: Assistant,
}

impl Part for Answerer {
    fn new(settings: &Settings) -> Self {
        Self { assistant: Assistant::new(Limits::default(), Arc::new(Reach::new(&settings.sources.allow_private_sources))) }
    }
}
