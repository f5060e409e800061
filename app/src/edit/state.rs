//! The state of the editor: the draft of the open dashboard, and how the page follows it.

use super::{
    arrange::{self, Step},
    draft::{Draft, FilterSketch, Sketch, TileSketch},
    tools::{Open, Status, Tools},
};
use crate::{
    calls::{Target, edit},
    pages::opened::Opened,
    session::{self, Session},
    tile::{
        board::Board,
        figure,
        model::{Shown, TileState},
    },
};
use inlay_contract::{
    code::Code,
    edit::{ChartEdit, FilterEdit},
    grid::GridPosition,
    ids::{ChartId, DashboardId, ProjectUserId},
    page::{ChartFace, DashboardView},
    permissions::Flag,
};
use leptos::{prelude::*, task::spawn_local};

/// The editor of an open dashboard. Provided as context if the viewer may edit it.
#[derive(Clone, Copy)]
pub struct Editor {
    /// The dashboard.
    pub board: Board,
    /// The application of the dashboard.
    pub opened: Opened,
    /// The draft of the dashboard.
    pub draft: RwSignal<Draft>,
    /// The charts that were added after the dashboard was opened.
    pub added: RwSignal<Vec<TileState>>,
    /// The place of a chart that is dragged onto the grid and not added yet.
    pub coming: RwSignal<Option<GridPosition>>,
    /// Whether the dashboard is the viewer's own copy of a shared one.
    pub is_copy: RwSignal<bool>,
    /// The tools of the page around it.
    pub tools: Tools,
    session: Session,
    owner: StoredValue<Owner>,
}

impl Editor {
    /// Creates the editor of a dashboard that its viewer may change.
    #[must_use]
    pub fn new(tools: Tools, board: Board, view: &DashboardView, version: i64) -> Self {
        let filter = |filter: &inlay_contract::page::FilterView| FilterSketch {
            view: filter.clone(),
            edit: FilterEdit::Kept { key: filter.key.clone() },
        };
        let tile = |tile: TileState| TileSketch {
            key: tile.key,
            place: tile.place.get_untracked(),
            face: (*tile.face()).clone(),
            chart: ChartEdit::Kept { chart: tile.chart.get_value() },
        };
        let sketch = Sketch {
            name: view.name.clone(),
            filters: view.filters.iter().map(filter).collect(),
            tiles: board.tiles.get_value().into_iter().map(tile).collect(),
        };
        Self {
            board,
            opened: tools.opened,
            draft: RwSignal::new(Draft::new(version, sketch)),
            added: RwSignal::new(Vec::new()),
            coming: RwSignal::new(None),
            is_copy: RwSignal::new(view.is_copy),
            tools,
            session: Session::here(),
            owner: StoredValue::new(Owner::current().unwrap_or_default()),
        }
    }

    /// The editor of the component's dashboard. `None` if the viewer may not edit it.
    #[must_use]
    pub fn here() -> Option<Self> {
        use_context()
    }

    /// Whether the page's permissions allow something.
    #[must_use]
    pub fn allows(self, flag: Flag) -> bool {
        self.opened.permissions().allows(flag)
    }

    /// Opens a dialog.
    pub fn open(self, what: Open) {
        self.tools.open(what);
    }

    /// Closes the dialog.
    pub fn close(self) {
        self.tools.close();
    }

    /// The dashboard, for requests.
    #[must_use]
    pub fn target(self) -> Target {
        Target { scope: self.board.scope(), dashboard: self.board.id.get_untracked() }
    }

    /// Changes the draft and updates the page.
    pub fn change(self, change: impl FnOnce(&mut Sketch)) {
        self.step(|draft| draft.change(change));
    }

    /// Undoes a step.
    pub fn undo(self) {
        self.step(Draft::undo);
    }

    /// Redoes a step.
    pub fn redo(self) {
        self.step(Draft::redo);
    }

    /// Goes back to the stored state.
    pub fn discard(self) {
        self.step(Draft::discard);
    }

    fn step(self, step: impl FnOnce(&mut Draft)) {
        self.draft.update(step);
        self.tools.status.set(Status::Idle);
        self.settled();
        self.show();
    }

    /// Updates whether there are unsaved changes, and keeps the draft in the session until it is saved.
    fn settled(self) {
        self.opened.unsaved.set(self.draft.with_untracked(Draft::is_changed));
        if let Some(viewer) = self.viewer() {
            self.draft.with_untracked(|draft| self.session.keep(viewer, self.board.id.get_untracked(), draft));
        }
    }

    /// Restores unsaved changes from before the page was replaced.
    pub fn resume(self) {
        let id = self.board.id.get_untracked();
        if let Some(draft) = self.viewer().and_then(|viewer| self.session.kept(viewer, id)) {
            self.draft.set(draft);
            self.settled();
            self.show();
        }
    }

