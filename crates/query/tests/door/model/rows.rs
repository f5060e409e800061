//! What single rows hold, and which filters they pass.

use super::{
    made::Made,
    periods::Shift,
    reference::Case,
    world::{Row, Value},
};
use chrono::{Datelike, Months, NaiveDate};
use inlay_contract::{
    chart::question::Cycle,
    filter::{FilterValue, Period, Scalar, Unit},
    model::ModelFilter,
};

impl Case<'_> {
    /// Whether a row passes a filter.
    pub(super) fn passes(
        &self,
        table: &str,
        time: &str,
        row: &Row,
        filter: &ModelFilter,
        shift: Option<Shift>,
        today: Option<NaiveDate>,
    ) -> bool {
        let (value, is_time) = self.value(table, time, row, &filter.dimension, filter.via.as_deref());
        let value = filter.cycle.map_or(value.clone(), |cycle| in_cycle(cycle, &value));
        let shift = shift.filter(|_| is_time && filter.cycle.is_none());
        let kept = today.is_some_and(|today| self.is_wanted(&value, &filter.value, shift, today));
        if filter.not { !kept || value == Value::Null } else { kept }
    }

    /// Whether a row counts for a measure.
    pub(super) fn counts(&self, made: &Made, row: &Row) -> bool {
        let passes = |filter: &ModelFilter| self.passes(made.table, made.time, row, filter, None, Some(self.today));
        made.only.iter().flat_map(|(_, filters)| filters).all(passes)
            && match &made.own {
                Some(own) => own.filters.iter().all(passes),
                None => made.condition.is_none_or(|condition| condition.holds(row)),
            }
    }

    /// What a measure gathers of a row.
    pub(super) fn gathered_of(&self, made: &Made, row: &Row) -> Value {
        let Some(own) = &made.own else { return made.of.value(row) };
        let values: Vec<Value> = own
            .of
            .iter()
            .map(|name| {
                let via = own.via.as_deref().filter(|_| !name.starts_with(&format!("{}.", made.table)));
                self.value(made.table, made.time, row, name, via).0
            })
            .collect();
        match &values[..] {
            [] => Value::Int(1),
            [one] => one.clone(),
            several => {
                let number = |value: &Value| if let Value::Int(number) = value { Some(*number) } else { None };
                several.iter().map(number).product::<Option<i64>>().map_or(Value::Null, Value::Int)
            }
        }
    }

    pub(super) fn value(&self, table: &str, time: &str, row: &Row, name: &str, via: Option<&str>) -> (Value, bool) {
        if name == "time" {
            return (row[time].clone(), true);
        }
        let (of, column) = name.split_once('.').expect("table.column");
        let way: Vec<&str> = match (via, table, of) {
            (Some(via), ..) => via.split('.').collect(),
            (None, from, to) if from == to => Vec::new(),
            (None, "customers", "regions") => vec!["region_id"],
            (None, _, "regions") => vec!["customer_id", "region_id"],
            (None, _, "customers") => vec!["customer_id"],
            (None, _, "products") => vec!["product_id"],
            (None, from, to) => panic!("no way from {from} to {to}"),
        };
        let mut row = row;
        for step in &way {
            let to = match *step {
                "region_id" => "regions",
                "product_id" => "products",
                _ => "customers",
            };
            let found = self.world.permitted(to).into_iter().find(|other| other["id"] == row[step] && row[step] != Value::Null);
            let Some(found) = found else { return (Value::Null, false) };
            row = found;
        }
        if column == "size" {
            let large = matches!(row["amount"], Value::Int(amount) if amount >= 50);
            return (Value::Text(if large { "large" } else { "small" }.to_owned()), false);
        }
        if column == "tier" {
            let none = || Value::Text("none".to_owned());
            let segment = row["segment"].clone();
            return (if segment == Value::Null { none() } else { segment }, false);
        }
        (row[column].clone(), way.is_empty() && column == time)
    }

    fn is_wanted(&self, value: &Value, wanted: &FilterValue, shift: Option<Shift>, today: NaiveDate) -> bool {
        match wanted {
            FilterValue::AnyOf(values) => values.iter().any(|one| match (one, value) {
                (Scalar::Text(text), Value::Text(own)) => text == own,
                (Scalar::Number(number), Value::Int(own)) => number.as_i64() == Some(*own),
                _ => false,
            }),
            FilterValue::Range { from, to } => match value {
                Value::Day(day) => {
                    let end = |end: &Option<Scalar>| match end {
                        Some(Scalar::Text(text)) => Some(text.parse::<NaiveDate>().expect("a day")),
                        _ => None,
                    };
                    match (shift, end(from), end(to)) {
                        (Some(shift), Some(from), Some(to)) => shift.holds(*day, from, to),
                        (_, from, to) => from.is_none_or(|from| *day >= from) && to.is_none_or(|to| *day < to),
                    }
                }
                Value::Int(number) => {
                    let end = |end: &Option<Scalar>| match end {
                        Some(Scalar::Number(end)) => end.as_i64(),
                        _ => None,
                    };
                    end(from).is_none_or(|from| *number >= from) && end(to).is_none_or(|to| *number < to)
                }
                _ => false,
            },
            FilterValue::Relative(period) => {
                let fiscal =
                    matches!(period, Period::This(Unit::Quarter | Unit::Year) | Period::Previous(Unit::Quarter | Unit::Year));
                let months = Months::new(if fiscal { self.year } else { 0 });
                let (from, to) = period.days(today - months);
                let (from, to) = (from + months, to + months);
                matches!(value, Value::Day(day) if shift.map_or(*day >= from && *day < to, |shift| shift.holds(*day, from, to)))
            }
        }
    }
}

/// `Mon` to `Sun`, or the part of the week.
pub(super) fn in_cycle(cycle: Cycle, value: &Value) -> Value {
    let Value::Day(day) = value else { return Value::Null };
    Value::Text(match cycle {
        Cycle::Weekday => day.format("%a").to_string(),
        Cycle::PartOfWeek if day.weekday().num_days_from_monday() < 5 => "Weekday".to_owned(),
        Cycle::PartOfWeek => "Weekend".to_owned(),
        Cycle::Hour => panic!("days have no hours"),
    })
}
