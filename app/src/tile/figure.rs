//! The figure of one chart.

use super::{
    board::Board,
    html::HtmlChart,
    look::{Look, UNFIT},
    model::{Rows, Shown, State, TileState},
    plot::Plot,
    states::{Empty, Failed, Skeleton},
    table::{self, DataTable, Titles},
};
use crate::drill;
use crate::ui::part::{IntoPart, Part};
use crate::{
    browser::{charts, download},
    calls::{Refusal, embed},
    data::csv,
    ui::{
        icons,
        menu::{Menu, MenuItem},
    },
};
use inlay_contract::{chart::definition::ChartType, code::Code, grid::GridPosition};
use leptos::{html, prelude::*, task::spawn_local};
use send_wrapper::SendWrapper;
use std::{rc::Rc, sync::Arc};

/// The chart, once the browser has drawn it.
pub type MountedChart = StoredValue<Option<SendWrapper<Rc<charts::Chart>>>>;

/// The width in CSS pixels at which the server draws an HTML chart.
const IMAGE: u32 = 720;

/// What the viewer may do with a chart.
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
    /// The server's drawing.
    svg: Option<String>,
) -> impl IntoView {
    let face = tile.face();
    let mounted: MountedChart = StoredValue::new(None);
    let plot = NodeRef::<html::Div>::new();
    let style = move || {
        let GridPosition { x, y, w, h } = tile.place.get();
        // The contract's grid starts at 0, CSS grids at 1.
        format!("--x:{};--y:{};--w:{w};--h:{h}", x + 1, y + 1)
    };
    let state = Memo::new(move |_| tile.state());
    let name = face.title.clone();
    let kind = face.kind;
    view! {
        <figure
            class="tile"
            class:tile-bare=kind == ChartType::Text
            class:tile-number=kind == ChartType::Number
            style=style
            hidden=move || tile.gone.get()
            aria-label=name.clone()
            aria-busy=move || (state.get() == State::Loading).to_string()
            data-key=tile.key.to_string()
            data-state=move || state.get().name()
        >
            <div class="tile-head">
                <h2 class="tile-title" title=name.clone()>{name.clone()}</h2>
                {handle(tile)}
                {tile_menu(tile, mounted)}
            </div>
            {body(tile, mounted, plot, svg)}
        </figure>
    }
    .part()
}

/// The content of a chart: its picture, and what covers or replaces it.
pub fn body(tile: TileState, mounted: MountedChart, plot: NodeRef<html::Div>, svg: Option<String>) -> Part {
    let is_html = tile.face().kind.is_html();
    view! {
        <div class="tile-body">
            {(!is_html).then(|| view! { <Plot tile mounted node=plot svg /> })}
            {move || overlay(tile)}
            {is_html.then(|| view! { <HtmlChart tile /> })}
        </div>
    }
    .part()
}

/// The handle for moving the chart.
#[cfg(feature = "edit")]
fn handle(tile: TileState) -> Part {
    crate::edit::grid::handle(tile)
}

/// This wasm has no editing tools.
#[cfg(not(feature = "edit"))]
fn handle(_: TileState) -> Part {
    ().part()
}

/// What covers or replaces the picture.
fn overlay(tile: TileState) -> Part {
    tile.shown.with(|shown| match shown {
        Shown::Nothing => view! { <Skeleton kind=tile.face().kind /> }.part(),
        Shown::Problem(problem) => view! { <Failed tile problem=problem.clone() /> }.part(),
        Shown::Rows(rows) if rows.is_empty() => view! { <Empty /> }.part(),
        Shown::Rows(rows) if tile.as_table.get() => data_table(tile, rows),
        Shown::Rows(rows) if rows.picture.is_none() => view! { <p class="tile-note">{UNFIT}</p> }.part(),
        Shown::Rows(_) => ().part(),
    })
}

/// `Show data`: every column of the query under its own name, with exact values.
fn data_table(tile: TileState, rows: &Arc<Rows>) -> Part {
    let name = tile.face.with_value(|face| format!("{} data", face.title));
    let view = table::of_data(&rows.data, &Look::here().locale.get_value());
    let follow = drill::rows(tile, false);
    view! { <DataTable name view titles=Titles::Names rows=Arc::clone(rows) follow /> }.part()
}

fn tile_menu(tile: TileState, mounted: MountedChart) -> Part {
    let mut items = Vec::new();
    if tile.face().kind != ChartType::Text {
        items.extend(menu_of_rows(tile));
    }
    let board = Board::here();
    items.push(MenuItem::new("Download image", icons::picture(), move || download_picture(board, tile, mounted)));
    #[cfg(feature = "edit")]
    items.extend(crate::edit::menu(tile));
    view! { <Menu label="Chart menu" id=format!("menu-{}", tile.key) items /> }.part()
}

fn menu_of_rows(tile: TileState) -> Vec<MenuItem> {
    let offers = expect_context::<Offers>();
    let mut items = vec![MenuItem {
        label: Signal::derive(move || if tile.as_table.get() { "Show chart" } else { "Show data" }.to_owned()),
        icon: (move || if tile.as_table.get() { icons::columns() } else { icons::rows() }).part(),
        action: Callback::new(move |()| tile.as_table.update(|on| *on = !*on)),
    }];
    if offers.csv {
        items.push(MenuItem::new("Download CSV", icons::download(), move || download_csv(tile)));
        let board = Board::here();
        items.push(MenuItem::new("Download XLSX", icons::rows(), move || download_workbook(board, tile)));
    }
    items
}

fn download_csv(tile: TileState) {
    if let Shown::Rows(rows) = tile.shown.get_untracked() {
        let name = tile.face.with_value(|face| csv::file_name(&face.title, "csv"));
        download::text(&name, "text/csv;charset=utf-8", &csv::write(&rows.data));
    }
}

fn download_workbook(board: Board, tile: TileState) {
    const EXCEL: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    let name = tile.face.with_value(|face| csv::file_name(&face.title, "xlsx"));
    spawn_local(async move {
        match embed::chart_file(board.request(tile)).await {
            Ok(file) => download::bytes(&name, EXCEL, &file),
            Err(refusal) => board.say(refusal),
        }
    });
}

/// Downloads the chart as the page shows it. The server draws HTML charts.
fn download_picture(board: Board, tile: TileState, mounted: MountedChart) {
    let drawn = mounted.with_value(|chart| chart.as_ref().and_then(|chart| chart.svg().ok()));
    let name = tile.face.with_value(|face| csv::file_name(&face.title, ""));
    spawn_local(async move {
        let svg = match drawn {
            Some(svg) => Some(svg),
            None => board.picture(tile, (IMAGE, IMAGE)).await,
        };
        match svg {
            Some(svg) => download::picture(name.trim_end_matches('.'), &svg).await,
            None => board.say(Refusal::new(Code::Unavailable, "The image could not be created. Try again later.")),
        }
    });
}
