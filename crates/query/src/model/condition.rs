//! The conditions of filter values on expressions.

use super::{
    Made, NoMeaning,
    fiscal::YearStart,
    plan::Plan,
    tree::{Tree, binary, nested, number},
};
use chrono::NaiveDate;
use inlay_contract::filter::{FilterValue, Scalar};
use sqlparser::ast::{BinaryOperator, Expr};

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

fn any_of(tree: Tree, at: &str, value: &Expr, values: &[Scalar]) -> Made<Expr> {
    let value = || nested(value.clone());
    match values {
        [] => Ok(binary(number("1"), BinaryOperator::Eq, number("0"))),
        [one] => Ok(binary(value(), BinaryOperator::Eq, tree.literal(at, one)?)),
        several => {
            let list = several.iter().map(|one| tree.literal(at, one)).collect::<Made<Vec<_>>>()?;
            Ok(Expr::InList { expr: Box::new(value()), list, negated: false })
        }
    }
}

fn between(tree: Tree, at: &str, value: &Expr, from: Option<&Scalar>, to: Option<&Scalar>) -> Made<Expr> {
    let ends = from.map(|end| (BinaryOperator::GtEq, end)).into_iter().chain(to.map(|end| (BinaryOperator::Lt, end)));
    let ends = ends.map(|(sign, end)| Ok(binary(nested(value.clone()), sign, tree.end(at, end)?)));
    let ends = ends.collect::<Made<Vec<_>>>()?;
    ends.into_iter()
        .reduce(|one, next| binary(one, BinaryOperator::And, next))
        .ok_or_else(|| NoMeaning::new(at, "a range needs an end"))
}
