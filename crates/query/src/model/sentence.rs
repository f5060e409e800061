//! What a query works out, in a sentence.

use super::{
    definition::{Model, listed},
    fiscal::YearStart,
    groups::Place,
    plan::Plan,
};
use chrono::NaiveDate;
use inlay_contract::{
    filter::{FilterValue, Scalar},
    model::{Compare, ModelFilter},
};

/// `Revenue and Orders by Region, where Day is from 2024-01-01 up to 2024-02-01, beside the period before.`
pub(super) fn of(plan: &Plan<'_>) -> String {
    let groups = listed(plan.groups.iter().map(|group| group.label.as_str()));
    let numbers = listed(plan.numbers.iter().map(|asked| asked.label.as_str()));
    let mut said = match (plan.numbers.is_empty(), plan.groups.is_empty()) {
        (true, _) => format!("The different values of {groups}"),
        (false, true) => numbers,
        (false, false) => format!("{numbers} by {groups}"),
    };
    let fact = plan.facts.first().map_or("", |fact| fact.table);
    let filters: Vec<String> =
        plan.query.filters.iter().map(|filter| condition(plan.model, fact, filter, plan.today)).collect();
    if !filters.is_empty() {
        said += &format!(", where {}", listed(filters.iter().map(String::as_str)));
    }
    let having: Vec<String> = plan
        .query
        .having
        .iter()
        .map(|having| format!("{} is {} {}", column_label(plan, &having.measure), having.comparison.words(), having.than))
        .collect();
    if !having.is_empty() {
        said += &format!(", kept where {}", listed(having.iter().map(String::as_str)));
    }
    if let Some(top) = &plan.query.top {
        let named = |names: &mut dyn Iterator<Item = &String>| {
            let labels: Vec<String> = names.map(|name| column_label(plan, name)).collect();
            listed(labels.iter().map(String::as_str))
        };
        let order = named(&mut plan.query.sort.iter().map(|order| &order.by));
        said += &format!(", the first {} for each {} in the order of {order}", top.rows, named(&mut top.per.iter()));
    }
    match plan.query.compare {
        Some(Compare::Previous) => said += ", beside the period before",
        Some(Compare::Year) => said += ", beside the year before",
        None => {}
    }
    said + "."
}

/// `Day is from 2024-01-01 up to 2024-02-01`, of a table's rows.
pub(super) fn condition(model: &Model, fact: &str, filter: &ModelFilter, today: NaiveDate) -> String {
    let value = match &filter.value {
        FilterValue::AnyOf(values) => {
            let values: Vec<String> = values.iter().map(word).collect();
            match &values[..] {
                [] => "none".to_owned(),
                [one] => one.clone(),
                several => format!("one of {}", listed(several.iter().map(String::as_str))),
            }
        }
        FilterValue::Range { from: Some(from), to: Some(to) } => format!("from {} up to {}", word(from), word(to)),
        FilterValue::Range { from: Some(from), .. } => format!("from {}", word(from)),
        FilterValue::Range { to: Some(to), .. } => format!("before {}", word(to)),
        FilterValue::Range { .. } => "anything".to_owned(),
        FilterValue::Relative(period) if filter.newest => {
            format!("in the {} up to the newest", period.to_string().replace('_', " "))
        }
        FilterValue::Relative(period) => {
            let (from, to) = YearStart::of_filter(model, fact, filter).days(*period, today);
            format!("from {from} up to {to}")
        }
    };
    let place = Place::of(model, "filters", fact, &filter.dimension, filter.via.as_deref());
    let label = place.map_or_else(|_| filter.dimension.clone(), |place| place.label(model));
    let label = filter.cycle.map_or(label.clone(), |cycle| format!("{label} ({})", cycle.name()));
    format!("{label} is {}{value}", if filter.not { "not " } else { "" })
}

/// What people read instead of a column's name.
fn column_label(plan: &Plan<'_>, name: &str) -> String {
    let column = plan.columns().into_iter().find(|column| column.name == name);
    column.map_or_else(|| name.to_owned(), |column| column.label)
}

fn word(value: &Scalar) -> String {
    match value {
        Scalar::Text(text) => text.clone(),
        Scalar::Number(number) => number.to_string(),
        Scalar::Boolean(on) => if *on { "yes" } else { "no" }.to_owned(),
    }
}
