//! Charts that are HTML: number, table, pivot and text.

use super::model::TileState;
use leptos::prelude::*;

/// The chart's body.
#[component]
pub fn HtmlChart(
    /// The chart.
    tile: TileState,
) -> impl IntoView {
    let _ = tile;
}
