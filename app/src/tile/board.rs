//! The open dashboard: its filters, its charts, and the requests after a filter changes.

use super::{
    model::{Shown, State, TileState},
    rows,
};
use crate::{
    browser::{download, focus},
    calls::{
        Drawn, Refusal, Scope,
        embed::{self, DashboardRequest, PictureRequest, TileRequest},
    },
    data::csv,
    filters::{
        state::{Change, FilterState},
        words::{column, summary},
    },
    session::Session,
};
use inlay_contract::{
    chart::definition::ChartType,
    code::Code,
    filter::FilterValue,
    frame::message::Source,
    ids::{ChartId, DashboardId},
    page::{ApplicationView, DashboardView, Filters},
};
use leptos::{prelude::*, task::spawn_local};
use std::{cell::Cell, rc::Rc};

/// The open dashboard. Provided as context to its components.
#[derive(Clone, Copy)]
pub struct Board {
    /// Its id. It changes when a copy is saved.
    pub id: RwSignal<DashboardId>,
    /// Its name.
    pub name: RwSignal<String>,
    /// Its filters.
    pub filters: RwSignal<FilterState>,
    /// Who changed the filters last.
    pub source: RwSignal<Source>,
    /// The error of the last download, for the viewer.
    pub said: RwSignal<Option<String>>,
    /// How a click on a mark changed the filters, for screen readers.
    pub told: RwSignal<String>,
    /// Whether a PDF is being created.
    pub printing: RwSignal<bool>,
    /// Its charts, in reading order.
    pub tiles: StoredValue<Vec<TileState>>,
    /// Whether filters leave no chart that they reach with rows. It stays as it was while charts load.
    pub bare: Memo<bool>,
    /// The chart whose mark set filters last, and those filters.
    narrowed: StoredValue<Option<(ChartId, Filters)>>,
    session: Session,
    scope: StoredValue<Scope>,
}

impl Board {
    /// A dashboard that was drawn with these filters.
    #[must_use]
    pub fn new(
        session: Session,
        application: &ApplicationView,
        dashboard: &DashboardView,
        filters: FilterState,
        tiles: Vec<TileState>,
    ) -> Self {
        let (filters, tiles) = (RwSignal::new(filters), StoredValue::new(tiles));
        Self {
            id: RwSignal::new(dashboard.id),
            name: RwSignal::new(dashboard.name.clone()),
            filters,
            bare: Memo::new(move |was| {
                let reached = filters.with(|filters| reached(tiles.get_value(), filters));
                is_bare(&reached).unwrap_or_else(|| was.copied().unwrap_or_default())
            }),
            source: RwSignal::new(Source::Default),
            said: RwSignal::new(None),
            told: RwSignal::new(String::new()),
            narrowed: StoredValue::new(None),
            printing: RwSignal::new(false),
            tiles,
            session,
            scope: StoredValue::new(session.scope(application)),
        }
    }

    /// The component's board.
    #[must_use]
    pub fn here() -> Self {
        expect_context()
    }

    /// The scope of requests.
    #[must_use]
    pub fn scope(self) -> Scope {
        self.scope.get_value()
    }

    /// Sets or removes a filter for the viewer.
    pub fn set_filter(self, key: &str, value: Option<FilterValue>) {
        self.change(Source::User, |filters| filters.set(key, value));
    }

    /// Filters by a mark of a chart, or removes these filters if they are already set.
    pub fn narrow(self, tile: TileState, values: Filters) {
        if values.is_empty() {
            return;
        }
        let words: Vec<String> = values.values().map(summary).collect();
        self.change(Source::User, |filters| filters.toggle(values.clone()));
        let Some(holds) = self.filters.try_with_untracked(|filters| filters.holds(&values)) else { return };
        self.told.set(if holds { format!("Filtered by {}", words.join(", ")) } else { "Filter removed".to_owned() });
        self.narrowed.set_value(holds.then_some((tile.key, values)));
    }

