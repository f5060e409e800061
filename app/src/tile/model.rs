//! One chart's state on the page: its content, and whether a request is in progress.

use crate::{browser::charts, data::sorting::TablePlace, drawing::Drawing};
use inlay_contract::{
    data::ChartData,
    grid::GridPosition,
    ids::ChartId,
    page::{ChartFace, Problem, Tile, TileContent},
};
use leptos::prelude::*;
use send_wrapper::SendWrapper;
use std::{collections::BTreeMap, rc::Rc, sync::Arc};

/// The chart, once the browser has drawn it.
pub type MountedChart = StoredValue<Option<SendWrapper<Rc<charts::Chart>>>>;

/// The content of a chart.
#[derive(Clone, Debug, PartialEq)]
pub enum Shown {
    /// Nothing yet.
    Nothing,
    /// These rows.
    Rows(Arc<Rows>),
    /// An error.
    Problem(Problem),
}

/// A chart's rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// The rows.
    pub data: ChartData,
    /// What is drawn of them. `None` if the definition does not fit the rows.
    pub drawing: Option<Drawing>,
}

impl Rows {
    /// Whether there is nothing to draw: no row, or none with a value. A text needs no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match &self.drawing {
            Some(Drawing::Text(_)) => false,
            Some(Drawing::Empty) => true,
            _ => self.data.rows.is_empty(),
        }
    }
}

impl Shown {
    /// The content from the server's response.
    #[must_use]
    pub fn answer(content: TileContent, drawing: Option<Drawing>) -> Self {
        match (content, drawing) {
            (TileContent::Ready { data }, drawing) => Self::Rows(Arc::new(Rows { data, drawing })),
            (_, drawing @ Some(Drawing::Text(_))) => Self::Rows(Arc::new(Rows { data: ChartData::default(), drawing })),
            (TileContent::Loading, _) => Self::Nothing,
            (TileContent::Failed { problem }, _) => Self::Problem(problem),
        }
    }

    /// When the rows were read, as RFC 3339, if they are older ones because the data source does not answer.
    #[must_use]
    pub fn as_of(&self) -> Option<&str> {
        match self {
            Self::Rows(rows) => rows.data.as_of.as_deref(),
            _ => None,
        }
    }

    /// The rows, when there is something to draw.
    #[must_use]
    pub fn rows(&self) -> Option<&Arc<Rows>> {
        match self {
            Self::Rows(rows) if !rows.is_empty() => Some(rows),
            _ => None,
        }
    }
}

/// The figure's `data-state` (docs/spec/contract.md, section 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// A request is in progress. An older picture may stay meanwhile.
    Loading,
    /// Drawn.
    Ready,
    /// No rows.
    Empty,
    /// The request failed.
    Error,
}

impl State {
    /// The state for this content, and whether a request is in progress.
    #[must_use]
    pub fn of(shown: &Shown, asking: bool) -> Self {
        match shown {
            _ if asking => Self::Loading,
            Shown::Nothing => Self::Loading,
            Shown::Rows(rows) if rows.is_empty() => Self::Empty,
            Shown::Rows(_) => Self::Ready,
            Shown::Problem(_) => Self::Error,
        }
    }

    /// The attribute's value.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loading => "loading",
            Self::Ready => "ready",
            Self::Empty => "empty",
            Self::Error => "error",
        }
    }
}

/// A chart on the open dashboard.
#[derive(Clone, Copy)]
pub struct TileState {
    /// Its key on this page: the id that the chart had when the page got it.
    pub key: ChartId,
    /// The chart's id. It changes when a copy is saved.
    pub chart: StoredValue<ChartId>,
    /// Its place on the grid.
    pub place: RwSignal<GridPosition>,
    /// Whether it was removed.
    pub gone: RwSignal<bool>,
    /// Its unsaved definition.
    #[cfg(feature = "edit")]
    pub draft: StoredValue<Option<inlay_contract::edit::ChartEdit>>,
    /// Its name and kind.
    pub face: StoredValue<Arc<ChartFace>>,
    /// The filters that affect it.
    pub filter_keys: StoredValue<Vec<String>>,
    /// Whether its marks can filter the dashboard.
    pub narrows: bool,
    /// Whether it is a number whose rows can be listed.
    pub drills: bool,
    /// Seconds after which the page asks for its rows again, whatever the dashboard's are.
    pub refresh: Option<u32>,
    /// When it last did, as `14:05`.
    pub refreshed: RwSignal<Option<String>>,
    /// The labels of filters on columns and dimensions, by full key.
    pub labels: StoredValue<BTreeMap<String, String>>,
    /// Its content.
    pub shown: RwSignal<Shown>,
    /// Whether a request is in progress.
    pub asking: RwSignal<bool>,
    /// Whether its rows are shown as a table.
    pub as_table: RwSignal<bool>,
    /// Whether the chart has been drawn at least once.
    pub drawn: RwSignal<bool>,
    /// The row of its table that was clicked last.
    pub followed: StoredValue<Option<Vec<serde_json::Value>>>,
    /// The order and page of its table.
    pub table_place: StoredValue<TablePlace>,
    /// The order and page of the table of its data.
    pub data_place: StoredValue<TablePlace>,
    /// Counts requests, so that an outdated response is dropped.
    question: StoredValue<u32>,
    /// Whether newer rows are on their way.
    renewing: StoredValue<bool>,
}

