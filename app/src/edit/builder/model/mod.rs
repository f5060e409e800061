//! A query of the semantic model: which measures, for each of what, in which rows, beside which earlier period.

mod calculation;
pub mod choices;
pub mod numbers;

use super::{
    Builder,
    field::{self, Choice, bare_select, group, grouped_select, line, select},
    kinds::Columns,
    opening, order, search,
};
use crate::{
    edit::filters::condition,
    ui::part::{IntoPart, Part},
};
use choices::Place;
use inlay_contract::{
    chart::question::{Cycle, Grain},
    data::ColumnType,
    model::{Compare, ModelFilter, ModelGroup, ModelOrder, ModelQuery, OfferedModel},
};
use leptos::prelude::*;

/// The form.
pub fn modelled(builder: Builder) -> Part {
    let connections: Vec<Choice> = builder.sources.with_untracked(|sources| {
        let open = sources.iter().filter(|source| source.model.is_some() && builder.is_open_to(source));
        open.map(|source| (source.connection.to_string(), source.name.clone())).collect()
    });
    let connection = move || builder.built.with(|built| built.connection.map(|id| id.to_string()).unwrap_or_default());
    let choose = move |chosen: String| {
        builder.change(|built| built.connection = chosen.parse().ok());
        let started = untrack(|| builder.model()).map(|model| opening::modelled(&model)).unwrap_or_default();
        builder.mean(|query| *query = started);
    };
    let several = connections.len() > 1;
    let content = move || match (builder.model(), builder.meaning()) {
        (Some(model), Some(query)) => lists(builder, &model, &query),
        // The tables of its measures are gone.
        (None, Some(_)) => view! { <p class="field-note">"The measures of this chart no longer exist."</p> }.part(),
        (_, None) => ().part(),
    };
    view! { {several.then(|| select("Connection", connections, connection, choose))} {search::search(builder)} {content} }
        .part()
}

fn lists(builder: Builder, model: &OfferedModel, query: &ModelQuery) -> Part {
    let places = choices::places(model, query);
    view! {
        {numbers::measures(builder, model, query)}
        {groups(builder, query, &places)}
        {filters(builder, query, &places)}
        {numbers::conditions(builder, model, query)}
        {choices::has_time(model, query).then(|| comparison(builder, query, places.clone()))}
        {sorting(builder, model, query, &places)}
    }
    .part()
}

/// The select for a dimension. `set` gets the chosen place.
fn place_select(label: &str, places: &[Place], name: &str, via: Option<&str>, set: impl Fn(&Place) + 'static) -> Part {
    let mut tables: Vec<(String, Vec<Choice>)> = Vec::new();
    for (at, place) in places.iter().enumerate() {
        let choice = (at.to_string(), place.label.clone());
        match tables.last_mut().filter(|(table, _)| *table == place.table) {
            Some((_, choices)) => choices.push(choice),
            None => tables.push((place.table.clone(), vec![choice])),
        }
    }
    let now = places.iter().position(|place| place.is(name, via)).map_or_else(String::new, |at| at.to_string());
    let places = places.to_vec();
    grouped_select(label, tables, (now, name.to_owned()), move |chosen| {
        if let Some(place) = chosen.parse().ok().and_then(|at: usize| places.get(at)) {
            set(place);
        }
    })
}

fn groups(builder: Builder, query: &ModelQuery, places: &[Place]) -> Part {
    let line_of = |(at, group): (usize, &ModelGroup)| {
        let place = places.iter().find(|place| place.is(&group.name, group.via.as_deref()));
        let set = move |place: &Place| builder.mean(|query| query.dimensions[at] = place.group());
        let is_time = group.grain.is_some() || group.cycle.is_some() || place.is_some_and(Place::is_time);
        let grains = is_time.then(|| period_select(builder, at, group));
        let content = view! { {place_select("Group", places, &group.name, group.via.as_deref(), set)} {grains} };
        line(content.part(), "group", move || builder.mean(|query| drop(query.dimensions.remove(at))))
    };
    let rows = query.dimensions.iter().enumerate().map(line_of).collect();
    let free = choices::free_place(places, query);
    group("Grouped by", rows, "Add group", move || {
        if let Some(free) = &free {
            builder.mean(|query| query.dimensions.push(free.group()));
        }
    })
}

