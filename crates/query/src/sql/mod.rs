//! Parses and prints SQL: the allow-list, scopes, the wrappers of base tables, and the verification.

pub(crate) mod canonical;
pub(crate) mod check;
mod expressions;
mod functions;
pub(crate) mod guard;
pub(crate) mod leak;
pub(crate) mod places;
pub(crate) mod reserved;
pub(crate) mod scope;
pub(crate) mod verify;

pub(crate) use expressions::UNICODE;
pub(crate) use functions::allowed_in_rule;

use crate::{
    dialect::{Backslash, dialect, steps::within_budget},
    source::SourceKind,
};
use sqlparser::{
    ast::{Expr, Statement},
    parser::{Parser, ParserError},
    tokenizer::{Token, Tokenizer},
};
use std::cell::Cell;

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

thread_local! {
    /// The parses on this thread while it works for another; `None` while it does not.
    static FOR_ANOTHER: Cell<Option<u64>> = const { Cell::new(None) };
}

/// Does work for another thread, which counts the parses: metrics belong to who asked.
pub(crate) fn for_another<T>(work: impl FnOnce() -> T) -> (T, u64) {
    FOR_ANOTHER.set(Some(0));
    let made = work();
    (made, FOR_ANOTHER.take().unwrap_or_default())
}

/// Counts parses.
pub(crate) fn count_parses(parses: u64) {
    metrics::counter!("inlay_sql_parses_total").increment(parses);
}

fn count() {
    match FOR_ANOTHER.get() {
        Some(parses) => FOR_ANOTHER.set(Some(parses + 1)),
        None => count_parses(1),
    }
}

/// Parses one statement of any kind.
pub(crate) fn parse(kind: SourceKind, sql: &str) -> Result<Statement, Refusal> {
    count();
    if dialect(kind).lexis().backslash == Backslash::Refused && sql.contains('\\') {
        return Err(Refusal::new("SQL for this kind of database holds no backslash here"));
    }
    let mut statements = read(kind, "the SQL", sql, |parser| parser.parse_statements())?;
    match (statements.pop(), statements.is_empty()) {
        (Some(statement), true) => Ok(statement),
        _ => Err(Refusal::new("the SQL must be exactly one statement")),
    }
}

/// Parses a rule: one condition, with nothing after it.
pub(crate) fn parse_condition(kind: SourceKind, text: &str) -> Result<Expr, Refusal> {
    let condition = parse_alone(kind, "the rule", text)?;
    condition.ok_or_else(|| Refusal::new("the rule must be one condition, with nothing after it"))
}

/// Parses an expression of a model: one value, with nothing after it.
pub(crate) fn parse_expression(kind: SourceKind, text: &str) -> Result<Expr, Refusal> {
    let expression = parse_alone(kind, "the expression", text)?;
    expression.ok_or_else(|| Refusal::new("it must be one expression, with nothing after it"))
}

fn parse_alone(kind: SourceKind, what: &str, text: &str) -> Result<Option<Expr>, Refusal> {
    read(kind, what, text, |parser| {
        let expression = parser.parse_expr()?;
        Ok((parser.peek_token().token == Token::EOF).then_some(expression))
    })
}

/// Reads a text within the limits of length, tokens and steps.
fn read<T>(
    kind: SourceKind,
    what: &str,
    text: &str,
    work: impl FnOnce(&mut Parser<'_>) -> Result<T, ParserError>,
) -> Result<T, Refusal> {
    if text.len() > LONGEST || text.contains('\0') {
        return Err(Refusal::new(format!("{what} is too long, or holds a zero byte")));
    }
    let unreadable = |problem: &dyn std::fmt::Display| Refusal::new(format!("{what} cannot be read: {problem}"));
    let grammar = dialect(kind).grammar();
    let tokens = Tokenizer::new(grammar, text).tokenize_with_location().map_err(|problem| unreadable(&problem))?;
    let count = tokens.iter().filter(|token| !matches!(token.token, Token::Whitespace(_))).count();
    if count > MOST_TOKENS {
        return Err(Refusal::new(format!("{what} has too many tokens")));
    }
    let made = within_budget(count, || work(&mut Parser::new(grammar).with_tokens_with_locations(tokens)));
    let Some(made) = made else {
        return Err(Refusal::new(format!(
            "{what} takes too many steps to read; put fewer parentheses and functions such as position() inside one another, or use WITH"
        )));
    };
    made.map_err(|problem| unreadable(&problem))
}

#[cfg(test)]
mod tests;
