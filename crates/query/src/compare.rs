//! Turning a JSON value into something that a column can be compared with.
//!
//! A value takes the column's class first: `"5"` becomes a number beside a number, 5 becomes text beside text. What cannot
//! (`"abc"` beside a number, a zero byte in text) is no comparison at all: a rule then fails, a filter keeps no row. So
//! PostgreSQL never sees operands of two types, and SQLite's order of types (every number before every text) never decides.

use crate::{
    bind::{Bind, Binds, TooMany},
    schema::Class,
    source::SourceKind,
    sources::moment_at,
};
use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime};
use chrono_tz::Tz;
use serde_json::{Number, Value};
use sqlparser::ast::{
    CastKind, DataType, ExactNumberInfo, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArgumentList, FunctionArguments,
    Ident, TimezoneInfo,
};

/// A value that the class cannot be compared with, or one too many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Incomparable;

impl From<TooMany> for Incomparable {
    fn from(TooMany: TooMany) -> Self {
        Self
    }
}

/// Binds a value for comparison with a column of a class.
pub(crate) fn operand(kind: SourceKind, class: Class, value: &Value, binds: &mut Binds) -> Result<Expr, Incomparable> {
    let (bind, data_type) = match kind {
        SourceKind::Mysql => return mysql(class, value, binds).ok_or(Incomparable),
        SourceKind::Sqlite => (sqlite(class, value).ok_or(Incomparable)?, None),
        SourceKind::Clickhouse => clickhouse(class, value).ok_or(Incomparable)?,
        SourceKind::Trino => trino(class, value).ok_or(Incomparable)?,
        SourceKind::Postgres => {
            postgres(class, value).map(|(text, cast)| (Bind::Text(text), Some(cast))).ok_or(Incomparable)?
        }
        SourceKind::Duckdb => duckdb(class, value).map(|(text, cast)| (Bind::Text(text), Some(cast))).ok_or(Incomparable)?,
    };
    let place = binds.push(bind)?;
    Ok(data_type.map_or(place.clone(), |data_type| cast(place, data_type)))
}

/// `CAST(… AS …)`
pub(crate) fn cast(expression: Expr, data_type: DataType) -> Expr {
    Expr::Cast { kind: CastKind::Cast, expr: Box::new(expression), data_type, format: None }
}

/// The type of a text, for a cast.
pub(crate) const fn text_type(kind: SourceKind) -> DataType {
    match kind {
        SourceKind::Sqlite | SourceKind::Postgres | SourceKind::Clickhouse | SourceKind::Duckdb => DataType::Text,
        SourceKind::Mysql => DataType::Char(None),
        SourceKind::Trino => DataType::Varchar(None),
    }
}

/// A value beside a column of MySQL, which compares exactly only what has one type: integers with integers, decimals with
/// decimals, floating point with the same precision.
fn mysql(class: Class, value: &Value, binds: &mut Binds) -> Option<Expr> {
    let mut place = |bind| binds.push(bind).ok();
    let microseconds = DataType::Datetime(Some(6));
    match class {
        Class::Integer | Class::Decimal => {
            let text = number(value)?;
            match text.parse() {
                Ok(whole) => place(Bind::Integer(whole)),
                Err(_) => {
                    let size = ExactNumberInfo::PrecisionAndScale(65, 30);
                    Some(cast(place(Bind::Text(digits(&text, 35, 30)?))?, DataType::Decimal(size)))
                }
            }
        }
        Class::Real => place(single(value)?),
        Class::Double => place(Bind::Real(number(value)?.parse().ok()?)),
        Class::Text | Class::ByText => place(Bind::Text(text(value)?)),
        Class::Uuid => place(Bind::Text(uuid(value)?)),
        Class::Boolean => place(Bind::Integer(boolean(value)?.into())),
        Class::Date => match moment(value)? {
            Moment::Day(day) => Some(cast(place(Bind::Text(day.to_string()))?, DataType::Date)),
            Moment::Time(time) => Some(cast(place(Bind::Text(spaced(time)))?, microseconds)),
        },
        Class::Timestamp => Some(cast(place(Bind::Text(spaced(moment(value)?.start())))?, microseconds)),
        Class::Moment => {
            let moment = moment(value)?.start();
            let seconds = moment.and_utc().timestamp();
            // The zone of the connection says what a written time means, so the moment is counted from 1970. What a
            // TIMESTAMP cannot hold is written: by whatever zone, it is before or after all of them.
            if (0..=i64::from(i32::MAX)).contains(&seconds) {
                let size = ExactNumberInfo::PrecisionAndScale(20, 6);
                let text = format!("{seconds}.{:06}", moment.and_utc().timestamp_subsec_micros());
                Some(call("from_unixtime", vec![cast(place(Bind::Text(text))?, DataType::Decimal(size))]))
            } else {
                Some(cast(place(Bind::Text(spaced(moment)))?, microseconds))
            }
        }
        Class::Other => None,
    }
}

