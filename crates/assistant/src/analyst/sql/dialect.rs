//! How each database writes names, values, periods and medians. Everything that a question brings into SQL goes through [`literal`]
//! or [`quoted`].

use crate::analyst::question::Grain;
use chrono::NaiveDate;
use inlay_contract::source::SourceKind;
use serde_json::Value;

/// A value that cannot be written safely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::analyst) struct Unsayable;

/// A name of a table (`schema.table`) or column, quoted.
///
/// # Errors
/// It holds control characters, or a backslash where the database may read one.
pub(super) fn quoted(dialect: SourceKind, name: &str) -> Result<String, Unsayable> {
    let mark = if is_backquoted(dialect) { '`' } else { '"' };
    if name.is_empty() || !is_plain(dialect, name) {
        return Err(Unsayable);
    }
    Ok(format!("{mark}{}{mark}", name.replace(mark, &format!("{mark}{mark}"))))
}

/// A table's name, each part quoted.
pub(super) fn table(dialect: SourceKind, name: &str) -> Result<String, Unsayable> {
    let parts: Result<Vec<String>, Unsayable> = name.split('.').map(|part| quoted(dialect, part)).collect();
    Ok(parts?.join("."))
}

/// A value as a literal.
///
/// # Errors
/// It is no text, number or boolean, or a text that databases could read differently.
pub(super) fn literal(dialect: SourceKind, value: &Value) -> Result<String, Unsayable> {
    match value {
        Value::String(text) if is_plain(dialect, text) => Ok(format!("'{}'", text.replace('\'', "''"))),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(set) => Ok(boolean(dialect, *set).to_owned()),
        _ => Err(Unsayable),
    }
}

/// A number as a literal.
pub(super) fn number(value: f64) -> Result<String, Unsayable> {
    if value.is_finite() { Ok(format!("{value}")) } else { Err(Unsayable) }
}

pub(super) const fn boolean(dialect: SourceKind, set: bool) -> &'static str {
    match (dialect, set) {
        (SourceKind::Sqlite | SourceKind::Mysql | SourceKind::Clickhouse, true) => "1",
        (SourceKind::Sqlite | SourceKind::Mysql | SourceKind::Clickhouse, false) => "0",
        (_, true) => "true",
        (_, false) => "false",
    }
}

/// A day to hold times against.
pub(super) fn day(dialect: SourceKind, day: NaiveDate) -> String {
    match dialect {
        // Times are text there, and text that begins with the day is after it.
        SourceKind::Sqlite => format!("'{day}'"),
        _ => format!("cast('{day}' as date)"),
    }
}

/// A backslash means something to these inside quotes, depending on settings.
const fn is_backquoted(dialect: SourceKind) -> bool {
    matches!(dialect, SourceKind::Mysql | SourceKind::Clickhouse)
}

fn is_plain(dialect: SourceKind, text: &str) -> bool {
    !(text.chars().any(char::is_control) || is_backquoted(dialect) && text.contains('\\'))
}

/// The period that a time falls into, as its first day, its weekday or its hour.
pub(super) fn period(dialect: SourceKind, grain: Grain, time: &str) -> String {
    match (grain, dialect) {
        (Grain::Weekday, _) => weekday_name(dialect, time),
        (Grain::Hour, _) => hour_text(dialect, time),
        (Grain::PartOfWeek, _) => format!("case when {} < 5 then 'Weekday' else 'Weekend' end", weekday(dialect, time)),
        (Grain::Day | Grain::Fitting, SourceKind::Clickhouse) => format!("toDate({time})"),
        (Grain::Day | Grain::Fitting, SourceKind::Sqlite | SourceKind::Mysql) => format!("date({time})"),
        (Grain::Week, SourceKind::Sqlite) => format!("date({time}, 'weekday 0', '-6 days')"),
        (Grain::Month, SourceKind::Sqlite) => format!("strftime('%Y-%m-01', {time})"),
        (Grain::Year, SourceKind::Sqlite) => format!("strftime('%Y-01-01', {time})"),
        (Grain::Quarter, SourceKind::Sqlite) => format!(
            "strftime('%Y-', {time}) || case when strftime('%m', {time}) < '04' then '01' when strftime('%m', {time}) < '07' then '04' \
             when strftime('%m', {time}) < '10' then '07' else '10' end || '-01'"
        ),
        (Grain::Week, SourceKind::Mysql) => format!("subdate(date({time}), weekday({time}))"),
        (Grain::Month, SourceKind::Mysql) => format!("date_format({time}, '%Y-%m-01')"),
        (Grain::Year, SourceKind::Mysql) => format!("date_format({time}, '%Y-01-01')"),
        (Grain::Quarter, SourceKind::Mysql) => {
            format!("concat(year({time}), '-', lpad(quarter({time}) * 3 - 2, 2, '0'), '-01')")
        }
        (Grain::Week, SourceKind::Clickhouse) => format!("toMonday({time})"),
        (Grain::Month, SourceKind::Clickhouse) => format!("toStartOfMonth({time})"),
        (Grain::Quarter, SourceKind::Clickhouse) => format!("toStartOfQuarter({time})"),
        (Grain::Year, SourceKind::Clickhouse) => format!("toStartOfYear({time})"),
        (_, SourceKind::Postgres | SourceKind::Trino | SourceKind::Duckdb) => {
            let unit = if grain == Grain::Fitting { "day" } else { grain.words() };
            format!("cast(date_trunc('{unit}', {time}) as date)")
        }
    }
}

