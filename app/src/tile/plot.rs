//! A chart drawn as SVG: by the server in the first HTML, then by the chart library, which takes over where it stands.

use crate::ui::part::{IntoPart};
use super::{
    figure::Standing,
    look::Look,
    model::{Rows, TileState},
};
use crate::browser::{charts, observe};
use leptos::{html, prelude::*, task::spawn_local};
use send_wrapper::SendWrapper;
use std::{rc::Rc, sync::Arc};

/// The picture. Hidden, not removed, while a table or a state stands in its place.
#[component]
pub fn Plot(
    /// The chart.
    tile: TileState,
    /// Where the library's chart is kept.
    standing: Standing,
    /// The element that it is drawn in. The page never renders into it after the first HTML.
    node: NodeRef<html::Div>,
    /// The server's drawing.
    svg: Option<String>,
) -> impl IntoView {
    let look = Look::here();
    let hidden =
        move || tile.as_table.get() || tile.shown.with(|shown| shown.rows().is_none_or(|rows| rows.picture.is_none()));
    Effect::new(move |_| {
        if let Some(rows) = tile.shown.with(|shown| shown.rows().cloned()) {
            draw(tile, standing, node, rows, look);
        }
    });
    observe::size(node, move || {
        standing.try_with_value(|chart| chart.as_ref().map(|chart| chart.resize()));
    });
    on_cleanup(move || {
        standing.try_with_value(|chart| chart.as_ref().map(|chart| chart.dispose()));
    });
    view! {
        <div class="plot" node_ref=node hidden=hidden inner_html=svg.unwrap_or_default()></div>
    }
    .part()
}

/// Draws rows: the first time with a new chart, later by changing the one that stands.
fn draw(tile: TileState, standing: Standing, node: NodeRef<html::Div>, rows: Arc<Rows>, look: Look) {
    let Some(option) = rows.picture.clone() else { return };
    let update = |chart: &Rc<charts::Chart>| chart.update(&option);
    if let Some(updated) = standing.with_value(|chart| chart.as_deref().map(update)) {
        tile.drawn.set(updated.is_ok());
        return;
    }
    spawn_local(async move {
        let Some(element) = node.get_untracked() else { return };
        let locale = look.locale.get_value();
        let Ok(chart) = charts::mount(&element, &option, &locale).await else {
            // The server's drawing stays; without one there is nothing to show.
            return;
        };
        let chart = Rc::new(chart);
        if standing.try_update_value(|kept| *kept = Some(SendWrapper::new(Rc::clone(&chart)))).is_none() {
            // The dashboard was closed while the library was on its way.
            let _ = chart.dispose();
            return;
        }
        tile.drawn.set(true);
        // Rows may have changed meanwhile.
        let latest = tile.shown.with_untracked(|shown| shown.rows().and_then(|rows| rows.picture.clone()));
        if let Some(latest) = latest.filter(|latest| *latest != option) {
            let _ = chart.update(&latest);
        }
    });
}
