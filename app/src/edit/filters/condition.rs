//! The conditions of a question in the chart builder.

use crate::{
    edit::builder::{
        Builder,
        field::{self, Choice, bare_select, group},
    },
    filters::period::{self, OFFERED},
    ui::part::{IntoPart, Part},
};
use inlay_contract::{
    calendar::{self, DAY},
    chart::question::{Question, QuestionCondition, Wanted},
    data::ColumnType,
    edit::OfferedTable,
    filter::{FilterValue, Period, Scalar},
};
use leptos::prelude::*;
use serde_json::Number;

/// The question's conditions.
pub fn list(builder: Builder, question: &Question, table: &OfferedTable) -> Part {
    let kinds: Vec<(String, ColumnType)> = table.columns.iter().map(|column| (column.name.clone(), column.kind)).collect();
    let kind_of = move |kinds: &[(String, ColumnType)], name: &str| {
        kinds.iter().find(|(column, _)| column == name).map_or(ColumnType::Text, |(_, kind)| *kind)
    };
    let choices: Vec<Choice> = table.columns.iter().map(|column| (column.name.clone(), column.label.clone())).collect();
    let line_of = |(at, condition): (usize, &QuestionCondition)| {
        let kind = kind_of(&kinds, &condition.column);
        let all = kinds.clone();
        let choose = move |column: String| {
            let value = blank(kind_of(&all, &column));
            builder.ask(|question| question.filters[at] = QuestionCondition::of(column, value));
        };
        let head = bare_select("Where", choices.clone(), condition.column.clone(), choose);
        let value = match condition.filter() {
            Some(now) => {
                let set = move |value| builder.ask(|question| question.filters[at].value = Wanted::Filter(value));
                value(kind, now, Callback::new(set))
            }
            None => view! { <span>"Set by the API"</span> }.part(),
        };
        field::condition(head, value, move || builder.ask(|question| drop(question.filters.remove(at))))
    };
    let rows = question.filters.iter().enumerate().map(line_of).collect();
    let first = kinds.first().cloned();
    group("Conditions", rows, "Add condition", move || {
        if let Some((column, kind)) = first.clone() {
            builder.ask(|question| question.filters.push(QuestionCondition::of(column, blank(kind))));
        }
    })
}

/// The initial value of a condition on a column of this type. Numbers and texts have to be typed, so theirs is not finished.
#[must_use]
pub fn blank(kind: ColumnType) -> FilterValue {
    match kind {
        ColumnType::Date | ColumnType::Timestamp => FilterValue::Relative(Period::LastDays(30)),
        ColumnType::Number => FilterValue::Range { from: None, to: None },
        ColumnType::Boolean => FilterValue::AnyOf(vec![Scalar::Boolean(true)]),
        ColumnType::Text | ColumnType::Json => FilterValue::AnyOf(Vec::new()),
    }
}

/// The control for a condition's value.
pub fn value(kind: ColumnType, now: &FilterValue, set: Callback<FilterValue>) -> Part {
    match kind {
        ColumnType::Date | ColumnType::Timestamp => days(now, set),
        ColumnType::Boolean => {
            let choices = vec![("true".to_owned(), "Yes".to_owned()), ("false".to_owned(), "No".to_owned())];
            let chosen = (*now == FilterValue::AnyOf(vec![Scalar::Boolean(true)])).to_string();
            bare_select("Value", choices, chosen, move |text| {
                set.run(FilterValue::AnyOf(vec![Scalar::Boolean(text == "true")]));
            })
        }
        ColumnType::Number => input("From – to", &numbers(now), move |text| {
            if let Some(range) = range(&text) {
                set.run(range);
            }
        }),
        ColumnType::Text | ColumnType::Json => {
            input("Any of (comma-separated)", &words(now), move |text| set.run(any_of(&text)))
        }
    }
}

/// The value of the choice that shows two dates.
const DATES: &str = "dates";

/// The day so many days ago, in UTC.
fn day_before(days: i64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "whole milliseconds")]
    let now = js_sys::Date::now() as i64;
    calendar::written(now - days * DAY)
}

