//! The editing tools. Changes are shown on the page at once and stored when the viewer saves. The page offers what its
//! permissions allow; the server checks the role again at every write.

pub mod arrange;
pub mod builder;
pub mod draft;
pub mod filters;
pub mod forms;
pub mod grid;
pub mod library;
pub mod state;
pub mod tools;

pub use state::{Editor, Open};

use crate::{
    calls::{
        Drawn, Refusal,
        edit::{self, PreviewRequest, Target},
        embed::{self, TileRequest},
    },
    tile::model::TileState,
    ui::{icons, menu::MenuItem},
};
use inlay_contract::{page::TileContent, permissions::Flag};
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
    items
}
