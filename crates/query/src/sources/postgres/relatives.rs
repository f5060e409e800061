//! Databases with PostgreSQL's protocol that differ from PostgreSQL. Timescale and Citus do not; `CockroachDB` and Redshift
//! lack settings, functions, or a way to keep the planner from moving conditions.

use super::Kind;
use crate::{
    dialect::{Dialect, Postgres},
    sources::{moment, number},
    sql::guard::with_hard_fences,
};
use chrono::DateTime;
use chrono_tz::Tz;
use serde_json::Value;

/// The kind of server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flavour {
    Postgres,
    Cockroach,
    Redshift,
}

impl Flavour {
    /// The kind that a URL's scheme names: `cockroachdb://…`, `redshift://…`.
    pub(super) fn of_address(url: &str) -> Option<Self> {
        match url.split_once("://")?.0 {
            "cockroachdb" | "cockroach" => Some(Self::Cockroach),
            "redshift" => Some(Self::Redshift),
            _ => None,
        }
    }

    /// The kind that a server's version text names.
    pub(super) fn of_version(version: &str) -> Self {
        match () {
            () if version.contains("CockroachDB") => Self::Cockroach,
            () if version.contains("Redshift") => Self::Redshift,
            () => Self::Postgres,
        }
    }

    /// The settings of the transaction: limits, and what the parsing of names, literals and times depends on. Whatever the
    /// role's own search path, a built-in function or operator comes before another of its name. `$1` is the time limit, `$2`
    /// the time zone.
    pub(super) const fn settings(self) -> &'static str {
        match self {
            Self::Postgres => {
                "SELECT pg_backend_pid()::int4, set_config('statement_timeout', $1, true), \
                 set_config('standard_conforming_strings', 'on', true), set_config('TimeZone', $2, true), \
                 set_config('DateStyle', 'ISO, MDY', true), set_config('row_security', 'on', true), \
                 set_config('search_path', concat_ws(', ', 'pg_catalog', nullif(current_setting('search_path'), ''), 'pg_temp'), true)"
            }
            // It always parses literals by the standard, and a session cannot switch off its row security.
            Self::Cockroach => {
                "SELECT pg_backend_pid()::int4, set_config('statement_timeout', $1, true), set_config('TimeZone', $2, true), \
                 set_config('DateStyle', 'ISO, MDY', true)"
            }
            Self::Redshift => {
                "SELECT pg_backend_pid()::int4, set_config('statement_timeout', $1, true), set_config('timezone', $2, true), \
                 set_config('datestyle', 'ISO, MDY', true)"
            }
        }
    }

    /// The SQL with a fence for this planner: `CockroachDB` drops `OFFSET 0`.
    pub(super) fn fenced(self, sql: &str) -> Option<String> {
        match self {
            Self::Cockroach | Self::Redshift => with_hard_fences(Postgres.kind(), sql),
            Self::Postgres => Some(sql.to_owned()),
        }
    }

    /// Whether it can convert rows to JSON. Otherwise each column is fetched as text.
    pub(super) const fn has_json_rows(self) -> bool {
        !matches!(self, Self::Redshift)
    }
}

/// SQL with the columns of `sql` as text, whatever their names, also with duplicate names. `own` formats types that the
/// database cannot cast to text.
pub(in crate::sources) fn as_texts(
    sql: &str,
    kinds: impl Iterator<Item = Kind>,
    rows: usize,
    own: impl Fn(Kind, &str) -> Option<String>,
) -> String {
    let (mut names, mut texts) = (Vec::new(), Vec::new());
    for (position, kind) in kinds.enumerate() {
        let name = format!("inlay_{position}");
        texts.push(match (own(kind, &name), kind) {
            (Some(own), _) => own,
            (None, Kind::Boolean) => format!("CASE WHEN {name} THEN 'true' WHEN NOT {name} THEN 'false' END"),
            (None, _) => format!("CAST({name} AS VARCHAR)"),
        });
        names.push(name);
    }
    format!("SELECT {} FROM ({sql}) AS inlay_query ({}) LIMIT {rows}", texts.join(", "), names.join(", "))
}

