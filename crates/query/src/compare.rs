//! Converts JSON values for comparisons with columns.
//!
//! A value is first converted to the column's class: `"5"` becomes a number for a numeric column, 5 becomes text for a text
//! column. If that is not possible (`"abc"` for a number, a zero byte in text), there is no comparison: a rule then fails, and
//! a filter matches no row. So PostgreSQL never gets operands of two types, and SQLite's order of types (every number before
//! every text) never matters.

use crate::{
    bind::{Bind, Binds, TooMany},
    sources::moment_at,
};
use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime};
use chrono_tz::Tz;
use serde_json::{Number, Value};
use sqlparser::ast::{
    CastKind, DataType, ExactNumberInfo, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentList, FunctionArguments,
    Ident,
};

/// A value that cannot be compared with the class, or too many values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Incomparable;

impl From<TooMany> for Incomparable {
    fn from(TooMany: TooMany) -> Self {
        Self
    }
}

/// Binds a value, with a cast if needed.
pub(crate) fn bound(bind: Bind, data_type: Option<DataType>, binds: &mut Binds) -> Result<Expr, Incomparable> {
    let place = binds.push(bind)?;
    Ok(data_type.map_or(place.clone(), |data_type| cast(place, data_type)))
}

/// `CAST(… AS …)`
pub(crate) fn cast(expression: Expr, data_type: DataType) -> Expr {
    Expr::Cast { kind: CastKind::Cast, expr: Box::new(expression), data_type, format: None }
}

/// A number's digits, and a type that fits them exactly.
pub(crate) fn decimal(text: &str) -> Option<(String, DataType)> {
    let digits = digits(text, 38, 38)?;
    let (whole, fraction) = digits.trim_start_matches('-').split_once('.').unwrap_or((digits.trim_start_matches('-'), ""));
    let size = u64::try_from(whole.len() + fraction.len()).ok().filter(|size| *size <= 38)?;
    let scale = i64::try_from(fraction.len()).ok()?;
    let size = ExactNumberInfo::PrecisionAndScale(size, scale);
    Some((digits, DataType::Decimal(size)))
}

/// A number rounded to 32-bit floating point.
pub(crate) fn single(value: &Value) -> Option<Bind> {
    let single = number(value)?.parse::<f32>().ok().filter(|single| single.is_finite())?;
    Some(Bind::Real(single.into()))
}

/// A UUID in its canonical form.
pub(crate) fn uuid(value: &Value) -> Option<String> {
    value.as_str()?.parse::<uuid::Uuid>().ok().map(|uuid| uuid.to_string())
}

/// A call of a scalar function.
pub(crate) fn call(name: &str, arguments: Vec<Expr>) -> Expr {
    let args = arguments.into_iter().map(|argument| FunctionArg::Unnamed(FunctionArgExpr::Expr(argument))).collect();
    Expr::Function(Function {
        name: vec![Ident::new(name)].into(),
        uses_odbc_syntax: false,
        parameters: FunctionArguments::None,
        args: FunctionArguments::List(FunctionArgumentList { duplicate_treatment: None, args, clauses: Vec::new() }),
        within_group: Vec::new(),
        filter: None,
        null_treatment: None,
        over: None,
    })
}

/// The text of a number: from a number, or from a text that is a number. Within the range of a double.
pub(crate) fn number(value: &Value) -> Option<String> {
    let text = match value {
        Value::Number(number) => plain(number),
        Value::String(text) => text.clone(),
        _ => return None,
    };
    let digits = text.strip_prefix('-').unwrap_or(&text);
    let written = digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.chars().all(|letter| letter.is_ascii_digit() || matches!(letter, '.' | 'e' | 'E' | '+' | '-'));
    let finite = text.len() <= 64 && text.parse::<f64>().is_ok_and(f64::is_finite);
    (written && finite).then_some(text)
}

/// A number's digits without an exponent, if there are at most this many before and after the point.
pub(crate) fn digits(text: &str, whole: usize, fraction: usize) -> Option<String> {
    let plain = if text.contains(['e', 'E']) { text.parse::<f64>().ok()?.to_string() } else { text.to_owned() };
    let (before, behind) = plain.trim_start_matches('-').split_once('.').unwrap_or((plain.trim_start_matches('-'), ""));
    (before.len() <= whole && behind.len() <= fraction).then_some(plain)
}

