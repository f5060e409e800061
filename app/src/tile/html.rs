//! HTML charts: number, table, pivot and text.

use super::{
    model::{Rows, TileState},
    table::{DataTable, Titles},
};
use crate::ui::effect::effect;
use crate::ui::part::{IntoPart, Part};
use crate::{drawing::Drawing, drill};
use leptos::prelude::*;
use std::sync::Arc;

/// The chart's body. Nothing while a table or a state replaces it.
#[component]
pub fn HtmlChart(
    /// The chart.
    tile: TileState,
) -> impl IntoView {
    move || match tile.shown.with(|shown| shown.rows().cloned()) {
        Some(rows) if !tile.as_table.get() => chart(tile, &rows),
        _ => ().part(),
    }
}

fn chart(tile: TileState, rows: &Arc<Rows>) -> Part {
    effect(move || tile.drawn.set(true));
    let title = tile.face.with_value(|face| face.title.clone());
    match rows.drawing.clone() {
        Some(Drawing::Number(html)) => (written("number-chart", html), drill::of_number(tile)).part(),
        Some(Drawing::Pivot(html)) => pivot(&title, html),
        Some(Drawing::Table(view)) => {
            let follow = drill::rows(tile, true);
            view! { <DataTable name=title view titles=Titles::Labels rows=Arc::clone(rows) follow place=tile.table_place /> }
                .part()
        }
        Some(Drawing::Text(html)) => written("prose", html),
        // The figure shows the error.
        Some(Drawing::Option(_) | Drawing::Empty) | None => ().part(),
    }
}

/// What the server wrote of a chart.
pub(crate) fn written(class: &'static str, html: String) -> Part {
    view! { <div class=class inner_html=html></div> }.part()
}

/// A pivot table that the server wrote.
pub(crate) fn pivot(name: &str, html: String) -> Part {
    view! {
        <div class="table-scroll" tabindex="0" role="group" aria-label=format!("{name}, scrollable") inner_html=html></div>
    }
    .part()
}
