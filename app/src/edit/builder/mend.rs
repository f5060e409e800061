//! The button beside a chart that cannot be drawn: it adds what is missing, or removes what is too much.

use super::{
    Builder, Query,
    fit::{Misfit, Side},
    model::choices,
    question,
};
use crate::ui::part::{IntoPart, Part};
use inlay_contract::chart::question::Grain;
use leptos::prelude::*;

/// The button, where one change mends the chart or brings it nearer.
pub fn button(builder: Builder, misfit: &Misfit) -> Part {
    let (label, act): (_, fn(Builder)) = match misfit {
        Misfit::Lacks(side, _) if !has_more(builder, *side) => return ().part(),
        Misfit::Lacks(Side::Groups, _) => ("Add a group", add_group),
        Misfit::Lacks(Side::Values, _) => ("Add a value", add_value),
        Misfit::Exceeds(Side::Groups, _) | Misfit::NoTrend => ("Remove the last group", remove_group),
        Misfit::Exceeds(Side::Values, _) => ("Remove the last value", remove_value),
        Misfit::NotByDay => ("Group by day", group_by_day),
        Misfit::Blank | Misfit::Unwritten => return ().part(),
    };
    view! { <button type="button" class="button" on:click=move |_| act(builder)>{label}</button> }.part()
}

/// Whether there is a group or value that the chart does not have yet.
fn has_more(builder: Builder, side: Side) -> bool {
    let (table, model) = untrack(|| (builder.table(), builder.model()));
    builder.built.with_untracked(|built| match (&built.query, table, model, side) {
        (Query::Asked(asked), Some(table), _, Side::Groups) => question::free_group(asked, &table).is_some(),
        (Query::Asked(asked), Some(table), _, Side::Values) => question::free_measure(asked, &table).is_some(),
        (Query::Modelled(query), _, Some(model), Side::Groups) => {
            choices::free_place(&choices::places(&model, query), query).is_some()
        }
        (Query::Modelled(query), _, Some(model), Side::Values) => choices::free_measure(&model, query).is_some(),
        _ => false,
    })
}

/// Groups by something that the chart is not grouped by yet.
fn add_group(builder: Builder) {
    let (table, model) = untrack(|| (builder.table(), builder.model()));
    builder.change(|built| match (&mut built.query, table, model) {
        (Query::Asked(asked), Some(table), _) => asked.dimensions.extend(question::free_group(asked, &table)),
        (Query::Modelled(query), _, Some(model)) => {
            let free = choices::free_place(&choices::places(&model, query), query);
            query.dimensions.extend(free.map(|place| place.group()));
            choices::tidy(query);
        }
        _ => {}
    });
}

/// Shows a number that the chart does not show yet.
fn add_value(builder: Builder) {
    let (table, model) = untrack(|| (builder.table(), builder.model()));
    builder.change(|built| match (&mut built.query, table, model) {
        (Query::Asked(asked), Some(table), _) => asked.measures.extend(question::free_measure(asked, &table)),
        (Query::Modelled(query), _, Some(model)) => {
            query.measures.extend(choices::free_measure(&model, query).map(|number| number.name.clone()));
        }
        _ => {}
    });
}

fn remove_group(builder: Builder) {
    builder.ask(|asked| drop(asked.dimensions.pop()));
    builder.mean(|query| drop(query.dimensions.pop()));
}

fn remove_value(builder: Builder) {
    builder.ask(|asked| drop(asked.measures.pop()));
    builder.mean(|query| drop(query.measures.pop()));
}

fn group_by_day(builder: Builder) {
    builder.ask(|asked| {
        if let Some(group) = asked.dimensions.first_mut() {
            (group.grain, group.cycle) = (Some(Grain::Day), None);
        }
    });
    builder.mean(|query| {
        if let Some(group) = query.dimensions.first_mut() {
            (group.grain, group.cycle) = (Some(Grain::Day), None);
        }
    });
}
