//! Trino, over its REST interface.

use super::{
    Backslash, Case, Comparisons, Concat, Conversion, Dialect, Fence, Floats, Form, Forms, Functions, HttpPorts, Lexis, Names,
    Needed, Permit, Printing, Roles, Typing, Words, common, steps,
};
use crate::{
    address::{RefusedAddress, Route, SourceLocation},
    bind::{Bind, Binds},
    compare::{Incomparable, Moment, boolean, bound, decimal, moment, number, single, spaced, text, uuid},
    error::QueryError,
    limits::Limits,
    schema::Class,
    source::{Source, SourceKind},
    sources::Pool,
};
use chrono::NaiveDate;
use inlay_contract::chart::question::Grain;
use serde_json::Value;
use sqlparser::{
    ast::{BinaryOperator, DataType, Expr, TimezoneInfo},
    dialect::Dialect as Grammar,
    parser::{Parser, ParserError},
};

/// Trino.
pub(crate) struct Trino;

/// Trino: standard SQL.
#[derive(Debug)]
struct TrinoGrammar;

impl Grammar for TrinoGrammar {
    fn parse_prefix(&self, _: &mut Parser<'_>) -> Option<Result<Expr, ParserError>> {
        steps::begun()
    }

    fn is_identifier_start(&self, letter: char) -> bool {
        letter.is_ascii_alphabetic() || letter == '_'
    }

    fn is_identifier_part(&self, letter: char) -> bool {
        self.is_identifier_start(letter) || letter.is_ascii_digit()
    }

    fn is_delimited_identifier_start(&self, letter: char) -> bool {
        letter == '"'
    }

    fn identifier_quote_style(&self, _: &str) -> Option<char> {
        Some('"')
    }

    fn supports_group_by_expr(&self) -> bool {
        true
    }

    fn supports_filter_during_aggregation(&self) -> bool {
        true
    }

    fn supports_within_after_array_aggregation(&self) -> bool {
        true
    }

    fn require_interval_qualifier(&self) -> bool {
        true
    }
}

/// Functions beyond the common ones.
#[rustfmt::skip]
const FUNCTIONS: &[&str] = &[
    "any_value", "approx_distinct", "approx_percentile", "arbitrary", "array_agg", "at_timezone", "bit_count",
    "bitwise_and", "bitwise_or", "bool_and", "bool_or", "cardinality", "cbrt", "char_length", "chr", "codepoint", "concat",
    "corr", "cosine_similarity", "count_if", "covar_pop", "covar_samp", "date_add", "date_diff", "date_format",
    "date_parse", "date_trunc", "day", "day_of_month", "day_of_week", "day_of_year", "dow", "doy", "e", "element_at",
    "every", "format_datetime", "from_iso8601_date", "from_iso8601_timestamp", "from_unixtime", "geometric_mean",
    "greatest", "grouping", "hour", "if", "infinity", "is_finite", "is_infinite", "is_nan", "json_array_length",
    "json_extract", "json_extract_scalar", "json_format", "json_parse", "kurtosis", "last_day_of_month", "least", "length",
    "levenshtein_distance", "listagg", "ln", "localtime", "localtimestamp", "log2", "max_by", "millisecond", "min_by",
    "minute", "month", "nan", "normalize", "now", "parse_datetime", "position", "pow", "quarter", "rand", "regexp_count",
    "regexp_extract", "regexp_like", "regexp_replace", "regr_intercept", "regr_slope", "reverse", "second", "skewness",
    "split_part", "starts_with", "stddev", "stddev_pop", "stddev_samp", "strpos", "to_iso8601", "to_unixtime", "translate",
    "truncate", "try", "typeof", "url_extract_host", "url_extract_path", "var_pop", "var_samp", "variance", "week",
    "week_of_year", "width_bucket", "with_timezone", "year", "year_of_week", "yow",
];

impl Dialect for Trino {
    fn kind(&self) -> SourceKind {
        SourceKind::Trino
    }

    fn is_built_in(&self) -> bool {
        true
    }

    fn is_file(&self) -> bool {
        false
    }

