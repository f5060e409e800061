//! A question about a table: which numbers, for each of what.

use super::{
    Builder,
    field::{Choice, bare_select, group, line, select},
    opening,
};
use crate::{
    edit::filters::condition,
    ui::part::{IntoPart, Part},
};
use inlay_contract::{
    chart::question::{Aggregate, Dimension, Grain, Measure, Order, Question},
    data::ColumnType,
    edit::{OfferedColumn, OfferedTable},
};
use leptos::prelude::*;

/// The form.
pub fn asked(builder: Builder) -> Part {
    let tables: Vec<Choice> = builder.sources.with_untracked(|sources| {
        let of = |source: &inlay_contract::edit::OfferedSource| {
            let connection = source.connection;
            let key = move |table: &OfferedTable| (format!("{connection} {}", table.name), table.label.clone());
            source.tables.iter().map(key).collect::<Vec<_>>()
        };
        sources.iter().filter(|source| builder.is_open_to(source)).flat_map(of).collect()
    });
    let table = move || {
        let connection = builder.built.with(|built| built.connection);
        connection.zip(builder.question()).map(|(id, question)| format!("{id} {}", question.table)).unwrap_or_default()
    };
    let choose = move |chosen: String| {
        if let Some((connection, name)) = chosen.split_once(' ').and_then(|(id, name)| Some((id.parse().ok()?, name))) {
            builder.choose_table(connection, name);
        }
    };
    view! {
        {select("Table", tables, table, choose)}
        {move || builder.table().map(|table| lists(builder, &table))}
    }
    .part()
}

fn lists(builder: Builder, table: &OfferedTable) -> Part {
    let question = builder.question().unwrap_or_default();
    view! {
        {measures(builder, &question, table)}
        {dimensions(builder, &question, table)}
        {condition::list(builder, &question, table)}
        {order(builder, &question, table)}
    }
    .part()
}

fn columns(table: &OfferedTable, fits: impl Fn(&OfferedColumn) -> bool) -> Vec<Choice> {
    table.columns.iter().filter(|column| fits(column)).map(|column| (column.name.clone(), column.label.clone())).collect()
}

fn measures(builder: Builder, question: &Question, table: &OfferedTable) -> Part {
    let line_of = |(at, measure): (usize, &Measure)| {
        let how = Aggregate::OFFERED.iter().map(|how| (how.label().to_owned(), how.label().to_owned())).collect();
        let change_how = move |chosen: String| {
            let how = Aggregate::OFFERED.into_iter().find(|how| how.label() == chosen).unwrap_or(Aggregate::Count);
            builder.ask(|question| question.measures[at].aggregate = how);
        };
        let is_number = matches!(measure.aggregate, Aggregate::Sum | Aggregate::Average);
        let of = columns(table, |column| !is_number || column.kind == ColumnType::Number);
        let rows = (measure.aggregate == Aggregate::Count).then(|| (String::new(), "rows".to_owned()));
        let of: Vec<Choice> = rows.into_iter().chain(of).collect();
        let first = of.first().map(|(name, _)| name.clone()).unwrap_or_default();
        let now = measure.column.clone().unwrap_or_default();
        let fits = of.iter().any(|(name, _)| *name == now);
        let set = move |column: String| {
            let column = (!column.is_empty()).then_some(column);
            builder.ask(|question| question.measures[at].column = column);
        };
        if !fits && first != now {
            // The new aggregate does not take this column: choose the first that fits.
            request_animation_frame(move || set(first));
        }
        let content = view! {
            {bare_select("Value", how, measure.aggregate.label().to_owned(), change_how)}
            {bare_select("Of", of, now, set)}
        };
        line(content.part(), "value", move || builder.ask(|question| drop(question.measures.remove(at))))
    };
    let rows = question.measures.iter().enumerate().map(line_of).collect();
    // Another count can be given another column.
    let free = free_measure(question, table).unwrap_or_else(Measure::count);
    group("Values", rows, "Add value", move || builder.ask(|question| question.measures.push(free.clone())))
}

/// A group that the question does not have yet.
#[must_use]
pub fn free_group(question: &Question, table: &OfferedTable) -> Option<Dimension> {
    opening::free_column(table, &question.dimensions).map(opening::dimension)
}

/// A measure that the question does not have yet.
#[must_use]
pub fn free_measure(question: &Question, table: &OfferedTable) -> Option<Measure> {
    let numbers = table.columns.iter().filter(|column| column.kind == ColumnType::Number);
    let sums = numbers.map(|column| Measure::of(Aggregate::Sum, &*column.name));
    std::iter::once(Measure::count()).chain(sums).find(|measure| !question.measures.contains(measure))
}

fn dimensions(builder: Builder, question: &Question, table: &OfferedTable) -> Part {
    let line_of = |(at, dimension): (usize, &Dimension)| {
        let column = table.columns.iter().find(|column| column.name == dimension.column);
        let days = column.is_some_and(|column| opening::is_day(column.kind) || dimension.grain.is_some());
        let all = table.columns.clone();
        let set = move |name: String| {
            if let Some(column) = all.iter().find(|column| column.name == name) {
                builder.ask(|question| question.dimensions[at] = opening::dimension(column));
            }
        };
        let grains = days.then(|| {
            let choices = Grain::ALL.iter().map(|grain| (grain.name().to_owned(), format!("by {}", grain.name()))).collect();
            let now = dimension.grain.map_or("", Grain::name).to_owned();
            bare_select("Period", choices, now, move |chosen| {
                let grain = Grain::ALL.into_iter().find(|grain| grain.name() == chosen);
                builder.ask(|question| question.dimensions[at].grain = grain);
            })
        });
        let content = view! { {bare_select("Group", columns(table, |_| true), dimension.column.clone(), set)} {grains} };
        line(content.part(), "group", move || builder.ask(|question| drop(question.dimensions.remove(at))))
    };
    let rows = question.dimensions.iter().enumerate().map(line_of).collect();
    let free = free_group(question, table);
    group("Grouped by", rows, "Add group", move || {
        if let Some(free) = free.clone() {
            builder.ask(|question| question.dimensions.push(free));
        }
    })
}

/// The columns of the answer, with what people read instead of their names.
fn labelled(question: &Question, table: &OfferedTable) -> Vec<Choice> {
    let label = |name: &str| {
        let column = table.columns.iter().find(|column| column.name == name);
        column.map_or_else(|| name.to_owned(), |column| column.label.clone())
    };
    let group = |group: &Dimension| {
        let grain = group.grain.map(|grain| format!(" by {}", grain.name())).unwrap_or_default();
        (group.name(), format!("{}{grain}", label(&group.column)))
    };
    let value = |measure: &Measure| {
        let of = measure.column.as_deref().map_or_else(|| "rows".to_owned(), label);
        (measure.name(), format!("{} of {of}", measure.aggregate.label()))
    };
    question.dimensions.iter().map(group).chain(question.measures.iter().map(value)).collect()
}

fn order(builder: Builder, question: &Question, table: &OfferedTable) -> Part {
    let columns = labelled(question, table);
    let now = question.sort.iter().map(|order| (order.by.clone(), order.descending)).collect();
    let set = move |chosen: Vec<super::order::By>| {
        builder.ask(|question| question.sort = chosen.into_iter().next().map(|(by, descending)| Order { by, descending }));
    };
    let set_limit = move |limit| builder.ask(|question| question.limit = limit);
    super::order::order(&columns, now, 1, question.limit, Callback::new(set), Callback::new(set_limit))
}
