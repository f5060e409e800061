//! Made-up measures and metrics: each as SQL, and as a function of a row.

use super::world::{Row, Value};
use inlay_contract::{
    chart::question::Grain,
    model::{Aggregate, Edge},
};

/// What a measure gathers of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    Rows,
    Column(&'static str),
    /// `amount * 2 - pieces`
    Difference,
    /// `case when pieces > 3 then amount else 0 end`
    Some,
}

impl Of {
    pub(super) fn sql(self) -> Option<String> {
        match self {
            Self::Rows => None,
            Self::Column(column) => Some(column.to_owned()),
            Self::Difference => Some("amount * 2 - pieces".to_owned()),
            Self::Some => Some("case when pieces > 3 then amount else 0 end".to_owned()),
        }
    }

    pub(super) fn value(self, row: &Row) -> Value {
        let int = |column: &str| match row[column] {
            Value::Int(number) => Some(number),
            _ => None,
        };
        match self {
            Self::Rows => Value::Int(1),
            Self::Column(column) => row[column].clone(),
            Self::Difference => int("amount").zip(int("pieces")).map_or(Value::Null, |(a, p)| Value::Int(a * 2 - p)),
            Self::Some if int("pieces").is_some_and(|pieces| pieces > 3) => row["amount"].clone(),
            Self::Some => Value::Int(0),
        }
    }
}

/// Which rows a measure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Where {
    Paid,
    Many,
    NoStatus,
}

impl Where {
    pub(super) const fn sql(self) -> &'static str {
        match self {
            Self::Paid => "status = 'paid'",
            Self::Many => "pieces >= 4 or amount < 10",
            Self::NoStatus => "status is null",
        }
    }

    pub(super) fn holds(self, row: &Row) -> bool {
        match self {
            Self::Paid => row["status"] == Value::Text("paid".to_owned()),
            Self::Many => {
                matches!(row["pieces"], Value::Int(pieces) if pieces >= 4)
                    || matches!(row["amount"], Value::Int(amount) if amount < 10)
            }
            Self::NoStatus => row["status"] == Value::Null,
        }
    }
}

/// A measure of a made-up model.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub table: &'static str,
    pub time: &'static str,
    pub aggregate: Aggregate,
    pub of: Of,
    pub condition: Option<Where>,
    pub fraction: f64,
    pub take: Option<(Edge, Vec<&'static str>)>,
}

/// How a metric is made.
#[derive(Clone, Debug)]
pub(super) enum How {
    Base(usize),
    Ratio(usize, usize),
    /// `(a + b) * 2 - c / 4`
    Formula(usize, usize, usize),
    Running(usize),
    ToDate(usize, Grain),
    Moving(usize, u16),
    /// Of all groups that are alike in the first dimension, or of all.
    Total(usize, bool),
    Share(usize, bool),
}
