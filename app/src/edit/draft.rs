//! A dashboard that is being edited: its unsaved state, its stored state and the undo history. Pure.

use inlay_contract::{
    edit::{ChartEdit, DashboardEdit, FilterEdit, SavedDashboard, TileEdit},
    grid::GridPosition,
    ids::ChartId,
    page::{ChartFace, FilterView},
};

/// The state of a dashboard.
#[derive(Clone, Debug, PartialEq)]
pub struct Sketch {
    /// Its name.
    pub name: String,
    /// Its filters, in order.
    pub filters: Vec<FilterSketch>,
    /// Its charts.
    pub tiles: Vec<TileSketch>,
}

/// A filter of a sketch.
#[derive(Clone, Debug, PartialEq)]
pub struct FilterSketch {
    /// The filter as its control needs it.
    pub view: FilterView,
    /// The filter as a save sends it.
    pub edit: FilterEdit,
}

/// A chart of a sketch.
#[derive(Clone, Debug, PartialEq)]
pub struct TileSketch {
    /// Its key on the page.
    pub key: ChartId,
    /// Its place on the grid.
    pub place: GridPosition,
    /// Its name and kind.
    pub face: ChartFace,
    /// The chart as a save sends it.
    pub chart: ChartEdit,
}

/// A sketch with its undo history.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The stored version that the draft is based on.
    pub version: i64,
    saved: Sketch,
    now: Sketch,
    past: Vec<Sketch>,
    future: Vec<Sketch>,
}

/// The most steps that can be undone.
const STEPS: usize = 100;

impl Draft {
    /// A draft of a stored dashboard.
    #[must_use]
    pub fn new(version: i64, sketch: Sketch) -> Self {
        Self { version, saved: sketch.clone(), now: sketch, past: Vec::new(), future: Vec::new() }
    }

    /// The current state.
    #[must_use]
    pub const fn now(&self) -> &Sketch {
        &self.now
    }

    /// The stored state.
    #[must_use]
    pub const fn stored(&self) -> &Sketch {
        &self.saved
    }

    /// Whether there are changes to save.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.now != self.saved
    }

    /// Whether a step can be undone.
    #[must_use]
    pub const fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// Whether a step can be redone.
    #[must_use]
    pub const fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    /// Applies a change. Without a difference, no step is added.
    pub fn change(&mut self, change: impl FnOnce(&mut Sketch)) {
        let before = self.now.clone();
        change(&mut self.now);
        if self.now != before {
            self.past.push(before);
            self.future.clear();
            if self.past.len() > STEPS {
                self.past.remove(0);
            }
        }
    }

    /// Undoes a step.
    pub fn undo(&mut self) {
        if let Some(before) = self.past.pop() {
            self.future.push(std::mem::replace(&mut self.now, before));
        }
    }

    /// Redoes a step.
    pub fn redo(&mut self) {
        if let Some(after) = self.future.pop() {
            self.past.push(std::mem::replace(&mut self.now, after));
        }
    }

    /// Goes back to the stored state. This is a step too.
    pub fn discard(&mut self) {
        let saved = self.saved.clone();
        self.change(|now| *now = saved);
    }

    /// The draft as a save sends it.
    #[must_use]
    pub fn edit(&self) -> DashboardEdit {
        let tile = |tile: &TileSketch| {
            let GridPosition { x, y, w, h } = tile.place;
            TileEdit { x, y, w, h, chart: tile.chart.clone() }
        };
        DashboardEdit {
            version: self.version,
            beside: false,
            name: self.now.name.clone(),
            filters: self.now.filters.iter().map(|filter| filter.edit.clone()).collect(),
            tiles: self.now.tiles.iter().map(tile).collect(),
        }
    }

    /// A save of `sent` succeeded: its charts and filters now have the ids that the server gave them. Later changes remain
    /// unsaved. The undo history ends here, because the earlier states are no longer stored.
    pub fn saved(&mut self, sent: &Sketch, saved: &SavedDashboard) {
        let named = |sketch: &Sketch| {
            let mut named = sketch.clone();
            for (tile, id) in sent.tiles.iter().zip(&saved.charts) {
                // A chart that was edited in the meantime is now a change of the stored chart.
                if let Some(own) = named.tiles.iter_mut().find(|own| own.key == tile.key) {
                    own.chart = renamed(&own.chart, &tile.chart, *id);
                }
            }
            for (filter, key) in sent.filters.iter().zip(&saved.filters) {
                if let Some(own) = named.filters.iter_mut().find(|own| own.edit == filter.edit) {
                    own.edit = FilterEdit::Kept { key: key.clone() };
                }
            }
            named
        };
        self.version = saved.version;
        self.saved = named(sent);
        self.now = named(&self.now);
        self.past.clear();
        self.future.clear();
    }
}

