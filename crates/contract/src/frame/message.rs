//! The messages between a page and its host (docs/spec/contract.md, section 6). One table declares them: the page's types, the
//! TypeScript types in `sdk/page/types/messages.d.ts` and the check of `docs/pages.md` come from it. Pure.

use crate::code::Code;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// The version that every message carries in `v`.
pub const VERSION: u32 = 1;

/// The longest token or query that a page reads, in bytes.
const LONGEST: usize = 64 * 1024;

/// A type of a message's field.
pub trait Typed {
    /// The type in TypeScript.
    fn typescript() -> String;
}

impl Typed for bool {
    fn typescript() -> String {
        "boolean".to_owned()
    }
}

impl Typed for u32 {
    fn typescript() -> String {
        "number".to_owned()
    }
}

impl Typed for u64 {
    fn typescript() -> String {
        "number".to_owned()
    }
}

impl Typed for String {
    fn typescript() -> String {
        "string".to_owned()
    }
}

/// One message of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The variant's name.
    pub variant: &'static str,
    /// Its `type`.
    pub name: &'static str,
    /// What it says.
    pub doc: &'static str,
    /// Its fields beside `type` and `v`.
    pub fields: Vec<Field>,
}

/// One field of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name on the wire.
    pub name: &'static str,
    /// Its type in TypeScript.
    pub kind: String,
    /// What it holds.
    pub doc: &'static str,
}

/// An enum of fixed words.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$word_doc:meta])* $variant:ident $text:expr;)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$word_doc])* $variant),+
        }

        impl $name {
            /// The word on the wire.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self {
                    $(Self::$variant => $text),+
                }
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.text())
            }
        }

        impl Typed for $name {
            fn typescript() -> String {
                [$($text),+].map(|text| format!("'{text}'")).join(" | ")
            }
        }
    };
}

/// An enum of messages: how each is written, and its row of the table.
macro_rules! messages {
    ($(#[$doc:meta])* $name:ident {
        $(#[doc = $message_doc:literal] $variant:ident $type:literal {
            $(#[doc = $field_doc:literal] $field:ident $wire:literal: $kind:ty),*
        })+
    }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum $name {
            $(#[doc = $message_doc] $variant {
                $(#[doc = $field_doc] $field: $kind),*
            }),+
        }

        impl $name {
            /// The message as it is posted.
            #[must_use]
            pub fn to_json(&self) -> Value {
                match self {
                    $(Self::$variant { $($field),* } => json!({"type": $type, "v": VERSION, $($wire: $field),*})),+
                }
            }

            /// All messages of this direction, in the order of the documentation.
            #[must_use]
            pub fn table() -> Vec<Message> {
                vec![$(Message {
                    variant: stringify!($variant),
                    name: $type,
                    doc: $message_doc.trim_ascii(),
                    fields: vec![$(Field { name: $wire, kind: <$kind>::typescript(), doc: $field_doc.trim_ascii() }),*],
                }),+]
            }
        }
    };
}

words! {
    /// Who changed the filters.
    Source {
        /// The viewer.
        User "user";
        /// The host page, by message.
        Host "host";
        /// The dashboard's own defaults.
        Default "default";
    }
}

words! {
    /// The state of a token's lifetime.
    SessionState {
        /// 80% of the lifetime have passed: the host should send another token.
        Expiring "expiring";
        /// The token is no longer valid.
        Expired "expired";
    }
}

words! {
    /// The codes of `embed:error`.
    ErrorCode {
        /// A parameter of the address or of `embed:set-params` cannot be used. The message begins with its name.
        InvalidParameter Code::InvalidParameter.as_str();
        /// A chart could not be drawn.
        ChartFailed Code::ChartFailed.as_str();
        /// The page does not use a token that the host sent.
        TokenRefused Code::TokenRefused.as_str();
    }
}

