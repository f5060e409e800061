//! Which model answers, what an answer may cost, and what it did cost.

use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr, time::Duration};
use url::Url;

/// Which protocol a model speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// Chat completions as `OpenAI`, Azure, vLLM, Ollama and many others serve them.
    #[serde(rename = "openai")]
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
}

impl Provider {
    /// Its name in settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a model's provider is openai (any compatible server) or anthropic")]
pub struct UnknownProvider;

impl FromStr for Provider {
    type Err = UnknownProvider;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        [Self::OpenAi, Self::Anthropic].into_iter().find(|provider| provider.name() == text).ok_or(UnknownProvider)
    }
}

/// The model of a workspace.
#[derive(Clone, Debug)]
pub struct ModelSettings {
    /// Which protocol it speaks.
    pub provider: Provider,
    /// Where it is served, such as `https://models.example.com/v1/`; the provider's own address when missing.
    pub address: Option<Url>,
    /// Its name there.
    pub model: String,
    /// The secret that it takes; empty for a server that takes none.
    pub key: SecretString,
    /// What it costs, to keep budgets in money.
    pub prices: Option<Prices>,
}

/// Prices of a model, in the budget's currency per million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Prices {
    /// Of what it reads.
    pub input: f64,
    /// Of what it writes.
    pub output: f64,
}

/// What answering cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Tokens that the model read. Estimated (four bytes each) where the model does not say.
    pub input_tokens: u64,
    /// Tokens that the model wrote; estimated likewise.
    pub output_tokens: u64,
}

impl Usage {
    /// Both together.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }

    /// What they cost at these prices.
    #[must_use]
    pub fn cost(self, prices: Prices) -> f64 {
        (self.input_tokens as f64 * prices.input + self.output_tokens as f64 * prices.output) / 1_000_000.0
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
    }
}

/// What one answer may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Calls of the model.
    pub steps: usize,
    /// Queries that may fail before the model has to answer without.
    pub failed_queries: usize,
    /// Bytes that the model may send over the line, in all its calls together; a token takes about 250.
    pub bytes: usize,
    /// Bytes of the answer's text.
    pub text: usize,
    /// Tokens, read and written, in all calls together.
    pub tokens: u64,
    /// From question to end.
    pub time: Duration,
    /// Without a byte from the model.
    pub silence: Duration,
    /// Tries of one call that fails before its first byte.
    pub tries: usize,
    /// Rows of a result that a model gets to read.
    pub rows: usize,
    /// Bytes of those rows.
    pub row_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 12,
            failed_queries: 3,
            bytes: 4 << 20,
            text: 64 << 10,
            tokens: 200_000,
            time: Duration::from_secs(120),
            silence: Duration::from_secs(45),
            tries: 3,
            rows: 50,
            row_bytes: 8 << 10,
        }
    }
}
