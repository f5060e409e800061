//! A chart as SVG: drawn by the server in the first HTML, then by the chart library in its place.

use super::{
    board::Board,
    model::{MountedChart, Shown, TileState},
};
use crate::browser::{charts, observe};
use crate::drawing::Drawing;
use crate::drill;
use crate::ui::effect::effect;
use crate::ui::part::IntoPart;
use inlay_contract::chart::mark::Mark;
use leptos::{html, prelude::*, task::spawn_local};
use send_wrapper::SendWrapper;
use std::rc::Rc;

/// The picture. It is hidden, not removed, while a table or a state covers it.
#[component]
pub fn Plot(
    /// The chart.
    tile: TileState,
    /// Holds the library's chart.
    mounted: MountedChart,
    /// The element that it is drawn in. After the first HTML, the page never renders into it.
    node: NodeRef<html::Div>,
    /// The server's drawing.
    svg: Option<String>,
) -> impl IntoView {
    let board = Board::here();
    let hidden = move || tile.as_table.get() || tile.shown.with(|shown| option(shown).is_none());
    let follow = drill::follow(board, tile);
    effect(move || {
        if let Some(option) = tile.shown.with(option) {
            draw(board, follow, tile, mounted, node, option);
        }
    });
    observe::size(node, move || {
        mounted.try_with_value(|chart| chart.as_ref().map(|chart| chart.resize()));
    });
    on_cleanup(move || {
        mounted.try_with_value(|chart| chart.as_ref().map(|chart| chart.dispose()));
    });
    view! {
        <div class="plot" node_ref=node hidden=hidden inner_html=svg.unwrap_or_default()></div>
    }
    .part()
}

/// The chart library's option for a chart's content.
fn option(shown: &Shown) -> Option<String> {
    match &shown.rows()?.drawing {
        Some(Drawing::Option(option)) => Some(option.clone()),
        _ => None,
    }
}

/// Draws an option: creates the chart the first time, updates it later.
fn draw(
    board: Board,
    follow: Option<impl Fn(Mark) + Copy + 'static>,
    tile: TileState,
    mounted: MountedChart,
    node: NodeRef<html::Div>,
    drawing: String,
) {
    let update = |chart: &Rc<charts::Chart>| chart.update(&drawing);
    if let Some(updated) = mounted.with_value(|chart| chart.as_deref().map(update)) {
        tile.drawn.set(updated.is_ok());
        return;
    }
    spawn_local(async move {
        let Some(element) = node.get_untracked() else { return };
        let redraw = move |width, height| board.picture(tile, (width, height));
        let Ok(chart) = charts::mount_followed(&element, &drawing, redraw, follow).await else {
            // The server's drawing stays. Without one, nothing is shown.
            return;
        };
        let chart = Rc::new(chart);
        if mounted.try_update_value(|kept| *kept = Some(SendWrapper::new(Rc::clone(&chart)))).is_none() {
            // The dashboard was closed while the library loaded.
            let _ = chart.dispose();
            return;
        }
        tile.drawn.set(true);
        // The rows may have changed in the meantime.
        if let Some(latest) = tile.shown.with_untracked(option).filter(|latest| *latest != drawing) {
            let _ = chart.update(&latest);
        }
    });
}
