//! A query of the semantic model: which measures, for each of what, in which rows, beside which earlier period.

pub mod choices;

use super::{
    Builder,
    field::{self, Choice, bare_select, group, grouped_select, line, select},
    kinds::Columns,
    order,
};
use crate::{
    edit::filters::condition,
    ui::part::{IntoPart, Part},
};
use choices::Place;
use inlay_contract::{
    chart::question::Grain,
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
        builder.mean(|query| *query = ModelQuery::default());
    };
    let several = connections.len() > 1;
    let content = move || match (builder.model(), builder.meaning()) {
        (Some(model), Some(query)) => lists(builder, &model, &query),
        // The tables of its measures are gone.
        (None, Some(_)) => view! { <p class="field-note">"The measures of this chart no longer exist."</p> }.part(),
        (_, None) => ().part(),
    };
    view! { {several.then(|| select("Connection", connections, connection, choose))} {content} }.part()
}

fn lists(builder: Builder, model: &OfferedModel, query: &ModelQuery) -> Part {
    let places = choices::places(model, query);
    view! {
        {measures(builder, model, query)}
        {groups(builder, query, &places)}
        {filters(builder, query, &places)}
        {choices::has_time(model, query).then(|| comparison(builder, query, places.clone()))}
        {sorting(builder, model, query, &places)}
    }
    .part()
}

/// What people read instead of a measure's name.
fn label_of(model: &OfferedModel, name: &str) -> String {
    let known = model.numbers.iter().find(|number| number.name == name);
    known.map_or_else(|| name.to_owned(), |number| number.label.clone())
}

fn measures(builder: Builder, model: &OfferedModel, query: &ModelQuery) -> Part {
    let line_of = |(at, name): (usize, &String)| {
        // A measure stands once in a query.
        let others = model.numbers.iter().filter(|number| number.name == *name || !query.measures.contains(&number.name));
        let mut choices: Vec<Choice> = others.map(|number| (number.name.clone(), number.label.clone())).collect();
        if !choices.iter().any(|(known, _)| known == name) {
            choices.insert(0, (name.clone(), name.clone()));
        }
        let set = move |name: String| builder.mean(|query| query.measures[at] = name);
        let remove = move || builder.mean(|query| drop(query.measures.remove(at)));
        line(bare_select("Measure", choices, name.clone(), set), "measure", remove)
    };
    let rows = query.measures.iter().enumerate().map(line_of).collect();
    let free = choices::free_measure(model, query).map(|number| number.name.clone());
    group("Measures", rows, "Add measure", move || {
        if let Some(free) = free.clone() {
            builder.mean(|query| query.measures.push(free));
        }
    })
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
        let grains = (group.grain.is_some() || place.is_some_and(Place::is_time)).then(|| {
            let choices = Grain::ALL.iter().map(|grain| (grain.name().to_owned(), format!("by {}", grain.name()))).collect();
            let now = group.grain.map_or("", Grain::name).to_owned();
            bare_select("Period", choices, now, move |chosen| {
                let grain = Grain::ALL.into_iter().find(|grain| grain.name() == chosen);
                builder.mean(|query| query.dimensions[at].grain = grain);
            })
        });
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

fn sorting(builder: Builder, model: &OfferedModel, query: &ModelQuery, places: &[Place]) -> Part {
    let label = |group: &ModelGroup| {
        let place = places.iter().find(|place| place.is(&group.name, group.via.as_deref()));
        place.map_or_else(|| group.column(), |place| place.label.clone())
    };
    let columns = Columns::from(query);
    let groups = columns.groups.into_iter().zip(query.dimensions.iter().map(label));
    let values = columns.values.into_iter().zip(query.measures.iter().map(|name| label_of(model, name)));
    let previous =
        columns.previous.into_iter().zip(query.measures.iter().map(|name| format!("{}, period before", label_of(model, name))));
    let choices = groups.chain(values).chain(previous).collect();
    let now = query.sort.first().map(|order| (order.by.clone(), order.descending));
    let set = move |chosen: Option<(String, bool)>| {
        builder.mean(|query| query.sort = chosen.map(|(by, descending)| ModelOrder { by, descending }).into_iter().collect());
    };
    let set_limit = move |limit| builder.mean(|query| query.limit = limit);
    order::order(choices, now.as_ref(), query.limit, Callback::new(set), Callback::new(set_limit))
}
