//! Charts that are HTML: number, table, pivot and text.

use super::{
    look::{self, Look},
    markdown,
    model::{Shown, TileState},
    table::{DataTable, Titles},
};
use crate::ui::icons;
use inlay_contract::{
    chart::{
        ChartProblem,
        definition::{ChartDefinition, ChartType},
        number::{self, Delta, Direction, NumberView, Tone},
        pivot::{self, PivotRow, PivotView},
        table::Cell,
    },
    data::ChartData,
};
use leptos::prelude::*;
use std::sync::Arc;

/// The chart's body; nothing while a table or a state stands in its place.
#[component]
pub fn HtmlChart(
    /// The chart.
    tile: TileState,
) -> impl IntoView {
    let look = Look::here();
    move || {
        let definition = tile.definition();
        if definition.kind == ChartType::Text {
            let text = definition.encoding.markdown.as_deref().unwrap_or_default();
            return view! { <div class="prose">{markdown::view(text)}</div> }.into_any();
        }
        match tile.shown.get() {
            Shown::Rows(data) if !data.rows.is_empty() && !tile.as_table.get() => chart(tile, &definition, &data, look),
            _ => ().into_any(),
        }
    }
}

fn chart(tile: TileState, definition: &ChartDefinition, data: &Arc<ChartData>, look: Look) -> AnyView {
    let locale = look.locale.get_value();
    let drawn = match definition.kind {
        ChartType::Number => number::view(definition, data, &locale).map(number_view),
        ChartType::Pivot => pivot::view(definition, data, &locale).map(|pivot| pivot_view(&definition.title, pivot)),
        _ => Ok(view! {
            <DataTable name=definition.title.clone() definition=definition.clone() data=Arc::clone(data) titles=Titles::Labels />
        }
        .into_any()),
    };
    Effect::new(move |_| tile.drawn.set(true));
    drawn.unwrap_or_else(|problem: ChartProblem| {
        leptos::logging::warn!("{problem}");
        view! { <p class="tile-note">{look::UNFIT}</p> }.into_any()
    })
}

fn number_view(NumberView { parts, exact, delta }: NumberView) -> AnyView {
    let unit = |text: String| (!text.is_empty()).then(|| view! { <span class="number-unit">{text}</span> });
    view! {
        <div class="number-chart">
            <p class="number-value" data-value=inlay_contract::chart::table::exact(&exact)>
                {unit(parts.prefix)}{parts.digits}{unit(parts.suffix)}
            </p>
            {delta.map(delta_view)}
        </div>
    }
    .into_any()
}

fn delta_view(Delta { text, direction, tone, before }: Delta) -> AnyView {
    let trend = match tone {
        Tone::Positive => "good",
        Tone::Negative => "bad",
        Tone::Neutral => "none",
    };
    let (word, arrow) = match direction {
        Direction::Up => ("Up", Some(icons::TrendUp().into_any())),
        Direction::Down => ("Down", Some(icons::TrendDown().into_any())),
        Direction::Flat => ("Unchanged", None),
    };
    view! {
        <p class="number-delta">
            <span class="number-change" data-trend=trend>{arrow}<span class="unseen">{format!("{word} ")}</span>{text}</span>
            <span>{format!("from {before}")}</span>
        </p>
    }
    .into_any()
}

fn pivot_view(name: &str, PivotView { row_titles, heads, rows, totals }: PivotView) -> AnyView {
    let depth = heads.len();
    let corner = row_titles.clone().into_iter().map(|title| view! { <th scope="col" rowspan=depth.to_string()>{title}</th> });
    let corner = corner.collect_view().into_any();
    let mut levels = heads.into_iter().map(|level| {
        let cells = spans(level).into_iter().map(|(head, width)| {
            view! { <th scope="col" class="number" colspan=width.to_string()>{head}</th> }
        });
        cells.collect_view().into_any()
    });
    let first = levels.next();
    let rest = levels.map(|level| view! { <tr>{level}</tr> }).collect_view();
    let body = rows.into_iter().map(|PivotRow { names, cells }| {
        let names = names.into_iter().map(|name| view! { <th scope="row">{name}</th> }).collect_view();
        view! { <tr>{names}{values(cells)}</tr> }
    });
    let width = row_titles.len();
    let totals = totals
        .map(|cells| view! { <tr class="totals"><th scope="row" colspan=width.to_string()>"Total"</th>{values(cells)}</tr> });
    view! {
        <div class="table-scroll" tabindex="0" role="group" aria-label=format!("{name}, scrollable")>
            <table class="table" aria-label=name.to_owned()>
                <thead><tr>{corner}{first}</tr>{rest}</thead>
                <tbody>{body.collect_view()}{totals}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn values(cells: Vec<Cell>) -> AnyView {
    cells.into_iter().map(|cell| view! { <td class="number" data-value=cell.exact>{cell.text}</td> }).collect_view().into_any()
}

/// Neighbours of the same name as one head over several columns.
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
