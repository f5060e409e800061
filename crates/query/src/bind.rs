//! Values on their way to a database, and their places in the SQL.

use sqlparser::ast::{Expr, Value};

/// A bound value. PostgreSQL gets every value as text with a cast beside it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Bind {
    Text(String),
    Integer(i64),
    Real(f64),
}

/// The bound values of one query, in the order of their numbers.
#[derive(Debug, Default)]
pub(crate) struct Binds {
    values: Vec<Bind>,
}

/// The most values that one query may bind; below the limit of either database.
const MOST: usize = 30_000;

/// There are more values than a query may bind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMany;

impl Binds {
    /// Binds a value and gives its place: `$1`, `$2`, …
    pub(crate) fn push(&mut self, value: Bind) -> Result<Expr, TooMany> {
        self.push_value(value).map(Expr::value)
    }

    /// Binds a value and gives its place as a value of the syntax tree.
    pub(crate) fn push_value(&mut self, value: Bind) -> Result<Value, TooMany> {
        if self.values.len() == MOST {
            return Err(TooMany);
        }
        self.values.push(value);
        Ok(Value::Placeholder(format!("${}", self.values.len())))
    }

    /// Whether the values from a number on are all text of ASCII letters, which every character set of a database holds.
    pub(crate) fn are_ascii_from(&self, first: usize) -> bool {
        self.values[first..].iter().all(|value| matches!(value, Bind::Text(text) if text.is_ascii()))
    }

    /// How many values are bound.
    pub(crate) const fn len(&self) -> usize {
        self.values.len()
    }

    pub(crate) fn into_values(self) -> Vec<Bind> {
        self.values
    }
}