messages! {
    /// What a page posts to its host.
    Out {
        /// The page answers to messages. Posted once.
        Ready "embed:ready" {
            /// Whether the page waits for its first token.
            awaiting_token "awaitingToken": bool
        }
        /// Every chart of a dashboard is drawn. Posted once for each dashboard that opens.
        Loaded "embed:loaded" {
            /// Milliseconds since the dashboard was requested.
            duration_ms "durationMs": u64,
            /// How many charts are drawn, empty ones included.
            charts "charts": u32
        }
        /// The content has another height.
        Height "embed:height" {
            /// The height in CSS pixels.
            height "height": u32
        }
        /// The active filters have changed.
        Params "embed:params" {
            /// The active filters as a query string; empty without any.
            search "search": String,
            /// Who changed them.
            source "source": Source
        }
        /// The token expires soon, or has expired.
        Session "embed:session" {
            /// Which of the two.
            state "state": SessionState
        }
        /// Something went wrong that the host should know.
        Error "embed:error" {
            /// What kind of error.
            code "code": ErrorCode,
            /// A sentence for the host's developer.
            message "message": String
        }
    }
}

messages! {
    /// What a host posts to a page.
    In {
        /// Use this token from now on.
        SetToken "embed:set-token" {
            /// The token.
            token "token": String
        }
        /// Replace all filters by these.
        SetParams "embed:set-params" {
            /// The filters as a query string; empty clears them.
            search "search": String
        }
    }
}

impl In {
    /// Reads a message. `field` returns a field that is a string. `None` for anything that is not a message of this version.
    #[must_use]
    pub fn read(version: Option<f64>, field: impl Fn(&str) -> Option<String>) -> Option<Self> {
        if version != Some(f64::from(VERSION)) {
            return None;
        }
        let text = |name: &str| field(name).filter(|text| text.len() <= LONGEST);
        match field("type")?.as_str() {
            "embed:set-token" => text("token").filter(|token| !token.is_empty()).map(|token| Self::SetToken { token }),
            "embed:set-params" => text("search").map(|search| Self::SetParams { search }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(kind: &str, version: Option<f64>, fields: &[(&str, &str)]) -> Option<In> {
        let found = |name: &str| fields.iter().find(|(key, _)| *key == name).map(|(_, text)| (*text).to_owned());
        In::read(version, |name| if name == "type" { Some(kind.to_owned()) } else { found(name) })
    }

    #[test]
    fn messages_of_version_one_are_read() {
        assert_eq!(read("embed:set-token", Some(1.0), &[("token", "a.b.c")]), Some(In::SetToken { token: "a.b.c".to_owned() }));
        assert_eq!(read("embed:set-params", Some(1.0), &[("search", "")]), Some(In::SetParams { search: String::new() }));
    }

    #[test]
    fn everything_else_is_not() {
        let token = [("token", "a.b.c")];
        assert_eq!(read("embed:set-token", Some(2.0), &token), None);
        assert_eq!(read("embed:set-token", None, &token), None);
        assert_eq!(read("embed:set-token", Some(1.0), &[]), None);
        assert_eq!(read("embed:set-token", Some(1.0), &[("token", "")]), None);
        assert_eq!(read("embed:set-token", Some(1.0), &[("token", &"x".repeat(1 << 20))]), None);
        assert_eq!(read("embed:set-params", Some(1.0), &[("search", &"x".repeat(1 << 20))]), None);
        assert_eq!(read("set-token", Some(1.0), &token), None);
        assert_eq!(In::read(Some(1.0), |_| None), None);
    }

    #[test]
    fn what_a_host_posts_is_read_back() {
        for message in [In::SetToken { token: "t".to_owned() }, In::SetParams { search: "?f_a.b.c=1".to_owned() }] {
            let json = message.to_json();
            assert_eq!(In::read(json["v"].as_f64(), |name| json[name].as_str().map(str::to_owned)), Some(message));
        }
    }

    #[test]
    fn every_message_carries_its_version() {
        let loaded = Out::Loaded { duration_ms: 120, charts: 8 };
        assert_eq!(loaded.to_json(), json!({"type": "embed:loaded", "v": 1, "durationMs": 120, "charts": 8}));
        assert_eq!(Out::Ready { awaiting_token: true }.to_json()["v"], 1);
        let refused = Out::Error { code: ErrorCode::TokenRefused, message: "Why".to_owned() };
        assert_eq!(refused.to_json(), json!({"type": "embed:error", "v": 1, "code": "TOKEN_REFUSED", "message": "Why"}));
    }
}
