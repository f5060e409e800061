//! Rows as a table, sortable by its header.

use super::model::{Rows, Shown};
use crate::ui::effect::effect;
use crate::ui::part::{IntoPart, IntoParts, Part};
use crate::{
    browser::{focus, language, selection},
    data::sorting::{self, Sorting, TablePlace},
    drawing::Drawing,
    ui::icons,
};
use inlay_contract::{
    chart::table::{self, Align, Cell, Shade, TableColumn, TableView},
    data::{ChartData, Column, ColumnType},
};
use leptos::{ev, html, prelude::*};
use serde_json::Value;
use std::sync::Arc;

/// Rows per page if the definition does not set it, so that many rows do not freeze the page.
const PAGE: usize = 500;

/// The texts of the header cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Titles {
    /// The columns' names in the query.
    Names,
    /// The labels of the definition.
    Labels,
}

/// A table of raw data: numbers are grouped in the viewer's language, all else is unchanged.
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
        Cell::plain(text, exact)
    };
    TableView {
        columns: data.columns.iter().enumerate().map(column).collect(),
        rows: data.rows.iter().map(|row| row.iter().map(cell).collect()).collect(),
        total: None,
        page_size: None,
    }
}

/// What a table does when a row is activated.
#[derive(Clone, Copy)]
pub struct Follow {
    /// Called with the row's position in the data, on Enter and, if `clicks`, on a click.
    pub run: Callback<usize>,
    /// Called on Escape, to undo what `run` did.
    pub back: Callback<()>,
    /// Whether a click activates a row.
    pub clicks: bool,
    /// The row that was activated last. It gets the focus back when the table is drawn again.
    pub last: StoredValue<Option<Vec<Value>>>,
}

impl Follow {
    /// The row that gets the focus back: the one that was activated last or, if it is gone, the first.
    fn returning(self, rows: &[Vec<Value>]) -> Option<usize> {
        let last = self.last.try_update_value(Option::take).flatten()?;
        rows.iter().position(|row| *row == last).or((!rows.is_empty()).then_some(0))
    }
}

/// Who sorts rows that are a part of all.
#[derive(Clone)]
pub struct Sorter {
    /// The rows, with their cells as their picture. They are replaced by those in another order.
    pub listed: RwSignal<Shown>,
    /// Asks for the rows in the order that is wanted.
    pub ask: Arc<dyn Fn(RwSignal<Option<Sorting>>) + Send + Sync>,
}

/// A table of a chart's rows.
#[component]
pub fn DataTable(
    /// Its accessible name.
    name: String,
    /// Its content.
    view: TableView,
    /// The texts of the header cells.
    titles: Titles,
    /// The rows, for sorting.
    rows: Arc<Rows>,
    /// What its rows do.
    #[prop(optional_no_strip)]
    follow: Option<Follow>,
    /// The order and page that it had, kept up to date.
    #[prop(optional)]
    place: Option<StoredValue<TablePlace>>,
    /// Who sorts rows that are a part of all. The page sorts all others.
    #[prop(optional_no_strip)]
    sorter: Option<Sorter>,
) -> impl IntoView {
    let TableView { columns, rows: cells, total, page_size } = view;
    let size = page_size.unwrap_or(PAGE);
    let count = rows.data.rows.len();
    let (sorted, at) = place.map(|place| place.get_value()).unwrap_or_default();
    let (sorting, page) = (RwSignal::new(sorted), RwSignal::new(at.min(count.saturating_sub(1) / size)));
    if let Some(place) = place {
        effect(move || place.set_value((sorting.get(), page.get())));
    }
    let scrolled = NodeRef::<html::Div>::new();
    let truncated = rows.data.truncated;
    let returning = follow.and_then(|follow| follow.returning(&rows.data.rows));
    let head = columns.iter().map(|column| header(column, titles, sorting, page, sorter.clone())).parts();
    let foot = total.map(|total| {
        let cells = total.into_iter().zip(&columns).map(|(sum, column)| cell(&sum, column)).parts();
        view! { <tfoot><tr>{cells}</tr></tfoot> }
    });
    effect(move || {
        if returning.is_some() && scrolled.get().is_some() {
            focus::back_to(scrolled, "tr[data-followed]");
        }
    });
    let body = move || {
        let newer = sorter.as_ref().and_then(|sorter| sorter.listed.with(|shown| shown.rows().cloned()));
        let (rows, cells, sorting) = match &newer {
            Some(newer) => match &newer.drawing {
                Some(Drawing::Table(view)) => (newer, &view.rows, None),
                _ => (&rows, &cells, None),
            },
            None => (&rows, &cells, sorting.get()),
        };
        let order = sorting::order(&rows.data.rows, sorting);
        let row = |position: usize| {
            let cells = cells[position].iter().zip(&columns).map(|(value, column)| cell(value, column)).parts();
            let Some(follow) = follow else { return view! { <tr>{cells}</tr> }.part() };
            followable(follow, Arc::clone(rows), position, cells, returning == Some(position))
        };
        order.into_iter().skip(page.get() * size).take(size).map(row).parts()
    };
    view! {
        <div class="table-scroll" tabindex="0" role="group" aria-label=format!("{name}, scrollable") node_ref=scrolled>
            <table class="table" aria-label=name.clone()>
                <thead><tr>{head}</tr></thead>
                <tbody>{body}</tbody>
                {foot}
            </table>
            {(count > size).then(|| pages(page, size, count, scrolled))}
            {truncated.then(|| view! { <p class="table-note">"Only the first rows are shown: the result reached the row limit."</p> })}
        </div>
    }
    .part()
}

