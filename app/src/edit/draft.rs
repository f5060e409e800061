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

    /// The edit of a chart: of the current state, or of the nearest one that an undo or a redo leads to.
    #[must_use]
    pub fn chart(&self, key: ChartId) -> Option<&ChartEdit> {
        let mut sketches = std::iter::once(&self.now).chain(self.past.iter().rev()).chain(self.future.iter().rev());
        sketches.find_map(|sketch| sketch.tiles.iter().find(|tile| tile.key == key)).map(|tile| &tile.chart)
    }

    /// A save of `sent` succeeded: its charts and filters now have the ids that the server gave them. Later changes remain
    /// unsaved. Earlier states can still be reached by undo, as changes of what is stored now, back to the first that cannot be
    /// stored again.
    pub fn saved(&mut self, sent: &Sketch, saved: &SavedDashboard) {
        self.version = saved.version;
        self.saved = after(sent, sent, saved);
        self.now = after(&self.now, sent, saved);
        for steps in [&mut self.past, &mut self.future] {
            for sketch in steps.iter_mut() {
                *sketch = after(sketch, sent, saved);
            }
            let lost = steps.iter().rposition(|sketch| !is_storable(sketch, &self.saved, saved));
            steps.drain(..lost.map_or(0, |lost| lost + 1));
        }
    }
}

/// A state after a save: an edit of the dashboard that is stored now.
fn after(sketch: &Sketch, sent: &Sketch, saved: &SavedDashboard) -> Sketch {
    let mut after = sketch.clone();
    for own in &mut after.tiles {
        let stored = sent.tiles.iter().zip(&saved.charts).find(|(tile, _)| tile.key == own.key);
        own.chart = match stored {
            // A chart that was edited in the meantime is now a change of the stored chart.
            Some((tile, id)) => match &own.chart {
                // Stored before, and replaced by what was saved.
                kept @ ChartEdit::Kept { .. } if *kept != tile.chart => brought_back(kept, saved),
                back @ ChartEdit::Restored { .. } if *back != tile.chart => back.clone(),
                other => renamed(other, &tile.chart, *id),
            },
            None => brought_back(&own.chart, saved),
        };
    }
    for (filter, key) in sent.filters.iter().zip(&saved.filters) {
        if let Some(own) = after.filters.iter_mut().find(|own| own.edit == filter.edit) {
            own.edit = FilterEdit::Kept { key: key.clone() };
        }
    }
    after
}

/// The edit that brings back a chart that the save took off or replaced.
fn brought_back(own: &ChartEdit, saved: &SavedDashboard) -> ChartEdit {
    match own {
        ChartEdit::Kept { chart } => match saved.before.iter().find(|(known, _)| known == chart) {
            Some((chart, version)) => ChartEdit::Restored { chart: *chart, version: *version },
            None => own.clone(),
        },
        ChartEdit::Changed { chart, definition } if !saved.charts.contains(chart) => {
            ChartEdit::Picked { chart: *chart, definition: Some(definition.clone()) }
        }
        _ => own.clone(),
    }
}

/// Whether the server can store a state: its charts are there or can be brought back, and so are its filters. A filter that was
/// removed cannot.
fn is_storable(sketch: &Sketch, stored: &Sketch, saved: &SavedDashboard) -> bool {
    let is_there = |tile: &TileSketch| match &tile.chart {
        ChartEdit::Kept { chart } => saved.charts.contains(chart),
        _ => true,
    };
    let has_filter = |filter: &FilterSketch| match &filter.edit {
        FilterEdit::Kept { .. } => stored.filters.iter().any(|own| own.edit == filter.edit),
        FilterEdit::Added { .. } => true,
    };
    sketch.tiles.iter().all(is_there) && sketch.filters.iter().all(has_filter)
}

