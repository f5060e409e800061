//! `sqlparser`'s own grammar of PostgreSQL, with the budget of steps. Whatever it answers in its own way is asked of it; the
//! rest is `sqlparser`'s default for both.

use super::steps;
use sqlparser::{
    ast::Expr,
    dialect::{Dialect, PostgreSqlDialect, Precedence},
    keywords::Keyword,
    parser::{Parser, ParserError},
};
use std::any::TypeId;

/// Answers with the base's own yes or no.
macro_rules! as_its_base {
    ($($question:ident)*) => {
        $(fn $question(&self) -> bool {
            BASE.$question()
        })*
    };
}

/// PostgreSQL's, counted.
#[derive(Debug)]
pub(super) struct PostgresGrammar;

const BASE: PostgreSqlDialect = PostgreSqlDialect {};

impl Dialect for PostgresGrammar {
    fn dialect(&self) -> TypeId {
        TypeId::of::<PostgreSqlDialect>()
    }

    fn parse_prefix(&self, _: &mut Parser<'_>) -> Option<Result<Expr, ParserError>> {
        steps::begun()
    }

    fn get_next_precedence(&self, parser: &Parser<'_>) -> Option<Result<u8, ParserError>> {
        BASE.get_next_precedence(parser)
    }

    fn prec_value(&self, precedence: Precedence) -> u8 {
        BASE.prec_value(precedence)
    }

    fn is_delimited_identifier_start(&self, letter: char) -> bool {
        BASE.is_delimited_identifier_start(letter)
    }

    fn identifier_quote_style(&self, name: &str) -> Option<char> {
        BASE.identifier_quote_style(name)
    }

    fn is_identifier_start(&self, letter: char) -> bool {
        BASE.is_identifier_start(letter)
    }

    fn is_identifier_part(&self, letter: char) -> bool {
        BASE.is_identifier_part(letter)
    }

    fn is_custom_operator_part(&self, letter: char) -> bool {
        BASE.is_custom_operator_part(letter)
    }

    fn is_reserved_for_identifier(&self, word: Keyword) -> bool {
        BASE.is_reserved_for_identifier(word)
    }

    fn is_table_alias(&self, word: &Keyword, parser: &mut Parser<'_>) -> bool {
        BASE.is_table_alias(word, parser)
    }

    as_its_base!(
        allow_extract_custom
        allow_extract_single_quotes
        supports_aliased_function_args
        supports_alter_column_type_using
        supports_alter_user_as_alter_role
        supports_array_typedef_with_brackets
        supports_bitwise_shift_operators
        supports_comma_separated_trim
        supports_comment_on
        supports_comment_optimizer_hint
        supports_create_index_with_clause
        supports_create_table_like_parenthesized
        supports_empty_projections
        supports_exclude_constraint
        supports_explain_with_utility_options
        supports_factorial_operator
        supports_filter_during_aggregation
        supports_geometric_types
        supports_group_by_expr
        supports_insert_table_alias
        supports_interval_options
        supports_left_associative_joins_without_parens
        supports_listen_notify
        supports_load_extension
        supports_named_fn_args_with_colon_operator
        supports_named_fn_args_with_expr_name
        supports_nested_comments
        supports_notnull_operator
        supports_numeric_literal_underscores
        supports_order_by_using_operator
        supports_select_wildcard_with_alias
        supports_set_names
        supports_string_escape_constant
        supports_unicode_string_literal
        supports_xml_expressions
    );
}