/// A row that can be activated.
fn followable(follow: Follow, rows: Arc<Rows>, position: usize, cells: Part, was_followed: bool) -> Part {
    let leave = move || follow.last.set_value(rows.data.rows.get(position).cloned());
    let run = {
        let leave = leave.clone();
        move || {
            leave();
            follow.run.run(position);
        }
    };
    let click = run.clone();
    let press = move |event: ev::KeyboardEvent| match event.key().as_str() {
        "Enter" => {
            // Prevent the key from also pressing the button that gets the focus.
            event.prevent_default();
            run();
        }
        "Escape" => {
            leave();
            follow.back.run(());
        }
        _ => {}
    };
    let clicked = move |_| {
        // A click that ends a selection of text activates nothing.
        if follow.clicks && !selection::is_marked() {
            click();
        }
    };
    view! {
        <tr tabindex="0" aria-keyshortcuts="Enter" class:clicked=follow.clicks data-followed=was_followed.then_some("") on:keydown=press on:click=clicked>
            {cells}
        </tr>
    }
    .part()
}

fn cell(cell: &Cell, column: &TableColumn) -> Part {
    let shade = cell.shade.map(Shade::name);
    view! {
        <td class:number=is_number(column) data-value=cell.exact.clone() data-shade=shade>{cell.text.clone()}</td>
    }
    .part()
}

fn header(
    column: &TableColumn,
    titles: Titles,
    sorting: RwSignal<Option<Sorting>>,
    page: RwSignal<usize>,
    sorter: Option<Sorter>,
) -> Part {
    let (position, numeric) = (column.index, is_number(column));
    let title = match titles {
        Titles::Names => column.name.clone(),
        Titles::Labels => column.label.clone(),
    };
    let click = move |_| {
        page.set(0);
        sorting.update(|current| *current = Sorting::clicked(*current, position, numeric));
        if let Some(sorter) = &sorter {
            (sorter.ask)(sorting);
        }
    };
    view! {
        <th scope="col" class:number=numeric aria-sort=move || Sorting::aria(sorting.get(), position)>
            <button type="button" on:click=click>{title}{icons::arrow_up()}</button>
        </th>
    }
    .part()
}

/// The buttons for the previous and the next page.
fn pages(page: RwSignal<usize>, size: usize, count: usize, scrolled: NodeRef<html::Div>) -> Part {
    let button = |label: &'static str, ends: usize, to: fn(usize) -> usize| {
        let go = move |_| {
            page.update(|page| *page = to(*page));
            if let Some(element) = scrolled.get_untracked() {
                element.set_scroll_top(0);
            }
        };
        view! {
            <button type="button" class="icon-button" aria-label=label disabled=move || page.get() == ends on:click=go>
                {icons::chevron_down()}
            </button>
        }
    };
    let shown = move || {
        let first = page.get() * size;
        format!("{}–{} of {count}", first + 1, (first + size).min(count))
    };
    view! {
        <div class="table-pages">
            {button("Previous page", 0, |page| page - 1)}
            <span role="status">{shown}</span>
            {button("Next page", (count - 1) / size, |page| page + 1)}
        </div>
    }
    .part()
}

fn is_number(column: &TableColumn) -> bool {
    column.align == Align::End
}
