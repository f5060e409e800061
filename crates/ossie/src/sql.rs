//! Expressions, read and printed as syntax trees.

use inlay_sql_walk::{expressions, expressions_mut};
use sqlparser::{
    ast::{Expr, Function, FunctionArgumentClause, FunctionArguments, Ident, ObjectName, Value},
    dialect::Dialect,
    parser::{Parser, ParserError},
    tokenizer::{Token, Tokenizer},
};
use std::{cell::Cell, collections::BTreeSet, ops::ControlFlow};

/// The longest expression, in bytes.
pub(crate) const LONGEST: usize = 8_000;
/// The most tokens of an expression. Chains such as `1+1+1…` are nested as deeply as they are long.
const MOST_TOKENS: usize = 2_000;
/// The stack for expressions, in bytes: enough for the deepest that `MOST_TOKENS` allows, in a debug build.
const STACK: usize = 64 << 20;

/// Runs work on syntax trees, including their drop, on a stack of its own.
pub(crate) fn on_deep_stack<T>(work: impl FnOnce() -> T) -> T {
    stacker::grow(STACK, work)
}

/// Functions that gather rows. `inlay apply` knows more of them, in the databases' own spellings.
const GATHERING: &[&str] = &[
    "any_value",
    "approx_count_distinct",
    "approx_percentile",
    "array_agg",
    "avg",
    "bool_and",
    "bool_or",
    "count",
    "every",
    "listagg",
    "max",
    "median",
    "min",
    "mode",
    "percentile_cont",
    "percentile_disc",
    "stddev",
    "stddev_pop",
    "stddev_samp",
    "string_agg",
    "sum",
    "var_pop",
    "var_samp",
    "variance",
];

/// Standard SQL, with names in backticks besides: the models' own SQL can hold them.
///
/// Where `sqlparser` tries a second reading after a first one failed, it reads what is inside again: a few hundred bytes of
/// nested `position(…)` would take years. So the expressions that are begun are counted.
#[derive(Debug)]
struct Grammar {
    steps: Cell<usize>,
}

impl Dialect for Grammar {
    fn is_identifier_start(&self, letter: char) -> bool {
        letter.is_alphabetic() || letter == '_'
    }

    fn is_identifier_part(&self, letter: char) -> bool {
        letter.is_alphanumeric() || letter == '_' || letter == '$'
    }

    fn supports_filter_during_aggregation(&self) -> bool {
        true
    }

    fn parse_prefix(&self, _: &mut Parser<'_>) -> Option<Result<Expr, ParserError>> {
        let left = self.steps.get();
        self.steps.set(left.saturating_sub(1));
        (left == 0).then_some(Err(ParserError::RecursionLimitExceeded))
    }
}

