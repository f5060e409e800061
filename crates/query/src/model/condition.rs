//! The conditions of filter values on expressions.

use super::{
    Made, NoMeaning,
    compare::{self, Shift},
    fiscal::YearStart,
    groups::Joined,
    plan::Plan,
    tree::{self, Tree, binary, nested, number},
};
use crate::question;
use chrono::NaiveDate;
use inlay_contract::{
    filter::{FilterValue, Scalar},
    model::ModelFilter,
};
use sqlparser::ast::{BinaryOperator, Expr, UnaryOperator};

/// Whether a row passes a filter whose period does not count from the newest row. Of an earlier period, a filter on the fact's
/// default time keeps the rows so far back.
pub(super) fn of_filter(
    plan: &Plan<'_>,
    joined: &mut Joined<'_>,
    at: &str,
    filter: &ModelFilter,
    earlier: Option<Shift>,
) -> Made<Expr> {
    let tree = plan.tree;
    let (value, is_time) = joined.dimension(&format!("{at}.dimension"), &filter.dimension, filter.via.as_deref())?;
    let at = format!("{at}.value");
    let year = YearStart::of_filter(plan.model, joined.fact, filter);
    let passes = match earlier {
        _ if let Some(cycle) = filter.cycle => {
            let value = tree.around(|text| question::compared_cycle(tree.dialect(), cycle, text), &value)?;
            kept(plan, &at, &value, &filter.value, year)
        }
        Some(shift) if is_time => {
            let elapsed = compare::days(&filter.value, plan.today, year).map(|days| compare::elapsed(plan, days));
            let back = elapsed.and_then(|(from, to)| shift.period(from, to));
            let (from, to) = back.ok_or_else(|| NoMeaning::new(&at, "lies too far back"))?;
            within(tree, &at, &value, (from, to))
        }
        _ => kept(plan, &at, &value, &filter.value, year),
    }?;
    if !filter.not {
        return Ok(passes);
    }
    let fails = Expr::UnaryOp { op: UnaryOperator::Not, expr: Box::new(Expr::Nested(Box::new(passes))) };
    Ok(binary(fails, BinaryOperator::Or, tree::is_null(value)))
}

/// Whether an expression has a filter's value.
pub(super) fn kept(plan: &Plan<'_>, at: &str, value: &Expr, wanted: &FilterValue, year: YearStart) -> Made<Expr> {
    match wanted {
        FilterValue::AnyOf(values) => any_of(plan.tree, at, value, values),
        FilterValue::Range { from, to } => between(plan.tree, at, value, from.as_ref(), to.as_ref()),
        FilterValue::Relative(period) => within(plan.tree, at, value, year.days(*period, plan.today)),
    }
}

/// Whether a moment lies within days, from the first up to the second.
pub(super) fn within(tree: Tree, at: &str, value: &Expr, (from, to): (NaiveDate, NaiveDate)) -> Made<Expr> {
    let day = |day: NaiveDate| Scalar::Text(day.to_string());
    between(tree, at, value, Some(&day(from)), Some(&day(to)))
}

/// A filter's value, in the parentheses by which the door knows it: there it takes the type that it is compared with.
fn given(value: Expr) -> Expr {
    Expr::Nested(Box::new(value))
}

fn any_of(tree: Tree, at: &str, value: &Expr, values: &[Scalar]) -> Made<Expr> {
    let value = || nested(value.clone());
    match values {
        [] => Ok(binary(number("1"), BinaryOperator::Eq, number("0"))),
        [one] => Ok(binary(value(), BinaryOperator::Eq, given(tree.literal(at, one)?))),
        several => {
            let list = several.iter().map(|one| Ok(given(tree.literal(at, one)?))).collect::<Made<Vec<_>>>()?;
            Ok(Expr::InList { expr: Box::new(value()), list, negated: false })
        }
    }
}

fn between(tree: Tree, at: &str, value: &Expr, from: Option<&Scalar>, to: Option<&Scalar>) -> Made<Expr> {
    let ends = from.map(|end| (BinaryOperator::GtEq, end)).into_iter().chain(to.map(|end| (BinaryOperator::Lt, end)));
    let ends = ends.map(|(sign, end)| Ok(binary(nested(value.clone()), sign, given(tree.end(at, end)?))));
    let ends = ends.collect::<Made<Vec<_>>>()?;
    ends.into_iter()
        .reduce(|one, next| binary(one, BinaryOperator::And, next))
        .ok_or_else(|| NoMeaning::new(at, "a range needs an end"))
}
