//! What replaces a chart that cannot be drawn.

use super::{board::Board, model::TileState};
use crate::ui::icons;
use crate::ui::part::{IntoPart, IntoParts};
use inlay_contract::{chart::definition::ChartType, page::Problem};
use leptos::prelude::*;

/// The placeholder while a chart loads. The style sheet shows it after 150 ms.
#[component]
pub fn Skeleton(
    /// The chart's type.
    kind: ChartType,
) -> impl IntoView {
    let shape = match kind {
        ChartType::Number | ChartType::Gauge => "number",
        ChartType::Pie | ChartType::Donut | ChartType::Sunburst | ChartType::Radar => "round",
        ChartType::Table | ChartType::Pivot | ChartType::Heatmap | ChartType::Calendar => "rows",
        _ => "bars",
    };
    let bones = (0..7).map(|_| view! { <span /> }).parts();
    view! { <div class="skeleton" data-shape=shape aria-hidden="true">{bones}</div> }.part()
}

/// No rows. Where the whole dashboard has none, the message above the charts says what to do.
#[component]
pub fn Empty() -> impl IntoView {
    let board = Board::here();
    let is_active = move || board.filters.with(|filters| filters.is_active());
    view! {
        <div class="tile-note">
            <p>{move || if board.bare.get() { "No data" } else if is_active() { "No data for these filters." } else { "No data yet." }}</p>
            {move || (is_active() && !board.bare.get()).then(|| view! {
                <button type="button" class="button" on:click=move |_| board.clear_filters()>"Clear filters"</button>
            })}
        </div>
    }
    .part()
}

/// An error.
#[component]
pub fn Failed(
    /// The chart.
    tile: TileState,
    /// The error.
    problem: Problem,
) -> impl IntoView {
    let board = Board::here();
    view! {
        <div class="tile-note tile-failed">
            {icons::alert()}
            <p>{problem.message}</p>
            <button type="button" class="button" on:click=move |_| board.ask(tile)>"Try again"</button>
        </div>
    }
    .part()
}
