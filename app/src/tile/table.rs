//! Rows as a table: sortable by its header, exact values beside what is shown.

use crate::{
    data::sorting::{self, Sorting},
    ui::icons,
};
use inlay_contract::data::{ChartData, ColumnType};
use leptos::prelude::*;
use serde_json::Value;
use std::sync::Arc;

/// Rows that are drawn at once; more on demand, so that a long answer does not freeze the page.
const PART: usize = 500;

/// The table of a chart's rows.
#[component]
pub fn DataTable(
    /// Its accessible name.
    name: String,
    /// The rows.
    data: Arc<ChartData>,
) -> impl IntoView {
    let sorting = RwSignal::new(None::<Sorting>);
    let shown = RwSignal::new(PART);
    let head = data
        .columns
        .iter()
        .enumerate()
        .map(|(position, column)| header(position, column.name.clone(), is_number(column.kind), sorting))
        .collect_view();
    let total = data.rows.len();
    let truncated = data.truncated;
    let body = move || {
        let order = sorting::order(&data.rows, sorting.get());
        let row = |position: usize| {
            let cells =
                data.rows[position].iter().zip(&data.columns).map(|(value, column)| cell(value, column.kind)).collect_view();
            view! { <tr>{cells}</tr> }
        };
        order.into_iter().take(shown.get()).map(row).collect_view().into_any()
    };
    view! {
        <div class="table-scroll" tabindex="0" role="group" aria-label=format!("{name}, scrollable")>
            <table class="table" aria-label=name.clone()>
                <thead><tr>{head}</tr></thead>
                <tbody>{body}</tbody>
            </table>
            {move || (shown.get() < total).then(|| view! {
                <button type="button" class="button table-more" on:click=move |_| shown.update(|shown| *shown += PART)>
                    {format!("Show more of {total} rows")}
                </button>
            })}
            {truncated.then(|| view! { <p class="table-note">"Only the first rows are here: the answer was cut at its limit."</p> })}
        </div>
    }
    .into_any()
}

fn header(position: usize, name: String, number: bool, sorting: RwSignal<Option<Sorting>>) -> AnyView {
    view! {
        <th scope="col" class:number=number aria-sort=move || Sorting::aria(sorting.get(), position)>
            <button type="button" on:click=move |_| sorting.update(|current| *current = Sorting::clicked(*current, position))>
                {name}<icons::ArrowUp />
            </button>
        </th>
    }
    .into_any()
}

fn cell(value: &Value, kind: ColumnType) -> AnyView {
    view! { <td class:number=is_number(kind) data-value=exact(value)>{shown(value)}</td> }.into_any()
}

const fn is_number(kind: ColumnType) -> bool {
    matches!(kind, ColumnType::Number)
}

/// The value as it is: text plain, everything else as JSON, null empty.
pub fn exact(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn shown(value: &Value) -> String {
    exact(value)
}
