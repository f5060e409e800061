//! Rows as a table: sortable by its header, exact values beside what is shown.

use super::model::Rows;
use crate::ui::part::{IntoPart, IntoParts, Part};
use crate::{
    browser::language,
    data::sorting::{self, Sorting},
    ui::icons,
};
use inlay_contract::{
    chart::table::{self, Align, Cell, TableColumn, TableView},
    data::{ChartData, Column, ColumnType},
};
use leptos::{ev, prelude::*};
use serde_json::Value;
use std::sync::Arc;

/// Rows that are drawn at once; more on demand, so that a long answer does not freeze the page.
const PART: usize = 500;

/// What stands in the header cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Titles {
    /// The columns' names in the query.
    Names,
    /// What the definition calls them.
    Labels,
}

/// A table of data as it is: numbers grouped as the viewer's language does, everything else unchanged.
pub fn of_data(data: &ChartData, locale: &str) -> TableView {
    let is_number = |column: &Column| column.kind == ColumnType::Number;
    let column = |(index, column): (usize, &Column)| TableColumn {
        name: column.name.clone(),
        label: column.name.clone(),
        align: if is_number(column) { Align::End } else { Align::Start },
        index,
    };
    let cell = |value: &Value| {
        let exact = table::exact(value);
        let text = match value {
            Value::Number(number) => {
                number.as_f64().and_then(|number| language::number(number, locale)).unwrap_or_else(|| exact.clone())
            }
            _ => exact.clone(),
        };
        Cell { text, exact }
    };
    TableView {
        columns: data.columns.iter().enumerate().map(column).collect(),
        rows: data.rows.iter().map(|row| row.iter().map(cell).collect()).collect(),
    }
}

/// A table of a chart's rows.
#[component]
pub fn DataTable(
    /// Its accessible name.
    name: String,
    /// What is drawn.
    view: TableView,
    /// What stands in the header cells.
    titles: Titles,
    /// The rows, by which it sorts.
    rows: Arc<Rows>,
    /// What Enter on a row does, given the row's number in the data.
    #[prop(optional_no_strip)]
    enter: Option<Callback<usize>>,
) -> impl IntoView {
    let TableView { columns, rows: cells } = view;
    let sorting = RwSignal::new(None::<Sorting>);
    let shown = RwSignal::new(PART);
    let head = columns.iter().map(|column| header(column, titles, sorting)).parts();
    let total = rows.data.rows.len();
    let truncated = rows.data.truncated;
    let body = move || {
        let order = sorting::order(&rows.data.rows, sorting.get());
        let row = |position: usize| {
            let cells = cells[position].iter().zip(&columns);
            let cells = cells.map(|(cell, column)| {
                view! {
                    <td class:number=is_number(column) data-value=cell.exact.clone()>{cell.text.clone()}</td>
                }
            });
            let cells = cells.parts();
            match enter {
                None => view! { <tr>{cells}</tr> }.part(),
                Some(enter) => {
                    let press = move |event: ev::KeyboardEvent| {
                        if event.key() == "Enter" {
                            // The key must not press the button that has the focus in what it opens.
                            event.prevent_default();
                            enter.run(position);
                        }
                    };
                    view! { <tr tabindex="0" on:keydown=press>{cells}</tr> }.part()
                }
            }
        };
        order.into_iter().take(shown.get()).map(row).parts()
    };
    view! {
        <div class="table-scroll" tabindex="0" role="group" aria-label=format!("{name}, scrollable")>
            <table class="table" aria-label=name.clone()>
                <thead><tr>{head}</tr></thead>
                <tbody>{body}</tbody>
            </table>
            {move || (shown.get() < total).then(|| more(shown, total))}
            {truncated.then(|| view! { <p class="table-note">"Only the first rows are here: the answer was cut at its limit."</p> })}
        </div>
    }
    .part()
}

fn header(column: &TableColumn, titles: Titles, sorting: RwSignal<Option<Sorting>>) -> Part {
    let position = column.index;
    let title = match titles {
        Titles::Names => column.name.clone(),
        Titles::Labels => column.label.clone(),
    };
    let click = move |_| sorting.update(|current| *current = Sorting::clicked(*current, position));
    view! {
        <th scope="col" class:number=is_number(column) aria-sort=move || Sorting::aria(sorting.get(), position)>
            <button type="button" on:click=click>{title}{icons::arrow_up()}</button>
        </th>
    }
    .part()
}

fn more(shown: RwSignal<usize>, total: usize) -> Part {
    view! {
        <button type="button" class="button table-more" on:click=move |_| shown.update(|shown| *shown += PART)>
            {format!("Show more of {total} rows")}
        </button>
    }
    .part()
}

fn is_number(column: &TableColumn) -> bool {
    column.align == Align::End
}