    fn address_prefixes(&self) -> &'static [&'static str] {
        &["trino://", "https://", "http://"]
    }

    fn place(&self, url: &str) -> Result<SourceLocation, RefusedAddress> {
        SourceLocation::of_http(self.kind(), url)
    }

    fn http(&self) -> Option<HttpPorts> {
        Some(HttpPorts { plain: 8080, secure: 443 })
    }

    /// It goes as an extra credential, which only what the operator installed there reads.
    fn takes_token_in(&self, setting: &str) -> bool {
        common::is_plain_setting(setting)
    }

    fn roles(&self) -> Roles {
        Roles::Unknown
    }

    fn open(&self, source: &Source, route: &Route, limits: &Limits) -> Result<Pool, QueryError> {
        Pool::trino(source, route, limits)
    }

    fn grammar(&self) -> &'static dyn Grammar {
        &TrinoGrammar
    }

    /// It knows small letters only.
    fn names(&self) -> Names {
        Names { quote_mark: '"', backslash: Backslash::Letter, listed: Case::Lower, bare: Case::Lower, quoted: Case::Lower }
    }

    fn default_schema(&self) -> &'static str {
        ""
    }

    fn lexis(&self) -> Lexis {
        Lexis { quotes: &[('\'', '\''), ('"', '"')], comments: &["--", "/*"], backslash: Backslash::Letter }
    }

    fn words(&self) -> Words {
        Words { revealing: &[], after_tables: &[] }
    }

    fn forms(&self) -> Forms {
        Forms {
            lateral: Permit::Allowed,
            names_in_lists: Permit::Allowed,
            double_quoted_texts: Permit::Refused,
            typed_texts: Permit::Allowed,
            standard_words: Permit::Allowed,
            quantified_comparisons: Permit::Allowed,
            ilike: Permit::Refused,
            rlike: Permit::Refused,
            at_time_zone: Permit::Allowed,
            overlay: Permit::Refused,
            grouping_sets: Permit::Allowed,
            convert: Permit::Refused,
            double_colon_casts: Permit::Refused,
            try_casts: Permit::Allowed,
            calls_by_dot: Permit::Refused,
        }
    }

    fn allows_operator(&self, operator: &BinaryOperator) -> bool {
        common::is_plain_operator(operator)
    }

    fn allows_collation(&self, _: &str) -> bool {
        false
    }

    fn allows_type(&self, data_type: &DataType) -> bool {
        common::is_plain_type(data_type) || matches!(data_type, DataType::TinyInt(None) | DataType::Uuid | DataType::JSON)
    }

    fn functions(&self) -> Functions {
        Functions {
            listed: &[common::AGGREGATES, common::WINDOWS, common::SCALARS, FUNCTIONS],
            case: Case::Exact,
            with_unit: &[],
            with_picture: &[],
            trims_by_any: Permit::Allowed,
            parameters: Permit::Refused,
            separator: Permit::Refused,
        }
    }

    fn printing(&self) -> Printing {
        Printing { form: Form::Canonical, concat: Concat::Operator }
    }

    fn respell(&self, _: &mut DataType) {}

    /// It works on many rows at a time and promises no order of steps.
    fn fence(&self) -> Fence {
        Fence { end: " LIMIT 9223372036854775807", needed: Needed::Always }
    }

    fn period(&self, grain: Grain, column: &str) -> String {
        common::date_trunc(grain, column)
    }

    fn days_later(&self, moment: &str, days: i64) -> String {
        format!("date_add('day', {days}, CAST({moment} AS DATE))")
    }

    fn months_later(&self, moment: &str, months: i64) -> String {
        format!("date_add('month', {months}, CAST({moment} AS DATE))")
    }

    fn weekday(&self, column: &str) -> String {
        format!("day_of_week({column}) - 1")
    }

    fn hour(&self, column: &str) -> String {
        format!("hour({column})")
    }

    fn hour_name(&self, column: &str) -> String {
        self.hour(column)
    }

    fn truth(&self, on: bool) -> &'static str {
        common::truth(on)
    }

    fn day(&self, day: NaiveDate) -> String {
        common::day(day)
    }

    fn median(&self, _: &str) -> Option<String> {
        None
    }

    fn stepped(&self, number: &str, width: &str) -> String {
        common::stepped(number, width)
    }

    fn half(&self, whole: &str) -> String {
        common::half(whole)
    }

    fn comparisons(&self) -> Comparisons {
        Comparisons {
            conversion: Conversion::Typed,
            typing: Typing::Static,
            made_text: Class::ByText,
            floats: Floats::BesideDecimals,
        }
    }

    fn operand(&self, class: Class, value: &Value, binds: &mut Binds) -> Result<Expr, Incomparable> {
        let (value, data_type) = typed(class, value).ok_or(Incomparable)?;
        bound(value, data_type, binds)
    }

    fn text_type(&self) -> DataType {
        DataType::Varchar(None)
    }

    fn class_of_cast(&self, data_type: &DataType) -> Class {
        common::dated_class(data_type)
    }
}

/// A value beside a column, and the type of its cast.
fn typed(class: Class, value: &Value) -> Option<(Bind, Option<DataType>)> {
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
