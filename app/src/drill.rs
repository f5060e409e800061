//! What a click on a mark of a chart does: it shows the rows behind the mark or the same numbers by another column
//! (drill-down), or it filters the dashboard.

use crate::{
    browser::download,
    calls::embed::{self, DrillRequest, Drilled, MOST_ROWS, MOST_VALUES},
    data::csv,
    pages::opened::Opened,
    session::Session,
    tile::{
        board::Board,
        look::Look,
        menu::Offers,
        model::{Rows, TileState},
        table::{self, DataTable, Follow, Titles},
    },
    ui::{
        dialog::Dialog,
        icons,
        part::{IntoLatePart, IntoPart, IntoParts, Part},
    },
};
use inlay_contract::{chart::mark::Mark, permissions::Flag};
use leptos::{prelude::*, task::spawn_local};
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

/// Filters the dashboard by a mark. The same mark again removes the filters.
fn narrow(board: Board, tile: TileState, mark: Mark) {
    if is_draft(tile) {
        return;
    }
    let request = DrillRequest { tile: board.request(tile), mark, by: None };
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

fn dialog(drill: Drill, board: Board, tile: TileState, mark: Mark) -> Part {
    let found = RwSignal::new(Found::Loading);
    let session = Session::here();
    let ask = move |by: Option<String>| {
        let request = DrillRequest { tile: board.request(tile), mark: mark.clone(), by };
        spawn_local(async move {
            let answer = embed::drill_down(request).await;
            let _ = found.try_set(match answer {
                Ok(drilled) => Found::Rows(Arc::new(drilled)),
                Err(refusal) => {
                    session.refuse(&refusal);
                    Found::Nothing(refusal.0.message)
                }
            });
        });
    };
    ask(None);
    let close = Callback::new(move |()| drill.0.set(None));
    let content = move || match found.get() {
        Found::Loading => view! { <p class="select-note" role="status">"Loading…"</p> }.late(),
        Found::Nothing(why) => view! { <p class="select-note" role="alert">{why}</p> }.late(),
        Found::Rows(drilled) => shown(tile, &drilled, ask.clone(), board, close),
    };
    view! { <Dialog label="Drill down".to_owned() form="wide" close content=content.part() /> }.late()
}

fn shown(
    tile: TileState,
    drilled: &Arc<Drilled>,
    ask: impl Fn(Option<String>) + 'static,
    board: Board,
    close: Callback<()>,
) -> Part {
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
    let mut view = table::of_data(&drilled.data, &Look::here().locale.get_value());
    for (column, label) in view.columns.iter_mut().zip(&drilled.labels) {
        column.label.clone_from(label);
    }
    let count = count(drilled.data.rows.len(), drilled.by.is_some());
    let file = (csv::file_name(&title, "csv"), csv::write(&drilled.data));
    let download = move |_| download::text(&file.0, csv::MEDIA_TYPE, &file.1);
    let downloads = expect_context::<Offers>().csv;
    let rows = Arc::new(Rows { data: drilled.data.clone(), picture: None });
    view! {
        <div class="drill-head">
            <strong>{title.clone()}</strong>
            {chips}
            {narrows.then(|| view! { <button type="button" class="button" on:click=narrow>{said}</button> })}
            <label class="drill-by">
                <span class="filter-label">"Break down by"</span>
                <select class="control" on:change=move |event| ask(Some(event_target_value(&event)).filter(|name| !name.is_empty()))>
                    <option value="">"Rows"</option>
                    {options}
                </select>
            </label>
        </div>
        <div class="drill-rows">
            <DataTable name=format!("{title} rows") view titles=Titles::Labels rows />
        </div>
        <div class="drill-foot">
            <span>{count}</span>
            {downloads.then(|| view! { <button type="button" class="button" on:click=download>{icons::download()}"Download CSV"</button> })}
        </div>
    }
    .late()
}

/// How many rows or values are listed. The server lists at most so many.
fn count(listed: usize, values: bool) -> String {
    let (most, one, many) = if values { (MOST_VALUES, "value", "values") } else { (MOST_ROWS, "row", "rows") };
    match listed {
        1 => format!("1 {one}"),
        listed if u32::try_from(listed).is_ok_and(|listed| listed >= most) => format!("The first {listed} {many}"),
        listed => format!("{listed} {many}"),
    }
}
