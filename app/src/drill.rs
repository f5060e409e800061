//! What a click on a mark of a chart does: it shows the rows behind the mark or the same numbers by another column
//! (drill-down), or it filters the dashboard.

use crate::{
    browser::download,
    calls::embed::{self, DrillRequest, Drilled},
    data::{csv, sorting::Sorting},
    drawing::Drawing,
    pages::opened::Opened,
    session::Session,
    tile::{
        board::Board,
        look::Look,
        menu::Offers,
        model::{Rows, Shown, TileState},
        table::{self, DataTable, Follow, Sorter, Titles},
    },
    ui::{
        dialog::Dialog,
        icons,
        part::{IntoLatePart, IntoPart, IntoParts, Part},
    },
};
use inlay_contract::{chart::mark::Mark, model::ModelOrder, permissions::Flag};
use leptos::{ev, prelude::*, task::spawn_local};
use std::sync::Arc;

/// The click handler of a chart's marks for this viewer. `None` if a click does nothing. Without drill-down, a click filters
/// the dashboard, unless the role hides filters.
#[must_use]
pub fn follow(board: Board, tile: TileState) -> Option<impl Fn(Mark) + Copy + Send + Sync + 'static> {
    let drill = Drill::here();
    let filters = tile.narrows && !Opened::here().permissions().allows(Flag::HideFilters);
    (drill.is_some() || filters).then_some(move |mark| match drill {
        Some(drill) => drill.into(tile, mark),
        None => narrow(board, tile, mark),
    })
}

/// The click handler of the rows of a chart's table.
#[must_use]
pub fn rows(tile: TileState, clicks: bool) -> Option<Follow> {
    let board = Board::here();
    let follow = follow(board, tile)?;
    Some(Follow {
        run: Callback::new(move |row| follow(Mark { row: Some(row), ..Mark::default() })),
        back: Callback::new(move |()| board.widen(tile)),
        clicks,
        last: tile.followed,
    })
}

/// The button over a number that lists the rows behind it, if the viewer may and they can be listed.
pub fn of_number(tile: TileState) -> Option<Part> {
    let drill = Drill::here().filter(|_| tile.drills && !is_draft(tile))?;
    let name = tile.face.with_value(|face| format!("Show the rows of {}", face.title));
    let open = move |_| drill.into(tile, Mark::default());
    Some(view! { <button type="button" class="number-rows" aria-label=name on:click=open></button> }.part())
}

/// Filters the dashboard by a mark. The same mark again removes the filters.
fn narrow(board: Board, tile: TileState, mark: Mark) {
    if is_draft(tile) {
        return;
    }
    let request = DrillRequest { tile: board.request(tile), mark, by: None, order: None };
    spawn_local(async move {
        match embed::mark_filters(request).await {
            Ok(filters) => board.narrow(tile, filters),
            Err(refusal) => board.say(refusal),
        }
    });
}

/// Whether a chart is unsaved: the server cannot look behind its marks.
#[cfg(feature = "edit")]
fn is_draft(tile: TileState) -> bool {
    tile.draft.with_value(Option::is_some)
}

/// This wasm has no editing tools.
#[cfg(not(feature = "edit"))]
const fn is_draft(_: TileState) -> bool {
    false
}

/// The mark that is drilled into. Provided as context if the viewer may drill down.
#[derive(Clone, Copy)]
pub struct Drill(RwSignal<Option<(TileState, Mark)>>);

impl Drill {
    /// No mark is selected yet.
    #[must_use]
    pub fn new() -> Self {
        Self(RwSignal::new(None))
    }

    /// The drill-down of the component's dashboard, if it has one.
    #[must_use]
    pub fn here() -> Option<Self> {
        use_context()
    }

    /// Opens the dialog for a mark.
    pub fn into(self, tile: TileState, mark: Mark) {
        if !is_draft(tile) {
            let _ = self.0.try_set(Some((tile, mark)));
        }
    }

    /// The dialog, while it is open.
    pub fn dialog(self) -> Part {
        let board = Board::here();
        (move || self.0.get().map(|(tile, mark)| dialog(self, board, tile, mark))).part()
    }
}

impl Default for Drill {
    fn default() -> Self {
        Self::new()
    }
}

/// The content of the dialog.
#[derive(Clone, PartialEq)]
enum Found {
    Loading,
    Rows(Arc<Drilled>),
    Nothing(String),
}

/// Asks for rows or for values by a column, in an order. The last says whether it is for the table that is there.
type Ask = Arc<dyn Fn(Option<String>, Option<ModelOrder>, bool) + Send + Sync>;

/// What the dialog lists, as it was sorted last, and how much that is in words.
type Listed = (RwSignal<Shown>, RwSignal<String>);