/// A value beside a column of `ClickHouse`, which knows moments and days, but no times without a zone.
fn clickhouse(class: Class, value: &Value) -> Option<(Bind, Option<DataType>)> {
    let moment_type = || Some(DataType::Datetime64(6, Some("UTC".to_owned())));
    Some(match class {
        Class::Integer | Class::Decimal => {
            let text = number(value)?;
            match text.parse() {
                Ok(whole) => (Bind::Integer(whole), None),
                Err(_) => {
                    (Bind::Text(digits(&text, 46, 30)?), Some(DataType::Decimal(ExactNumberInfo::PrecisionAndScale(76, 30))))
                }
            }
        }
        Class::Real => (single(value)?, None),
        Class::Double => (Bind::Real(number(value)?.parse().ok()?), None),
        Class::Text | Class::ByText => (Bind::Text(text(value)?), None),
        Class::Uuid => (Bind::Text(uuid(value)?), Some(DataType::Uuid)),
        Class::Boolean => (Bind::Integer(boolean(value)?.into()), None),
        Class::Date => match moment(value)? {
            Moment::Day(day) => (Bind::Text(day.to_string()), Some(DataType::Date32)),
            Moment::Time(time) => (Bind::Text(spaced(time)), moment_type()),
        },
        Class::Timestamp | Class::Moment => (Bind::Text(spaced(moment(value)?.start())), moment_type()),
        Class::Other => return None,
    })
}

/// A value beside a column of Trino.
fn trino(class: Class, value: &Value) -> Option<(Bind, Option<DataType>)> {
    let timestamp = || Some(DataType::Timestamp(Some(6), TimezoneInfo::None));
    Some(match class {
        Class::Integer | Class::Decimal => {
            let text = number(value)?;
            match text.parse() {
                Ok(whole) => (Bind::Integer(whole), None),
                Err(_) => {
                    let (digits, size) = decimal(&text)?;
                    (Bind::Text(digits), Some(size))
                }
            }
        }
        Class::Real => (single(value)?, Some(DataType::Real)),
        Class::Double => (Bind::Real(number(value)?.parse().ok()?), None),
        Class::Text | Class::ByText => (Bind::Text(text(value)?), None),
        Class::Uuid => (Bind::Text(uuid(value)?), Some(DataType::Uuid)),
        Class::Boolean => (Bind::Text(boolean(value)?.to_string()), Some(DataType::Boolean)),
        Class::Date => match moment(value)? {
            Moment::Day(day) => (Bind::Text(day.to_string()), Some(DataType::Date)),
            Moment::Time(time) => (Bind::Text(spaced(time)), timestamp()),
        },
        Class::Timestamp => (Bind::Text(spaced(moment(value)?.start())), timestamp()),
        Class::Moment => (
            Bind::Text(spaced(moment(value)?.start()) + " UTC"),
            Some(DataType::Timestamp(Some(6), TimezoneInfo::WithTimeZone)),
        ),
        Class::Other => return None,
    })
}

/// A value beside a column of `DuckDB`: as on PostgreSQL, but its decimals have a size.
fn duckdb(class: Class, value: &Value) -> Option<(String, DataType)> {
    match class {
        Class::Integer | Class::Decimal => {
            let text = number(value)?;
            if text.parse::<i64>().is_ok() { Some((text, DataType::BigInt(None))) } else { decimal(&text) }
        }
        Class::Double => Some((number(value)?, DataType::Double(ExactNumberInfo::None))),
        _ => postgres(class, value),
    }
}

/// A number's digits, and the type that holds just these.
fn decimal(text: &str) -> Option<(String, DataType)> {
    let digits = digits(text, 38, 38)?;
    let (whole, fraction) = digits.trim_start_matches('-').split_once('.').unwrap_or((digits.trim_start_matches('-'), ""));
    let size = u64::try_from(whole.len() + fraction.len()).ok().filter(|size| *size <= 38)?;
    let scale = i64::try_from(fraction.len()).ok()?;
    let size = ExactNumberInfo::PrecisionAndScale(size, scale);
    Some((digits, DataType::Decimal(size)))
}

