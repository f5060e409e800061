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
        if self.values.len() == MOST {
            return Err(TooMany);
        }
        self.values.push(value);
        Ok(Expr::value(Value::Placeholder(format!("${}", self.values.len()))))
    }

    pub(crate) fn into_values(self) -> Vec<Bind> {
        self.values
    }
}
