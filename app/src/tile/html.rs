//! HTML charts: number, table, pivot and text.

use super::{
    model::{Rows, TileState},
    table::{DataTable, Titles},
};
use crate::ui::effect::effect;
use crate::ui::part::{IntoPart, IntoParts, Part};
use crate::{drill, ui::icons};
use inlay_contract::chart::{
    number::{Delta, Direction, NumberView, Tone},
    picture::Picture,
    pivot::{PivotRow, PivotView},
    table::{Cell, Shade},
};
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
    match rows.picture.clone() {
        Some(Picture::Number(number)) => (number_view(number), drill::of_number(tile)).part(),
        Some(Picture::Pivot(pivot)) => pivot_view(&title, pivot),
        Some(Picture::Table(view)) => {
            let follow = drill::rows(tile, true);
            view! { <DataTable name=title view titles=Titles::Labels rows=Arc::clone(rows) follow place=tile.table_place /> }
                .part()
        }
        Some(Picture::Text(html)) => view! { <div class="prose" inner_html=html></div> }.part(),
        // The figure shows the error.
        Some(Picture::Option(_) | Picture::Empty) | None => ().part(),
    }
}

/// A big number, as large as its card allows.
pub(crate) fn number_view(NumberView { parts, width, exact, delta, spark, .. }: NumberView) -> Part {
    let unit = |text: String| (!text.is_empty()).then(|| view! { <span class="number-unit">{text}</span> });
    view! {
        <div class="number-chart">
            <p class="number-value" style=format!("--tenths:{width}") data-value=inlay_contract::chart::table::exact(&exact)>
                {parts.prefix}{parts.digits}{unit(parts.suffix)}
            </p>
            {delta.map(delta_view)}
            {spark.map(|svg| view! { <div class="number-spark" inner_html=svg></div> })}
        </div>
    }
    .part()
}

fn delta_view(Delta { text, direction, tone, before }: Delta) -> Part {
    let trend = match tone {
        Tone::Positive => "good",
        Tone::Negative => "bad",
        Tone::Neutral => "none",
    };
    let (word, arrow) = match direction {
        Direction::Up => ("Up ", Some(icons::trend_up())),
        Direction::Down => ("Down ", Some(icons::trend_down())),
        Direction::Flat => ("", None),
    };
    view! {
        <p class="number-delta">
            <span class="number-change" data-trend=trend>{arrow}<span class="unseen">{word}</span>{text}</span>
            <span>{format!("from {before}")}</span>
        </p>
    }
    .part()
}

/// A pivot table.
pub(crate) fn pivot_view(name: &str, PivotView { row_titles, heads, rows, totals }: PivotView) -> Part {
    let depth = heads.len();
    let corner = row_titles.clone().into_iter().map(|title| view! { <th scope="col" rowspan=depth.to_string()>{title}</th> });
    let corner = corner.parts();
    let mut levels = heads.into_iter().map(|level| {
        let cells = spans(level).into_iter().map(|(head, width)| {
            view! { <th scope="col" class="number" colspan=width.to_string()>{head}</th> }
        });
        cells.parts()
    });
    let first = levels.next();
    let rest = levels.map(|level| view! { <tr>{level}</tr> }).parts();
    let body = rows.into_iter().map(|PivotRow { names, cells }| {
        let names = names.into_iter().map(|name| view! { <th scope="row">{name}</th> }).parts();
        view! { <tr>{names}{values(cells)}</tr> }
    });
    let width = row_titles.len();
    let totals = totals
        .map(|cells| view! { <tr class="totals"><th scope="row" colspan=width.to_string()>"Total"</th>{values(cells)}</tr> });
    view! {
        <div class="table-scroll" tabindex="0" role="group" aria-label=format!("{name}, scrollable")>
            <table class="table" aria-label=name.to_owned()>
                <thead><tr>{corner}{first}</tr>{rest}</thead>
                <tbody>{body.parts()}{totals}</tbody>
            </table>
        </div>
    }
    .part()
}

fn values(cells: Vec<Cell>) -> Part {
    cells
        .into_iter()
        .map(|cell| view! { <td class="number" data-value=cell.exact data-shade=cell.shade.map(Shade::name)>{cell.text}</td> })
        .parts()
}

/// Merges neighbouring heads with the same name into one that spans several columns.
fn spans(heads: Vec<String>) -> Vec<(String, usize)> {
    let mut spans: Vec<(String, usize)> = Vec::new();
    for head in heads {
        match spans.last_mut() {
            Some((last, width)) if *last == head => *width += 1,
            _ => spans.push((head, 1)),
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_the_same_name_stand_over_all_their_columns() {
        let heads = ["2001", "2001", "2002", "Total"].map(str::to_owned).to_vec();
        assert_eq!(spans(heads), [("2001".to_owned(), 2), ("2002".to_owned(), 1), ("Total".to_owned(), 1)]);
    }
}