impl TileState {
    /// The state of a tile that the server sent. Call it within the dashboard's own component.
    #[must_use]
    pub fn new(tile: &Tile, drawing: Option<Drawing>) -> Self {
        let Tile { x, y, w, h, .. } = *tile;
        let shown = Shown::answer(tile.content.clone(), drawing);
        Self {
            filter_keys: StoredValue::new(tile.filter_keys.clone()),
            narrows: tile.narrows,
            drills: tile.drills,
            refresh: tile.refresh,
            labels: StoredValue::new(tile.labels.clone()),
            ..Self::of(tile.id, &tile.face, GridPosition { x, y, w, h }, shown)
        }
    }

    /// The state of a chart that no filter affects.
    #[must_use]
    pub fn of(chart: ChartId, face: &ChartFace, place: GridPosition, shown: Shown) -> Self {
        Self {
            key: chart,
            chart: StoredValue::new(chart),
            place: RwSignal::new(place),
            gone: RwSignal::new(false),
            #[cfg(feature = "edit")]
            draft: StoredValue::new(None),
            face: StoredValue::new(Arc::new(face.clone())),
            filter_keys: StoredValue::new(Vec::new()),
            narrows: false,
            drills: false,
            refresh: None,
            refreshed: RwSignal::new(None),
            labels: StoredValue::new(BTreeMap::new()),
            shown: RwSignal::new(shown),
            asking: RwSignal::new(false),
            as_table: RwSignal::new(false),
            drawn: RwSignal::new(false),
            followed: StoredValue::new(None),
            table_place: StoredValue::new(TablePlace::default()),
            data_place: StoredValue::new(TablePlace::default()),
            question: StoredValue::new(0),
            renewing: StoredValue::new(false),
        }
    }

    /// Its name and kind.
    #[must_use]
    pub fn face(self) -> Arc<ChartFace> {
        self.face.get_value()
    }

    /// The state of the figure. Tracked.
    #[must_use]
    pub fn state(self) -> State {
        self.shown.with(|shown| State::of(shown, self.asking.get()))
    }

    /// Why it failed: its name and a sentence. Tracked.
    #[must_use]
    pub fn problem(self) -> Option<String> {
        self.shown.with(|shown| match shown {
            Shown::Problem(Problem { message, .. }) => Some(self.face.with_value(|face| format!("{}: {message}", face.title))),
            Shown::Nothing | Shown::Rows(_) => None,
        })
    }

    /// Starts a request and returns its number. Other rows are read from their beginning.
    pub fn ask(self) -> u32 {
        self.asking.set(true);
        self.table_place.set_value(TablePlace::default());
        self.data_place.set_value(TablePlace::default());
        self.question.update_value(|number| *number += 1);
        self.question.get_value()
    }

    /// Starts to renew its rows. Returns the number of the last request; `None` while rows are on their way.
    pub fn renew(self) -> Option<u32> {
        let is_idle = !self.gone.get_untracked() && !self.asking.get_untracked() && !self.renewing.get_value();
        is_idle.then(|| {
            self.renewing.set_value(true);
            self.question.get_value()
        })
    }

    /// Shows rows that came by themselves, unless a request was made since, or they are those that are shown. Returns whether they came.
    pub fn renewed(self, question: u32, shown: Shown) -> bool {
        // The dashboard may be closed by now.
        let _ = self.renewing.try_set_value(false);
        let Shown::Rows(rows) = &shown else { return false };
        let same =
            |now: &ChartData, new: &ChartData| now.rows == new.rows && now.columns == new.columns && now.as_of == new.as_of;
        let is_alike = |now: &Shown| matches!(now, Shown::Rows(now) if same(&now.data, &rows.data));
        if self.question.try_get_value() == Some(question) && !self.shown.with_untracked(is_alike) {
            self.shown.set(shown);
        }
        true
    }

