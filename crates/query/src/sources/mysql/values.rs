//! Converts values of MySQL's binary protocol to JSON without rounding.

use crate::sources::{moment, number};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use chrono_tz::Tz;
use inlay_contract::data::ColumnType;
use serde_json::Value;
use sqlx::{Decode, Row, Type, TypeInfo, ValueRef};
use sqlx_mysql::{MySql, MySqlRow, MySqlTypeInfo, MySqlValueRef};

/// How a column's bytes are parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An integer of this many bytes, little-endian.
    Integer,
    Unsigned,
    /// `TINYINT(1)`, with 0 and 1 as booleans.
    Boolean,
    Float,
    Double,
    /// Digits.
    Decimal,
    /// Bits, big-endian.
    Bits,
    Date,
    Timestamp,
    /// A moment, in the session's time zone.
    Moment,
    Time,
    Json,
    Text,
    Bytes,
}

impl Kind {
    pub(super) fn of(info: &MySqlTypeInfo) -> Self {
        match info.name() {
            "BOOLEAN" => Self::Boolean,
            "YEAR" => Self::Unsigned,
            name if name.ends_with("UNSIGNED") => Self::Unsigned,
            "TINYINT" | "SMALLINT" | "INT" | "MEDIUMINT" | "BIGINT" => Self::Integer,
            "FLOAT" => Self::Float,
            "DOUBLE" => Self::Double,
            "DECIMAL" => Self::Decimal,
            "BIT" => Self::Bits,
            "DATE" => Self::Date,
            "DATETIME" => Self::Timestamp,
            "TIMESTAMP" => Self::Moment,
            "TIME" => Self::Time,
            "JSON" => Self::Json,
            "NULL" => Self::Text,
            // By name alone, text with a binary collation would count as bytes.
            _ if <str as Type<MySql>>::compatible(info) => Self::Text,
            _ => Self::Bytes,
        }
    }

    pub(super) const fn column_type(self) -> ColumnType {
        match self {
            Self::Integer | Self::Unsigned | Self::Float | Self::Double | Self::Decimal | Self::Bits => ColumnType::Number,
            Self::Boolean => ColumnType::Boolean,
            Self::Date => ColumnType::Date,
            Self::Timestamp | Self::Moment => ColumnType::Timestamp,
            Self::Json => ColumnType::Json,
            Self::Time | Self::Text | Self::Bytes => ColumnType::Text,
        }
    }
}

/// About the bytes of a row, without copying them.
pub(super) fn size(row: &MySqlRow) -> sqlx::Result<usize> {
    let mut bytes = 0;
    for position in 0..row.len() {
        let raw: MySqlValueRef<'_> = row.try_get_raw(position)?;
        bytes += if raw.is_null() {
            4
        } else {
            <&[u8] as Decode<'_, MySql>>::decode(raw).map_err(sqlx::Error::Decode)?.len().max(8)
        };
    }
    Ok(bytes)
}

/// A row's values and their approximate size in bytes.
pub(super) fn read(row: &MySqlRow, columns: &[(String, Kind)], zone: Tz) -> sqlx::Result<(Vec<Value>, usize)> {
    let mut values = Vec::with_capacity(columns.len());
    let mut bytes = 0;
    for (position, (_, kind)) in columns.iter().enumerate() {
        let raw: MySqlValueRef<'_> = row.try_get_raw(position)?;
        if raw.is_null() {
            values.push(Value::Null);
            bytes += 4;
            continue;
        }
        let raw = <&[u8] as Decode<'_, MySql>>::decode(raw).map_err(sqlx::Error::Decode)?;
        bytes += raw.len().max(8);
        values.push(value(*kind, raw, zone).ok_or_else(|| sqlx::Error::Decode("a value is not of its type".into()))?);
    }
    Ok((values, bytes))
}

fn value(kind: Kind, raw: &[u8], zone: Tz) -> Option<Value> {
    let text = || std::str::from_utf8(raw).ok();
    Some(match kind {
        Kind::Integer => signed(raw)?.into(),
        Kind::Boolean => match signed(raw)? {
            number @ (0 | 1) => Value::Bool(number == 1),
            number => number.into(),
        },
        Kind::Unsigned => whole(unsigned(raw.iter().rev())?),
        Kind::Bits => whole(unsigned(raw.iter())?),
        Kind::Float => number::exact(&f32::from_le_bytes(raw.try_into().ok()?).to_string()),
        Kind::Double => f64::from_le_bytes(raw.try_into().ok()?).into(),
        Kind::Decimal => number::exact(without_zeros(text()?)),
        Kind::Date => Value::String(date(raw.get(1..)?)?),
        Kind::Timestamp => Value::String(timestamp(raw)?),
        Kind::Moment => Value::String(moment::written(moment::at(timestamp(raw)?.parse().ok()?, zone)?, zone)),
        Kind::Time => Value::String(time(raw)?),
        Kind::Json => serde_json::from_str(text()?).ok()?,
        Kind::Text => Value::String(text()?.to_owned()),
        Kind::Bytes => Value::String(BASE64_STANDARD.encode(raw)),
    })
}

