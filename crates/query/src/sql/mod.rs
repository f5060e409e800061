//! Parses and prints SQL: the allow-list, scopes, the wrappers of base tables, and the verification.

pub(crate) mod canonical;
pub(crate) mod check;
mod expressions;
mod functions;
pub(crate) mod guard;
pub(crate) mod leak;
pub(crate) mod places;
pub(crate) mod scope;
pub(crate) mod verify;

pub(crate) use expressions::UNICODE;
pub(crate) use functions::allowed_in_rule;

use crate::{
    dialect::{Backslash, dialect},
    source::SourceKind,
};
use sqlparser::{
    ast::Statement,
    parser::Parser,
    tokenizer::{Token, Tokenizer},
};

/// Why SQL was refused, for the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal(pub String);

impl Refusal {
    pub(crate) fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

/// The longest query, in bytes.
const LONGEST: usize = 100_000;
/// The most tokens of a query. Chains such as `1+1+1…` are nested as deeply as they are long.
const MOST_TOKENS: usize = 20_000;
/// The stack for a query, in bytes: enough for the deepest tree that `MOST_TOKENS` allows, in a debug build.
const STACK: usize = 128 << 20;

/// Runs work on syntax trees, including their drop, on a stack of its own.
pub(crate) fn on_deep_stack<T>(work: impl FnOnce() -> T) -> T {
    stacker::grow(STACK, work)
}

/// Parses one statement of any kind.
pub(crate) fn parse(kind: SourceKind, sql: &str) -> Result<Statement, Refusal> {
    metrics::counter!("inlay_sql_parses_total").increment(1);
    if sql.len() > LONGEST || sql.contains('\0') {
        return Err(Refusal::new("the SQL is too long, or holds a zero byte"));
    }
    if dialect(kind).lexis().backslash == Backslash::Refused && sql.contains('\\') {
        return Err(Refusal::new("SQL for this kind of database holds no backslash here"));
    }
    let unreadable = |problem: &dyn std::fmt::Display| Refusal::new(format!("the SQL cannot be read: {problem}"));
    let grammar = dialect(kind).grammar();
    let tokens = Tokenizer::new(grammar, sql).tokenize_with_location().map_err(|problem| unreadable(&problem))?;
    if tokens.iter().filter(|token| !matches!(token.token, Token::Whitespace(_))).count() > MOST_TOKENS {
        return Err(Refusal::new("the SQL has too many tokens"));
    }
    let mut statements =
        Parser::new(grammar).with_tokens_with_locations(tokens).parse_statements().map_err(|problem| unreadable(&problem))?;
    match (statements.pop(), statements.is_empty()) {
        (Some(statement), true) => Ok(statement),
        _ => Err(Refusal::new("the SQL must be exactly one statement")),
    }
}
