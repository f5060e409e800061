//! One chart's state on the page: what it shows, and whether it is being asked again.

use crate::calls::Picture;
use inlay_contract::{
    data::ChartData,
    grid::Place,
    ids::ChartId,
    page::{ChartFace, Problem, Tile, TileContent},
};
use leptos::prelude::*;
use std::sync::Arc;

/// What a chart shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Shown {
    /// Nothing yet.
    Nothing,
    /// These rows.
    Rows(Arc<Rows>),
    /// What went wrong.
    Problem(Problem),
}

/// A chart's rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// The rows.
    pub data: ChartData,
    /// What is drawn of them; none where the definition does not fit.
    pub picture: Option<Picture>,
}

impl Rows {
    /// Whether there is nothing to draw. A text needs no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.data.rows.is_empty() && !matches!(self.picture, Some(Picture::Text(_)))
    }
}

impl Shown {
    /// What the server answered for a chart, and its picture.
    #[must_use]
    pub fn answer(content: TileContent, picture: Option<Picture>) -> Self {
        match (content, picture) {
            (TileContent::Ready { data }, picture) => Self::Rows(Arc::new(Rows { data, picture })),
            (_, picture @ Some(Picture::Text(_))) => Self::Rows(Arc::new(Rows { data: ChartData::default(), picture })),
            (TileContent::Loading, _) => Self::Nothing,
            (TileContent::Failed { problem }, _) => Self::Problem(problem),
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
    /// Rows are on their way; an older picture may stay meanwhile.
    Loading,
    /// Drawn.
    Ready,
    /// No row fits.
    Empty,
    /// It could not be had.
    Error,
}

impl State {
    /// Of what is shown, and whether other rows are on their way.
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
    /// Names it on this page: the id that its chart had when it came here.
    pub key: ChartId,
    /// The chart; another one once a copy was saved.
    pub chart: StoredValue<ChartId>,
    /// Where it stands.
    pub place: RwSignal<Place>,
    /// Whether it was taken off.
    pub gone: RwSignal<bool>,
    /// What it is to be, while that is not saved.
    #[cfg(feature = "edit")]
    pub draft: StoredValue<Option<inlay_contract::edit::ChartEdit>>,
    /// Its name and kind.
    pub face: StoredValue<Arc<ChartFace>>,
    /// The filters that reach it.
    pub filter_keys: StoredValue<Vec<String>>,
    /// Whether its marks may filter the dashboard.
    pub narrows: bool,
    /// What it shows.
    pub shown: RwSignal<Shown>,
    /// Whether other rows are on their way.
    pub asking: RwSignal<bool>,
    /// Whether the rows stand as a table in the chart's place.
    pub as_table: RwSignal<bool>,
    /// Whether the chart has been drawn at least once.
    pub drawn: RwSignal<bool>,
    /// The row of its table that was followed last.
    pub followed: StoredValue<Option<Vec<serde_json::Value>>>,
    /// Counts the questions, so that an answer that was overtaken is dropped.
    question: StoredValue<u32>,
}

impl TileState {
    /// The state of a tile that the server sent. Call within the dashboard's own component.
    #[must_use]
    pub fn new(tile: &Tile, picture: Option<Picture>) -> Self {
        let Tile { x, y, w, h, .. } = *tile;
        let shown = Shown::answer(tile.content.clone(), picture);
        Self {
            filter_keys: StoredValue::new(tile.filter_keys.clone()),
            narrows: tile.narrows,
            ..Self::of(tile.id, &tile.face, Place { x, y, w, h }, shown)
        }
    }

    /// The state of a chart that is reached by no filter.
    #[must_use]
    pub fn of(chart: ChartId, face: &ChartFace, place: Place, shown: Shown) -> Self {
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
            shown: RwSignal::new(shown),
            asking: RwSignal::new(false),
            as_table: RwSignal::new(false),
            drawn: RwSignal::new(false),
            followed: StoredValue::new(None),
            question: StoredValue::new(0),
        }
    }

    /// Its name and kind.
    #[must_use]
    pub fn face(self) -> Arc<ChartFace> {
        self.face.get_value()
    }

    /// The figure's state. Tracked.
    #[must_use]
    pub fn state(self) -> State {
        self.shown.with(|shown| State::of(shown, self.asking.get()))
    }

    /// Why it could not be had: its name and a sentence. Tracked.
    #[must_use]
    pub fn problem(self) -> Option<String> {
        self.shown.with(|shown| match shown {
            Shown::Problem(Problem { message, .. }) => Some(self.face.with_value(|face| format!("{}: {message}", face.title))),
            Shown::Nothing | Shown::Rows(_) => None,
        })
    }

    /// A new question is under way; gives its number.
    pub fn ask(self) -> u32 {
        self.asking.set(true);
        self.question.update_value(|number| *number += 1);
        self.question.get_value()
    }

    /// The answer to a question; false when a later question overtook it.
    pub fn answered(self, question: u32, shown: Shown) -> bool {
        // The dashboard may be closed by now, its signals gone.
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
        let data = ChartData { columns, rows, truncated: false, cached: false, duration_ms: 0 };
        Shown::Rows(Arc::new(Rows { data, picture: None }))
    }

    #[test]
    fn states_follow_what_is_shown() {
        let state = |shown: &Shown, asking| State::of(shown, asking).name();
        assert_eq!(state(&Shown::Nothing, false), "loading");
        assert_eq!(state(&rows(2), false), "ready");
        assert_eq!(state(&rows(2), true), "loading");
        assert_eq!(state(&rows(0), false), "empty");
        let problem = Problem::new(Code::QueryFailed, "No.");
        assert_eq!(state(&Shown::Problem(problem.clone()), false), "error");
        // A text needs no rows.
        for content in
            [TileContent::Loading, TileContent::Ready { data: ChartData::default() }, TileContent::Failed { problem }]
        {
            let text = Shown::answer(content, Some(Picture::Text(String::new())));
            assert_eq!((state(&text, false), text.rows().is_some()), ("ready", true));
        }
    }

    #[test]
    fn an_overtaken_answer_is_dropped() {
        let owner = Owner::new();
        owner.with(|| {
            let face = ChartFace { title: "T".into(), kind: ChartType::Line };
            let tile = TileState::of(ChartId::generate(), &face, Place { x: 0, y: 0, w: 6, h: 4 }, rows(1));
            let (first, second) = (tile.ask(), tile.ask());
            assert!(!tile.answered(first, rows(5)));
            assert_eq!(tile.state(), State::Loading);
            assert!(tile.answered(second, rows(0)));
            assert_eq!(tile.state(), State::Empty);
        });
    }
}
