//! The figure of one chart.

use super::{
    board::Board,
    html::HtmlChart,
    look::{Look, UNFIT},
    menu::{self, Files},
    model::{MountedChart, Rows, Shown, State, TileState},
    plot::Plot,
    states::{Empty, Failed, Skeleton},
    table::{self, DataTable, Titles},
};
use crate::browser::clock;
use crate::calls::{Refusal, embed};
use crate::drill;
use crate::ui::effect::effect;
use crate::ui::part::{IntoPart, Part};
#[cfg(feature = "edit")]
use inlay_contract::ids::ChartId;
use inlay_contract::{chart::definition::ChartType, grid::GridPosition};
use leptos::{html, prelude::*};
use std::sync::Arc;

/// The width in CSS pixels at which the server draws an HTML chart.
const IMAGE: u32 = 720;

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
                {move || age(tile)}
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

/// What the editing tools add to each chart. Provided as context on dashboards that the viewer may edit.
#[cfg(feature = "edit")]
#[derive(Clone, Copy)]
pub struct ChartTools {
    /// The handle for moving and resizing.
    pub handle: fn(TileState) -> Part,
    /// The items at the end of the menu.
    pub menu: fn(TileState) -> Vec<crate::ui::menu::MenuItem>,
}

/// The handle for moving the chart.
#[cfg(feature = "edit")]
fn handle(tile: TileState) -> Part {
    use_context::<ChartTools>().map(|tools| (tools.handle)(tile)).part()
}

/// This wasm has no editing tools.
#[cfg(not(feature = "edit"))]
fn handle(_: TileState) -> Part {
    ().part()
}

/// How old the rows are, if they were asked for again by themselves, or are older ones because the data source does not answer.
fn age(tile: TileState) -> Part {
    let Some(moment) = tile.shown.with(|shown| shown.as_of().map(str::to_owned)) else {
        return tile.refreshed.get().map(|time| view! { <span class="tile-age">"Updated "{time}</span> }).part();
    };
    // Only the browser knows its user's time.
    let read = RwSignal::new((String::new(), String::new()));
    effect(move || read.set(clock::of(&moment)));
    let title = move || format!("The data source does not answer. These rows were read at {}.", read.get().1);
    view! { <span class="tile-age tile-old" title=title>"As of "{move || read.get().0}</span> }.part()
}

/// What covers or replaces the picture.
fn overlay(tile: TileState) -> Part {
    tile.shown.with(|shown| match shown {
        Shown::Nothing => view! { <Skeleton kind=tile.face().kind /> }.part(),
        Shown::Problem(problem) => view! { <Failed tile problem=problem.clone() /> }.part(),
        Shown::Rows(rows) if rows.is_empty() => view! { <Empty /> }.part(),
        Shown::Rows(rows) if tile.as_table.get() => data_table(tile, rows),
        Shown::Rows(rows) if rows.drawing.is_none() => view! { <p class="tile-note">{UNFIT}</p> }.part(),
        Shown::Rows(_) => ().part(),
    })
}

/// `Show data`: every column of the query under its own name, with exact values.
fn data_table(tile: TileState, rows: &Arc<Rows>) -> Part {
    let name = tile.face.with_value(|face| format!("{} data", face.title));
    let view = table::of_data(&rows.data, &Look::here().locale.get_value());
    let follow = drill::rows(tile, false);
    view! { <DataTable name view titles=Titles::Names rows=Arc::clone(rows) follow place=tile.data_place /> }.part()
}

fn tile_menu(tile: TileState, mounted: MountedChart) -> Part {
    let files = TileFiles { board: Board::here(), tile };
    #[cfg(feature = "edit")]
    let more = use_context::<ChartTools>().map(|tools| (tools.menu)(tile)).unwrap_or_default();
    #[cfg(not(feature = "edit"))]
    let more = Vec::new();
    menu::menu(format!("menu-{}", tile.key), tile, mounted, files, more)
}

/// The files of a chart on a dashboard.
#[derive(Clone, Copy)]
struct TileFiles {
    board: Board,
    tile: TileState,
}

impl Files for TileFiles {
    async fn workbook(self) -> Result<String, Refusal> {
        embed::chart_file(self.board.request(self.tile)).await
    }

    fn picture(self) -> impl Future<Output = Option<String>> {
        self.board.picture(self.tile, (IMAGE, IMAGE))
    }

    fn say(self, refusal: Refusal) {
        self.board.say(refusal);
    }
}

/// Scrolls to a chart that was just added.
#[cfg(feature = "edit")]
pub fn reveal(key: ChartId) {
    request_animation_frame(move || {
        if let Some(figure) = document().query_selector(&format!("[data-key=\"{key}\"]")).ok().flatten() {
            figure.scroll_into_view();
        }
    });
}
