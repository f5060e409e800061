//! `ClickHouse`, over HTTP.

use super::{
    Backslash, Case, Comparisons, Concat, Conversion, Dialect, Fence, Floats, Form, Forms, Functions, HttpPorts, Lexis, Names,
    Needed, Permit, Printing, Roles, Typing, Words, common, steps,
};
use crate::{
    address::{RefusedAddress, Route, SourceLocation},
    bind::{Bind, Binds},
    compare::{Incomparable, Moment, boolean, bound, digits, moment, number, single, spaced, text, uuid},
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
    dialect::{ClickHouseDialect, Dialect as Grammar},
    parser::{Parser, ParserError},
};
use std::any::TypeId;

/// `ClickHouse`.
pub(crate) struct Clickhouse;

/// `ClickHouse` without what lets a query choose formats, settings and tables outside FROM. No text of a query holds a
/// backslash (`parse` sees to that), so escapes do not matter.
#[derive(Debug)]
struct ClickhouseGrammar;

impl Grammar for ClickhouseGrammar {
    fn dialect(&self) -> TypeId {
        TypeId::of::<ClickHouseDialect>()
    }

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
        matches!(letter, '"' | '`')
    }

    fn identifier_quote_style(&self, _: &str) -> Option<char> {
        Some('`')
    }

    fn require_interval_qualifier(&self) -> bool {
        true
    }

    fn supports_limit_comma(&self) -> bool {
        true
    }

    fn supports_group_by_expr(&self) -> bool {
        true
    }

    fn supports_filter_during_aggregation(&self) -> bool {
        true
    }

    fn supports_nested_comments(&self) -> bool {
        true
    }
}

/// Functions beyond the common ones.
#[rustfmt::skip]
const FUNCTIONS: &[&str] = &[
    "abs", "acos", "adddays", "addhours", "addminutes", "addmonths", "addquarters", "addseconds", "addweeks", "addyears",
    "and", "any", "anyheavy", "anyif", "anylast", "argmax", "argmin", "arraycount", "arraydistinct", "arrayelement",
    "arraysort", "arraystringconcat", "arraysum", "asin", "atan", "atan2", "avgif", "avgweighted", "cbrt", "ceiling",
    "char_length", "character_length", "corr", "countequal", "countif", "covarpop", "covarsamp", "date_add", "date_diff",
    "date_sub", "date_trunc", "dateadd", "datediff", "datename", "datesub", "datetrunc", "day", "dayofmonth", "dayofweek",
    "dayofyear", "divide", "empty", "endswith", "equals", "exp10", "exp2", "extract", "farmhash64", "floor",
    "formatdatetime", "fromunixtimestamp", "greater", "greaterorequals", "greatest", "grouparray", "grouping",
    "groupuniqarray", "has", "hasall", "hasany", "hour", "if", "ifnull", "indexof", "intdiv", "intdivorzero", "isfinite",
    "isinfinite", "isnan", "isnotnull", "isnull", "jsonextractbool", "jsonextractfloat", "jsonextractint",
    "jsonextractstring", "jsonhas", "jsonlength", "kurtpop", "kurtsamp", "laginframe", "leadinframe", "least", "length",
    "lengthutf8", "less", "lessorequals", "like", "locate", "log1p", "log2", "lowerutf8", "match", "maxif", "median",
    "medianexact", "minif", "minus", "minute", "modulo", "month", "monthname", "multiif", "multiply", "negate", "not",
    "notempty", "notequals", "notlike", "now", "nullif", "or", "plus", "position", "positioncaseinsensitive",
    "positionutf8", "pow", "quantile", "quantileexact", "quantileexactinclusive", "quantiles", "quantiletdigest", "quarter",
    "regexpextract", "replaceall", "replaceone", "replaceregexpall", "replaceregexpone", "reverse", "reverseutf8",
    "roundbankers", "rounddown", "second", "simplejsonextractstring", "simplelinearregression", "skewpop", "skewsamp",
    "splitbychar", "startswith", "stddevpop", "stddevsamp", "substringindex", "substringutf8", "subtractdays",
    "subtracthours", "subtractmonths", "subtractweeks", "subtractyears", "sumif", "sumkahan", "timediff", "timestamp_add",
    "timestamp_diff", "timestamp_sub", "tobool", "todate", "todate32", "todateornull", "todatetime", "todatetime64",
    "todatetimeornull", "today", "todayofmonth", "todayofweek", "todayofyear", "todecimal128", "todecimal32", "todecimal64",
    "tofloat32", "tofloat64", "tofloat64ornull", "tofloat64orzero", "tohour", "toint16", "toint32", "toint64",
    "toint64ornull", "toint64orzero", "toint8", "toisoweek", "toisoyear", "tolastdayofmonth", "tominute", "tomonday",
    "tomonth", "topk", "toquarter", "torelativedaynum", "tosecond", "tostartofday", "tostartoffifteenminutes",
    "tostartoffiveminutes", "tostartofhour", "tostartofinterval", "tostartofisoyear", "tostartofminute", "tostartofmonth",
    "tostartofquarter", "tostartofsecond", "tostartoftenminutes", "tostartofweek", "tostartofyear", "tostring",
    "totimezone", "touint16", "touint32", "touint64", "touint8", "tounixtimestamp", "toweek", "toyear", "toyearweek",
    "toyyyymm", "toyyyymmdd", "transform", "trimboth", "trimleft", "trimright", "truncate", "tuple", "tupleelement", "uniq",
    "uniqcombined", "uniqexact", "uniqexactif", "uniqhll12", "uniqif", "upperutf8", "varpop", "varsamp",
    "visitparamextractstring", "week", "xor", "year", "yesterday",
];

