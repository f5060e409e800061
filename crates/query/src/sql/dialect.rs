//! How each kind of source writes SQL. Where `sqlparser`'s own dialect reads something that a checker must not (a session
//! variable as a name, a comment as SQL), a dialect of ours stands in its place.

use crate::source::SourceKind;
use sqlparser::{
    ast::Expr,
    dialect::{ClickHouseDialect, Dialect, DuckDbDialect, MySqlDialect, PostgreSqlDialect, SQLiteDialect},
    keywords::Keyword,
    parser::{Parser, ParserError},
};
use std::any::TypeId;

pub(crate) fn dialect(kind: SourceKind) -> &'static dyn Dialect {
    match kind {
        SourceKind::Sqlite => &SQLiteDialect {},
        SourceKind::Postgres => &PostgreSqlDialect {},
        SourceKind::Mysql => &MySql,
        SourceKind::Clickhouse => &ClickHouse,
        SourceKind::Trino => &Trino,
        SourceKind::Duckdb => &DuckDb,
    }
}

/// MySQL without session variables (`@x`, `@@x`), and with `/*! … */` for what it looks like: a comment. Text stands between
/// single or double quotes, with backslash escapes, as by MySQL's default.
#[derive(Debug)]
struct MySql;

impl Dialect for MySql {
    fn dialect(&self) -> TypeId {
        TypeId::of::<MySqlDialect>()
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
        MySqlDialect {}.parse_infix(parser, left, precedence)
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

/// `ClickHouse` without what lets a query choose formats, settings and tables outside FROM. No text of a query holds a
/// backslash (`parse` sees to that), so escapes do not matter.
#[derive(Debug)]
struct ClickHouse;

impl Dialect for ClickHouse {
    fn dialect(&self) -> TypeId {
        TypeId::of::<ClickHouseDialect>()
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

/// Trino: standard SQL.
#[derive(Debug)]
struct Trino;

impl Dialect for Trino {
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

/// `DuckDB` without lambdas, dictionaries and queries that begin with FROM.
#[derive(Debug)]
struct DuckDb;

impl Dialect for DuckDb {
    fn dialect(&self) -> TypeId {
        TypeId::of::<DuckDbDialect>()
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