/// The select for the periods that a group's moments are gathered into.
fn period_select(builder: Builder, at: usize, group: &ModelGroup) -> Part {
    let grains = Grain::ALL.iter().map(|grain| (grain.name(), format!("by {}", grain.name())));
    let cycles = Cycle::ALL.iter().map(|cycle| (cycle.code(), format!("by {}", cycle.name())));
    let choices = grains.chain(cycles).chain([("", "each value".to_owned())]);
    let choices = choices.map(|(key, text)| (key.to_owned(), text)).collect();
    let now = group.grain.map(Grain::name).or(group.cycle.map(Cycle::code)).unwrap_or_default();
    bare_select("Period", choices, now.to_owned(), move |chosen| {
        let grain = Grain::ALL.into_iter().find(|grain| grain.name() == chosen);
        let cycle = Cycle::ALL.into_iter().find(|cycle| cycle.code() == chosen);
        builder.mean(|query| (query.dimensions[at].grain, query.dimensions[at].cycle) = (grain, cycle));
    })
}

fn filters(builder: Builder, query: &ModelQuery, places: &[Place]) -> Part {
    let kind_of = |place: &Place| place.kind.unwrap_or(ColumnType::Text);
    let line_of = |(at, filter): (usize, &ModelFilter)| {
        let place = places.iter().find(|place| place.is(&filter.dimension, filter.via.as_deref()));
        let choose = move |place: &Place| {
            builder.mean(|query| query.filters[at] = place.filter(condition::blank(kind_of(place))));
        };
        let set = Callback::new(move |value| builder.mean(|query| query.filters[at].value = value));
        let ways = vec![(String::new(), "is".to_owned()), ("not".to_owned(), "is not".to_owned())];
        let now = if filter.not { "not" } else { "" };
        let turn = move |way: String| builder.mean(|query| query.filters[at].not = way == "not");
        let head = view! {
            {place_select("Where", places, &filter.dimension, filter.via.as_deref(), choose)}
            {bare_select("Condition", ways, now.to_owned(), turn)}
        };
        let value = condition::value(place.map_or(ColumnType::Text, kind_of), &filter.value, set);
        field::condition(head.part(), value, move || builder.mean(|query| drop(query.filters.remove(at))))
    };
    let rows = query.filters.iter().enumerate().map(line_of).collect();
    let first = places.first().cloned();
    group("Conditions", rows, "Add condition", move || {
        if let Some(place) = &first {
            builder.mean(|query| query.filters.push(place.filter(condition::blank(kind_of(place)))));
        }
    })
}

/// The earlier period that stands beside the measures.
fn comparison(builder: Builder, query: &ModelQuery, places: Vec<Place>) -> Part {
    const WAYS: [(&str, &str, Option<Compare>); 3] = [
        ("", "Nothing", None),
        ("previous", "The period before", Some(Compare::Previous)),
        ("year", "The year before", Some(Compare::Year)),
    ];
    let choices = WAYS.iter().map(|(key, label, _)| ((*key).to_owned(), (*label).to_owned())).collect();
    let now = WAYS.iter().find(|(.., with)| *with == query.compare).map_or("", |(key, ..)| key);
    let set = move |chosen: String| {
        let with = WAYS.iter().find(|(key, ..)| *key == chosen).and_then(|(.., with)| *with);
        builder.mean(|query| choices::compare(query, with, &places));
    };
    view! {
        <div class="field">
            <span class="filter-label" aria-hidden="true">"Compare with"</span>
            {bare_select("Compare with", choices, now.to_owned(), set)}
        </div>
    }
    .part()
}

/// The most columns that rows are ordered by.
const MOST_ORDERS: usize = 4;

fn sorting(builder: Builder, model: &OfferedModel, query: &ModelQuery, places: &[Place]) -> Part {
    let label = |group: &ModelGroup| {
        let place = places.iter().find(|place| place.is(&group.name, group.via.as_deref()));
        place.map_or_else(|| group.column(), |place| place.label.clone())
    };
    let groups = Columns::from(query).groups.into_iter().zip(query.dimensions.iter().map(label));
    let columns: Vec<Choice> = groups.chain(numbers::columns(model, query)).collect();
    let now = query.sort.iter().map(|order| (order.by.clone(), order.descending)).collect();
    let set = move |chosen: Vec<order::By>| {
        let orders = chosen.into_iter().map(|(by, descending)| ModelOrder { by, descending });
        builder.mean(|query| query.sort = orders.collect());
    };
    let set_limit = move |limit| builder.mean(|query| query.limit = limit);
    let most = MOST_ORDERS.max(query.sort.len());
    order::order(&columns, now, most, query.limit, Callback::new(set), Callback::new(set_limit))
}