fn signed(raw: &[u8]) -> Option<i64> {
    Some(match raw.len() {
        1 => i64::from(i8::from_le_bytes(raw.try_into().ok()?)),
        2 => i64::from(i16::from_le_bytes(raw.try_into().ok()?)),
        4 => i64::from(i32::from_le_bytes(raw.try_into().ok()?)),
        _ => i64::from_le_bytes(raw.try_into().ok()?),
    })
}

/// An unsigned number of at most eight bytes, big-endian.
fn unsigned<'b>(bytes: impl ExactSizeIterator<Item = &'b u8>) -> Option<u64> {
    (bytes.len() <= 8).then(|| bytes.fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// A whole number. Its digits as text if JSON readers could lose some.
fn whole(number: u64) -> Value {
    i64::try_from(number).map_or_else(|_| Value::String(number.to_string()), Value::from)
}

/// A decimal without the trailing zeros of its column's scale.
fn without_zeros(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

fn date(raw: &[u8]) -> Option<String> {
    let (year, month, day) = (u16::from_le_bytes([*raw.first()?, *raw.get(1)?]), raw.get(2)?, raw.get(3)?);
    Some(format!("{year:04}-{month:02}-{day:02}"))
}

/// A length byte, then as much of date, time and microseconds as is not zero.
fn timestamp(raw: &[u8]) -> Option<String> {
    let raw = raw.get(1..)?;
    let clock = |place| raw.get(place).copied().unwrap_or_default();
    let mut text = format!("{}T{:02}:{:02}:{:02}", date(raw)?, clock(4), clock(5), clock(6));
    push_fraction(&mut text, raw.get(7..11));
    Some(text)
}

/// A length byte, then sign, days, time and microseconds. Empty for midnight.
fn time(raw: &[u8]) -> Option<String> {
    let raw = raw.get(1..)?;
    let Some(sign) = raw.first() else { return Some("00:00:00".to_owned()) };
    let days = u32::from_le_bytes(raw.get(1..5)?.try_into().ok()?);
    let hours = u64::from(days) * 24 + u64::from(*raw.get(5)?);
    let sign = if *sign == 1 { "-" } else { "" };
    let mut text = format!("{sign}{hours:02}:{:02}:{:02}", raw.get(6)?, raw.get(7)?);
    push_fraction(&mut text, raw.get(8..12));
    Some(text)
}

fn push_fraction(text: &mut String, raw: Option<&[u8]>) {
    let microseconds = raw.and_then(|raw| raw.try_into().ok()).map_or(0, u32::from_le_bytes);
    if microseconds > 0 {
        text.push_str(format!(".{microseconds:06}").trim_end_matches('0'));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(kind: Kind, raw: &[u8]) -> Option<Value> {
        value(kind, raw, Tz::UTC)
    }

    #[test]
    fn whole_numbers_keep_their_digits() {
        assert_eq!(read(Kind::Integer, &[0xff]), Some(json!(-1)));
        assert_eq!(read(Kind::Integer, &i64::MIN.to_le_bytes()), Some(json!(i64::MIN)));
        assert_eq!(read(Kind::Unsigned, &u64::MAX.to_le_bytes()), Some(json!("18446744073709551615")));
        assert_eq!(read(Kind::Unsigned, &[0xd1, 0x07]), Some(json!(2001)));
        assert_eq!(read(Kind::Bits, &[1, 0]), Some(json!(256)));
        assert_eq!(read(Kind::Integer, &[1, 2, 3]), None);
    }

    #[test]
    fn decimals_keep_their_digits() {
        assert_eq!(read(Kind::Decimal, b"20.0000"), Some(json!(20)));
        assert_eq!(read(Kind::Decimal, b"-10.50"), Some(json!(-10.5)));
        assert_eq!(read(Kind::Decimal, b"100"), Some(json!(100)));
        assert_eq!(read(Kind::Decimal, b"12345678901234567890.12"), Some(json!("12345678901234567890.12")));
    }

    #[test]
    fn truth_values_are_0_and_1_only() {
        assert_eq!(read(Kind::Boolean, &[1]), Some(json!(true)));
        assert_eq!(read(Kind::Boolean, &[7]), Some(json!(7)));
    }

    #[test]
    fn times_have_as_many_digits_as_they_need() {
        assert_eq!(timestamp(&[4, 0xd1, 7, 1, 31]), Some("2001-01-31T00:00:00".into()));
        assert_eq!(timestamp(&[7, 0xd1, 7, 1, 31, 12, 30, 5]), Some("2001-01-31T12:30:05".into()));
        assert_eq!(timestamp(&[11, 0xd1, 7, 1, 31, 12, 30, 5, 0x20, 0xa1, 7, 0]), Some("2001-01-31T12:30:05.5".into()));
        assert_eq!(time(&[0]), Some("00:00:00".into()));
        assert_eq!(time(&[8, 1, 34, 0, 0, 0, 22, 59, 59]), Some("-838:59:59".into()));
        assert_eq!(time(&[12, 0, 0, 0, 0, 0, 1, 2, 3, 1, 0, 0, 0]), Some("01:02:03.000001".into()));
        assert_eq!(time(&[8, 0]), None);
    }
}
