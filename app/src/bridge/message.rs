//! The messages between page and host (docs/spec/contract.md, section 6). Pure.

use inlay_contract::code::Code;
use serde_json::{Value, json};

/// The version that every message carries.
const VERSION: u32 = 1;
/// No token and no query is longer, in bytes; what is longer is no message of ours.
const LONGEST: usize = 64 * 1024;

/// What the page tells its host.
#[derive(Clone, Debug, PartialEq)]
pub enum Outgoing {
    /// The page answers to messages.
    Ready {
        /// It has no token yet.
        awaiting_token: bool,
    },
    /// The active filters.
    Params {
        /// The query that they make.
        search: String,
        /// Who moved them: `user`, `host` or `default`.
        source: &'static str,
    },
    /// How high the content is, in CSS pixels.
    Height {
        /// The height.
        height: u32,
    },
    /// Every chart of a dashboard is drawn.
    Loaded {
        /// Since the dashboard was asked for, in milliseconds.
        duration_ms: u64,
        /// How many, empty ones included.
        charts: usize,
    },
    /// The token's life.
    Session {
        /// `expiring` or `expired`.
        state: &'static str,
    },
    /// Something the host should know.
    Error {
        /// [`Code::InvalidParameter`], [`Code::ChartFailed`] or [`Code::TokenRefused`].
        code: Code,
        /// A sentence.
        message: String,
    },
}

impl Outgoing {
    /// The message as it is posted.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match self {
            Self::Ready { awaiting_token } => json!({"type": "embed:ready", "v": VERSION, "awaitingToken": awaiting_token}),
            Self::Params { search, source } => {
                json!({"type": "embed:params", "v": VERSION, "search": search, "source": source})
            }
            Self::Height { height } => json!({"type": "embed:height", "v": VERSION, "height": height}),
            Self::Loaded { duration_ms, charts } => {
                json!({"type": "embed:loaded", "v": VERSION, "durationMs": duration_ms, "charts": charts})
            }
            Self::Session { state } => json!({"type": "embed:session", "v": VERSION, "state": state}),
            Self::Error { code, message } => json!({"type": "embed:error", "v": VERSION, "code": code, "message": message}),
        }
    }
}

/// What the host tells the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incoming {
    /// Use this token from now on.
    SetToken(String),
    /// Put these filters in the place of all.
    SetParams(String),
}

/// The fields of a message that matter; what is no string is none.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    /// `type`
    pub kind: Option<String>,
    /// `v`
    pub version: Option<f64>,
    /// `token`
    pub token: Option<String>,
    /// `search`
    pub search: Option<String>,
}

impl Incoming {
    /// Reads a message; none for one that is not ours.
    #[must_use]
    pub fn read(fields: Fields) -> Option<Self> {
        if fields.version != Some(f64::from(VERSION)) {
            return None;
        }
        let fits = |text: &String| text.len() <= LONGEST;
        match fields.kind?.as_str() {
            "embed:set-token" => fields.token.filter(|token| !token.is_empty() && fits(token)).map(Self::SetToken),
            "embed:set-params" => fields.search.filter(fits).map(Self::SetParams),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(kind: &str, version: Option<f64>, token: Option<&str>, search: Option<&str>) -> Option<Incoming> {
        let own = |text: Option<&str>| text.map(str::to_owned);
        Incoming::read(Fields { kind: Some(kind.into()), version, token: own(token), search: own(search) })
    }

    #[test]
    fn messages_of_version_one_are_read() {
        assert_eq!(read("embed:set-token", Some(1.0), Some("a.b.c"), None), Some(Incoming::SetToken("a.b.c".into())));
        assert_eq!(read("embed:set-params", Some(1.0), None, Some("")), Some(Incoming::SetParams(String::new())));
    }

    #[test]
    fn everything_else_is_not() {
        assert_eq!(read("embed:set-token", Some(2.0), Some("a.b.c"), None), None);
        assert_eq!(read("embed:set-token", None, Some("a.b.c"), None), None);
        assert_eq!(read("embed:set-token", Some(1.0), None, None), None);
        assert_eq!(read("embed:set-token", Some(1.0), Some(""), None), None);
        assert_eq!(read("embed:set-token", Some(1.0), Some(&"x".repeat(1 << 20)), None), None);
        assert_eq!(read("set-token", Some(1.0), Some("a.b.c"), None), None);
        assert_eq!(Incoming::read(Fields::default()), None);
    }

    #[test]
    fn every_message_carries_its_version() {
        let loaded = Outgoing::Loaded { duration_ms: 120, charts: 8 };
        assert_eq!(loaded.to_json(), json!({"type": "embed:loaded", "v": 1, "durationMs": 120, "charts": 8}));
        assert_eq!(Outgoing::Ready { awaiting_token: true }.to_json()["v"], 1);
    }
}
