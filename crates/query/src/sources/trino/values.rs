//! Converts Trino's JSON: decimals are quoted, moments have their zone's name.

use crate::sources::{moment, number};
use chrono_tz::Tz;
use inlay_contract::data::ColumnType;
use serde_json::{Value, value::RawValue};

/// How a column's JSON is parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Number,
    Boolean,
    Date,
    Timestamp,
    /// A moment with a zone.
    Moment,
    /// A text that contains JSON.
    JsonText,
    Json,
    Text,
}

impl Kind {
    pub(super) fn of(name: &str) -> Self {
        match name.split(['(', ' ']).next().unwrap_or_default() {
            "tinyint" | "smallint" | "integer" | "bigint" | "real" | "double" | "decimal" => Self::Number,
            "boolean" => Self::Boolean,
            "date" => Self::Date,
            "timestamp" if name.ends_with("with time zone") => Self::Moment,
            "timestamp" => Self::Timestamp,
            "json" => Self::JsonText,
            "array" | "map" | "row" => Self::Json,
            // Bytes are in base64.
            _ => Self::Text,
        }
    }

    pub(super) const fn column_type(self) -> ColumnType {
        match self {
            Self::Number => ColumnType::Number,
            Self::Boolean => ColumnType::Boolean,
            Self::Date => ColumnType::Date,
            Self::Timestamp | Self::Moment => ColumnType::Timestamp,
            Self::JsonText | Self::Json => ColumnType::Json,
            Self::Text => ColumnType::Text,
        }
    }

    /// Converts a value. `None` if it does not match its type.
    pub(super) fn value(self, raw: &RawValue, zone: Tz) -> Option<Value> {
        let value: Value = serde_json::from_str(raw.get()).ok()?;
        Some(match (self, value) {
            (_, Value::Null) => Value::Null,
            // NaN and infinities are quoted, like decimals. JSON has no such numbers.
            (Self::Number, Value::String(text)) => {
                let digits = text.trim_start_matches('-').starts_with(|first: char| first.is_ascii_digit());
                if digits { number::exact(&text) } else { Value::Null }
            }
            (Self::Number, Value::Number(_)) => number::exact(raw.get()),
            (Self::Number, _) => return None,
            (Self::Timestamp, Value::String(text)) => Value::String(without_zeros(&text.replacen(' ', "T", 1))),
            (Self::Moment, Value::String(text)) => {
                Value::String(moment::of_named(&text).map_or(text, |moment| moment::written(moment, zone)))
            }
            (Self::JsonText, Value::String(text)) => serde_json::from_str(&text).ok()?,
            (_, value) => value,
        })
    }
}

/// A time without trailing zeros in its fraction.
fn without_zeros(time: &str) -> String {
    let short = if time.contains('.') { time.trim_end_matches('0').trim_end_matches('.') } else { time };
    short.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn value(kind: &str, raw: &str) -> Option<Value> {
        Kind::of(kind).value(&RawValue::from_string(raw.to_owned()).expect("JSON"), Tz::UTC)
    }

    #[test]
    fn no_digit_is_lost() {
        for (kind, raw, expected) in [
            ("bigint", "9223372036854775807", json!(i64::MAX)),
            ("decimal(30,2)", "\"12345678901234567890.12\"", json!("12345678901234567890.12")),
            ("decimal(9,2)", "\"10.50\"", json!(10.5)),
            ("double", "0.1", json!(0.1)),
            ("double", "\"NaN\"", json!(null)),
            ("real", "\"-Infinity\"", json!(null)),
            ("boolean", "true", json!(true)),
            ("varchar(10)", "\"x\\\"\\\\é\"", json!("x\"\\é")),
            ("varchar", "null", json!(null)),
            ("date", "\"2001-01-31\"", json!("2001-01-31")),
            ("timestamp(3)", "\"2001-01-31 12:30:00.250\"", json!("2001-01-31T12:30:00.25")),
            ("timestamp(0)", "\"2001-01-31 12:30:00\"", json!("2001-01-31T12:30:00")),
            ("timestamp(3) with time zone", "\"2001-01-31 12:30:00.000 Europe/Berlin\"", json!("2001-01-31T11:30:00Z")),
            ("varbinary", "\"AP8=\"", json!("AP8=")),
            ("json", "\"{\\\"k\\\": [1, null]}\"", json!({"k": [1, null]})),
            ("array(bigint)", "[1, null]", json!([1, null])),
            ("interval day to second", "\"1 00:00:00.000\"", json!("1 00:00:00.000")),
        ] {
            assert_eq!(value(kind, raw), Some(expected), "{kind}");
        }
        assert_eq!(value("bigint", "[]"), None);
    }
}
