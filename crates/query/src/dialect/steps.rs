//! A budget for reading one text. Where `sqlparser` tries a second reading after a first one failed, it reads what is inside
//! again: a few hundred bytes such as `position(position(…, 1), 1)` would take years. Every grammar of this crate counts the
//! expressions that are begun, and ends the reading when they are more than any honest text needs.

use sqlparser::{
    ast::Expr,
    parser::{Parser, ParserError},
};
use std::cell::Cell;

/// The steps for each token. The queries of the tests need at most 4.
const A_TOKEN: usize = 20;
/// The steps for a text of any length.
const ANY_TEXT: usize = 2_000;
/// The most operators whose left side the parser copies (`GLOB`, `DIV`): a chain of them would be copied at each of its links.
const MOST_COPIES: usize = 500;

thread_local! {
    static BUDGET: Cell<Budget> = const { Cell::new(Budget { steps: 0, copies: 0, taken: 0, spent: false }) };
}

#[derive(Clone, Copy)]
struct Budget {
    steps: usize,
    copies: usize,
    taken: usize,
    spent: bool,
}

/// Reads a text of so many tokens, on this thread. `None` if it takes more than its budget.
pub(crate) fn within_budget<T>(tokens: usize, read: impl FnOnce() -> T) -> Option<T> {
    let steps = ANY_TEXT + A_TOKEN.saturating_mul(tokens);
    BUDGET.set(Budget { steps, copies: MOST_COPIES, taken: 0, spent: false });
    let made = read();
    (!BUDGET.get().spent).then_some(made)
}

/// The expressions that the last reading on this thread began.
#[cfg(test)]
pub(crate) fn taken() -> usize {
    BUDGET.get().taken
}

/// Counts an expression that is begun: every grammar's `parse_prefix`. Once the budget is spent no expression can be read any
/// more, so whatever else the parser tries ends at once.
pub(super) fn begun() -> Option<Result<Expr, ParserError>> {
    let mut budget = BUDGET.get();
    budget.taken += 1;
    budget.spent |= budget.taken > budget.steps;
    BUDGET.set(budget);
    budget.spent.then_some(Err(ParserError::RecursionLimitExceeded))
}

/// Reads the rest of an operator by the parser's own function, which copies the left side.
pub(super) fn copying(
    parser: &mut Parser<'_>,
    read: impl FnOnce(&mut Parser<'_>) -> Option<Result<Expr, ParserError>>,
) -> Option<Result<Expr, ParserError>> {
    let read = read(parser)?;
    let mut budget = BUDGET.get();
    budget.copies = budget.copies.saturating_sub(1);
    budget.spent |= budget.copies == 0;
    BUDGET.set(budget);
    Some(if budget.spent { Err(ParserError::RecursionLimitExceeded) } else { read })
}
