//! The tools of those who may edit: a dashboard is changed on the page at once and stored when its viewer saves it. What the
//! page offers follows the permissions that it got; the server asks the role again at every write.

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

/// A chart's rows: those of the chart as it is stored, or as it would be.
///
/// # Errors
/// As the server functions behind it.
pub async fn rows(tile: TileState, request: TileRequest) -> Result<Drawn<TileContent>, Refusal> {
    match tile.draft.get_value() {
        None => embed::tile_data(request).await,
        Some(chart) => {
            let target = Target { scope: request.scope, dashboard: request.dashboard };
            edit::preview_chart(PreviewRequest { target, chart, filters: request.filters }).await
        }
    }
}

/// What an editor's chart menu holds beside what everybody's does.
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
