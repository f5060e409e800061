//! What answers questions on a node, whichever model is chosen.

use super::reach::Reach;
use crate::ground::{config::Settings, memory::Shares, state::Part};
use inlay_assistant::{Assistant, Limits, Surveys};
use metrics::gauge;
use std::sync::Arc;

/// Answers questions.
pub struct Answerer {
    /// The assistant, with its way to language models.
    pub assistant: Assistant,
}

impl Answerer {
    /// Sets the gauges of what is remembered.
    #[expect(clippy::cast_precision_loss, reason = "measures")]
    pub fn measure(&self) {
        let (entries, bytes) = self.assistant.surveys().held();
        gauge!("inlay_cache_entries", "cache" => "surveys").set(entries as f64);
        gauge!("inlay_cache_bytes", "cache" => "surveys").set(bytes as f64);
    }
}

impl Part for Answerer {
    fn new(settings: &Settings) -> Self {
        let reach = Arc::new(Reach::new(&settings.sources.allow_private_sources));
        let surveys = Surveys::new(Shares::of_settings(settings).surveys);
        Self { assistant: Assistant::new(Limits::default(), reach).remembering(surveys) }
    }
}
