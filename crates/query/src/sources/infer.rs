//! Infers the types of a SQLite result. SQLite types values, not columns, and has no dates: the values decide, and a text
//! column with a date in every row is a date column.

use crate::schema::Class;
use chrono::{NaiveDate, NaiveDateTime};
use inlay_contract::data::ColumnType;
use serde_json::Value;

pub(super) fn column_types(declared: impl Iterator<Item = Class>, rows: &[Vec<Value>]) -> Vec<ColumnType> {
    declared.enumerate().map(|(position, class)| column_type(class, rows.iter().map(|row| &row[position]))).collect()
}

fn column_type<'a>(declared: Class, values: impl Iterator<Item = &'a Value>) -> ColumnType {
    let mut found = None;
    for value in values {
        let kind = match value {
            Value::Null => continue,
            Value::Number(_) => ColumnType::Number,
            Value::Bool(_) => ColumnType::Boolean,
            // Only looks for dates as long as all earlier values are dates.
            Value::String(text) if found.is_none_or(is_time) => text_type(text),
            _ => ColumnType::Text,
        };
        found = Some(found.map_or(kind, |before| together(before, kind)));
    }
    found.unwrap_or(match declared.column_type() {
        ColumnType::Json => ColumnType::Text,
        known => known,
    })
}

const fn is_time(kind: ColumnType) -> bool {
    matches!(kind, ColumnType::Date | ColumnType::Timestamp)
}

fn together(one: ColumnType, other: ColumnType) -> ColumnType {
    if one == other {
        one
    } else if is_time(one) && is_time(other) {
        ColumnType::Timestamp
    } else {
        ColumnType::Text
    }
}

fn text_type(text: &str) -> ColumnType {
    // A quick check before parsing, which excludes almost all text.
    let starts_with_year =
        text.len() >= 10 && text.as_bytes()[..4].iter().all(u8::is_ascii_digit) && text.as_bytes()[4] == b'-';
    if !starts_with_year {
        return ColumnType::Text;
    }
    if text.len() == 10 {
        return if text.parse::<NaiveDate>().is_ok() { ColumnType::Date } else { ColumnType::Text };
    }
    let local = text.strip_suffix('Z').unwrap_or(text);
    let formats = ["%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M"];
    let is_time = formats.iter().any(|format| NaiveDateTime::parse_from_str(local, format).is_ok())
        || chrono::DateTime::parse_from_rfc3339(text).is_ok();
    if is_time { ColumnType::Timestamp } else { ColumnType::Text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn kind(declared: Class, values: &[Value]) -> ColumnType {
        column_type(declared, values.iter())
    }

    #[test]
    fn text_is_a_day_only_if_every_value_is_one() {
        let day = json!("2001-01-31");
        assert_eq!(kind(Class::Text, &[Value::Null, day.clone(), day.clone()]), ColumnType::Date);
        assert_eq!(kind(Class::Text, &[day.clone(), json!("2001-01-31 00:01:00")]), ColumnType::Timestamp);
        assert_eq!(kind(Class::Text, &[json!("2001-01-31T12:30:00Z"), day.clone()]), ColumnType::Timestamp);
        assert_eq!(kind(Class::Text, &[day.clone(), json!("x")]), ColumnType::Text);
        assert_eq!(kind(Class::Text, &[json!("x"), day]), ColumnType::Text);
        assert_eq!(kind(Class::Date, &[json!("2001-02-30")]), ColumnType::Text);
    }

    #[test]
    fn values_go_before_declarations() {
        assert_eq!(kind(Class::Text, &[json!(1), json!(2.5)]), ColumnType::Number);
        assert_eq!(kind(Class::Decimal, &[json!(1), json!("n/a")]), ColumnType::Text);
        assert_eq!(kind(Class::Boolean, &[json!(true), Value::Null]), ColumnType::Boolean);
        assert_eq!(kind(Class::Decimal, &[Value::Null]), ColumnType::Number);
        assert_eq!(kind(Class::Other, &[]), ColumnType::Text);
    }
}
