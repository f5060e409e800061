//! Made-up measures and metrics: each as SQL, and as a function of a row.

use super::world::{Dice, Row, Value};
use inlay_contract::{
    chart::question::{Cycle, Grain},
    filter::{FilterValue, Scalar},
    model::{Aggregate, Edge, ModelFilter, QueryMeasure},
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
    /// What the query says itself, in place of `of`, `condition` and `take`.
    pub own: Option<QueryMeasure>,
    /// The measure that this one is, of the rows that meet filters alone.
    pub only: Option<(usize, Vec<ModelFilter>)>,
}

/// A measure that a query says itself, of a table's columns and of those that its rows lead to.
pub(super) fn own(dice: &mut Dice, table: &str, aggregate: Aggregate, fraction: f64) -> QueryMeasure {
    // Two keys of the balances lead to the customers.
    let key = key_to_customers(dice, table);
    let via = |of: &str| way(key, of);
    let joined = match (key, dice.below(3)) {
        (None, 0) => "products.weight",
        (_, 1) => "regions.id",
        _ => "customers.region_id",
    };
    let value = match (aggregate, dice.below(8)) {
        (Aggregate::Count | Aggregate::CountDistinct, 0) => "customers.segment".to_owned(),
        (Aggregate::Count | Aggregate::CountDistinct, 1) => "regions.name".to_owned(),
        (Aggregate::Count | Aggregate::CountDistinct, 2) => format!("{table}.size"),
        (Aggregate::Count | Aggregate::CountDistinct, 3) => format!("{table}.customer_id"),
        (_, 4) => joined.to_owned(),
        (_, 5) => format!("{table}.pieces"),
        _ => format!("{table}.amount"),
    };
    let is_number = ["amount", "pieces", "weight"].iter().any(|end| value.ends_with(end)) || value == joined;
    let mut of = vec![value];
    if is_number && aggregate != Aggregate::CountDistinct && dice.once_in(2) {
        of.push(format!("{table}.pieces"));
        if dice.once_in(2) && of.iter().all(|one| one.starts_with(table)) {
            of.push(joined.to_owned());
        }
    }
    if aggregate == Aggregate::Count && dice.once_in(3) {
        of.clear();
    }
    let filters = (0..dice.below(3)).map(|_| own_filter(dice, table, via)).collect();
    let via = of.iter().filter_map(|one| via(one.split('.').next()?)).next();
    let fraction = (aggregate == Aggregate::Percentile).then_some(fraction);
    QueryMeasure { table: table.to_owned(), aggregate, of, via, fraction, filters, label: None, format: None }
}

/// The key of the balances that leads to the customers. Others have one alone.
pub(super) fn key_to_customers(dice: &mut Dice, table: &str) -> Option<&'static str> {
    (table == "balances").then(|| ["customer_id", "manager_id"][dice.below(2)])
}

pub(super) fn way(key: Option<&str>, of: &str) -> Option<String> {
    match (key, of) {
        (Some(key), "customers") => Some(key.to_owned()),
        (Some(key), "regions") => Some(format!("{key}.region_id")),
        _ => None,
    }
}

/// Which rows of a table count for a narrowed measure.
pub(super) fn only(dice: &mut Dice, table: &str) -> Vec<ModelFilter> {
    let key = key_to_customers(dice, table);
    (0..=dice.below(2)).map(|_| own_filter(dice, table, |of| way(key, of))).collect()
}

pub(super) fn own_filter(dice: &mut Dice, table: &str, via: impl Fn(&str) -> Option<String>) -> ModelFilter {
    let texts = |texts: &[&str]| FilterValue::AnyOf(texts.iter().map(|text| Scalar::Text((*text).to_owned())).collect());
    let day = |day: &str| Some(Scalar::Text(day.to_owned()));
    let (dimension, value) = match dice.below(8) {
        0 => ("customers.segment".to_owned(), texts(&["retail"])),
        1 => ("customers.tier".to_owned(), texts(&["none", "trade"])),
        2 => ("regions.name".to_owned(), texts(&["north", "west"])),
        3 => ("time".to_owned(), FilterValue::Range { from: day("2023-06-01"), to: day("2024-08-15") }),
        4 if dice.once_in(2) => ("time".to_owned(), texts(&["Weekend"])),
        4 => ("time".to_owned(), texts(&["Mon", "Tue", "Sun"])),
        5 => (format!("{table}.pieces"), FilterValue::Range { from: Some(Scalar::Number(3.into())), to: None }),
        6 if table != "balances" => ("products.category".to_owned(), texts(&["toys", "food"])),
        _ => (format!("{table}.status"), texts(&["paid", "void"])),
    };
    let is_part = value == texts(&["Weekend"]);
    let cycle = if is_part { Cycle::PartOfWeek } else { Cycle::Weekday };
    let cycle = (dimension == "time" && matches!(value, FilterValue::AnyOf(_))).then_some(cycle);
    let via = via(dimension.split('.').next().unwrap_or_default());
    ModelFilter { via, cycle, not: dice.once_in(3), ..ModelFilter::of(dimension, value) }
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
    /// The ratio of two of them.
    TotalRatio(usize, usize, bool),
    /// `coalesce(a, b, 0) - 1`
    Coalesced(usize, usize),
    /// The ratio of two measures, narrowed as a whole. Both are narrowed by the same filters.
    Narrowed(usize, usize),
}