/// The text of a single value.
pub(crate) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => (!text.contains('\0')).then(|| text.clone()),
        Value::Number(number) => Some(plain(number)),
        Value::Bool(on) => Some(on.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A number's text. A whole number has no `.0`.
fn plain(number: &Number) -> String {
    let text = number.to_string();
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// A boolean: from a boolean, from 0 or 1, or from its name.
pub(crate) fn boolean(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(on) => Some(*on),
        Value::Number(number) => match number.as_i64()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        },
        Value::String(text) => text.parse().ok(),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A date, or a date with a time.
pub(crate) enum Moment {
    Day(NaiveDate),
    Time(NaiveDateTime),
}

impl Moment {
    /// The time. For a date, its start.
    pub(crate) fn start(self) -> NaiveDateTime {
        match self {
            Self::Day(day) => day.and_time(chrono::NaiveTime::MIN),
            Self::Time(time) => time,
        }
    }
}

/// Converts a time without a zone to the moment at which the viewer's clock shows it. Other values are unchanged.
pub(crate) fn in_zone(value: Value, zone: Tz) -> Value {
    let is_zoned = value.as_str().is_some_and(|text| DateTime::parse_from_rfc3339(text).is_ok());
    let local = if is_zoned { None } else { moment(&value) };
    match local.and_then(|local| moment_at(local.start(), zone)) {
        Some(moment) => Value::String(moment.to_rfc3339()),
        None => value,
    }
}

/// Parses `2001-01-31`, `2001-01-31T12:30:00` and `2001-01-31 12:30:00`. With a zone, it is converted to UTC.
pub(crate) fn moment(value: &Value) -> Option<Moment> {
    let text = value.as_str()?;
    let moment = if text.len() == 10 {
        Moment::Day(text.parse().ok()?)
    } else if let Ok(zoned) = DateTime::parse_from_rfc3339(text) {
        Moment::Time(zoned.naive_utc())
    } else {
        let read = |format| NaiveDateTime::parse_from_str(text, format).ok();
        Moment::Time(read("%Y-%m-%dT%H:%M:%S%.f").or_else(|| read("%Y-%m-%d %H:%M:%S%.f"))?)
    };
    let year = match &moment {
        Moment::Day(day) => day.year(),
        Moment::Time(time) => time.year(),
    };
    (1..=9999).contains(&year).then_some(moment)
}

/// Formats a time as ISO 8601.
pub(crate) fn written(time: NaiveDateTime) -> String {
    time.format("%Y-%m-%dT%H:%M:%S%.6f").to_string()
}

/// Formats a time with a space between date and time.
pub(crate) fn spaced(time: NaiveDateTime) -> String {
    time.format("%Y-%m-%d %H:%M:%S%.6f").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        dialect::{postgres::typed as postgres, sqlite::bind as sqlite},
        schema::Class,
    };
    use serde_json::json;
    use sqlparser::ast::TimezoneInfo;

    const NUMBERS: [Class; 4] = [Class::Integer, Class::Decimal, Class::Real, Class::Double];

    #[test]
    fn text_that_is_a_number_compares_with_numbers_and_other_text_does_not() {
        for class in NUMBERS {
            assert_eq!(sqlite(class, &json!("5")), Some(Bind::Integer(5)));
            assert_eq!(sqlite(class, &json!(2.5)), Some(Bind::Real(2.5)));
            for bad in [
                json!("abc"),
                json!(""),
                json!(" 5"),
                json!("5 or 1=1"),
                json!("NaN"),
                json!("inf"),
                json!("1e999"),
                json!(true),
            ] {
                assert_eq!(sqlite(class, &bad), None, "{bad}");
                assert_eq!(postgres(class, &bad), None, "{bad}");
            }
        }
    }

    #[test]
    fn numbers_become_text_beside_text() {
        assert_eq!(sqlite(Class::Text, &json!(5)), Some(Bind::Text("5".into())));
        assert_eq!(sqlite(Class::Text, &json!(5.0)), Some(Bind::Text("5".into())));
        assert_eq!(postgres(Class::Text, &json!(true)), Some(("true".into(), DataType::Text)));
        assert_eq!(postgres(Class::Text, &json!("null")), Some(("null".into(), DataType::Text)));
    }

    #[test]
    fn nothing_compares_with_what_is_no_single_value() {
        for value in [json!(null), json!({}), json!([]), json!(["a"]), json!({"$ne": "x"})] {
            for class in [Class::Text, Class::ByText, Class::Date, Class::Boolean, Class::Decimal, Class::Other] {
                assert_eq!(sqlite(class, &value), None);
                assert_eq!(postgres(class, &value), None);
            }
        }
        assert_eq!(postgres(Class::Text, &json!("a\0b")), None);
    }

    #[test]
    fn days_and_times_take_the_columns_type() {
        let timestamp = DataType::Timestamp(None, TimezoneInfo::None);
        assert_eq!(postgres(Class::Date, &json!("2001-01-31")), Some(("2001-01-31".into(), DataType::Date)));
        let noon = json!("2001-01-31T12:00:00");
        assert_eq!(postgres(Class::Date, &noon), Some(("2001-01-31T12:00:00.000000".into(), timestamp.clone())));
        assert_eq!(postgres(Class::Timestamp, &json!("2001-01-31")), Some(("2001-01-31T00:00:00.000000".into(), timestamp)));
        let zoned = postgres(Class::Moment, &json!("2001-01-31T12:00:00+02:00")).map(|(text, _)| text);
        assert_eq!(zoned, Some("2001-01-31T10:00:00.000000Z".into()));
        for bad in ["2001-02-30", "yesterday", "infinity", "now", "2001-1-1", ""] {
            assert_eq!(postgres(Class::Date, &json!(bad)), None, "{bad}");
        }
    }
}