/// A relative period, or the first and the last day of one.
fn days(now: &FilterValue, set: Callback<FilterValue>) -> Part {
    let chosen = if let FilterValue::Relative(period) = now { period.to_string() } else { DATES.to_owned() };
    let offered = OFFERED.iter().map(|period| (period.to_string(), period::words(*period)));
    // An author's period that is not on offer.
    let own = match now {
        FilterValue::Relative(period) if !OFFERED.contains(period) => Some((period.to_string(), period::words(*period))),
        _ => None,
    };
    let choices = own.into_iter().chain(offered).chain([(DATES.to_owned(), "Dates".to_owned())]).collect();
    let choose = move |text: String| match text.parse() {
        Ok(period) => set.run(FilterValue::Relative(period)),
        Err(_) => period::from_inputs(&day_before(29), &day_before(0)).into_iter().for_each(|value| set.run(value)),
    };
    let (first, last) = period::inputs(Some(now));
    let ends = StoredValue::new((first.clone(), last.clone()));
    let change = move |edit: fn(&mut (String, String), String), day: String| {
        ends.update_value(|ends| edit(ends, day));
        if let Some(range) = ends.with_value(|(first, last)| period::from_inputs(first, last)) {
            set.run(range);
        }
    };
    let day = |label: &'static str, value: String, edit: fn(&mut (String, String), String)| {
        view! {
            <input
                class="control"
                type="date"
                aria-label=label
                prop:value=value
                on:change=field::settled(move |day| change(edit, day))
            />
        }
    };
    let dates = matches!(now, FilterValue::Range { .. } | FilterValue::AnyOf(_)).then(|| {
        view! { {day("First day", first, |ends, day| ends.0 = day)} {day("Last day", last, |ends, day| ends.1 = day)} }
    });
    view! { {bare_select("Period", choices, chosen, choose)} {dates} }.part()
}

fn input(label: &'static str, now: &str, set: impl Fn(String) + 'static) -> Part {
    field::text(label, label, now.to_owned(), set)
}

fn words(value: &FilterValue) -> String {
    match value {
        FilterValue::AnyOf(values) => values
            .iter()
            .map(|value| match value {
                Scalar::Text(text) => text.clone(),
                Scalar::Number(number) => number.to_string(),
                Scalar::Boolean(on) => on.to_string(),
            })
            .collect::<Vec<_>>()
            .join(", "),
        FilterValue::Range { .. } | FilterValue::Relative(_) => String::new(),
    }
}

fn any_of(text: &str) -> FilterValue {
    let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
    FilterValue::AnyOf(words.map(|word| Scalar::Text(word.to_owned())).collect())
}

fn numbers(value: &FilterValue) -> String {
    let end = |end: &Option<Scalar>| match end {
        Some(Scalar::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    match value {
        FilterValue::Range { from: None, to: None } => String::new(),
        FilterValue::Range { from, to } => format!("{} – {}", end(from), end(to)).trim().to_owned(),
        FilterValue::AnyOf(_) | FilterValue::Relative(_) => String::new(),
    }
}

/// Parses `5 – 10`, `5 –` and `– 10`. A single number means that number, an empty text none yet.
fn range(text: &str) -> Option<FilterValue> {
    if text.trim().is_empty() {
        return Some(FilterValue::Range { from: None, to: None });
    }
    let number = |text: &str| text.trim().parse::<Number>().ok().map(Scalar::Number);
    match text.split_once('–') {
        Some((from, to)) => {
            let (from, to) = (number(from), number(to));
            (from.is_some() || to.is_some()).then_some(FilterValue::Range { from, to })
        }
        None => number(text).map(|number| FilterValue::AnyOf(vec![number])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_typed_becomes_a_condition_and_is_shown_again() {
        let json = |text| range(text).map(|value| value.to_json());
        assert_eq!(json("5 – 10"), Some(json!({"from": 5, "to": 10})));
        assert_eq!(json("– 10"), Some(json!({"to": 10})));
        assert_eq!(json("-3"), Some(json!(-3)));
        assert_eq!(json("x"), None);
        for unfinished in [blank(ColumnType::Number), blank(ColumnType::Text), any_of(" , "), range(" ").expect("no numbers")] {
            assert!(!unfinished.has_value(), "{unfinished:?}");
            assert_eq!((numbers(&unfinished), words(&unfinished)), (String::new(), String::new()));
        }
        assert!(any_of("ATL").has_value() && range("5 –").expect("a range").has_value());
        assert!(blank(ColumnType::Date).has_value() && blank(ColumnType::Boolean).has_value());
        assert_eq!(numbers(&range("5 – 10").expect("a range")), "5 – 10");
        assert_eq!(any_of("ATL, LAX").to_json(), json!(["ATL", "LAX"]));
        assert_eq!(words(&any_of("ATL, LAX")), "ATL, LAX");
    }
}