    /// Drops unsaved changes, after the viewer has confirmed it.
    pub fn let_go(self) {
        self.opened.unsaved.set(false);
        if let Some(viewer) = self.viewer() {
            self.session.forget(viewer, self.board.id.get_untracked());
        }
    }

    fn viewer(self) -> Option<ProjectUserId> {
        self.opened.with_page(|page| session::application(page).map(|view| view.viewer))
    }

    /// The places of the draft's charts.
    #[must_use]
    pub fn places(self) -> Vec<(ChartId, GridPosition)> {
        self.draft.with_untracked(|draft| draft.now().tiles.iter().map(|tile| (tile.key, tile.place)).collect())
    }

    /// Removes a chart.
    pub fn remove(self, key: ChartId) {
        let places = arrange::without(&self.places(), key);
        self.change(|now| {
            now.tiles.retain(|tile| tile.key != key);
            put(now, &places);
        });
    }

    /// Moves every chart to its new place.
    pub fn arrange(self, places: &[(ChartId, GridPosition)]) {
        self.change(|now| put(now, places));
    }

    /// Moves or resizes a chart by its menu.
    pub fn step_chart(self, key: ChartId, step: Step) {
        let places = arrange::stepped(&self.places(), key, step);
        if let Some(places) = &places {
            self.arrange(places);
            figure::reveal(key);
        }
        self.tools.status.set(Status::Done(match (step, places.is_some()) {
            (Step::Top, true) => "Moved to the top",
            (Step::Bottom, true) => "Moved to the bottom",
            (Step::Up, true) => "Moved up",
            (Step::Down, true) => "Moved down",
            (Step::Top | Step::Up, false) => "Already the first chart",
            (Step::Bottom | Step::Down, false) => "Already the last chart",
            // A narrow page shows every chart in its whole width.
            (Step::FullWidth, _) => "Full width on wider screens",
            (Step::HalfWidth, _) => "Half width on wider screens",
        }));
    }

    /// Adds a chart at the bottom.
    pub fn add(self, face: ChartFace, chart: ChartEdit, size: (u16, u16)) {
        let places: Vec<GridPosition> = self.places().into_iter().map(|(_, place)| place).collect();
        let place = arrange::free(&places, size);
        let key = ChartId::generate();
        self.change(|now| now.tiles.push(TileSketch { key, place, face, chart }));
        figure::reveal(key);
    }

    /// Adds a chart at a place, and moves the others to theirs.
    pub fn add_at(self, tile: TileSketch, places: &[(ChartId, GridPosition)]) {
        let key = tile.key;
        self.change(|now| {
            now.tiles.push(tile);
            put(now, places);
        });
        figure::reveal(key);
    }

    /// Replaces a chart with its changed version.
    pub fn replace(self, key: ChartId, face: ChartFace, chart: ChartEdit) {
        self.change(|now| {
            if let Some(tile) = now.tiles.iter_mut().find(|tile| tile.key == key) {
                // The new key makes the page draw the chart again, and undo brings the old one back.
                *tile = TileSketch { key: ChartId::generate(), place: tile.place, face, chart };
            }
        });
    }

    /// Whether a stored chart is on the dashboard.
    #[must_use]
    pub fn has(self, stored: ChartId) -> bool {
        let is = |tile: &TileSketch| match tile.chart {
            ChartEdit::Kept { chart }
            | ChartEdit::Changed { chart, .. }
            | ChartEdit::Picked { chart, .. }
            | ChartEdit::Restored { chart, .. } => chart == stored,
            ChartEdit::Made { .. } | ChartEdit::Described { .. } => false,
        };
        self.draft.with_untracked(|draft| draft.now().tiles.iter().any(is))
    }

    /// A chart of the draft.
    #[must_use]
    pub fn tile(self, key: ChartId) -> Option<TileSketch> {
        self.draft.with_untracked(|draft| draft.now().tiles.iter().find(|tile| tile.key == key).cloned())
    }

    /// Updates the page from the draft.
    pub fn show(self) {
        let now = self.draft.with_untracked(|draft| draft.now().clone());
        if self.board.name.with_untracked(|name| *name != now.name) {
            self.board.name.set(now.name);
        }
        for state in self.board.tiles.get_value() {
            let sketch = now.tiles.iter().find(|tile| tile.key == state.key);
            set(state.gone, sketch.is_none());
            if let Some(sketch) = sketch {
                set(state.place, sketch.place);
            }
        }
        let known: Vec<ChartId> = self.board.tiles.with_value(|tiles| tiles.iter().map(|tile| tile.key).collect());
        for sketch in now.tiles.iter().filter(|tile| !known.contains(&tile.key)) {
            let state = self.owner.with_value(|owner| owner.with(|| stage(sketch, &self.board)));
            self.board.tiles.update_value(|tiles| tiles.push(state));
            self.added.update(|added| added.push(state));
            self.board.ask(state);
        }
    }

