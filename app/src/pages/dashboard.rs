//! A dashboard: its name, its filters, its charts on the grid.

use super::{host_link::HostLink, navigation::tab_id, no_rows::NoRows, opened::Opened, refresh};
use crate::drill::Drill;
use crate::ui::effect::effect;
use crate::ui::part::{IntoPart, IntoParts, Part};
use crate::{
    browser::network,
    calls::{Drawn, embed::OpenedDashboard},
    filters::{bar::FilterBar, state::FilterState},
    session::{self, Session},
    tile::{Figure, board::Board, model::TileState},
    ui::icons,
};
use inlay_contract::{
    page::{ApplicationView, DashboardView, Tile},
    permissions::Flag,
};
use leptos::prelude::*;
use std::sync::Arc;

#[cfg(not(feature = "edit"))]
use super::without_tools::{dashboard_assistant, reports, tools};
#[cfg(feature = "edit")]
use crate::{dashboard_assistant, edit::toolbar as tools, reports};

/// The open dashboard.
#[component]
pub fn Dashboard(
    /// The dashboard and the filters that it was drawn with.
    opened: Arc<Drawn<OpenedDashboard>>,
    /// Whether tabs are shown above it.
    tabs: bool,
) -> impl IntoView {
    let application = Opened::here();
    let dashboard = &opened.content.dashboard;
    let Some(board) = lay_out(application, &opened) else { return ().part() };
    provide_context(board);
    hold_filters(application, board, dashboard);
    tools::start(application, board, dashboard);
    dashboard_assistant::start(application, board);
    reports::start(application, board, dashboard);
    let drill = application.permissions().allows(Flag::DrillDown).then(Drill::new);
    if let Some(drill) = drill {
        provide_context(drill);
    }
    effect(move || document().set_title(&board.name.get()));
    effect(move || board.ask_missing());
    network::when_back(move || board.ask_unreached());
    let link = HostLink::here();
    effect(move || link.watch(board));
    let permissions = application.permissions();
    let header = !permissions.allows(Flag::HideHeader);
    let prints = !permissions.allows(Flag::HideDownloadButton);
    let title = application.with_page(|page| !page.parameters.hide_header);
    let filters = !permissions.allows(Flag::HideFilters);
    let figures = dashboard.tiles.iter().zip(board.tiles.get_value()).map(|(tile, state)| figure(tile, state)).parts();
    refresh::charts(board);
    refresh::stale(board);
    let age = dashboard.refresh.map(|seconds| refresh::start(board, seconds));
    let id = move || board.id.get();
    let leaving = move || application.chosen.get() != Some(id()) && application.problem.get().is_none();
    view! {
        <section
            id="dashboard"
            class="dashboard"
            class:leaving=leaving
            role=tabs.then_some("tabpanel")
            aria-labelledby=move || tabs.then(|| tab_id(id()))
            aria-busy=move || leaving().to_string()
        >
            {(!header).then(tools::bar)}
            {header.then(|| view! {
                <header class="header">
                    {title.then(|| view! { <h1>{move || board.name.get()}</h1> })}
                    <div class="header-tools">{age}{tools::buttons()}{dashboard_assistant::button()}{reports::button()}{prints.then(|| print(board))}</div>
                </header>
            })}
            {move || application.problem.get().map(|problem| view! { <p class="content-note" role="alert">{problem}</p> })}
            {filters.then(|| view! { <FilterBar filters=dashboard.filters.clone() views=dashboard.views.clone() /> })}
            <p class="unseen" aria-live="polite">{move || board.told.get()}</p>
            <NoRows />
            {dashboard.tiles.is_empty().then(tools::empty)}
            <div class="grid">{figures}{tools::added()}</div>
            {tools::dialogs()}
            {dashboard_assistant::panel()}
            {reports::dialog()}
            {drill.map(Drill::dialog)}
        </section>
    }
    .part()
}

/// The button that downloads a PDF, and the error if that failed.
fn print(board: Board) -> Part {
    view! {
        {move || board.said.get().map(|why| view! { <p class="header-status header-failed" role="alert">{why}</p> })}
        <button type="button" class="button" disabled=move || board.printing.get() on:click=move |_| board.print()>
            {icons::download()}
            "Download PDF"
        </button>
    }
    .part()
}

fn lay_out(application: Opened, opened: &Drawn<OpenedDashboard>) -> Option<Board> {
    let OpenedDashboard { dashboard, filters } = &opened.content;
    let filters = FilterState::new(&dashboard.filters, filters.clone());
    let drawings = opened.drawings.iter().cloned().chain(std::iter::repeat(None));
    let tiles = dashboard.tiles.iter().zip(drawings).map(|(tile, drawing)| TileState::new(tile, drawing)).collect();
    let board = |view: &ApplicationView| Board::new(Session::here(), view, dashboard, filters, tiles);
    application.with_page(|page| session::application(page).map(board))
}

/// Updates the application's stored filters: a filter that this dashboard has and clears is removed, the others stay.
fn hold_filters(application: Opened, board: Board, dashboard: &DashboardView) {
    let own = FilterState::new(&dashboard.filters, Default::default());
    effect(move || {
        let active = board.filters.with(|filters| filters.active().clone());
        application.held.update_value(|held| {
            held.retain(|key, _| !own.knows(key));
            held.extend(active);
        });
    });
}

fn figure(tile: &Tile, state: TileState) -> Part {
    view! { <Figure tile=state svg=tile.svg.clone() /> }.part()
}
