//! The figure of one chart.

use super::{
    html::HtmlChart,
    look::{Look, UNFIT},
    model::{Rows, Shown, State, TileState},
    plot::Plot,
    states::{Empty, Failed, Skeleton},
    table::{self, DataTable, Titles},
};
use crate::ui::part::{IntoPart, Part};
use crate::{
    browser::{charts, download},
    data::csv,
    ui::{
        icons,
        menu::{Menu, MenuItem},
    },
};
use inlay_contract::chart::definition::ChartType;
use leptos::{html, prelude::*, task::spawn_local};
use send_wrapper::SendWrapper;
use std::{rc::Rc, sync::Arc};

/// The chart as it stands on the page, once the browser has drawn it.
pub type Standing = StoredValue<Option<SendWrapper<Rc<charts::Chart>>>>;

/// What the page lets its viewer do with a chart.
#[derive(Clone, Copy, Debug)]
pub struct Offers {
    /// `Download CSV`.
    pub csv: bool,
}

/// One chart.
#[component]
pub fn Figure(
    /// Its state.
    tile: TileState,
    /// Its place on the grid: left, top, width, height.
    place: [u16; 4],
    /// The server's drawing.
    svg: Option<String>,
) -> impl IntoView {
    let face = tile.face();
    let is_html = face.kind.is_html();
    let standing: Standing = StoredValue::new(None);
    let plot = NodeRef::<html::Div>::new();
    let [x, y, w, h] = place;
    // The contract's grid counts from 0, CSS from 1.
    let style = format!("--x:{};--y:{};--w:{w};--h:{h}", x + 1, y + 1);
    let state = Memo::new(move |_| tile.state());
    let name = face.title.clone();
    let kind = face.kind;
    view! {
        <figure
            class="tile"
            class:tile-bare=kind == ChartType::Text
            class:tile-number=kind == ChartType::Number
            style=style
            aria-label=name.clone()
            aria-busy=move || (state.get() == State::Loading).to_string()
            data-state=move || state.get().name()
        >
            <div class="tile-head">
                <h2 class="tile-title" title=name.clone()>{name.clone()}</h2>
                {(kind != ChartType::Text).then(|| tile_menu(tile, standing, plot))}
            </div>
            <div class="tile-body">
                {(!is_html).then(|| view! { <Plot tile standing node=plot svg /> })}
                {move || overlay(tile)}
                {is_html.then(|| view! { <HtmlChart tile /> })}
            </div>
        </figure>
    }
    .part()
}

/// What stands in the picture's place, or over it.
fn overlay(tile: TileState) -> Part {
    let kind = tile.face.with_value(|face| face.kind);
    if kind == ChartType::Text {
        return ().part();
    }
    tile.shown.with(|shown| match shown {
        Shown::Nothing => view! { <Skeleton kind /> }.part(),
        Shown::Problem(problem) => view! { <Failed tile problem=problem.clone() /> }.part(),
        Shown::Rows(rows) if rows.data.rows.is_empty() => view! { <Empty /> }.part(),
        Shown::Rows(rows) if tile.as_table.get() => data_table(tile, rows),
        Shown::Rows(rows) if rows.picture.is_none() => view! { <p class="tile-note">{UNFIT}</p> }.part(),
        Shown::Rows(_) => ().part(),
    })
}

/// `Show data`: every column of the query under its own name, every value as it is.
fn data_table(tile: TileState, rows: &Arc<Rows>) -> Part {
    let name = tile.face.with_value(|face| format!("{} data", face.title));
    let view = table::of_data(&rows.data, &Look::here().locale.get_value());
    view! { <DataTable name view titles=Titles::Names rows=Arc::clone(rows) /> }.part()
}

fn tile_menu(tile: TileState, standing: Standing, plot: NodeRef<html::Div>) -> Part {
    let offers = expect_context::<Offers>();
    let face = tile.face();
    let mut items = vec![MenuItem {
        label: Signal::derive(move || if tile.as_table.get() { "Show chart" } else { "Show data" }.to_owned()),
        icon: (move || if tile.as_table.get() { icons::columns() } else { icons::rows() }).part(),
        action: Callback::new(move |()| tile.as_table.update(|on| *on = !*on)),
    }];
    if offers.csv {
        items.push(MenuItem {
            label: Signal::stored("Download CSV".to_owned()),
            icon: icons::download(),
            action: Callback::new(move |()| download_csv(tile)),
        });
    }
    if !face.kind.is_html() {
        items.push(MenuItem {
            label: Signal::stored("Download image".to_owned()),
            icon: icons::picture(),
            action: Callback::new(move |()| download_picture(tile, standing, plot)),
        });
    }
    view! { <Menu label="Chart menu" id=format!("menu-{}", tile.id) items /> }.part()
}

fn download_csv(tile: TileState) {
    if let Shown::Rows(rows) = tile.shown.get_untracked() {
        let name = tile.face.with_value(|face| csv::file_name(&face.title, "csv"));
        download::text(&name, "text/csv;charset=utf-8", &csv::write(&rows.data));
    }
}

fn download_picture(tile: TileState, standing: Standing, plot: NodeRef<html::Div>) {
    let Some(svg) = standing.with_value(|chart| chart.as_ref().and_then(|chart| chart.svg().ok())) else { return };
    let Some(plot) = plot.get_untracked() else { return };
    let size = (f64::from(plot.client_width()), f64::from(plot.client_height()));
    let name = tile.face.with_value(|face| csv::file_name(&face.title, ""));
    spawn_local(async move { download::picture(name.trim_end_matches('.'), &svg, size).await });
}