    /// Removes the filters that a mark of this chart set, if no other mark set filters since and they are still set.
    pub fn widen(self, tile: TileState) {
        let Some((_, values)) = self.narrowed.get_value().filter(|(key, _)| *key == tile.key) else { return };
        if self.filters.with_untracked(|filters| filters.holds(&values)) {
            self.narrow(tile, values);
        }
    }

    /// The label of a filter on a column or dimension: what a chart that it reaches calls it, or else the name in its key.
    #[must_use]
    pub fn label(self, key: &str) -> String {
        let told = |tile: &TileState| tile.labels.with_value(|labels| labels.get(key).cloned());
        let label = self.tiles.with_value(|tiles| tiles.iter().find_map(told));
        label.unwrap_or_else(|| column(key).to_owned())
    }

    /// Clears all filters for the viewer.
    pub fn clear_filters(self) {
        self.change(Source::User, FilterState::clear);
    }

    /// Replaces all filters for the viewer.
    pub fn choose_filters(self, filters: Filters) {
        self.change(Source::User, |state| state.replace(filters));
    }

    /// Replaces all filters for the host.
    pub fn replace_filters(self, filters: Filters) {
        self.change(Source::Host, |state| state.replace(filters));
    }

    fn change(self, source: Source, change: impl FnOnce(&mut FilterState) -> Change) {
        let Some(change) = self.filters.try_maybe_update(|filters| {
            let change = change(filters);
            (!change.is_empty(), change)
        }) else {
            return;
        };
        self.source.set(source);
        let touched = |tile: &TileState| tile.filter_keys.with_value(|keys| change.touches(keys));
        for tile in self.tiles.get_value().into_iter().filter(touched) {
            self.ask(tile);
        }
    }

    /// Requests a chart's rows with the current filters.
    pub fn ask(self, tile: TileState) {
        let (question, request) = (tile.ask(), self.request(tile));
        spawn_local(async move {
            let shown = self.answer(tile, request).await;
            tile.answered(question, shown);
        });
    }

    /// Requests the rows of these charts again, unless they are being requested. Charts keep their pictures until other rows are there,
    /// and where none come. `done` is called if all came.
    pub fn renew(self, tiles: Vec<TileState>, done: impl Fn() + Copy + 'static) {
        // A chart that somebody is in stays as it is: it would lose the focus.
        let is_used = |tile: &TileState| focus::is_within(&format!("[data-key=\"{}\"]", tile.key));
        let (used, free): (Vec<TileState>, Vec<TileState>) = tiles.into_iter().partition(is_used);
        let tiles: Vec<(TileState, u32)> = free.into_iter().filter_map(|tile| Some((tile, tile.renew()?))).collect();
        let missing = Rc::new(Cell::new(tiles.len() + used.len()));
        for (tile, question) in tiles {
            let (request, missing) = (self.request(tile), Rc::clone(&missing));
            spawn_local(async move {
                let shown = self.answer(tile, request).await;
                if tile.renewed(question, shown) {
                    missing.set(missing.get() - 1);
                    if missing.get() == 0 {
                        done();
                    }
                }
            });
        }
    }

    /// The answer to a request for a chart's rows. A refusal of the viewer ends the page.
    async fn answer(self, tile: TileState, request: TileRequest) -> Shown {
        match rows::request(tile, request).await {
            Ok(Drawn { content, drawings }) => Shown::answer(content, drawings.into_iter().next().flatten()),
            Err(refusal) => {
                // If a single chart no longer exists, the dashboard stays.
                if refusal.0.code != Code::NotFound {
                    self.session.refuse(&refusal);
                }
                Shown::Problem(refusal.0)
            }
        }
    }

    /// Whether the dashboard is still open.
    #[must_use]
    pub fn is_open(self) -> bool {
        self.filters.try_with_untracked(|_| ()).is_some()
    }

