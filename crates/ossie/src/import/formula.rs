//! Arithmetic of aggregates as formulas.

use super::gathered::{Gathered, divisor, gathered};
use crate::{
    expression::{coalesced, is_arithmetic},
    sql,
};
use sqlparser::ast::{BinaryOperator, Expr, Ident, UnaryOperator, Value};

/// How a metric is made of aggregates and other metrics.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    Gathered(Box<Gathered>),
    /// Another metric.
    Named(Ident),
    Number(String),
    Negative(Box<Shape>),
    Nested(Box<Shape>),
    Operation(Box<Shape>, BinaryOperator, Box<Shape>),
    Either(Vec<Shape>),
}

/// Reads an expression as arithmetic of aggregates.
///
/// # Errors
/// The part that a formula cannot hold, in a sentence without its subject.
pub(super) fn shape(expression: &Expr) -> Result<Shape, String> {
    if let Some(gathered) = gathered(expression) {
        return Ok(Shape::Gathered(Box::new(gathered)));
    }
    Ok(match expression {
        Expr::Nested(inner) => Shape::Nested(Box::new(shape(inner)?)),
        Expr::Identifier(name) => Shape::Named(name.clone()),
        Expr::Value(value) if let Value::Number(digits, _) = &value.value => Shape::Number(digits.clone()),
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => Shape::Negative(Box::new(shape(expr)?)),
        Expr::BinaryOp { left, op: BinaryOperator::Divide, right } => {
            let by = shape(divisor(right))?;
            let by = if by.is_whole() { by } else { Shape::Nested(Box::new(by)) };
            Shape::Operation(Box::new(shape(dividend(left))?), BinaryOperator::Divide, Box::new(by))
        }
        Expr::BinaryOp { left, op, right } if is_arithmetic(op) => {
            Shape::Operation(Box::new(shape(left)?), op.clone(), Box::new(shape(right)?))
        }
        other => match coalesced(other) {
            Some(numbers) => Shape::Either(numbers.into_iter().map(shape).collect::<Result<_, _>>()?),
            None => return Err(format!("holds `{other}`, which is neither an aggregate of a measure nor part of a formula")),
        },
    })
}

/// The number without `1.0 *` before it: our divisions have decimals anyway.
fn dividend(expression: &Expr) -> &Expr {
    match expression {
        Expr::BinaryOp { left, op: BinaryOperator::Multiply, right } if sql::is_number(left, 1.0) => right,
        other => other,
    }
}

impl Shape {
    fn is_whole(&self) -> bool {
        !matches!(self, Self::Operation(..) | Self::Negative(_))
    }

    fn bare(&self) -> &Self {
        match self {
            Self::Nested(inner) => inner.bare(),
            other => other,
        }
    }

    /// The two numbers of a division of nothing but two numbers.
    pub(super) fn ratio(&self) -> Option<(&Self, &Self)> {
        let Self::Operation(left, BinaryOperator::Divide, right) = self.bare() else { return None };
        let is_number = |one: &Self| matches!(one, Self::Gathered(_) | Self::Named(_));
        let (left, right) = (left.bare(), right.bare());
        (is_number(left) && is_number(right)).then_some((left, right))
    }

    /// Its aggregates and metrics, from left to right.
    pub(super) fn leaves<'s>(&'s self, found: &mut Vec<&'s Self>) {
        match self {
            Self::Gathered(_) | Self::Named(_) => found.push(self),
            Self::Number(_) => {}
            Self::Negative(inner) | Self::Nested(inner) => inner.leaves(found),
            Self::Operation(left, _, right) => {
                left.leaves(found);
                right.leaves(found);
            }
            Self::Either(numbers) => numbers.iter().for_each(|one| one.leaves(found)),
        }
    }

    /// The formula's text. `names` are those of the leaves, from left to right.
    pub(super) fn text(&self, names: &mut dyn Iterator<Item = String>) -> String {
        match self {
            Self::Gathered(_) | Self::Named(_) => names.next().unwrap_or_default(),
            Self::Number(digits) => digits.clone(),
            Self::Negative(inner) => format!("-{}", inner.text(names)),
            Self::Nested(inner) => format!("({})", inner.text(names)),
            Self::Operation(left, operator, right) => {
                let left = left.text(names);
                format!("{left} {operator} {}", right.text(names))
            }
            Self::Either(numbers) => {
                let texts: Vec<String> = numbers.iter().map(|one| one.text(names)).collect();
                format!("coalesce({})", texts.join(", "))
            }
        }
    }
}
