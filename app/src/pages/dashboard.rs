//! A dashboard: its name, its filters, its charts on the grid.

use super::{application::Opened, navigation::tab_id};
use crate::ui::part::{IntoPart, IntoParts, Part};
use crate::{
    backend::{Drawn, OpenedDashboard},
    bridge::Bridge,
    filters::{bar::FilterBar, state::FilterState},
    session::{self, Session},
    tile::{Figure, board::Board, model::TileState},
};
use inlay_contract::{
    page::{ApplicationView, DashboardView, Tile},
    permissions::Flag,
};
use leptos::prelude::*;
use std::sync::Arc;

/// The open dashboard.
#[component]
pub fn Dashboard(
    /// The dashboard and the filters that it was drawn with.
    opened: Arc<Drawn<OpenedDashboard>>,
    /// Whether tabs stand above it.
    tabs: bool,
) -> impl IntoView {
    let application = Opened::here();
    let dashboard = &opened.content.dashboard;
    let Some(board) = lay_out(application, &opened) else { return ().part() };
    provide_context(board);
    hold_filters(application, board, dashboard);
    let name = dashboard.name.clone();
    Effect::new(move |_| {
        document().set_title(&name);
        board.ask_missing();
    });
    let bridge = Bridge::here();
    Effect::new(move |_| bridge.watch(board));
    let permissions = application.permissions();
    let title = application.with_page(|page| !page.parameters.hide_header) && !permissions.allows(Flag::HideHeader);
    let filters = !permissions.allows(Flag::HideFilters);
    let figures = dashboard.tiles.iter().zip(board.tiles.get_value()).map(|(tile, state)| figure(tile, state)).parts();
    let id = dashboard.id;
    let leaving = move || application.chosen.get() != Some(id) && application.problem.get().is_none();
    view! {
        <section
            id="dashboard"
            class="dashboard"
            class:leaving=leaving
            role=tabs.then_some("tabpanel")
            aria-labelledby=tabs.then(|| tab_id(id))
            aria-busy=move || leaving().to_string()
        >
            {title.then(|| view! { <header class="header"><h1>{dashboard.name.clone()}</h1></header> })}
            {move || application.problem.get().map(|problem| view! { <p class="content-note" role="alert">{problem}</p> })}
            {filters.then(|| view! { <FilterBar filters=dashboard.filters.clone() /> })}
            {if dashboard.tiles.is_empty() {
                view! { <p class="content-note">"No charts yet."</p> }.part()
            } else {
                view! { <div class="grid">{figures}</div> }.part()
            }}
        </section>
    }
    .part()
}

fn lay_out(application: Opened, opened: &Drawn<OpenedDashboard>) -> Option<Board> {
    let OpenedDashboard { dashboard, filters } = &opened.content;
    let filters = FilterState::new(&dashboard.filters, filters.clone());
    let pictures = opened.pictures.iter().cloned().chain(std::iter::repeat(None));
    let tiles = dashboard.tiles.iter().zip(pictures).map(|(tile, picture)| TileState::new(tile, picture)).collect();
    let board = |view: &ApplicationView| Board::new(Session::here(), view, dashboard.id, filters, tiles);
    application.with_page(|page| session::application(page).map(board))
}

/// Keeps the application's memory of filters in step: what this dashboard has and clears is forgotten, the rest stays.
fn hold_filters(application: Opened, board: Board, dashboard: &DashboardView) {
    let own = FilterState::new(&dashboard.filters, Default::default());
    Effect::new(move |_| {
        let active = board.filters.with(|filters| filters.active().clone());
        application.held.update_value(|held| {
            held.retain(|key, _| !own.knows(key));
            held.extend(active);
        });
    });
}

fn figure(tile: &Tile, state: TileState) -> Part {
    view! { <Figure tile=state place=[tile.x, tile.y, tile.w, tile.h] svg=tile.svg.clone() /> }.part()
}