    /// Requests a chart's picture with the current filters, in CSS pixels. `None` if it cannot be drawn.
    pub fn picture(self, tile: TileState, size: (u32, u32)) -> impl Future<Output = Option<String>> {
        // The dashboard may be closed by now.
        let stands = self.is_open();
        #[cfg(feature = "edit")]
        let stands = stands && tile.draft.with_value(Option::is_none);
        let request = stands.then(|| self.request(tile));
        async move { embed::tile_picture(PictureRequest { tile: request?, size }).await.ok().flatten() }
    }

    /// Shows the viewer why a request failed.
    pub fn say(self, refusal: Refusal) {
        if let Some(message) = self.refused(refusal) {
            let _ = self.said.try_set(Some(message));
        }
    }

    /// What to tell the viewer of a request that failed. `None` if the page itself shows it.
    #[must_use]
    pub fn refused(self, refusal: Refusal) -> Option<String> {
        (!self.session.refuse(&refusal)).then_some(refusal.0.message)
    }

    /// Downloads the dashboard as a PDF.
    pub fn print(self) {
        let filters = self.filters.with_untracked(|filters| filters.active().clone());
        let Some(request) = self.asked_with(filters) else { return };
        let name = csv::file_name(&self.name.get_untracked(), "pdf");
        self.printing.set(true);
        spawn_local(async move {
            let answer = embed::dashboard_file(request).await;
            let _ = self.printing.try_set(false);
            match answer {
                Ok(file) => download::bytes(&name, "application/pdf", &file),
                Err(refusal) => self.say(refusal),
            }
        });
    }

    /// The request for the dashboard with these filters. `None` once the dashboard is closed.
    #[must_use]
    pub fn asked_with(self, filters: Filters) -> Option<DashboardRequest> {
        let (scope, dashboard) = (self.scope.try_get_value()?, self.id.try_get_untracked()?);
        Some(DashboardRequest { scope, dashboard, filters })
    }

    /// The request for a chart.
    #[must_use]
    pub fn request(self, tile: TileState) -> TileRequest {
        let filters = self.filters.with_untracked(|filters| filters.active().clone());
        TileRequest { scope: self.scope(), dashboard: self.id.get_untracked(), chart: tile.chart.get_value(), filters }
    }

    /// The number of drawn charts, once each chart is drawn or has failed. Empty charts count. Tracked.
    #[must_use]
    pub fn drawn(self) -> Option<usize> {
        let drawn = self.tiles.get_value().into_iter().filter(|tile| !tile.gone.get()).map(|tile| match tile.state() {
            State::Ready if tile.drawn.get() => Some(1),
            State::Empty => Some(1),
            State::Error => Some(0),
            State::Ready | State::Loading => None,
        });
        drawn.sum()
    }

    /// Requests the rows of every chart whose last request did not reach the server.
    pub fn ask_unreached(self) {
        for tile in self.tiles.get_value() {
            let unreached = |shown: &Shown| matches!(shown, Shown::Problem(problem) if problem.code == Code::Unreachable);
            if tile.shown.with_untracked(unreached) {
                self.ask(tile);
            }
        }
    }

    /// Requests the rows of every chart that came without rows.
    pub fn ask_missing(self) {
        for tile in self.tiles.get_value() {
            if tile.shown.with_untracked(|shown| *shown == Shown::Nothing) {
                self.ask(tile);
            }
        }
    }
}

/// The charts that an active filter reaches. Tracked.
fn reached(mut tiles: Vec<TileState>, filters: &FilterState) -> Vec<TileState> {
    tiles.retain(|tile| !tile.gone.get() && tile.filter_keys.with_value(|keys| filters.reaches(keys)));
    tiles
}

/// Whether none of these charts has rows. `None` while one loads. A number has a row whatever the filters are: it counts neither way.
/// Tracked.
fn is_bare(tiles: &[TileState]) -> Option<bool> {
    let mut bare = false;
    for tile in tiles {
        match tile.state() {
            State::Loading => return None,
            State::Empty => bare = true,
            State::Ready if matches!(tile.face().kind, ChartType::Number | ChartType::Text) => {}
            State::Ready | State::Error => return Some(false),
        }
    }
    Some(bare)
}