/// The edit of a chart after what was sent for it has been stored under an id.
fn renamed(own: &ChartEdit, sent: &ChartEdit, id: ChartId) -> ChartEdit {
    match own {
        _ if own == sent => ChartEdit::Kept { chart: id },
        ChartEdit::Changed { definition, .. } | ChartEdit::Made { definition, .. } => {
            ChartEdit::Changed { chart: id, definition: definition.clone() }
        }
        ChartEdit::Kept { .. } | ChartEdit::Picked { .. } | ChartEdit::Described { .. } => ChartEdit::Kept { chart: id },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::chart::definition::ChartType;

    fn face(title: &str) -> ChartFace {
        ChartFace { title: title.into(), kind: ChartType::Bar }
    }

    fn tile(title: &str) -> TileSketch {
        let key = ChartId::generate();
        TileSketch {
            key,
            place: GridPosition { x: 0, y: 0, w: 6, h: 4 },
            face: face(title),
            chart: ChartEdit::Kept { chart: key },
        }
    }

    fn draft() -> Draft {
        Draft::new(3, Sketch { name: "Overview".into(), filters: vec![], tiles: vec![tile("a"), tile("b")] })
    }

    #[test]
    fn steps_are_taken_back_and_again() {
        let mut draft = draft();
        draft.change(|now| now.name = "Mine".into());
        draft.change(|now| drop(now.tiles.pop()));
        draft.change(|_| {});
        assert!(draft.is_changed() && draft.can_undo());
        draft.undo();
        assert_eq!((draft.now().tiles.len(), draft.now().name.as_str()), (2, "Mine"));
        draft.undo();
        assert!(!draft.is_changed() && !draft.can_undo() && draft.can_redo());
        draft.redo();
        assert_eq!(draft.now().name, "Mine");
        draft.change(|now| now.name = "Other".into());
        assert!(!draft.can_redo(), "a new step ends the way forward");
    }

    #[test]
    fn a_discard_can_be_taken_back() {
        let mut draft = draft();
        draft.change(|now| now.tiles.clear());
        draft.discard();
        assert!(!draft.is_changed());
        draft.undo();
        assert!(draft.now().tiles.is_empty());
    }

    #[test]
    fn what_was_changed_during_a_save_is_still_to_be_saved() {
        let mut draft = draft();
        draft.change(|now| now.name = "Mine".into());
        let sent = draft.now().clone();
        draft.change(|now| now.tiles[1].place.w = 12);
        let charts = vec![ChartId::generate(), ChartId::generate()];
        let saved = inlay_contract::ids::DashboardId::generate();
        draft.saved(&sent, &SavedDashboard { dashboard: saved, version: 4, charts: charts.clone(), filters: vec![] });
        assert!(draft.is_changed());
        assert_eq!((draft.edit().version, draft.edit().name.as_str()), (4, "Mine"));
        let named: Vec<ChartEdit> = draft.edit().tiles.into_iter().map(|tile| tile.chart).collect();
        assert_eq!(named, charts.into_iter().map(|chart| ChartEdit::Kept { chart }).collect::<Vec<_>>());
    }

    #[test]
    fn a_new_chart_that_was_edited_during_its_save_becomes_a_change() {
        let made = |title: &str| ChartEdit::Made {
            connection: serde_json::from_value(serde_json::json!("01890000-0000-7000-8000-000000000001")).expect("an id"),
            definition: Box::new(serde_json::from_value(serde_json::json!({"title": title, "type": "bar"})).expect("one")),
        };
        let mut draft = draft();
        draft.change(|now| now.tiles.push(TileSketch { chart: made("first"), ..tile("c") }));
        let sent = draft.now().clone();
        draft.change(|now| now.tiles[2].chart = made("second"));
        let charts: Vec<ChartId> = (0..3).map(|_| ChartId::generate()).collect();
        let dashboard = inlay_contract::ids::DashboardId::generate();
        draft.saved(&sent, &SavedDashboard { dashboard, version: 4, charts: charts.clone(), filters: vec![] });
        assert!(matches!(&draft.edit().tiles[2].chart, ChartEdit::Changed { chart, .. } if *chart == charts[2]));
    }
}
