//! MySQL, `MariaDB`, and what speaks their protocol: one kind, whose servers tell each other apart in the driver.

use super::{
    Backslash, Case, Comparisons, Concat, Conversion, Dialect, Fence, Floats, Form, Forms, Functions, HttpPorts, Lexis, Names,
    Needed, Permit, Printing, Roles, Typing, Words, common, steps,
};
use crate::{
    address::{RefusedAddress, Route, SourceLocation},
    bind::{Bind, Binds},
    compare::{Incomparable, Moment, boolean, call, cast, digits, moment, number, single, spaced, text, uuid},
    error::QueryError,
    limits::Limits,
    schema::Class,
    source::{Source, SourceKind},
    sources::Pool,
    sql::UNICODE,
};
use chrono::NaiveDate;
use inlay_contract::chart::question::Grain;
use serde_json::Value;
use sqlparser::{
    ast::{BinaryOperator, DataType, ExactNumberInfo, Expr},
    dialect::{Dialect as Grammar, MySqlDialect},
    keywords::Keyword,
    parser::{Parser, ParserError},
};
use std::any::TypeId;

/// MySQL, `MariaDB`, and what speaks their protocol.
pub(crate) struct Mysql;

/// MySQL without session variables (`@x`, `@@x`), and with `/*! … */` for what it looks like: a comment. Text stands between
/// single or double quotes, with backslash escapes, as by MySQL's default.
#[derive(Debug)]
struct MysqlGrammar;

impl Grammar for MysqlGrammar {
    fn dialect(&self) -> TypeId {
        TypeId::of::<MySqlDialect>()
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
        letter == '`'
    }

    fn identifier_quote_style(&self, _: &str) -> Option<char> {
        Some('`')
    }

    fn supports_string_literal_backslash_escape(&self) -> bool {
        true
    }

    fn supports_string_literal_concatenation(&self) -> bool {
        true
    }

    fn ignores_wildcard_escapes(&self) -> bool {
        true
    }

    fn parse_infix(&self, parser: &mut Parser<'_>, left: &Expr, precedence: u8) -> Option<Result<Expr, ParserError>> {
        steps::copying(parser, |parser| MySqlDialect {}.parse_infix(parser, left, precedence))
    }

    fn require_interval_qualifier(&self) -> bool {
        true
    }

    fn supports_limit_comma(&self) -> bool {
        true
    }

    fn is_table_factor_alias(&self, explicit: bool, word: &Keyword, parser: &mut Parser<'_>) -> bool {
        MySqlDialect {}.is_table_factor_alias(explicit, word, parser)
    }

    fn supports_table_hints(&self) -> bool {
        true
    }

    fn requires_single_line_comment_whitespace(&self) -> bool {
        true
    }

    fn supports_select_modifiers(&self) -> bool {
        true
    }

    fn supports_cross_join_constraint(&self) -> bool {
        true
    }

    fn supports_group_by_with_modifier(&self) -> bool {
        true
    }

    fn supports_left_associative_joins_without_parens(&self) -> bool {
        false
    }
}

/// Functions beyond the common ones.
#[rustfmt::skip]
const FUNCTIONS: &[&str] = &[
    "addtime", "any_value", "ascii", "bit_and", "bit_length", "bit_or", "bit_xor", "char_length", "character_length",
    "conv", "cot", "crc32", "curdate", "curtime", "date_add", "date_format", "date_sub", "datediff", "day", "dayname",
    "dayofmonth", "dayofweek", "dayofyear", "elt", "field", "find_in_set", "format", "from_days", "from_unixtime",
    "greatest", "group_concat", "grouping", "hex", "hour", "if", "ifnull", "instr", "isnull", "json_array", "json_arrayagg",
    "json_contains", "json_extract", "json_length", "json_object", "json_objectagg", "json_type", "json_unquote",
    "json_valid", "json_value", "last_day", "lcase", "least", "left", "localtime", "localtimestamp", "locate", "log2",
    "makedate", "maketime", "md5", "median", "microsecond", "mid", "minute", "month", "monthname", "now", "ord",
    "percentile_cont", "percentile_disc", "period_add", "period_diff", "position", "pow", "quarter", "rand", "regexp_instr",
    "regexp_like", "regexp_replace", "regexp_substr", "reverse", "right", "sec_to_time", "second", "std", "stddev",
    "stddev_pop", "stddev_samp", "str_to_date", "strcmp", "subdate", "substring_index", "subtime", "time", "time_format",
    "time_to_sec", "timediff", "timestamp", "timestampadd", "timestampdiff", "to_days", "to_seconds", "truncate", "ucase",
    "unhex", "unix_timestamp", "utc_date", "utc_time", "utc_timestamp", "var_pop", "var_samp", "variance", "week",
    "weekday", "weekofyear", "year", "yearweek",
];

impl Dialect for Mysql {
    fn kind(&self) -> SourceKind {
        SourceKind::Mysql
    }

    fn is_built_in(&self) -> bool {
        true
    }

    fn is_file(&self) -> bool {
        false
    }