    /// Applies the response to a request. Returns false if a later request has been made.
    pub fn answered(self, question: u32, shown: Shown) -> bool {
        // The dashboard may be closed by now.
        if self.question.try_get_value() != Some(question) {
            return false;
        }
        self.shown.set(shown);
        self.asking.set(false);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::{
        chart::definition::ChartType,
        code::Code,
        data::{Column, ColumnType},
        page::Problem,
    };
    use serde_json::json;

    fn rows(count: usize) -> Shown {
        let columns = vec![Column { name: "n".into(), kind: ColumnType::Number }];
        let rows = vec![vec![json!(1)]; count];
        let data = ChartData { columns, rows, truncated: false, cached: false, duration_ms: 0, as_of: None };
        Shown::Rows(Arc::new(Rows { data, drawing: None }))
    }

    #[test]
    fn states_follow_what_is_shown() {
        let state = |shown: &Shown, asking| State::of(shown, asking).name();
        assert_eq!(state(&Shown::Nothing, false), "loading");
        assert_eq!(state(&rows(2), false), "ready");
        assert_eq!(state(&rows(2), true), "loading");
        assert_eq!(state(&rows(0), false), "empty");
        let Shown::Rows(drawn) = rows(2) else { panic!("rows") };
        let nulls = Shown::Rows(Arc::new(Rows { drawing: Some(Drawing::Empty), ..Rows::clone(&drawn) }));
        assert_eq!((state(&nulls, false), nulls.rows()), ("empty", None), "rows without a value draw nothing");
        let problem = Problem::new(Code::QueryFailed, "No.");
        assert_eq!(state(&Shown::Problem(problem.clone()), false), "error");
        // A text needs no rows.
        for content in
            [TileContent::Loading, TileContent::Ready { data: ChartData::default() }, TileContent::Failed { problem }]
        {
            let text = Shown::answer(content, Some(Drawing::Text(String::new())));
            assert_eq!((state(&text, false), text.rows().is_some()), ("ready", true));
        }
    }

    #[test]
    fn rows_that_came_by_themselves_take_no_request_s_place() {
        let owner = Owner::new();
        owner.with(|| {
            let face = ChartFace { title: "T".into(), kind: ChartType::Line };
            let tile = TileState::of(ChartId::generate(), &face, GridPosition { x: 0, y: 0, w: 6, h: 4 }, rows(1));
            let before = tile.renew().expect("idle");
            assert_eq!(tile.renew(), None, "newer rows are on their way");
            tile.renewed(before, rows(2));
            assert_eq!(tile.shown.get_untracked().rows().map(|rows| rows.data.rows.len()), Some(2));
            assert_eq!(tile.renew(), Some(before));
            let Shown::Rows(known) = rows(2) else { panic!("rows") };
            let old = ChartData { as_of: Some("2026-11-28T10:00:00.000Z".into()), ..known.data.clone() };
            tile.renewed(before, Shown::Rows(Arc::new(Rows { data: old, drawing: None })));
            assert!(
                tile.shown.with_untracked(|shown| shown.as_of().is_some()),
                "the same rows, but the source does not answer"
            );
            assert_eq!(tile.renew(), Some(before));
            tile.table_place.set_value((None, 2));
            tile.ask();
            assert_eq!((tile.renew(), tile.table_place.get_value()), (None, (None, 0)));
            tile.renewed(before, rows(3));
            assert_eq!(tile.shown.get_untracked().rows().map(|rows| rows.data.rows.len()), Some(2));
            let problem = Shown::Problem(Problem::new(Code::Unavailable, "Away."));
            assert!(!tile.renewed(before + 1, problem), "what is shown stays");
            assert_eq!(tile.shown.get_untracked().rows().map(|rows| rows.data.rows.len()), Some(2));
        });
    }

    #[test]
    fn an_overtaken_answer_is_dropped() {
        let owner = Owner::new();
        owner.with(|| {
            let face = ChartFace { title: "T".into(), kind: ChartType::Line };
            let tile = TileState::of(ChartId::generate(), &face, GridPosition { x: 0, y: 0, w: 6, h: 4 }, rows(1));
            let (first, second) = (tile.ask(), tile.ask());
            assert!(!tile.answered(first, rows(5)));
            assert_eq!(tile.state(), State::Loading);
            assert!(tile.answered(second, rows(0)));
            assert_eq!(tile.state(), State::Empty);
        });
    }
}
