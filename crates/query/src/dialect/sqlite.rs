//! SQLite 3.

use super::{
    Backslash, Case, Comparisons, Concat, Conversion, Dialect, Fence, Floats, Form, Forms, Functions, HttpPorts, Lexis, Names,
    Needed, Permit, Printing, Roles, Typing, Words, common, steps,
};
use crate::{
    address::{RefusedAddress, Route, SourceLocation},
    bind::{Bind, Binds},
    compare::{Incomparable, boolean, bound, number, text},
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
    ast::{BinaryOperator, DataType, Expr},
    dialect::{Dialect as Grammar, Precedence, SQLiteDialect},
    keywords::Keyword,
    parser::{Parser, ParserError},
    tokenizer::Token,
};
use std::any::TypeId;

/// SQLite 3.
pub(crate) struct Sqlite;

/// The parser's SQLite, and `x IS y` for every `y` (docs/spec/contract.md, section 12).
#[derive(Debug)]
struct SqliteGrammar;

const BASE: SQLiteDialect = SQLiteDialect {};

impl Grammar for SqliteGrammar {
    fn dialect(&self) -> TypeId {
        TypeId::of::<SQLiteDialect>()
    }

    fn is_identifier_start(&self, letter: char) -> bool {
        BASE.is_identifier_start(letter)
    }

    fn is_identifier_part(&self, letter: char) -> bool {
        BASE.is_identifier_part(letter)
    }

    fn is_delimited_identifier_start(&self, letter: char) -> bool {
        BASE.is_delimited_identifier_start(letter)
    }

    fn identifier_quote_style(&self, name: &str) -> Option<char> {
        BASE.identifier_quote_style(name)
    }

    fn parse_prefix(&self, _: &mut Parser<'_>) -> Option<Result<Expr, ParserError>> {
        steps::begun()
    }

    fn parse_infix(&self, parser: &mut Parser<'_>, left: &Expr, precedence: u8) -> Option<Result<Expr, ParserError>> {
        steps::copying(parser, |parser| same(parser, left).or_else(|| BASE.parse_infix(parser, left, precedence)))
    }

    fn supports_filter_during_aggregation(&self) -> bool {
        true
    }

    fn supports_in_empty_list(&self) -> bool {
        true
    }

    fn supports_limit_comma(&self) -> bool {
        true
    }

    fn supports_dollar_placeholder(&self) -> bool {
        true
    }

    fn supports_notnull_operator(&self) -> bool {
        true
    }

    fn supports_comma_separated_trim(&self) -> bool {
        true
    }

    fn supports_numeric_literal_underscores(&self) -> bool {
        true
    }
}

/// `x IS [NOT] y`, and `x IS [NOT] DISTINCT FROM y`, which means the opposite. `None` for `IS NULL` and the like.
fn same(parser: &mut Parser<'_>, left: &Expr) -> Option<Result<Expr, ParserError>> {
    let keyword = |ahead: usize| match &parser.peek_nth_token_ref(ahead).token {
        Token::Word(word) => word.keyword,
        _ => Keyword::NoKeyword,
    };
    let negated = keyword(1) == Keyword::NOT;
    let next = keyword(if negated { 2 } else { 1 });
    if keyword(0) != Keyword::IS || [Keyword::NULL, Keyword::TRUE, Keyword::FALSE, Keyword::UNKNOWN].contains(&next) {
        return None;
    }
    parser.next_token();
    if negated {
        parser.next_token();
    }
    let distinct = parser.parse_keywords(&[Keyword::DISTINCT, Keyword::FROM]) != negated;
    // There it binds like `=`, from left to right.
    let right = parser.parse_subexpr(BASE.prec_value(Precedence::Eq));
    Some(right.map(|right| {
        let (left, right) = (Box::new(left.clone()), Box::new(right));
        if distinct { Expr::IsDistinctFrom(left, right) } else { Expr::IsNotDistinctFrom(left, right) }
    }))
}

/// Functions beyond the common ones.
#[rustfmt::skip]
const FUNCTIONS: &[&str] = &[
    "char", "datetime", "format", "glob", "group_concat", "hex", "if", "ifnull", "iif", "instr", "json_array_length",
    "json_extract", "json_group_array", "json_type", "json_valid", "julianday", "like", "log2", "median", "percentile",
    "percentile_cont", "percentile_disc", "pow", "printf", "strftime", "time", "timediff", "total", "typeof", "unicode",
    "unixepoch",
];

impl Dialect for Sqlite {
    fn kind(&self) -> SourceKind {
        SourceKind::Sqlite
    }

    fn is_built_in(&self) -> bool {
        true
    }

    fn is_file(&self) -> bool {
        true
    }

