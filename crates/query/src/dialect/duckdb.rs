//! `DuckDB`: a file of its own, or a folder of Parquet and CSV files.

use super::{
    Backslash, Case, Comparisons, Concat, Conversion, Dialect, Fence, Floats, Form, Forms, Functions, HttpPorts, Lexis, Names,
    Needed, Permit, Printing, Roles, Typing, Words, common, postgres, steps,
};
use crate::{
    address::{RefusedAddress, Route, SourceLocation},
    bind::{Bind, Binds},
    compare::{Incomparable, bound, decimal, number},
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
    ast::{BinaryOperator, DataType, ExactNumberInfo, Expr},
    dialect::{Dialect as Grammar, DuckDbDialect},
    parser::{Parser, ParserError},
};
use std::any::TypeId;

/// `DuckDB`.
pub(crate) struct Duckdb;

/// `DuckDB` without lambdas, dictionaries and queries that begin with FROM.
#[derive(Debug)]
struct DuckdbGrammar;

impl Grammar for DuckdbGrammar {
    fn dialect(&self) -> TypeId {
        TypeId::of::<DuckDbDialect>()
    }

    fn parse_prefix(&self, _: &mut Parser<'_>) -> Option<Result<Expr, ParserError>> {
        steps::begun()
    }

    fn is_identifier_start(&self, letter: char) -> bool {
        letter.is_alphabetic() || letter == '_'
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
}

/// Functions beyond the common ones.
#[rustfmt::skip]
const FUNCTIONS: &[&str] = &[
    "age", "any_value", "approx_count_distinct", "approx_quantile", "arg_max", "arg_min", "array_agg", "bit_and", "bit_or",
    "bool_and", "bool_or", "bool_xor", "cbrt", "century", "char_length", "chr", "concat", "contains", "corr", "count_if",
    "covar_pop", "covar_samp", "date_add", "date_diff", "date_part", "date_sub", "date_trunc", "datediff", "datepart",
    "datesub", "datetrunc", "day", "dayname", "dayofmonth", "dayofweek", "dayofyear", "decade", "ends_with", "entropy",
    "epoch", "epoch_ms", "even", "extract", "fdiv", "first", "fmod", "gcd", "geomean", "greatest", "group_concat",
    "grouping", "hour", "if", "ifnull", "instr", "isfinite", "isinf", "isnan", "isodow", "isoyear", "json_array_length",
    "json_extract", "json_extract_string", "json_type", "kurtosis", "last", "last_day", "lcase", "lcm", "least", "left",
    "len", "list", "list_distinct", "list_sort", "listagg", "ln", "log2", "make_date", "make_time", "make_timestamp",
    "max_by", "mean", "median", "microsecond", "millisecond", "min_by", "minute", "mode", "month", "monthname", "now",
    "position", "pow", "prefix", "product", "quantile", "quantile_cont", "quantile_disc", "quarter", "regexp_extract",
    "regexp_full_match", "regexp_matches", "regexp_replace", "regr_intercept", "regr_r2", "regr_slope", "reverse", "right",
    "second", "skewness", "split_part", "starts_with", "stddev", "stddev_pop", "stddev_samp", "strftime", "strip_accents",
    "strlen", "strpos", "strptime", "suffix", "time_bucket", "to_days", "to_hours", "to_minutes", "to_months", "to_seconds",
    "to_timestamp", "to_weeks", "to_years", "today", "translate", "trunc", "try_strptime", "typeof", "ucase", "unicode",
    "upper", "var_pop", "var_samp", "variance", "week", "weekday", "weekofyear", "year", "yearweek",
];

impl Dialect for Duckdb {
    fn kind(&self) -> SourceKind {
        SourceKind::Duckdb
    }

    fn is_built_in(&self) -> bool {
        cfg!(feature = "duckdb")
    }

    fn is_file(&self) -> bool {
        true
    }

    fn address_prefixes(&self) -> &'static [&'static str] {
        &["duckdb:/"]
    }

    fn place(&self, url: &str) -> Result<SourceLocation, RefusedAddress> {
        Ok(SourceLocation::Data(url.strip_prefix("duckdb:").unwrap_or(url).into()))
    }

    fn http(&self) -> Option<HttpPorts> {
        None
    }

    /// It has no settings of a session that its views could read.
    fn takes_token_in(&self, _: &str) -> bool {
        false
    }

    fn roles(&self) -> Roles {
        Roles::Unknown
    }

    fn open(&self, source: &Source, route: &Route, limits: &Limits) -> Result<Pool, QueryError> {
        Pool::duckdb(source, route, limits)
    }

    fn grammar(&self) -> &'static dyn Grammar {
        &DuckdbGrammar
    }

    fn names(&self) -> Names {
        Names {
            quote_mark: '"',
            backslash: Backslash::Letter,
            listed: Case::AsciiLower,
            bare: Case::AsciiLower,
            quoted: Case::AsciiLower,
        }
    }

    fn default_schema(&self) -> &'static str {
        "main"
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
            ilike: Permit::Allowed,
            rlike: Permit::Refused,
            at_time_zone: Permit::Allowed,
            overlay: Permit::Refused,
            grouping_sets: Permit::Allowed,
            convert: Permit::Refused,
            double_colon_casts: Permit::Allowed,
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
        Fence { end: " OFFSET 0", needed: Needed::Always }
    }

    fn period(&self, grain: Grain, column: &str) -> String {
        common::date_trunc(grain, column)
    }

    fn days_later(&self, moment: &str, days: i64) -> String {
        common::days_later(moment, days)
    }

    fn months_later(&self, moment: &str, months: i64) -> String {
        common::months_later(moment, months)
    }

    fn weekday(&self, column: &str) -> String {
        common::isodow(column)
    }

    fn hour(&self, column: &str) -> String {
        common::hour(column)
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

    fn median(&self, value: &str) -> Option<String> {
        Some(format!("median({value})"))
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
        let (text, data_type) = typed(class, value).ok_or(Incomparable)?;
        bound(Bind::Text(text), Some(data_type), binds)
    }

    fn text_type(&self) -> DataType {
        DataType::Text
    }

    fn class_of_cast(&self, data_type: &DataType) -> Class {
        common::dated_class(data_type)
    }
}

/// A value's text beside a column, and the type of its cast: as on PostgreSQL, but its decimals have a size.
fn typed(class: Class, value: &Value) -> Option<(String, DataType)> {
    match class {
        Class::Integer | Class::Decimal => {
            let text = number(value)?;
            if text.parse::<i64>().is_ok() { Some((text, DataType::BigInt(None))) } else { decimal(&text) }
        }
        Class::Double => Some((number(value)?, DataType::Double(ExactNumberInfo::None))),
        _ => postgres::typed(class, value),
    }
}