/// The edit of a chart after what was sent for it has been stored under an id.
fn renamed(own: &ChartEdit, sent: &ChartEdit, id: ChartId) -> ChartEdit {
    match own {
        _ if own == sent => ChartEdit::Kept { chart: id },
        ChartEdit::Changed { definition, .. } | ChartEdit::Made { definition, .. } => {
            ChartEdit::Changed { chart: id, definition: definition.clone() }
        }
        ChartEdit::Kept { .. } | ChartEdit::Picked { .. } | ChartEdit::Restored { .. } | ChartEdit::Described { .. } => {
            ChartEdit::Kept { chart: id }
        }
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
        draft.saved(
            &sent,
            &SavedDashboard { dashboard: saved, version: 4, charts: charts.clone(), filters: vec![], before: vec![] },
        );
        assert!(draft.is_changed());
        assert_eq!((draft.edit().version, draft.edit().name.as_str()), (4, "Mine"));
        let named: Vec<ChartEdit> = draft.edit().tiles.into_iter().map(|tile| tile.chart).collect();
        assert_eq!(named, charts.into_iter().map(|chart| ChartEdit::Kept { chart }).collect::<Vec<_>>());
    }

    /// A save of the draft: each chart keeps its id, others get a new one.
    fn save(draft: &mut Draft, before: &[(ChartId, i64)]) -> Vec<ChartId> {
        let sent = draft.now().clone();
        let id = |tile: &TileSketch| match tile.chart {
            ChartEdit::Kept { chart } | ChartEdit::Changed { chart, .. } => chart,
            _ => ChartId::generate(),
        };
        let key = |filter: &FilterSketch| match &filter.edit {
            FilterEdit::Kept { key } => key.clone(),
            FilterEdit::Added { label, .. } => label.to_lowercase(),
        };
        let charts: Vec<ChartId> = sent.tiles.iter().map(id).collect();
        let filters = sent.filters.iter().map(key).collect();
        let dashboard = inlay_contract::ids::DashboardId::generate();
        let saved =
            SavedDashboard { dashboard, version: draft.version + 1, charts: charts.clone(), filters, before: before.to_vec() };
        draft.saved(&sent, &saved);
        charts
    }

    #[test]
    fn what_was_saved_can_still_be_undone_and_saved_again() {
        let mut draft = draft();
        let [a, b] = [0, 1].map(|at| draft.now().tiles[at].key);
        draft.change(|now| now.name = "Mine".into());
        draft.change(|now| drop(now.tiles.pop()));
        save(&mut draft, &[(a, 1), (b, 3)]);
        assert!(!draft.is_changed() && draft.can_undo());
        draft.undo();
        assert!(draft.is_changed(), "it differs from what is stored");
        assert_eq!(draft.now().tiles[0].chart, ChartEdit::Kept { chart: a });
        assert_eq!(draft.now().tiles[1].chart, ChartEdit::Restored { chart: b, version: 3 });
        assert_eq!(draft.chart(b), Some(&ChartEdit::Restored { chart: b, version: 3 }));
        draft.undo();
        assert_eq!((draft.edit().name.as_str(), draft.edit().version), ("Overview", 4));
        let charts = save(&mut draft, &[(a, 1)]);
        assert!(!draft.is_changed());
        assert_eq!(draft.now().tiles[1].chart, ChartEdit::Kept { chart: charts[1] }, "it is stored under a new id");
        draft.redo();
        draft.redo();
        assert_eq!((draft.now().name.as_str(), draft.now().tiles.len(), draft.is_changed()), ("Mine", 1, true));
    }

    #[test]
    fn a_chart_that_a_save_changed_is_brought_back_in_its_earlier_version() {
        let mut draft = draft();
        let [a, b] = [0, 1].map(|at| draft.now().tiles[at].key);
        let definition: Box<inlay_contract::chart::definition::ChartDefinition> =
            Box::new(serde_json::from_value(serde_json::json!({"title": "other", "type": "bar"})).expect("one"));
        let changed = ChartEdit::Changed { chart: a, definition: definition.clone() };
        draft.change(|now| now.tiles[0] = TileSketch { chart: changed, ..tile("other") });
        draft.change(|now| {
            now.tiles[0] = TileSketch {
                chart: ChartEdit::Made {
                    connection: serde_json::from_value(serde_json::json!("01890000-0000-7000-8000-000000000001"))
                        .expect("an id"),
                    definition,
                },
                ..tile("new")
            }
        });
        save(&mut draft, &[(a, 7), (b, 1)]);
        draft.undo();
        assert!(
            matches!(&draft.now().tiles[0].chart, ChartEdit::Picked { chart, definition: Some(_) } if *chart == a),
            "it was taken off"
        );
        draft.undo();
        assert_eq!(draft.now().tiles[0].chart, ChartEdit::Restored { chart: a, version: 7 });
    }

    #[test]
    fn a_saved_change_of_a_chart_is_undone() {
        let mut draft = draft();
        let [a, b] = [0, 1].map(|at| draft.now().tiles[at].key);
        let definition = Box::new(serde_json::from_value(serde_json::json!({"title": "other", "type": "bar"})).expect("one"));
        draft.change(|now| now.tiles[0].chart = ChartEdit::Changed { chart: a, definition });
        save(&mut draft, &[(a, 7), (b, 1)]);
        assert_eq!(draft.now().tiles[0].chart, ChartEdit::Kept { chart: a });
        draft.undo();
        assert_eq!(draft.now().tiles[0].chart, ChartEdit::Restored { chart: a, version: 7 });
        assert_eq!(draft.now().tiles[1].chart, ChartEdit::Kept { chart: b });
        save(&mut draft, &[(a, 8), (b, 1)]);
        draft.redo();
        assert!(draft.is_changed());
    }

    #[test]
    fn a_removed_filter_ends_the_way_back() {
        let filter = |key: &str| FilterSketch {
            view: FilterView::of(key.to_owned(), key.to_owned(), inlay_contract::filter::Control::Select),
            edit: FilterEdit::Kept { key: key.to_owned() },
        };
        let mut draft =
            Draft::new(1, Sketch { name: "Overview".into(), filters: vec![filter("region")], tiles: vec![tile("a")] });
        let a = draft.now().tiles[0].key;
        draft.change(|now| now.name = "Mine".into());
        draft.change(|now| now.filters.clear());
        draft.change(|now| now.name = "Ours".into());
        save(&mut draft, &[(a, 1)]);
        draft.undo();
        assert_eq!((draft.now().name.as_str(), draft.can_undo()), ("Mine", false), "the filter cannot be stored again");
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
        draft.saved(&sent, &SavedDashboard { dashboard, version: 4, charts: charts.clone(), filters: vec![], before: vec![] });
        assert!(matches!(&draft.edit().tiles[2].chart, ChartEdit::Changed { chart, .. } if *chart == charts[2]));
    }
}
