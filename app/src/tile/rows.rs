//! A chart's rows: as stored, or as drafted by an editor.

use super::model::TileState;
use crate::calls::{
    Drawn, Refusal,
    embed::{self, TileRequest},
};
#[cfg(feature = "edit")]
use crate::calls::{
    Target,
    edit::{self, PreviewRequest},
};
use inlay_contract::page::TileContent;
#[cfg(feature = "edit")]
use leptos::prelude::GetValue;

/// Requests a chart's rows, as stored or as drafted.
///
/// # Errors
/// See the two page calls behind it.
#[cfg(feature = "edit")]
pub async fn request(tile: TileState, request: TileRequest) -> Result<Drawn<TileContent>, Refusal> {
    match tile.draft.get_value() {
        None => embed::tile_data(request).await,
        Some(chart) => {
            let target = Target { scope: request.scope, dashboard: request.dashboard };
            edit::preview_chart(PreviewRequest { target, chart, filters: request.filters }).await
        }
    }
}

/// Requests a chart's rows. This wasm has no editing tools, so no chart is drafted.
///
/// # Errors
/// See the page call behind it.
#[cfg(not(feature = "edit"))]
pub async fn request(_: TileState, request: TileRequest) -> Result<Drawn<TileContent>, Refusal> {
    embed::tile_data(request).await
}
