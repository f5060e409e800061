//! The choice of the chart's type: pictures, those that can draw the query first.

use super::{Builder, built::Built};
use crate::{
    edit::type_pictures::picture,
    ui::part::{IntoPart, IntoParts, Part},
};
use inlay_contract::chart::definition::ChartType;
use leptos::prelude::*;

/// The choice.
pub fn choice(builder: Builder) -> Part {
    // The pictures keep their places while the type changes. They move when the query changes what can be drawn.
    let first = Memo::new(move |_| builder.built.with(Built::first_types));
    let lists = move || {
        let first = first.get();
        let more: Vec<ChartType> = ChartType::OFFERED.into_iter().filter(|kind| !first.contains(kind)).collect();
        let is_open = more.contains(&builder.built.with_untracked(|built| built.kind));
        let pictures = |kinds: Vec<ChartType>| {
            let pictures = kinds.into_iter().map(|kind| option(builder, kind)).parts();
            view! { <div class="types">{pictures}</div> }
        };
        let more = (!more.is_empty()).then(|| {
            view! {
                <details class="types-more" open=is_open>
                    <summary>"More types"</summary>
                    {pictures(more)}
                </details>
            }
        });
        view! { {pictures(first)} {more} }.part()
    };
    view! {
        <fieldset class="field types-field">
            <legend class="filter-label">"Type"</legend>
            {lists}
        </fieldset>
    }
    .part()
}

fn option(builder: Builder, kind: ChartType) -> Part {
    let is_chosen = move || builder.built.with(|built| built.kind == kind);
    let choose = move |_| builder.change(|built| built.kind = kind);
    view! {
        <label class="type">
            <input type="radio" name="chart-type" prop:checked=is_chosen on:change=choose />
            {picture(kind)}
            <span>{kind.label()}</span>
        </label>
    }
    .part()
}
