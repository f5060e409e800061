//! The model that answers, the limits of an answer, and its usage.

use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr, time::Duration};
use url::Url;

/// The protocol of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// Chat completions of `OpenAI`, Azure, vLLM, Ollama and other servers.
    #[serde(rename = "openai")]
    OpenAi,
    /// Anthropic's messages API.
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

/// An unknown provider's name.
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
    /// Its protocol.
    pub provider: Provider,
    /// Its base URL, such as `https://models.example.com/v1/`. `None` is the provider's own.
    pub address: Option<Url>,
    /// Its name at the provider.
    pub model: String,
    /// Its key. Empty for a server without keys.
    pub key: SecretString,
    /// Its prices, for budgets in money.
    pub prices: Option<Prices>,
}

/// Prices of a model, in the budget's currency per million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Prices {
    /// Of input tokens.
    pub input: f64,
    /// Of output tokens.
    pub output: f64,
}

/// The tokens that answers used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Tokens that the model read. Estimated (four bytes each) if the model does not report them.
    pub input_tokens: u64,
    /// Tokens that the model wrote. Estimated likewise.
    pub output_tokens: u64,
}

impl Usage {
    /// The sum of both.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }

    /// The cost at these prices.
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

/// The limits of one answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Model calls.
    pub steps: usize,
    /// Failed queries before the model has to answer without more.
    pub failed_queries: usize,
    /// Bytes that the model may send in all calls together. A token takes about 250 bytes.
    pub bytes: usize,
    /// Bytes of the answer's text.
    pub text: usize,
    /// Tokens, input and output, in all calls together.
    pub tokens: u64,
    /// The time for the whole answer.
    pub time: Duration,
    /// The time without a byte from the model.
    pub silence: Duration,
    /// Attempts of a call that fails before its first byte.
    pub tries: usize,
    /// Rows of a result that a model reads.
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
