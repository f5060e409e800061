//! Converts PostgreSQL's values. Rows arrive as JSON, in which every type has a form and numbers keep all digits.

use crate::sources::{moment, number};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use chrono_tz::Tz;
use inlay_contract::data::ColumnType;
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::{Value, value::RawValue};
use std::fmt;

/// How a column's JSON is parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sources) enum Kind {
    Number,
    Boolean,
    Date,
    Timestamp,
    /// A moment, with its UTC offset.
    Moment,
    Bytes,
    Json,
    Text,
}

impl Kind {
    pub(super) fn of(type_name: &str) -> Self {
        match type_name {
            "INT2" | "INT4" | "INT8" | "FLOAT4" | "FLOAT8" | "NUMERIC" | "OID" => Self::Number,
            "BOOL" => Self::Boolean,
            "DATE" => Self::Date,
            "TIMESTAMP" => Self::Timestamp,
            "TIMESTAMPTZ" => Self::Moment,
            "BYTEA" => Self::Bytes,
            "JSON" | "JSONB" | "RECORD" => Self::Json,
            list if list.ends_with("[]") => Self::Json,
            _ => Self::Text,
        }
    }

    pub(in crate::sources) const fn column_type(self) -> ColumnType {
        match self {
            Self::Number => ColumnType::Number,
            Self::Boolean => ColumnType::Boolean,
            Self::Date => ColumnType::Date,
            Self::Timestamp | Self::Moment => ColumnType::Timestamp,
            Self::Json => ColumnType::Json,
            Self::Bytes | Self::Text => ColumnType::Text,
        }
    }

    fn value(self, raw: &RawValue, zone: Tz) -> serde_json::Result<Value> {
        let text = raw.get();
        if matches!(self, Self::Number) {
            // NaN and infinities are quoted. JSON has no such numbers.
            let plain = !text.starts_with('"') && text != "null";
            return Ok(if plain { number::exact(text) } else { Value::Null });
        }
        let value = serde_json::from_str(text)?;
        Ok(match (self, value) {
            (Self::Moment, Value::String(text)) => Value::String(moment::shown(&text, zone)),
            (Self::Bytes, Value::String(hex)) => Value::String(bytes(&hex).map_or(hex, |bytes| BASE64_STANDARD.encode(bytes))),
            (_, value) => value,
        })
    }
}

/// Parses `\x0aff…`.
fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digits = hex.strip_prefix("\\x")?.as_bytes();
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

/// The values of a row in JSON.
pub(super) fn values(row: &str, columns: &[(String, Kind)], zone: Tz) -> sqlx::Result<Vec<Value>> {
    let read = || {
        let Members(members) = serde_json::from_str(row)?;
        members.iter().zip(columns).map(|(raw, (_, kind))| kind.value(raw, zone)).collect::<serde_json::Result<Vec<_>>>()
    };
    read().map_err(|problem| sqlx::Error::Decode(Box::new(problem)))
}

/// The members of a JSON object in order, including duplicate names.
struct Members<'a>(Vec<&'a RawValue>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((_, raw)) = map.next_entry::<serde::de::IgnoredAny, &'de RawValue>()? {
                    members.push(raw);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}