/// A number as a column of 32-bit floating point holds it.
fn single(value: &Value) -> Option<Bind> {
    let single = number(value)?.parse::<f32>().ok().filter(|single| single.is_finite())?;
    Some(Bind::Real(single.into()))
}

fn uuid(value: &Value) -> Option<String> {
    value.as_str()?.parse::<uuid::Uuid>().ok().map(|uuid| uuid.to_string())
}

/// A plain function of one row.
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

fn sqlite(class: Class, value: &Value) -> Option<Bind> {
    match class {
        Class::Integer | Class::Decimal | Class::Real | Class::Double => {
            let text = number(value)?;
            text.parse().map(Bind::Integer).ok().or_else(|| text.parse().map(Bind::Real).ok())
        }
        Class::Boolean => boolean(value).map(|on| Bind::Integer(on.into())),
        Class::Text | Class::ByText => text(value).map(Bind::Text),
        Class::Date | Class::Timestamp | Class::Moment => value.as_str().map(|text| Bind::Text(text.to_owned())),
        Class::Uuid | Class::Other => None,
    }
}

fn postgres(class: Class, value: &Value) -> Option<(String, DataType)> {
    Some(match class {
        Class::Integer => {
            let text = number(value)?;
            let whole = text.parse::<i64>().is_ok();
            (text, if whole { DataType::BigInt(None) } else { DataType::Numeric(ExactNumberInfo::None) })
        }
        Class::Decimal => (number(value)?, DataType::Numeric(ExactNumberInfo::None)),
        Class::Real => (number(value)?, DataType::Real),
        Class::Double => (number(value)?, DataType::DoublePrecision),
        Class::Text | Class::ByText => (text(value)?, DataType::Text),
        Class::Uuid => (uuid(value)?, DataType::Uuid),
        Class::Boolean => (boolean(value)?.to_string(), DataType::Boolean),
        Class::Date => match moment(value)? {
            Moment::Day(day) => (day.to_string(), DataType::Date),
            Moment::Time(time) => (written(time), DataType::Timestamp(None, TimezoneInfo::None)),
        },
        Class::Timestamp => (written(moment(value)?.start()), DataType::Timestamp(None, TimezoneInfo::None)),
        Class::Moment => (written(moment(value)?.start()) + "Z", DataType::Timestamp(None, TimezoneInfo::WithTimeZone)),
        Class::Other => return None,
    })
}

/// A number's text: of a number, or of a text that is a number and nothing else. Within the range of a double.
fn number(value: &Value) -> Option<String> {
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

/// A number's digits without an exponent, if it has at most so many before and behind the point.
fn digits(text: &str, whole: usize, fraction: usize) -> Option<String> {
    let plain = if text.contains(['e', 'E']) { text.parse::<f64>().ok()?.to_string() } else { text.to_owned() };
    let (before, behind) = plain.trim_start_matches('-').split_once('.').unwrap_or((plain.trim_start_matches('-'), ""));
    (before.len() <= whole && behind.len() <= fraction).then_some(plain)
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => (!text.contains('\0')).then(|| text.clone()),
        Value::Number(number) => Some(plain(number)),
        Value::Bool(on) => Some(on.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A number's text, a whole one without its `.0`.
fn plain(number: &Number) -> String {
    let text = number.to_string();
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

fn boolean(value: &Value) -> Option<bool> {
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

enum Moment {
    Day(NaiveDate),
    Time(NaiveDateTime),
}

impl Moment {
    fn start(self) -> NaiveDateTime {
        match self {
            Self::Day(day) => day.and_time(chrono::NaiveTime::MIN),
            Self::Time(time) => time,
        }
    }
}

/// A time without a zone as the moment at which a viewer's clock shows it; anything else as it is.
pub(crate) fn in_zone(value: Value, zone: Tz) -> Value {
    let is_zoned = value.as_str().is_some_and(|text| DateTime::parse_from_rfc3339(text).is_ok());
    let local = if is_zoned { None } else { moment(&value) };
    match local.and_then(|local| moment_at(local.start(), zone)) {
        Some(moment) => Value::String(moment.to_rfc3339()),
        None => value,
    }
}

/// `2001-01-31`, `2001-01-31T12:30:00`, `2001-01-31 12:30:00`, or with a zone, which is turned into UTC.
fn moment(value: &Value) -> Option<Moment> {
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

fn written(time: NaiveDateTime) -> String {
    time.format("%Y-%m-%dT%H:%M:%S%.6f").to_string()
}

fn spaced(time: NaiveDateTime) -> String {
    time.format("%Y-%m-%d %H:%M:%S%.6f").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