fn read<T>(text: &str, work: impl FnOnce(&mut Parser<'_>) -> Result<T, ParserError>) -> Result<T, String> {
    if text.len() > LONGEST || text.contains('\0') {
        return Err(format!("is longer than {LONGEST} bytes, or holds a zero byte"));
    }
    let grammar = Grammar { steps: Cell::new(0) };
    let tokens = Tokenizer::new(&grammar, text).tokenize_with_location().map_err(|fault| format!("cannot be read: {fault}"))?;
    let count = tokens.iter().filter(|token| !matches!(token.token, Token::Whitespace(_))).count();
    if count > MOST_TOKENS {
        return Err(format!("has more than {MOST_TOKENS} words and signs"));
    }
    grammar.steps.set(2_000 + 20 * count);
    let mut parser = Parser::new(&grammar).with_tokens_with_locations(tokens);
    let made = work(&mut parser).map_err(|fault| format!("cannot be read: {fault}"))?;
    match parser.peek_token().token {
        Token::EOF => Ok(made),
        after => Err(format!("cannot be read: `{after}` follows the expression")),
    }
}

/// Reads one expression.
///
/// # Errors
/// A sentence without its subject: it cannot be read, or is too long.
pub(crate) fn parse(text: &str) -> Result<Expr, String> {
    read(text, |parser| parser.parse_expr())
}

/// Reads the name of a table, with its schema and database.
pub(crate) fn parse_name(text: &str) -> Result<Vec<Ident>, String> {
    let ObjectName(parts) = read(text, |parser| parser.parse_object_name(false))?;
    let idents: Option<Vec<Ident>> = parts.iter().map(|part| part.as_ident().cloned()).collect();
    idents.ok_or_else(|| "is not the name of a table".to_owned())
}

/// The text of an expression, if it is read back as the same. The printer takes a quote behind a backslash for escaped.
pub(crate) fn printed(expression: &Expr) -> Option<String> {
    let text = expression.to_string();
    (parse(&text).as_ref() == Ok(expression)).then_some(text)
}

/// Whether two texts are the same expression, however they are spaced.
pub(crate) fn same(one: &str, other: &str) -> bool {
    one == other || parse(one).is_ok_and(|one| parse(other) == Ok(one))
}

/// What is wrong with an expression of one row, apart from the columns that it names.
///
/// # Errors
/// A sentence without its subject: it gathers rows, or holds a query or a parameter.
pub(crate) fn of_one_row(expression: &Expr) -> Result<(), String> {
    let found = expressions(expression, |part| match part {
        Expr::Subquery(_) | Expr::Exists { .. } | Expr::InSubquery { .. } | Expr::AnyOp { .. } | Expr::AllOp { .. } => {
            ControlFlow::Break("holds a SELECT".to_owned())
        }
        Expr::Function(function) if gathers(function) => ControlFlow::Break(format!("gathers rows by {}", function.name)),
        Expr::Value(value) if matches!(value.value, Value::Placeholder(_)) => {
            ControlFlow::Break("holds a parameter".to_owned())
        }
        _ => ControlFlow::Continue(()),
    });
    match found {
        ControlFlow::Break(why) => Err(why),
        ControlFlow::Continue(()) => Ok(()),
    }
}

fn gathers(function: &Function) -> bool {
    let name = function.name.0.last().and_then(|part| part.as_ident()).map(|name| name.value.to_ascii_lowercase());
    name.is_some_and(|name| GATHERING.contains(&&*name))
        || function.over.is_some()
        || function.filter.is_some()
        || !function.within_group.is_empty()
        || matches!(&function.args, FunctionArguments::List(list)
            if list.clauses.iter().any(|one| matches!(one, FunctionArgumentClause::OrderBy(_))))
}

/// Reads SQL of the model as standard SQL: an expression over columns of one table. None if it cannot be said so.
///
/// A name in double quotes must be one of the known columns, since MySQL and MariaDB take other such names for texts.
pub(crate) fn own(text: &str, known: &BTreeSet<&str>) -> Option<Expr> {
    let mut expression = parse(text).ok()?;
    of_one_row(&expression).ok()?;
    let strange = expressions_mut(&mut expression, |part: &mut Expr| match part {
        Expr::Identifier(name) => match name.quote_style {
            Some('"') if !known.contains(name.value.as_str()) => ControlFlow::Break(()),
            Some('`') => {
                name.quote_style = Some('"');
                ControlFlow::Continue(())
            }
            _ => ControlFlow::Continue(()),
        },
        Expr::CompoundIdentifier(_) | Expr::CompoundFieldAccess { .. } => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    (strange.is_continue() && printed(&expression).is_some()).then_some(expression)
}

/// Puts a dataset's name before each column. Collects the columns' names.
pub(crate) fn qualify(expression: &mut Expr, dataset: &str, names: &mut Vec<Ident>) {
    let _ = expressions_mut(expression, |part: &mut Expr| {
        if let Expr::Identifier(name) = part {
            names.push(name.clone());
            *part = Expr::CompoundIdentifier(vec![crate::names::ident(dataset), name.clone()]);
        }
        ControlFlow::<()>::Continue(())
    });
}

/// A name in double quotes, if an expression holds one.
pub(crate) fn quoted(expression: &Expr) -> Option<String> {
    let found = expressions(expression, |part| match part {
        Expr::Identifier(name) if name.quote_style.is_some() => ControlFlow::Break(name.value.clone()),
        _ => ControlFlow::Continue(()),
    });
    found.break_value()
}

/// Whether an expression is this number.
pub(crate) fn is_number(expression: &Expr, number: f64) -> bool {
    let Expr::Value(value) = bare(expression) else { return false };
    matches!(&value.value, Value::Number(digits, _) if digits.parse() == Ok(number))
}

/// What is inside parentheses.
pub(crate) fn bare(expression: &Expr) -> &Expr {
    match expression {
        Expr::Nested(inner) => bare(inner),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_of_one_row_are_read() {
        for (text, why) in [
            ("sum(amount)", "gathers rows by sum"),
            ("row_number() over (order by id)", "gathers rows by row_number"),
            ("(select 1)", "holds a SELECT"),
            ("id in (select id from customers)", "holds a SELECT"),
            ("amount > ?", "holds a parameter"),
        ] {
            assert_eq!(parse(text).and_then(|read| of_one_row(&read)), Err(why.to_owned()), "{text}");
        }
        assert_eq!(parse("lower(city) || 'x'").and_then(|read| of_one_row(&read)), Ok(()));
        assert!(parse("a b").is_err_and(|why| why == "cannot be read: `b` follows the expression"));
        assert!(parse("a +").is_err_and(|why| why.starts_with("cannot be read: ")));
    }

    #[test]
    fn reading_ends_soon() {
        assert!(parse(&"1+".repeat(LONGEST)).is_err());
        assert!(parse(&vec!["1"; 2_000].join("+")).is_err_and(|why| why.contains("words and signs")));
        let deep = vec!["1"; 1_000].join("+");
        assert!(on_deep_stack(|| same(&deep, &deep.replace('+', " + "))));
        assert!(parse(&format!("{}1{}", "position(".repeat(40), ", 1)".repeat(40))).is_err());
    }

    #[test]
    fn names_in_quotes_must_be_known() {
        let known = BTreeSet::from(["Amount"]);
        let text = |sql| own(sql, &known).map(|read| read.to_string());
        assert_eq!(text("\"Amount\" * 2"), Some("\"Amount\" * 2".to_owned()));
        assert_eq!(text("`Net amount` * 2"), Some("\"Net amount\" * 2".to_owned()));
        assert_eq!(text("status = \"void\""), None);
        assert_eq!(text("orders.amount"), None);
        assert_eq!(text("status = 'a\\''b'"), None);
    }
}
