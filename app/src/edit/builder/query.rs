//! The chart's query: measures of the model, a question about a table, SQL, or the stored query.

use super::{Builder, Way, built::Query, field::bare_select, kinds, model, question, sql};
use crate::ui::part::{IntoPart, IntoParts, Part};
use inlay_contract::chart::definition::ChartType;
use leptos::prelude::*;

/// The form for a kind of query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Text,
    Modelled,
    Asked,
    Written,
    Kept,
}

/// The query's section of the form.
pub fn source(builder: Builder) -> Part {
    let form = Memo::new(move |_| {
        builder.built.with(|built| match built.query {
            _ if built.kind == ChartType::Text => Form::Text,
            Query::Modelled(_) => Form::Modelled,
            Query::Asked(_) => Form::Asked,
            Query::Written(_) => Form::Written,
            Query::Kept => Form::Kept,
        })
    });
    let shown = move || match form.get() {
        Form::Text => text(builder),
        Form::Modelled => view! { {ways(builder)} {model::modelled(builder)} }.part(),
        Form::Asked => view! { {ways(builder)} {question::asked(builder)} }.part(),
        Form::Written => view! { {ways(builder)} {sql::written(builder)} {parts(builder)} }.part(),
        Form::Kept => view! {
            {ways(builder)}
            <p class="field-note">"This chart has its own query. Choose how the chart uses each column."</p>
            {parts(builder)}
        }
        .part(),
    };
    view! { <div class="builder-query">{shown}</div> }.part()
}

/// The Markdown of a text chart.
fn text(builder: Builder) -> Part {
    let markdown = builder.built.with_untracked(|built| built.encoding.markdown.clone()).unwrap_or_default();
    let set = move |text: String| builder.change(|built| built.encoding.markdown = Some(text));
    view! {
        <label class="field">
            <span class="filter-label">"Text"</span>
            <textarea class="control" rows="8" prop:value=markdown on:input=move |event| set(event_target_value(&event)) />
        </label>
    }
    .part()
}

/// The choice between the model, a table and SQL: those that the viewer has.
fn ways(builder: Builder) -> Part {
    let kind = move || builder.built.with(|built| Way::of(&built.query));
    let ways: Vec<(Way, &str)> = Way::ALL.into_iter().filter(|(way, _)| builder.has(*way)).collect();
    if ways.iter().all(|(way, _)| Some(*way) == untrack(kind)) {
        return ().part();
    }
    let buttons = ways.into_iter().map(|(way, label)| {
        let choose = move |_| {
            if untrack(kind) != Some(way) {
                builder.begin(way);
            }
        };
        view! { <button type="button" aria-pressed=move || (kind() == Some(way)).to_string() on:click=choose>{label}</button> }
    });
    view! { <div class="segments" role="group" aria-label="Data source">{buttons.parts()}</div> }.part()
}

/// The select for the column of each part.
fn parts(builder: Builder) -> Part {
    let known = Memo::new(move |_| builder.built.with(|built| (built.kind, built.columns.clone())));
    let fields = move || {
        let (kind, columns) = known.get();
        kinds::parts(kind).into_iter().map(|part| part_field(builder, part, &columns)).parts()
    };
    view! { <div class="builder-parts">{fields}</div> }.part()
}

fn part_field(builder: Builder, part: kinds::Part, columns: &[String]) -> Part {
    let chosen = builder.built.with_untracked(|built| built.part(part.name));
    if part.many {
        let boxes = columns.iter().map(|column| {
            let (column, is_on) = (column.clone(), chosen.contains(column));
            let name = column.clone();
            super::field::switch(&name, is_on, move |on| {
                builder.change(|built| {
                    let mut now = built.part(part.name);
                    now.retain(|other| *other != column);
                    if on {
                        now.push(column.clone());
                    }
                    built.set_part(part, now);
                });
            })
        });
        let boxes = boxes.parts();
        return view! { <fieldset class="field"><legend class="filter-label">{part.label}</legend>{boxes}</fieldset> }.part();
    }
    let none = (String::new(), "–".to_owned());
    let choices = std::iter::once(none).chain(columns.iter().map(|column| (column.clone(), column.clone()))).collect();
    let now = chosen.into_iter().next().unwrap_or_default();
    let set = move |column: String| {
        let columns = if column.is_empty() { Vec::new() } else { vec![column] };
        builder.change(|built| built.set_part(part, columns));
    };
    view! {
        <div class="field">
            <span class="filter-label" aria-hidden="true">{part.label}</span>
            {bare_select(part.label, choices, now, set)}
        </div>
    }
    .part()
}