    fn address_prefixes(&self) -> &'static [&'static str] {
        &["mysql://", "mariadb://"]
    }

    fn place(&self, url: &str) -> Result<SourceLocation, RefusedAddress> {
        SourceLocation::of_mysql(url)
    }

    fn http(&self) -> Option<HttpPorts> {
        None
    }

    /// Variables of the session are custom by nature.
    fn takes_token_in(&self, setting: &str) -> bool {
        common::is_plain_setting(setting.strip_prefix('@').unwrap_or(setting))
    }

    fn roles(&self) -> Roles {
        Roles::Unknown
    }

    fn open(&self, source: &Source, route: &Route, limits: &Limits) -> Result<Pool, QueryError> {
        Pool::mysql(source, route, limits)
    }

    fn grammar(&self) -> &'static dyn Grammar {
        &MysqlGrammar
    }

    /// It ignores case in columns and, on some systems, in tables; here it does in both, so two tables that differ in case alone are
    /// never taken for each other: neither can be named.
    fn names(&self) -> Names {
        Names { quote_mark: '`', backslash: Backslash::Letter, listed: Case::Lower, bare: Case::Lower, quoted: Case::Lower }
    }

    fn default_schema(&self) -> &'static str {
        ""
    }

    fn lexis(&self) -> Lexis {
        Lexis { quotes: &[('\'', '\''), ('"', '"'), ('`', '`')], comments: &["--", "/*", "#"], backslash: Backslash::Escape }
    }

    fn words(&self) -> Words {
        Words { revealing: &[], after_tables: &[] }
    }

    fn forms(&self) -> Forms {
        Forms {
            lateral: Permit::Allowed,
            names_in_lists: Permit::Allowed,
            // By its default. The canonical form has them in single quotes.
            double_quoted_texts: Permit::Allowed,
            typed_texts: Permit::Allowed,
            standard_words: Permit::Allowed,
            quantified_comparisons: Permit::Allowed,
            ilike: Permit::Refused,
            rlike: Permit::Allowed,
            at_time_zone: Permit::Refused,
            overlay: Permit::Refused,
            grouping_sets: Permit::Refused,
            convert: Permit::Allowed,
            double_colon_casts: Permit::Refused,
            try_casts: Permit::Refused,
            calls_by_dot: Permit::Refused,
        }
    }

    fn allows_operator(&self, operator: &BinaryOperator) -> bool {
        common::is_plain_operator(operator)
            || common::is_arrow(operator)
            || matches!(operator, BinaryOperator::Spaceship | BinaryOperator::MyIntegerDivide | BinaryOperator::Xor)
    }

    /// Those of the character set of exact comparisons.
    fn allows_collation(&self, name: &str) -> bool {
        name.starts_with(UNICODE) && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    }

    fn allows_type(&self, data_type: &DataType) -> bool {
        common::is_plain_type(data_type)
            || matches!(
                data_type,
                DataType::Datetime(_) | DataType::Signed | DataType::Unsigned | DataType::Binary(None) | DataType::JSON
            )
    }

    fn functions(&self) -> Functions {
        Functions {
            listed: &[common::AGGREGATES, common::WINDOWS, common::SCALARS, FUNCTIONS],
            case: Case::Exact,
            with_unit: &["timestampdiff", "timestampadd"],
            with_picture: &[],
            trims_by_any: Permit::Allowed,
            parameters: Permit::Refused,
            separator: Permit::Allowed,
        }
    }

    fn printing(&self) -> Printing {
        Printing { form: Form::Canonical, concat: Concat::Function }
    }

    fn respell(&self, _: &mut DataType) {}

    fn fence(&self) -> Fence {
        Fence { end: " LIMIT 9223372036854775807", needed: Needed::ForConditions }
    }

    fn period(&self, grain: Grain, column: &str) -> String {
        match grain {
            Grain::Day => format!("date({column})"),
            Grain::Week => format!("date({column} - INTERVAL weekday({column}) DAY)"),
            Grain::Month => format!("date_format({column}, '%Y-%m-01')"),
            Grain::Quarter => format!("concat(year({column}), '-', right(concat('0', quarter({column}) * 3 - 2), 2), '-01')"),
            Grain::Year => format!("date_format({column}, '%Y-01-01')"),
        }
    }

    fn days_later(&self, moment: &str, days: i64) -> String {
        format!("date_add(date({moment}), INTERVAL {days} DAY)")
    }

    fn months_later(&self, moment: &str, months: i64) -> String {
        format!("date_add(date({moment}), INTERVAL {months} MONTH)")
    }

    fn weekday(&self, column: &str) -> String {
        format!("weekday({column})")
    }

    fn hour(&self, column: &str) -> String {
        format!("hour({column})")
    }

    fn hour_name(&self, column: &str) -> String {
        format!("date_format({column}, '%H')")
    }

    fn truth(&self, on: bool) -> &'static str {
        if on { "1" } else { "0" }
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
        format!("floor(({whole}) / 2)")
    }

    /// A text that a query made is compared by the collation that it was gathered by.
    fn comparisons(&self) -> Comparisons {
        Comparisons {
            conversion: Conversion::Silent,
            typing: Typing::Static,
            made_text: Class::Text,
            floats: Floats::BesideDecimals,
        }
    }

    fn operand(&self, class: Class, value: &Value, binds: &mut Binds) -> Result<Expr, Incomparable> {
        place(class, value, binds).ok_or(Incomparable)
    }

    fn text_type(&self) -> DataType {
        DataType::Char(None)
    }

    fn class_of_cast(&self, data_type: &DataType) -> Class {
        match data_type {
            DataType::Datetime(_) => Class::Timestamp,
            DataType::Char(_) => Class::Text,
            DataType::Signed => Class::Integer,
            DataType::Unsigned => Class::Decimal,
            _ => common::dated_class(data_type),
        }
    }
}

/// A value beside a column. MySQL compares exactly only what has one type: integers with integers, decimals with
/// decimals, floating point with the same precision.
fn place(class: Class, value: &Value, binds: &mut Binds) -> Option<Expr> {
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