impl Dialect for Clickhouse {
    fn kind(&self) -> SourceKind {
        SourceKind::Clickhouse
    }

    fn is_built_in(&self) -> bool {
        true
    }

    fn is_file(&self) -> bool {
        false
    }

    fn address_prefixes(&self) -> &'static [&'static str] {
        &["clickhouse://", "https://", "http://"]
    }

    fn place(&self, url: &str) -> Result<SourceLocation, RefusedAddress> {
        SourceLocation::of_http(self.kind(), url)
    }

    fn http(&self) -> Option<HttpPorts> {
        Some(HttpPorts { plain: 8123, secure: 8443 })
    }

    /// What its servers take for custom settings by default; nothing that the server itself has begins so.
    fn takes_token_in(&self, setting: &str) -> bool {
        setting.starts_with("SQL_") && common::is_plain_setting(setting)
    }

    fn roles(&self) -> Roles {
        Roles::Unknown
    }

    fn open(&self, source: &Source, route: &Route, limits: &Limits) -> Result<Pool, QueryError> {
        Pool::clickhouse(source, route, limits)
    }

    fn grammar(&self) -> &'static dyn Grammar {
        &ClickhouseGrammar
    }

    fn names(&self) -> Names {
        Names { quote_mark: '`', backslash: Backslash::Escape, listed: Case::Exact, bare: Case::Exact, quoted: Case::Exact }
    }

    fn default_schema(&self) -> &'static str {
        ""
    }

    fn lexis(&self) -> Lexis {
        Lexis { quotes: &[('\'', '\''), ('"', '"')], comments: &["--", "/*"], backslash: Backslash::Refused }
    }

    fn words(&self) -> Words {
        Words {
            revealing: &[],
            after_tables: &[
                "final", "sample", "array", "global", "any", "asof", "semi", "anti", "all", "paste", "prewhere", "settings",
                "format",
            ],
        }
    }

    fn forms(&self) -> Forms {
        Forms {
            lateral: Permit::Allowed,
            // It reads a name there as a table, past every wrapper.
            names_in_lists: Permit::Refused,
            double_quoted_texts: Permit::Refused,
            typed_texts: Permit::Allowed,
            standard_words: Permit::Allowed,
            quantified_comparisons: Permit::Allowed,
            ilike: Permit::Allowed,
            rlike: Permit::Refused,
            at_time_zone: Permit::Refused,
            overlay: Permit::Refused,
            grouping_sets: Permit::Allowed,
            convert: Permit::Refused,
            double_colon_casts: Permit::Refused,
            try_casts: Permit::Refused,
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
        match data_type {
            DataType::Nullable(inner) => self.allows_type(inner),
            DataType::Datetime(_)
            | DataType::TinyInt(None)
            | DataType::Int16
            | DataType::Int32
            | DataType::Int64
            | DataType::Int128
            | DataType::Int256
            | DataType::UInt8
            | DataType::UInt16
            | DataType::UInt32
            | DataType::UInt64
            | DataType::Float32
            | DataType::Float64
            | DataType::String(None)
            | DataType::Date32
            | DataType::Datetime64(_, _)
            | DataType::Uuid => true,
            other => common::is_plain_type(other),
        }
    }

    fn functions(&self) -> Functions {
        Functions {
            listed: &[common::AGGREGATES, common::WINDOWS, common::SCALARS, FUNCTIONS],
            // Written in its own way, toStartOfMonth; no two functions differ in case alone.
            case: Case::AsciiLower,
            with_unit: &["date_add", "date_diff", "date_sub", "timestamp_add", "timestamp_diff", "timestamp_sub"],
            with_picture: &[],
            trims_by_any: Permit::Allowed,
            parameters: Permit::Allowed,
            separator: Permit::Refused,
        }
    }

    fn printing(&self) -> Printing {
        Printing { form: Form::Canonical, concat: Concat::Operator }
    }

    /// The printer writes `STRING` and `INT64`, which it does not know; these names it knows in any case of letters.
    fn respell(&self, data_type: &mut DataType) {
        match data_type {
            DataType::String(None) => *data_type = DataType::Text,
            DataType::Int64 => *data_type = DataType::BigInt(None),
            DataType::Nullable(inner) => self.respell(inner),
            _ => {}
        }
    }

    /// It works on many rows at a time and promises no order of steps.
    fn fence(&self) -> Fence {
        Fence { end: " LIMIT 9223372036854775807", needed: Needed::Always }
    }

    fn period(&self, grain: Grain, column: &str) -> String {
        common::date_trunc(grain, column)
    }

    fn days_later(&self, moment: &str, days: i64) -> String {
        format!("addDays(toDate({moment}), {days})")
    }

    fn months_later(&self, moment: &str, months: i64) -> String {
        format!("addMonths(toDate({moment}), {months})")
    }

    fn weekday(&self, column: &str) -> String {
        format!("toDayOfWeek({column}) - 1")
    }

    fn hour(&self, column: &str) -> String {
        format!("toHour({column})")
    }

    fn hour_name(&self, column: &str) -> String {
        self.hour(column)
    }

    fn truth(&self, on: bool) -> &'static str {
        if on { "1" } else { "0" }
    }

    fn day(&self, day: NaiveDate) -> String {
        common::day(day)
    }

    fn median(&self, value: &str) -> Option<String> {
        Some(format!("quantileExactInclusive(0.5)({value})"))
    }

    fn stepped(&self, number: &str, width: &str) -> String {
        common::stepped(number, width)
    }

    fn half(&self, whole: &str) -> String {
        common::half(whole)
    }

    fn comparisons(&self) -> Comparisons {
        Comparisons { conversion: Conversion::Typed, typing: Typing::Static, made_text: Class::ByText, floats: Floats::Apart }
    }

    fn operand(&self, class: Class, value: &Value, binds: &mut Binds) -> Result<Expr, Incomparable> {
        let (value, data_type) = typed(class, value).ok_or(Incomparable)?;
        bound(value, data_type, binds)
    }

    fn text_type(&self) -> DataType {
        DataType::Text
    }

    fn class_of_cast(&self, data_type: &DataType) -> Class {
        common::dated_class(data_type)
    }
}

/// A value beside a column, and the type of its cast. `ClickHouse` knows moments and days, but no times without a zone.
fn typed(class: Class, value: &Value) -> Option<(Bind, Option<DataType>)> {
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
