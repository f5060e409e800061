//! The open dashboard: its filters, its charts, and the questions that a change of filters leads to.

use super::model::{Shown, State, TileState};
use crate::{
    browser::download,
    calls::{
        Drawn, Refusal, Scope,
        embed::{self, DashboardRequest, PictureRequest, TileRequest},
    },
    data::csv,
    filters::{
        bar::summary,
        state::{Change, FilterState},
    },
    session::Session,
};
use inlay_contract::{
    code::Code,
    filter::FilterValue,
    frame::message::Source,
    ids::{ChartId, DashboardId},
    page::{ApplicationView, DashboardView, Filters},
};
use leptos::{prelude::*, task::spawn_local};

/// The open dashboard. Provided as context to everything in it.
#[derive(Clone, Copy)]
pub struct Board {
    /// Which one; another one once a copy was saved.
    pub id: RwSignal<DashboardId>,
    /// Its name.
    pub name: RwSignal<String>,
    /// Its filters.
    pub filters: RwSignal<FilterState>,
    /// Who moved the filters last.
    pub source: RwSignal<Source>,
    /// What the viewer is told of something that did not come.
    pub said: RwSignal<Option<String>>,
    /// What a mark that was followed did to the filters, for those who do not see them change.
    pub told: RwSignal<String>,
    /// Whether a PDF is on its way.
    pub printing: RwSignal<bool>,
    /// Its charts, in reading order.
    pub tiles: StoredValue<Vec<TileState>>,
    /// The chart whose mark set filters last, and those.
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
        Self {
            id: RwSignal::new(dashboard.id),
            name: RwSignal::new(dashboard.name.clone()),
            filters: RwSignal::new(filters),
            source: RwSignal::new(Source::Default),
            said: RwSignal::new(None),
            told: RwSignal::new(String::new()),
            narrowed: StoredValue::new(None),
            printing: RwSignal::new(false),
            tiles: StoredValue::new(tiles),
            session,
            scope: StoredValue::new(session.scope(application)),
        }
    }

    /// The board that the component stands on.
    #[must_use]
    pub fn here() -> Self {
        expect_context()
    }

    /// What requests carry.
    #[must_use]
    pub fn scope(self) -> Scope {
        self.scope.get_value()
    }

    /// The viewer gives one filter another value, or none.
    pub fn set_filter(self, key: &str, value: Option<FilterValue>) {
        self.change(Source::User, |filters| filters.set(key, value));
    }

    /// The viewer filters by what a mark of a chart stands for, or takes these filters away again.
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

    /// Takes away the filters that a mark of a chart set, if they were the last ones that a mark set, and still are.
    pub fn widen(self, tile: TileState) {
        let Some((_, values)) = self.narrowed.get_value().filter(|(key, _)| *key == tile.key) else { return };
        if self.filters.with_untracked(|filters| filters.holds(&values)) {
            self.narrow(tile, values);
        }
    }

    /// The viewer clears all filters.
    pub fn clear_filters(self) {
        self.change(Source::User, FilterState::clear);
    }

    /// The host puts other filters in the place of all.
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

    /// Asks for a chart's rows under the filters as they are now.
    pub fn ask(self, tile: TileState) {
        let question = tile.ask();
        let request = self.request(tile);
        spawn_local(async move {
            #[cfg(feature = "edit")]
            let answer = crate::edit::rows(tile, request).await;
            #[cfg(not(feature = "edit"))]
            let answer = embed::tile_data(request).await;
            let shown = match answer {
                Ok(Drawn { content, pictures }) => Shown::answer(content, pictures.into_iter().next().flatten()),
                // One chart that is gone does not take the dashboard away.
                Err(refusal) if refusal.0.code == Code::NotFound => Shown::Problem(refusal.0),
                Err(refusal) => {
                    self.session.refuse(&refusal);
                    let Refusal(problem) = refusal;
                    Shown::Problem(problem)
                }
            };
            tile.answered(question, shown);
        });
    }

    /// Asks for a chart's picture under the filters as they are now, in CSS pixels; none when it cannot be had.
    pub fn picture(self, tile: TileState, size: (u32, u32)) -> impl Future<Output = Option<String>> {
        // The dashboard may be closed by now, its signals gone.
        let stands = self.filters.try_with_untracked(|_| ()).is_some();
        #[cfg(feature = "edit")]
        let stands = stands && tile.draft.with_value(Option::is_none);
        let request = stands.then(|| self.request(tile));
        async move { embed::tile_picture(PictureRequest { tile: request?, size }).await.ok().flatten() }
    }

    /// Tells the viewer why something that they asked for did not come.
    pub fn say(self, refusal: Refusal) {
        if !self.session.refuse(&refusal) {
            let _ = self.said.try_set(Some(refusal.0.message));
        }
    }

    /// Offers the dashboard as a PDF.
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

    /// What a request about the dashboard under some filters carries; none once the dashboard is closed.
    #[must_use]
    pub fn asked_with(self, filters: Filters) -> Option<DashboardRequest> {
        let (scope, dashboard) = (self.scope.try_get_value()?, self.id.try_get_untracked()?);
        Some(DashboardRequest { scope, dashboard, filters })
    }

    /// What a request for a chart carries.
    #[must_use]
    pub fn request(self, tile: TileState) -> TileRequest {
        let filters = self.filters.with_untracked(|filters| filters.active().clone());
        TileRequest { scope: self.scope(), dashboard: self.id.get_untracked(), chart: tile.chart.get_value(), filters }
    }

    /// How many charts are drawn, once every one is drawn or has failed; empty ones count. Tracked.
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

    /// Asks for the rows of every chart that the server could not be asked for.
    pub fn ask_unreached(self) {
        for tile in self.tiles.get_value() {
            let unreached = |shown: &Shown| matches!(shown, Shown::Problem(problem) if problem.code == Code::Unreachable);
            if tile.shown.with_untracked(unreached) {
                self.ask(tile);
            }
        }
    }

    /// Asks for the rows of every chart that came without.
    pub fn ask_missing(self) {
        for tile in self.tiles.get_value() {
            if tile.shown.with_untracked(|shown| *shown == Shown::Nothing) {
                self.ask(tile);
            }
        }
    }
}