/// 0 for Monday to 6 for Sunday.
pub(super) fn weekday(dialect: SourceKind, time: &str) -> String {
    match dialect {
        SourceKind::Sqlite => format!("(cast(strftime('%w', {time}) as integer) + 6) % 7"),
        SourceKind::Postgres | SourceKind::Duckdb => format!("cast(extract(isodow from {time}) as integer) - 1"),
        SourceKind::Mysql => format!("weekday({time})"),
        SourceKind::Clickhouse => format!("toDayOfWeek({time}) - 1"),
        SourceKind::Trino => format!("day_of_week({time}) - 1"),
    }
}

fn weekday_name(dialect: SourceKind, time: &str) -> String {
    let number = weekday(dialect, time);
    format!(
        "case {number} when 0 then 'Mon' when 1 then 'Tue' when 2 then 'Wed' when 3 then 'Thu' when 4 then 'Fri' when 5 then 'Sat' \
         else 'Sun' end"
    )
}

/// 0 to 23.
pub(super) fn hour(dialect: SourceKind, time: &str) -> String {
    match dialect {
        SourceKind::Sqlite => format!("cast(strftime('%H', {time}) as integer)"),
        SourceKind::Postgres | SourceKind::Duckdb => format!("cast(extract(hour from {time}) as integer)"),
        SourceKind::Mysql | SourceKind::Trino => format!("hour({time})"),
        SourceKind::Clickhouse => format!("toHour({time})"),
    }
}

/// `00` to `23`.
fn hour_text(dialect: SourceKind, time: &str) -> String {
    match dialect {
        SourceKind::Sqlite => format!("strftime('%H', {time})"),
        SourceKind::Postgres => format!("to_char({time}, 'HH24')"),
        SourceKind::Mysql => format!("date_format({time}, '%H')"),
        _ => hour(dialect, time),
    }
}

/// The middle value of a group, where the database has a function for it.
pub(super) fn median(dialect: SourceKind, value: &str) -> Option<String> {
    match dialect {
        SourceKind::Postgres => Some(format!("percentile_cont(0.5) within group (order by {value})")),
        SourceKind::Clickhouse => Some(format!("quantileExactInclusive(0.5)({value})")),
        SourceKind::Duckdb => Some(format!("median({value})")),
        SourceKind::Sqlite | SourceKind::Mysql | SourceKind::Trino => None,
    }
}

/// A number's step: the greatest multiple of the width that is no greater.
pub(super) fn stepped(dialect: SourceKind, number: &str, width: &str) -> String {
    match dialect {
        // Not every SQLite has floor(); cutting off is the same above nothing, so everything is lifted there first.
        SourceKind::Sqlite => format!("(cast({number} * 1.0 / {width} + 1000000000 as integer) - 1000000000) * {width}"),
        _ => format!("floor({number} * 1.0 / {width}) * {width}"),
    }
}

/// Half of a whole number, rounded down.
pub(super) fn half(dialect: SourceKind, whole: &str) -> String {
    if dialect == SourceKind::Mysql { format!("floor(({whole}) / 2)") } else { format!("({whole}) / 2") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn no_value_ends_its_quotes() {
        for dialect in SourceKind::ALL {
            assert_eq!(literal(dialect, &json!("O'Hare' OR '1'='1")).unwrap(), "'O''Hare'' OR ''1''=''1'");
            assert_eq!(literal(dialect, &json!("a\0b")), Err(Unsayable));
            assert_eq!(literal(dialect, &json!({"a": 1})), Err(Unsayable));
            assert_eq!(literal(dialect, &Value::Null), Err(Unsayable));
        }
        assert_eq!(literal(SourceKind::Mysql, &json!("a\\")), Err(Unsayable));
        assert_eq!(literal(SourceKind::Clickhouse, &json!("\\' or 1")), Err(Unsayable));
        assert_eq!(literal(SourceKind::Postgres, &json!("a\\")).unwrap(), "'a\\'");
    }

    #[test]
    fn names_are_quoted_as_the_database_does() {
        assert_eq!(quoted(SourceKind::Sqlite, "a\"b").unwrap(), "\"a\"\"b\"");
        assert_eq!(quoted(SourceKind::Mysql, "a`b").unwrap(), "`a``b`");
        assert_eq!(quoted(SourceKind::Clickhouse, "a\\b"), Err(Unsayable));
        assert_eq!(table(SourceKind::Postgres, "sales.orders").unwrap(), "\"sales\".\"orders\"");
        assert_eq!(number(f64::NAN), Err(Unsayable));
        assert_eq!(number(60.0).unwrap(), "60");
    }
}
