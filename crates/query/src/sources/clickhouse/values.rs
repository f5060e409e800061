//! Converts `ClickHouse`'s JSON: 64-bit numbers and decimals are quoted, moments are in UTC.

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
    Moment,
    Json,
    Text,
}

impl Kind {
    pub(super) fn of(name: &str) -> Self {
        let mut inner = name;
        while let Some(wrapped) = inner.strip_prefix("Nullable(").or_else(|| inner.strip_prefix("LowCardinality(")) {
            inner = wrapped.strip_suffix(')').unwrap_or(wrapped);
        }
        match inner.split('(').next().unwrap_or_default() {
            "Bool" => Self::Boolean,
            "Date" | "Date32" => Self::Date,
            "DateTime" | "DateTime64" => Self::Moment,
            "Array" | "Tuple" | "Map" | "Nested" | "JSON" | "Object" | "Variant" | "Dynamic" | "Point" | "Ring" | "Polygon" => {
                Self::Json
            }
            number if ["Int", "UInt", "Float", "Decimal", "BFloat"].iter().any(|kind| number.starts_with(kind)) => Self::Number,
            _ => Self::Text,
        }
    }

    pub(super) const fn column_type(self) -> ColumnType {
        match self {
            Self::Number => ColumnType::Number,
            Self::Boolean => ColumnType::Boolean,
            Self::Date => ColumnType::Date,
            Self::Moment => ColumnType::Timestamp,
            Self::Json => ColumnType::Json,
            Self::Text => ColumnType::Text,
        }
    }

    /// Converts a value. `None` if it does not match its type.
    pub(super) fn value(self, raw: &RawValue, zone: Tz) -> Option<Value> {
        let value: Value = serde_json::from_str(raw.get()).ok()?;
        Some(match (self, value) {
            (_, Value::Null) => Value::Null,
            // NaN and infinities are quoted. JSON has no such numbers.
            (Self::Number, Value::String(text)) => {
                if text.trim_start_matches(['-', '+']).starts_with(|first: char| first.is_ascii_digit()) {
                    number::exact(&text)
                } else {
                    Value::Null
                }
            }
            (Self::Number, Value::Number(_)) => number::exact(raw.get()),
            (Self::Number, _) => return None,
            (Self::Moment, Value::String(text)) => Value::String(moment::shown(&text, zone)),
            (_, value) => value,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn value(kind: &str, raw: &str) -> Option<Value> {
        Kind::of(kind).value(&RawValue::from_string(raw.to_owned()).expect("JSON"), Tz::Europe__Berlin)
    }

    #[test]
    fn no_digit_is_lost() {
        for (kind, raw, expected) in [
            ("Int64", "\"-9223372036854775808\"", json!(i64::MIN)),
            ("UInt64", "\"18446744073709551615\"", json!("18446744073709551615")),
            ("Int256", "\"123456789012345678901234567890\"", json!("123456789012345678901234567890")),
            ("Decimal(30, 2)", "\"12345678901234567890.12\"", json!("12345678901234567890.12")),
            ("Nullable(Decimal(9, 2))", "\"10.5\"", json!(10.5)),
            ("Float64", "0.1", json!(0.1)),
            ("Float32", "\"nan\"", json!(null)),
            ("Float64", "\"-inf\"", json!(null)),
            ("UInt8", "200", json!(200)),
            ("Bool", "true", json!(true)),
            ("Nullable(Int8)", "null", json!(null)),
            ("Date", "\"2001-01-31\"", json!("2001-01-31")),
            ("DateTime64(3, 'UTC')", "\"2001-01-31T12:30:00.250Z\"", json!("2001-01-31T13:30:00.250+01:00")),
            ("LowCardinality(Nullable(String))", "\"x\\\"\\\\é\"", json!("x\"\\é")),
            ("Enum8('a' = 1)", "\"a\"", json!("a")),
            ("Array(UInt64)", "[\"18446744073709551615\"]", json!(["18446744073709551615"])),
            ("Map(String, Int8)", "{\"k\":1}", json!({"k": 1})),
            ("UUID", "\"0190a0a0-0000-7000-8000-000000000000\"", json!("0190a0a0-0000-7000-8000-000000000000")),
        ] {
            assert_eq!(value(kind, raw), Some(expected), "{kind}");
        }
        assert_eq!(value("Int8", "[]"), None);
    }
}
