//! What several databases have in common. Nothing here is allowed by itself: a dialect that has it says so.

use crate::schema::Class;
use chrono::NaiveDate;
use inlay_contract::chart::question::Grain;
use sqlparser::ast::{BinaryOperator, DataType, TimezoneInfo};

/// Aggregates.
#[rustfmt::skip]
pub(super) const AGGREGATES: &[&str] = &[
    "count", "sum", "avg", "min", "max", "string_agg",
];

/// Window functions.
#[rustfmt::skip]
pub(super) const WINDOWS: &[&str] = &[
    "row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile", "lag", "lead", "first_value", "last_value",
    "nth_value",
];

/// Functions of one row.
#[rustfmt::skip]
pub(super) const SCALARS: &[&str] = &[
    "abs", "acos", "asin", "atan", "atan2", "ceil", "ceiling", "coalesce", "concat", "concat_ws", "cos", "degrees", "exp",
    "floor", "length", "ln", "log", "log10", "lower", "ltrim", "mod", "nullif", "octet_length", "pi", "power", "radians",
    "random", "replace", "round", "rtrim", "sign", "sin", "sqrt", "substr", "substring", "tan", "trim", "trunc", "upper",
    "current_date", "current_time", "current_timestamp", "date",
];

/// Whether an operator is one of arithmetic, comparison, logic, bits, or `||`.
pub(super) const fn is_plain_operator(operator: &BinaryOperator) -> bool {
    matches!(
        operator,
        BinaryOperator::Plus
            | BinaryOperator::Minus
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::Modulo
            | BinaryOperator::StringConcat
            | BinaryOperator::Gt
            | BinaryOperator::Lt
            | BinaryOperator::GtEq
            | BinaryOperator::LtEq
            | BinaryOperator::Eq
            | BinaryOperator::NotEq
            | BinaryOperator::And
            | BinaryOperator::Or
            | BinaryOperator::BitwiseAnd
            | BinaryOperator::BitwiseOr
    )
}

/// Whether an operator is `->` or `->>`, which take a value out of JSON.
pub(super) const fn is_arrow(operator: &BinaryOperator) -> bool {
    matches!(operator, BinaryOperator::Arrow | BinaryOperator::LongArrow)
}

/// Whether a type is one of text, numbers, truth values or times that every database here takes in a cast.
pub(super) const fn is_plain_type(data_type: &DataType) -> bool {
    matches!(
        data_type,
        DataType::Character(_)
            | DataType::Char(_)
            | DataType::CharacterVarying(_)
            | DataType::CharVarying(_)
            | DataType::Varchar(_)
            | DataType::Text
            | DataType::Numeric(_)
            | DataType::Decimal(_)
            | DataType::Dec(_)
            | DataType::Float(_)
            | DataType::SmallInt(None)
            | DataType::Int(None)
            | DataType::Integer(None)
            | DataType::BigInt(None)
            | DataType::Real
            | DataType::Double(_)
            | DataType::DoublePrecision
            | DataType::Bool
            | DataType::Boolean
            | DataType::Date
            | DataType::Time(_, TimezoneInfo::None | TimezoneInfo::WithoutTimeZone)
            | DataType::Timestamp(_, _)
    )
}

/// How the result of a cast is compared, days and times without a zone left out.
pub(super) const fn plain_class(data_type: &DataType) -> Class {
    match data_type {
        DataType::Uuid => Class::Uuid,
        DataType::Bool | DataType::Boolean => Class::Boolean,
        DataType::Timestamp(_, TimezoneInfo::WithTimeZone | TimezoneInfo::Tz) => Class::Moment,
        DataType::Text | DataType::Varchar(_) | DataType::CharacterVarying(_) => Class::Text,
        DataType::Int(_) | DataType::Integer(_) | DataType::BigInt(_) | DataType::SmallInt(_) => Class::Integer,
        DataType::Numeric(_) | DataType::Decimal(_) => Class::Decimal,
        DataType::Real | DataType::DoublePrecision | DataType::Double(_) => Class::Double,
        _ => Class::Other,
    }
}

/// The same with days and times, for databases that have types for them.
pub(super) const fn dated_class(data_type: &DataType) -> Class {
    match data_type {
        DataType::Date => Class::Date,
        DataType::Timestamp(_, TimezoneInfo::None | TimezoneInfo::WithoutTimeZone) => Class::Timestamp,
        _ => plain_class(data_type),
    }
}

/// The first day of a period by `date_trunc`.
pub(super) fn date_trunc(grain: Grain, column: &str) -> String {
    format!("CAST(date_trunc('{}', {column}) AS DATE)", grain.name())
}

/// The day so many days later, by adding to a date.
pub(super) fn days_later(moment: &str, days: i64) -> String {
    format!("CAST({moment} AS DATE) + ({days})")
}

/// The day so many months later, by an interval.
pub(super) fn months_later(moment: &str, months: i64) -> String {
    format!("CAST(CAST({moment} AS DATE) + INTERVAL '{months} months' AS DATE)")
}

/// The day of the week by its number in ISO 8601; 0 is Monday.
pub(super) fn isodow(column: &str) -> String {
    format!("cast(extract(isodow from {column}) as integer) - 1")
}

/// The hour by `extract`.
pub(super) fn hour(column: &str) -> String {
    format!("cast(extract(hour from {column}) as integer)")
}

/// A truth value by its word.
pub(super) const fn truth(on: bool) -> &'static str {
    if on { "true" } else { "false" }
}

/// A day by a cast.
pub(super) fn day(day: NaiveDate) -> String {
    format!("cast('{day}' as date)")
}

/// A step by `floor`.
pub(super) fn stepped(number: &str, width: &str) -> String {
    format!("floor({number} * 1.0 / {width}) * {width}")
}

/// Half by a division that keeps whole numbers whole.
pub(super) fn half(whole: &str) -> String {
    format!("({whole}) / 2")
}

/// Whether a setting's name is made of letters, digits, `.`, `_` and `$`.
pub(super) fn is_plain_setting(name: &str) -> bool {
    let letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '$');
    !name.is_empty() && name.len() <= 64 && name.chars().all(letter)
}
