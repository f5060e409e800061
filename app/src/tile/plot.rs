//! A chart drawn as SVG: by the server in the first HTML, then by the chart library, which takes over where it stands.

use super::{
    figure::Standing,
    look::{self, Look},
    model::{Shown, TileState},
};
use crate::browser::{charts, observe};
use inlay_contract::page::Problem;
use leptos::{html, prelude::*, task::spawn_local};
use send_wrapper::SendWrapper;
use std::rc::Rc;

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
        move || tile.as_table.get() || !tile.shown.with(|shown| matches!(shown, Shown::Rows(data) if !data.rows.is_empty()));
    Effect::new(move |_| {
        let Shown::Rows(data) = tile.shown.get() else { return };
        if data.rows.is_empty() {
            return;
        }
        match look::option(&tile.definition(), &data, look) {
            Ok(option) => draw(tile, standing, node, option, look),
            Err(problem) => {
                leptos::logging::warn!("{problem}");
                tile.shown.set(Shown::Problem(Problem { code: "CHART_FAILED".into(), message: look::UNFIT.into() }));
            }
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
    .into_any()
}

/// Draws an option: the first time with a new chart, later by changing the one that stands.
fn draw(tile: TileState, standing: Standing, node: NodeRef<html::Div>, option: String, look: Look) {
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
        // Rows may have changed while the library was on its way.
        let chart = Rc::new(chart);
        if standing.try_update_value(|kept| *kept = Some(SendWrapper::new(Rc::clone(&chart)))).is_none() {
            let _ = chart.dispose();
            return;
        }
        tile.drawn.set(true);
        if let Shown::Rows(data) = tile.shown.get_untracked()
            && let Ok(latest) = look::option(&tile.definition(), &data, look)
            && latest != option
        {
            let _ = chart.update(&latest);
        }
    });
}