    /// Saves the draft.
    pub fn save(self) {
        spawn_local(async move {
            self.store(None).await;
        });
    }

    /// Saves the draft, then calls `then` if that succeeded.
    pub fn save_and(self, then: impl FnOnce() + 'static) {
        spawn_local(async move {
            if self.store(None).await {
                then();
            }
        });
    }

    /// Saves the draft as a new dashboard and opens it.
    pub fn save_beside(self, name: String) {
        spawn_local(async move {
            self.store(Some(name)).await;
        });
    }

    async fn store(self, beside: Option<String>) -> bool {
        let (mut edit, sent) = self.draft.with_untracked(|draft| (draft.edit(), draft.now().clone()));
        if let Some(name) = beside {
            (edit.beside, edit.name) = (true, name);
        }
        let (beside, name) = (edit.beside, edit.name.clone());
        self.tools.status.set(Status::Saving);
        let answer = edit::save_dashboard(self.target(), edit).await;
        if self.tools.status.try_get_untracked().is_none() {
            return false;
        }
        match answer {
            Ok(saved) => {
                let before = self.board.id.get_untracked();
                if saved.dashboard != before {
                    self.is_copy.set(!beside);
                }
                self.draft.update(|draft| draft.saved(&sent, &saved));
                self.settle(&sent, &saved.charts);
                self.list(before, saved.dashboard, &name, beside);
                self.let_go();
                self.board.id.set(saved.dashboard);
                self.opened.chosen.set(Some(saved.dashboard));
                self.board.name.set(name);
                self.settled();
                self.tools.status.set(Status::Done("Saved"));
                true
            }
            Err(refusal) => {
                if refusal.0.code == Code::DashboardChanged {
                    self.open(Open::Conflict);
                    self.tools.status.set(Status::Idle);
                } else if !self.session.refuse(&refusal) {
                    self.tools.status.set(Status::Unsaved(refusal.0.message));
                }
                false
            }
        }
    }

    /// Deletes the viewer's own copy, after they have confirmed it, and opens the shared dashboard.
    pub fn leave(self) {
        spawn_local(async move {
            match edit::leave_copy(self.target()).await {
                Ok(shared) => {
                    self.let_go();
                    self.list(self.board.id.get_untracked(), shared, &self.board.name.get_untracked(), false);
                    self.opened.reopen(shared);
                }
                Err(refusal) => self.tools.failed(&refusal),
            }
        });
    }

    /// After a save: the page's charts take the ids that were stored. Those that were taken off are shown as they were, if an undo
    /// brings them back.
    fn settle(self, sent: &Sketch, charts: &[ChartId]) {
        for state in self.board.tiles.get_value() {
            if let Some(at) = sent.tiles.iter().position(|tile| tile.key == state.key) {
                state.chart.set_value(charts.get(at).copied().unwrap_or(state.key));
            }
            let edit = self.draft.with_untracked(|draft| draft.chart(state.key).cloned());
            state.draft.set_value(edit.filter(|edit| !matches!(edit, ChartEdit::Kept { .. })));
        }
    }

    /// After a save: updates the navigation. The viewer's copy of their default is their default.
    fn list(self, before: DashboardId, after: DashboardId, name: &str, beside: bool) {
        let name = name.to_owned();
        if beside {
            return self.opened.list(after, name);
        }
        self.opened.entries.update(|entries| {
            if let Some(entry) = entries.iter_mut().find(|entry| entry.id == before) {
                (entry.id, entry.name) = (after, name);
            }
        });
        if self.opened.default.get_untracked() == Some(before) {
            self.opened.default.set(Some(after));
        }
    }
}

fn put(sketch: &mut Sketch, places: &[(ChartId, GridPosition)]) {
    for tile in &mut sketch.tiles {
        if let Some((_, place)) = places.iter().find(|(key, _)| *key == tile.key) {
            tile.place = *place;
        }
    }
}

/// The state of an unsaved chart. Any filter may reach the tables that it reads, so each change of a filter requests it again.
fn stage(sketch: &TileSketch, board: &Board) -> TileState {
    let state = TileState::of(sketch.key, &sketch.face, sketch.place, Shown::Nothing);
    state.draft.set_value(Some(sketch.chart.clone()));
    state.filter_keys.set_value(board.filters.with_untracked(|filters| filters.keys().to_vec()));
    state
}

fn set<T: PartialEq + Send + Sync + 'static>(signal: RwSignal<T>, value: T) {
    if signal.with_untracked(|now| *now != value) {
        signal.set(value);
    }
}
