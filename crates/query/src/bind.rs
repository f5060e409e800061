//! Bound values and their placeholders in the SQL.

use sqlparser::ast::{Expr, Value};

/// A bound value. PostgreSQL gets every value as text with a cast.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Bind {
    Text(String),
    Integer(i64),
    Real(f64),
}

/// The bound values of a query, in order.
#[derive(Debug, Default)]
pub(crate) struct Binds {
    values: Vec<Bind>,
}

/// The most values of a query, which is below every database's limit.
const MOST: usize = 30_000;

/// The query has too many values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMany;

impl Binds {
    /// Binds a value and returns its placeholder: `$1`, `$2`, …
    pub(crate) fn push(&mut self, value: Bind) -> Result<Expr, TooMany> {
        self.push_value(value).map(Expr::value)
    }

    /// Binds a value and returns its placeholder as a value of the syntax tree.
    pub(crate) fn push_value(&mut self, value: Bind) -> Result<Value, TooMany> {
        if self.values.len() == MOST {
            return Err(TooMany);
        }
        self.values.push(value);
        Ok(Value::Placeholder(format!("${}", self.values.len())))
    }

    /// Whether all values from this position on are ASCII text, which every character set can represent.
    pub(crate) fn are_ascii_from(&self, first: usize) -> bool {
        self.values[first..].iter().all(|value| matches!(value, Bind::Text(text) if text.is_ascii()))
    }

    /// The number of values.
    pub(crate) const fn len(&self) -> usize {
        self.values.len()
    }

    pub(crate) fn into_values(self) -> Vec<Bind> {
        self.values
    }
}