/// Converts a value that was fetched as text.
pub(in crate::sources) fn of_text(kind: Kind, text: String, zone: Tz) -> Value {
    let is_number = |text: &str| text.trim_start_matches('-').starts_with(|first: char| first.is_ascii_digit() || first == '.');
    match kind {
        Kind::Number if is_number(&text) => number::exact(&text),
        Kind::Number => Value::Null,
        Kind::Boolean => Value::Bool(text == "true"),
        Kind::Timestamp => Value::String(text.replacen(' ', "T", 1)),
        Kind::Moment => {
            let moment = DateTime::parse_from_str(&text, "%Y-%m-%d %H:%M:%S%.f%#z");
            Value::String(moment.map_or(text, |moment| moment::written(moment.to_utc(), zone)))
        }
        Kind::Json => serde_json::from_str(&text).unwrap_or(Value::String(text)),
        Kind::Date | Kind::Bytes | Kind::Text => Value::String(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn servers_are_told_apart() {
        for (version, flavour) in [
            ("PostgreSQL 15.8 (Debian 15.8-0+deb12u1) on x86_64-pc-linux-gnu", Flavour::Postgres),
            ("CockroachDB CCL v24.2.3 (x86_64-pc-linux-gnu)", Flavour::Cockroach),
            ("PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC, Redshift 1.0.77467", Flavour::Redshift),
        ] {
            assert_eq!(Flavour::of_version(version), flavour);
        }
        assert_eq!(Flavour::of_address("redshift://u:p@db.example/x"), Some(Flavour::Redshift));
        assert_eq!(Flavour::of_address("postgres://u:p@db.example/redshift://"), None);
    }

    #[test]
    fn settings_that_one_lacks_are_not_asked_of_it() {
        assert!(Flavour::Postgres.settings().contains("row_security"));
        for flavour in [Flavour::Cockroach, Flavour::Redshift] {
            assert!(!flavour.settings().contains("row_security") && flavour.settings().contains("statement_timeout"));
        }
    }

    #[test]
    fn fences_hold_where_an_offset_of_nothing_is_dropped() {
        for fence in [" OFFSET 0", ""] {
            let sql = format!(
                "SELECT a FROM (SELECT inlay_row.b AS b FROM \"t\" AS inlay_row WHERE (x = 'OFFSET 0'){fence}) AS t LIMIT 5 OFFSET 0"
            );
            let hard = Flavour::Cockroach.fenced(&sql).expect("SQL");
            assert_eq!(
                hard,
                "SELECT a FROM (SELECT inlay_row.b AS b FROM \"t\" AS inlay_row WHERE (x = 'OFFSET 0') \
                 LIMIT 9223372036854775807 OFFSET 0) AS t LIMIT 5 OFFSET 0"
            );
            assert_eq!(Flavour::Postgres.fenced(&sql), Some(sql));
        }
    }

    #[test]
    fn texts_become_values_again() {
        for (kind, text, value) in [
            (Kind::Number, "12345678901234567890.12", json!("12345678901234567890.12")),
            (Kind::Number, "-10.50", json!(-10.5)),
            (Kind::Number, "NaN", json!(null)),
            (Kind::Boolean, "false", json!(false)),
            (Kind::Timestamp, "2001-01-31 12:30:00", json!("2001-01-31T12:30:00")),
            (Kind::Moment, "2001-01-31 12:30:00.25+00", json!("2001-01-31T12:30:00.250Z")),
            (Kind::Moment, "2001-01-31 12:30:00+05:30", json!("2001-01-31T07:00:00Z")),
            (Kind::Json, "{\"k\": 1}", json!({"k": 1})),
            (Kind::Text, "x'\"", json!("x'\"")),
        ] {
            assert_eq!(of_text(kind, text.to_owned(), Tz::UTC), value, "{text}");
        }
    }
}