    fn address_prefixes(&self) -> &'static [&'static str] {
        &["sqlite:/"]
    }

    fn place(&self, url: &str) -> Result<SourceLocation, RefusedAddress> {
        SourceLocation::of_sqlite(url)
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
        Pool::sqlite(source, route, limits)
    }

    fn grammar(&self) -> &'static dyn Grammar {
        &SqliteGrammar
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
        Lexis {
            quotes: &[('\'', '\''), ('"', '"'), ('`', '`'), ('[', ']')],
            comments: &["--", "/*"],
            backslash: Backslash::Letter,
        }
    }

    fn words(&self) -> Words {
        Words { revealing: &[], after_tables: &[] }
    }

    fn forms(&self) -> Forms {
        Forms {
            lateral: Permit::Refused,
            names_in_lists: Permit::Allowed,
            double_quoted_texts: Permit::Refused,
            typed_texts: Permit::Refused,
            standard_words: Permit::Refused,
            quantified_comparisons: Permit::Refused,
            ilike: Permit::Refused,
            rlike: Permit::Refused,
            at_time_zone: Permit::Refused,
            overlay: Permit::Refused,
            grouping_sets: Permit::Refused,
            convert: Permit::Refused,
            double_colon_casts: Permit::Refused,
            try_casts: Permit::Refused,
            calls_by_dot: Permit::Refused,
        }
    }

    fn allows_operator(&self, operator: &BinaryOperator) -> bool {
        common::is_plain_operator(operator) || common::is_arrow(operator) || matches!(operator, BinaryOperator::Glob)
    }

    fn allows_collation(&self, name: &str) -> bool {
        matches!(name, "binary" | "nocase" | "rtrim")
    }

    fn allows_type(&self, data_type: &DataType) -> bool {
        common::is_plain_type(data_type) || matches!(data_type, DataType::Datetime(_))
    }

    fn functions(&self) -> Functions {
        Functions {
            listed: &[common::AGGREGATES, common::WINDOWS, common::SCALARS, FUNCTIONS],
            case: Case::Exact,
            with_unit: &[],
            with_picture: &["printf", "format"],
            trims_by_any: Permit::Refused,
            parameters: Permit::Refused,
            separator: Permit::Refused,
        }
    }

    fn printing(&self) -> Printing {
        Printing { form: Form::Written, concat: Concat::Operator }
    }

    fn respell(&self, _: &mut DataType) {}

    fn fence(&self) -> Fence {
        Fence { end: " LIMIT -1 OFFSET 0", needed: Needed::ForConditions }
    }

    fn period(&self, grain: Grain, column: &str) -> String {
        match grain {
            Grain::Day => format!("date({column})"),
            Grain::Week => format!("date({column}, 'weekday 0', '-6 days')"),
            Grain::Month => format!("strftime('%Y-%m-01', {column})"),
            Grain::Quarter => format!(
                "strftime('%Y-', {column}) || substr('0' || ((CAST(strftime('%m', {column}) AS INTEGER) - 1) / 3 * 3 + 1), -2) || '-01'"
            ),
            Grain::Year => format!("strftime('%Y-01-01', {column})"),
        }
    }

    fn days_later(&self, moment: &str, days: i64) -> String {
        format!("date({moment}, '{days:+} days')")
    }

    fn months_later(&self, moment: &str, months: i64) -> String {
        format!("date({moment}, '{months:+} months', 'floor')")
    }

    fn weekday(&self, column: &str) -> String {
        format!("(cast(strftime('%w', {column}) as integer) + 6) % 7")
    }

    fn hour(&self, column: &str) -> String {
        format!("cast(strftime('%H', {column}) as integer)")
    }

    fn hour_name(&self, column: &str) -> String {
        format!("strftime('%H', {column})")
    }

    fn truth(&self, on: bool) -> &'static str {
        if on { "1" } else { "0" }
    }

    /// Moments are texts there, and one that begins with the day is after it.
    fn day(&self, day: NaiveDate) -> String {
        format!("'{day}'")
    }

    fn median(&self, _: &str) -> Option<String> {
        None
    }

    /// Not every SQLite has `floor`. A cast cuts towards 0, so every number is lifted above it first.
    fn stepped(&self, number: &str, width: &str) -> String {
        format!("(cast({number} * 1.0 / {width} + 1000000000 as integer) - 1000000000) * {width}")
    }

    fn half(&self, whole: &str) -> String {
        common::half(whole)
    }

    /// Values are what they are, whatever the column.
    fn comparisons(&self) -> Comparisons {
        Comparisons {
            conversion: Conversion::Typed,
            typing: Typing::Dynamic,
            made_text: Class::Other,
            floats: Floats::BesideDecimals,
        }
    }

    fn operand(&self, class: Class, value: &Value, binds: &mut Binds) -> Result<Expr, Incomparable> {
        bound(bind(class, value).ok_or(Incomparable)?, None, binds)
    }

    fn text_type(&self) -> DataType {
        DataType::Text
    }

    /// A cast to a day or a time makes a number there.
    fn class_of_cast(&self, data_type: &DataType) -> Class {
        common::plain_class(data_type)
    }
}

/// A value beside a column. Days and times are text there.
pub(crate) fn bind(class: Class, value: &Value) -> Option<Bind> {
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
