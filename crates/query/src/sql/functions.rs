//! The functions that a rule may call, and special arguments. Each dialect lists the functions that a query may call.

use crate::{dialect::dialect, source::SourceKind};
use sqlparser::ast::{Expr, FunctionArg, FunctionArgExpr, Value};

/// The functions that a row rule may call: scalar functions.
const RULES: &[&str] = &[
    "abs",
    "coalesce",
    "current_date",
    "current_timestamp",
    "date",
    "date_trunc",
    "ifnull",
    "length",
    "lower",
    "ltrim",
    "mod",
    "now",
    "nullif",
    "replace",
    "round",
    "rtrim",
    "strftime",
    "substr",
    "trim",
    "upper",
];

/// Whether a row rule may call the function with this (folded) name.
pub(crate) fn allowed_in_rule(kind: SourceKind, name: &str) -> bool {
    RULES.contains(&name) && dialect(kind).functions().holds(name)
}

/// Whether a word is a unit of time.
pub(super) fn is_unit(word: &str) -> bool {
    let units = ["microsecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year"];
    units.iter().any(|unit| word.eq_ignore_ascii_case(unit))
}

/// Whether a formatting function's format is a literal whose widths have at most two digits.
pub(super) fn is_modest_format(arguments: &[FunctionArg]) -> bool {
    let Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(literal)))) = arguments.first() else { return false };
    let Value::SingleQuotedString(picture) = &literal.value else { return false };
    let mut digits = 0;
    picture.chars().all(|letter| {
        digits = if letter.is_ascii_digit() { digits + 1 } else { 0 };
        letter != '*' && digits <= 2
    })
}

/// Whether an expression is a literal text of few letters.
pub(super) fn is_short_text(expression: &Expr) -> bool {
    let Expr::Value(literal) = expression else { return false };
    matches!(&literal.value, Value::SingleQuotedString(text) if text.len() <= 100)
}
