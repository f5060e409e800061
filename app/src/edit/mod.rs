//! The editing tools. Changes are shown on the page at once and stored when the viewer saves. The page offers what its
//! permissions allow; the server checks the role again at every write.

pub mod arrange;
pub mod builder;
pub mod draft;
pub mod filters;
pub mod forms;
pub mod grid;
pub mod library;
pub mod offers;
pub mod state;
pub mod tools;

pub use state::{Editor, Open};

use crate::{
    calls::{
        Drawn, Refusal, Target,
        edit::{self, PreviewRequest},
        embed::{self, TileRequest},
    },
    tile::model::TileState,
    ui::{
        icons,
        menu::MenuItem,
        part::{IntoPart, Part},
    },
};
use arrange::Step;
use inlay_contract::{grid::COLUMNS, page::TileContent, permissions::Flag};
use leptos::prelude::*;

/// A chart's rows, as stored or as drafted.
///
/// # Errors
/// See the two page calls behind it.
pub async fn rows(tile: TileState, request: TileRequest) -> Result<Drawn<TileContent>, Refusal> {
    match tile.draft.get_value() {
        None => embed::tile_data(request).await,
        Some(chart) => {
            let target = Target { scope: request.scope, dashboard: request.dashboard };
            edit::preview_chart(PreviewRequest { target, chart, filters: request.filters }).await
        }
    }
}

/// The items that the editing tools add to a chart's menu.
pub fn menu(tile: TileState) -> Vec<MenuItem> {
    let Some(editor) = Editor::here() else { return Vec::new() };
    let mut items = Vec::new();
    if editor.allows(Flag::EditCharts) {
        items.push(MenuItem::new("Edit", icons::pencil(), move || editor.open(Open::Chart(tile.key))));
    }
    if editor.allows(Flag::RemoveChart) {
        items.push(MenuItem::new("Remove", icons::bin(), move || editor.remove(tile.key)));
    }
    items.extend(STEPS.map(|(label, step)| MenuItem {
        narrow: true,
        ..MenuItem::new(label, icon(tile, step), move || editor.step_chart(tile.key, step))
    }));
    items
}

/// The items that move and resize a chart on narrow pages, where it has no handle.
const STEPS: [(&str, Step); 4] =
    [("Move up", Step::Up), ("Move down", Step::Down), ("Full width", Step::FullWidth), ("Half width", Step::HalfWidth)];

/// The icon of a step. A width that the chart already has is ticked.
fn icon(tile: TileState, step: Step) -> Part {
    let ticked = move |width: u16, icon: fn() -> Part| {
        (move || if tile.place.get().w == width { icons::check() } else { icon() }).part()
    };
    match step {
        Step::Up => icons::arrow_up(),
        Step::Down => icons::arrow_down(),
        Step::FullWidth => ticked(COLUMNS, icons::full_width),
        Step::HalfWidth => ticked(COLUMNS / 2, icons::half_width),
    }
}
