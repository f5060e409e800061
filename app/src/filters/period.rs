//! The labels of relative periods and the dates of a date range's inputs. Pure.

use inlay_contract::{
    calendar::{self, DAY},
    filter::{FilterValue, Period, Scalar, Unit},
};

/// The relative periods on offer, in order.
pub const OFFERED: [Period; 15] = [
    Period::Today,
    Period::Yesterday,
    Period::LastDays(7),
    Period::LastDays(30),
    Period::LastDays(90),
    Period::LastMonths(6),
    Period::LastMonths(12),
    Period::This(Unit::Week),
    Period::This(Unit::Month),
    Period::This(Unit::Quarter),
    Period::This(Unit::Year),
    Period::Previous(Unit::Week),
    Period::Previous(Unit::Month),
    Period::Previous(Unit::Quarter),
    Period::Previous(Unit::Year),
];

/// The label of a period: `Last 7 days`.
#[must_use]
pub fn words(period: Period) -> String {
    let last = |count: u32, unit: &str| if count == 1 { format!("Last {unit}") } else { format!("Last {count} {unit}s") };
    let unit = |unit| match unit {
        Unit::Week => "week",
        Unit::Month => "month",
        Unit::Quarter => "quarter",
        Unit::Year => "year",
    };
    match period {
        Period::Today => "Today".into(),
        Period::Yesterday => "Yesterday".into(),
        Period::LastDays(count) => last(count, "day"),
        Period::LastWeeks(count) => last(count, "week"),
        Period::LastMonths(count) => last(count, "month"),
        Period::This(of) => format!("This {}", unit(of)),
        Period::Previous(of) => format!("Previous {}", unit(of)),
    }
}

/// The dates of the two inputs, both inclusive. An open end is empty.
#[must_use]
pub fn inputs(value: Option<&FilterValue>) -> (String, String) {
    match value {
        Some(FilterValue::Range { from, to }) => {
            let day = |end: &Option<Scalar>| match end {
                Some(Scalar::Text(text)) => text.get(..10).unwrap_or(text).to_owned(),
                _ => String::new(),
            };
            (day(from), moved(&day(to), -1))
        }
        // A single day is a range of that day.
        Some(FilterValue::AnyOf(days)) => match days.as_slice() {
            [Scalar::Text(day)] => (day.clone(), day.clone()),
            _ => Default::default(),
        },
        Some(FilterValue::Relative(_)) | None => Default::default(),
    }
}

/// A range of days in words, with both ends part of it: `2001-01-01 – 2001-01-31`. `None` for a range of anything else.
#[must_use]
pub fn range(value: &FilterValue) -> Option<String> {
    let FilterValue::Range { from, to } = value else { return None };
    let is_day =
        |end: &Scalar| matches!(end, Scalar::Text(text) if text.len() == "2001-01-31".len() && calendar::parse(text).is_some());
    if ![from, to].into_iter().flatten().all(is_day) {
        return None;
    }
    match inputs(Some(value)) {
        (from, to) if from.is_empty() => (!to.is_empty()).then(|| format!("until {to}")),
        (from, to) if to.is_empty() => Some(format!("from {from}")),
        (from, to) if from == to => Some(from),
        (from, to) => Some(format!("{from} – {to}")),
    }
}

/// The filter of two date inputs. Its upper end is exclusive. `None` if both inputs are empty.
#[must_use]
pub fn from_inputs(from: &str, to: &str) -> Option<FilterValue> {
    let end = |day: String| (!day.is_empty()).then_some(Scalar::Text(day));
    let (from, to) = (end(from.trim().to_owned()), end(moved(to.trim(), 1)));
    (from.is_some() || to.is_some()).then_some(FilterValue::Range { from, to })
}

/// An input of a date range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The first day.
    From,
    /// The last day.
    To,
}

/// The filter after one of two date inputs was changed. The other input is emptied if the range would end before it begins.
#[must_use]
pub fn changed(end: End, from: &str, to: &str) -> Option<FilterValue> {
    let is_turned = calendar::parse(from).zip(calendar::parse(to)).is_some_and(|(from, to)| to < from);
    match end {
        End::From if is_turned => from_inputs(from, ""),
        End::To if is_turned => from_inputs("", to),
        End::From | End::To => from_inputs(from, to),
    }
}

/// The day that many days later. Returns an empty text for an invalid date, such as one that is half typed.
fn moved(day: &str, days: i64) -> String {
    let moment = Some(day).filter(|day| day.len() == "2001-01-31".len()).and_then(calendar::parse);
    moment.map_or_else(String::new, |moment| calendar::written(moment + days * DAY))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_last_day_of_the_inputs_is_part_of_the_range() {
        let value = from_inputs("2001-01-01", "2001-01-31").expect("a range");
        assert_eq!(value.to_json(), json!({"from": "2001-01-01", "to": "2001-02-01"}));
        assert_eq!(inputs(Some(&value)), ("2001-01-01".into(), "2001-01-31".into()));
    }

    #[test]
    fn either_end_may_be_open() {
        let json = |from, to| from_inputs(from, to).map(|value| value.to_json());
        assert_eq!(json("2001-01-01", ""), Some(json!({"from": "2001-01-01"})));
        assert_eq!(json("", "2000-02-28"), Some(json!({"to": "2000-02-29"})));
        assert_eq!(json("", ""), None);
        assert_eq!(json("", "2001-13"), None);
    }

    #[test]
    fn the_end_that_was_changed_last_counts() {
        let json = |end, from, to| changed(end, from, to).map(|value| value.to_json());
        assert_eq!(json(End::To, "2001-02-01", "2001-01-31"), Some(json!({"to": "2001-02-01"})));
        assert_eq!(json(End::From, "2001-02-01", "2001-01-31"), Some(json!({"from": "2001-02-01"})));
        assert_eq!(json(End::To, "2001-02-01", "2001-02-01"), Some(json!({"from": "2001-02-01", "to": "2001-02-02"})));
        assert_eq!(json(End::From, "", "2001-01-31"), Some(json!({"to": "2001-02-01"})));
    }

    #[test]
    fn timestamps_of_the_address_show_their_day() {
        let value = FilterValue::from_json(json!({"from": "2001-01-01T10:00:00", "to": "2001-02-01T00:00:00"}));
        assert_eq!(inputs(value.ok().as_ref()), ("2001-01-01".into(), "2001-01-31".into()));
    }

    #[test]
    fn a_range_of_days_is_told_with_both_ends() {
        let told = |json| range(&FilterValue::from_json(json).expect("a filter"));
        assert_eq!(told(json!({"from": "2001-01-01", "to": "2001-02-01"})).as_deref(), Some("2001-01-01 – 2001-01-31"));
        assert_eq!(told(json!({"from": "2001-01-01", "to": "2001-01-02"})).as_deref(), Some("2001-01-01"));
        assert_eq!(told(json!({"from": "2001-01-01"})).as_deref(), Some("from 2001-01-01"));
        assert_eq!(told(json!({"to": "2001-01-01"})).as_deref(), Some("until 2000-12-31"));
        assert_eq!(told(json!({"from": 5, "to": 7})), None);
        assert_eq!(told(json!({"from": "2001-01-01T10:00:00"})), None);
    }

    #[test]
    fn periods_have_words() {
        assert_eq!(words(Period::LastDays(7)), "Last 7 days");
        assert_eq!(words(Period::LastMonths(1)), "Last month");
        assert_eq!(words(Period::Previous(Unit::Quarter)), "Previous quarter");
    }
}