fn dialog(drill: Drill, board: Board, tile: TileState, mark: Mark) -> Part {
    let found = RwSignal::new(Found::Loading);
    let (rows, count): Listed = (RwSignal::new(Shown::Nothing), RwSignal::new(String::new()));
    let (session, locale) = (Session::here(), Look::here().locale);
    // Counts questions, so that an outdated answer is dropped.
    let asked = StoredValue::new(0_u32);
    let ask: Ask = Arc::new(move |by, order, is_sorting| {
        let request = DrillRequest { tile: board.request(tile), mark: mark.clone(), by, order };
        let own = asked.get_value() + 1;
        asked.set_value(own);
        let _ = count.try_set("Loading…".to_owned());
        spawn_local(async move {
            let answer = embed::drill_down(request).await;
            if asked.try_get_value() != Some(own) {
                // Another order is wanted by now, or other rows, or the dialog is closed.
                return;
            }
            let shown = match answer {
                Ok(drilled) => {
                    let mut view = table::of_data(&drilled.data, &locale.get_value());
                    for (column, label) in view.columns.iter_mut().zip(&drilled.labels) {
                        column.label.clone_from(label);
                    }
                    let listed = Rows { data: drilled.data.clone(), drawing: Some(Drawing::Table(view)) };
                    let _ = rows.try_set(Shown::Rows(Arc::new(listed)));
                    let _ = count.try_set(drilled.count.clone());
                    if is_sorting {
                        return;
                    }
                    Found::Rows(Arc::new(drilled))
                }
                Err(refusal) => {
                    session.refuse(&refusal);
                    Found::Nothing(refusal.0.message)
                }
            };
            let _ = found.try_set(shown);
        });
    });
    ask(None, None, false);
    let close = Callback::new(move |()| drill.0.set(None));
    let content = move || match found.get() {
        Found::Loading => view! { <p class="select-note" role="status">"Loading…"</p> }.late(),
        Found::Nothing(why) => view! { <p class="select-note" role="alert">{why}</p> }.late(),
        Found::Rows(drilled) => shown(tile, &drilled, (rows, count), &ask, board, close),
    };
    view! { <Dialog label="Drill down".to_owned() form="wide" close content=content.part() /> }.late()
}

fn shown(tile: TileState, drilled: &Arc<Drilled>, (rows, count): Listed, ask: &Ask, board: Board, close: Callback<()>) -> Part {
    let title = tile.face().title.clone();
    let chips = drilled.told.iter().map(|(name, value)| {
        view! { <span class="chip"><span class="chip-label">{name.clone()}</span><span>{value.clone()}</span></span> }
    });
    let chips = chips.parts();
    let options = drilled.columns.iter().map(|(name, label)| {
        let selected = drilled.by.as_ref() == Some(name);
        view! { <option value=name.clone() selected=selected>{label.clone()}</option> }
    });
    let options = options.parts();
    let narrowing = drilled.filters.clone();
    let narrow = move |_| {
        close.run(());
        board.narrow(tile, narrowing.clone());
    };
    let narrows = !drilled.filters.is_empty();
    let held = board.filters.with_untracked(|filters| filters.holds(&drilled.filters));
    let said = if held { "Remove this filter" } else { "Filter the dashboard by this" };
    let by = Arc::clone(ask);
    let break_down = move |event: ev::Event| by(Some(event_target_value(&event)).filter(|name| !name.is_empty()), None, false);
    let file = csv::file_name(&title, "csv");
    let download = move |_| {
        if let Shown::Rows(rows) = rows.get_untracked() {
            download::text(&file, csv::MEDIA_TYPE, &csv::write(&rows.data));
        }
    };
    let downloads = expect_context::<Offers>().csv;
    view! {
        <div class="drill-head">
            <strong>{title.clone()}</strong>
            {chips}
            {narrows.then(|| view! { <button type="button" class="button" on:click=narrow>{said}</button> })}
            {explain(drilled, close)}
            <label class="drill-by">
                <span class="filter-label">"Break down by"</span>
                <select class="control" on:change=break_down>
                    <option value="">"Rows"</option>
                    {options}
                </select>
            </label>
        </div>
        <div class="drill-rows">{listed(&title, drilled, rows, ask)}</div>
        <div class="drill-foot">
            <span role="status">{count}</span>
            {downloads.then(|| view! { <button type="button" class="button" on:click=download>{icons::download()}"Download CSV"</button> })}
        </div>
    }
    .late()
}

/// Asks a question in the sidebar of insights. Provided as context where the viewer may open it.
#[cfg(feature = "edit")]
#[derive(Clone, Copy)]
pub struct Asking(pub Callback<String>);

/// The button that asks in the sidebar of insights why the mark's number changed.
#[cfg(feature = "edit")]
fn explain(drilled: &Drilled, close: Callback<()>) -> Part {
    let Some((question, Asking(ask))) = drilled.why.clone().zip(use_context()) else { return ().part() };
    let asked = move |_| {
        close.run(());
        ask.run(question.clone());
    };
    view! { <button type="button" class="button" on:click=asked>{icons::spark()}"Why did it change?"</button> }.part()
}

/// This wasm has no sidebar.
#[cfg(not(feature = "edit"))]
fn explain(_: &Drilled, _: Callback<()>) -> Part {
    ().part()
}

/// The table. A list that is cut is sorted by the server, so that the first rows of all come first.
fn listed(title: &str, drilled: &Arc<Drilled>, listed: RwSignal<Shown>, ask: &Ask) -> Part {
    let Shown::Rows(rows) = listed.get_untracked() else { return ().part() };
    let Some(Drawing::Table(view)) = rows.drawing.clone() else { return ().part() };
    let sorter = drilled.more.then(|| {
        let (drilled, ask) = (Arc::clone(drilled), Arc::clone(ask));
        let by_server = move |sorting: RwSignal<Option<Sorting>>| {
            let by = |Sorting { column, descending }| ModelOrder { by: drilled.data.columns[column].name.clone(), descending };
            ask(drilled.by.clone(), sorting.get_untracked().map(by), true);
        };
        Sorter { listed, ask: Arc::new(by_server) }
    });
    view! { <DataTable name=format!("{title} rows") view titles=Titles::Labels rows sorter /> }.part()
}
