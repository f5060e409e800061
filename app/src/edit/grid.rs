//! Moving and resizing charts on the grid, by pointer and by keyboard.

use super::{Editor, arrange};
use crate::{
    browser::theme,
    tile::model::TileState,
    ui::{
        icons,
        part::{IntoPart, Part},
    },
};
use inlay_contract::{
    grid::{COLUMNS, GridPosition},
    ids::ChartId,
};
use leptos::{ev, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// The height of a grid row and its gap, in CSS pixels.
const ROW: f64 = 56.0;
/// The gap between columns, in CSS pixels.
const GAP: f64 = 16.0;
/// Below this width of the grid, charts are in one column. In CSS pixels.
const NARROW: f64 = 600.0;

/// How a pointer changes a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grip {
    Move,
    Resize,
}

/// A drag in progress.
#[derive(Clone, Debug)]
pub struct Drag {
    grip: Grip,
    /// Where the drag started, on the page.
    from: (f64, f64),
    /// Where the pointer is now, in the window.
    pointer: (f64, f64),
    /// Whether the page scrolls, because the pointer is near the window's edge.
    scrolls: bool,
    /// The charts' places when it started.
    start: Vec<(ChartId, GridPosition)>,
    /// The width of a column and its gap. Negative where columns run from right to left.
    column: f64,
}

impl Drag {
    /// A drag of a chart that is not on the grid yet. The pointer holds the middle of its upper edge. `None` where the grid is one
    /// column, or there is none.
    #[must_use]
    pub fn into_grid(editor: Editor, key: ChartId, (w, h): (u16, u16)) -> Option<Self> {
        let (left, right, top) = bounds()?;
        let column = column(right - left)?;
        let edge = if column < 0.0 { right } else { left };
        // As if it were dragged from the grid's first cell.
        let home = arrange::fitted(GridPosition { x: 0, y: 0, w, h });
        let from = (edge + f64::from(home.w) * column / 2.0, top + scrolled());
        let start = editor.places().into_iter().chain([(key, home)]).collect();
        Some(Self { grip: Grip::Move, from, pointer: from, scrolls: false, start, column })
    }
}

/// Where a place of the grid is in the window: left, top, width and height, in CSS pixels.
#[must_use]
pub fn rectangle(GridPosition { x, y, w, h }: GridPosition) -> Option<(f64, f64, f64, f64)> {
    let (left, right, top) = bounds()?;
    let column = column(right - left)?;
    let (unit, width) = (column.abs(), f64::from(w) * column.abs() - GAP);
    let edge = if column < 0.0 { right - f64::from(x) * unit - width } else { left + f64::from(x) * unit };
    Some((edge, top + f64::from(y) * ROW, width, f64::from(h) * ROW - GAP))
}

/// Whether a pointer is over the grid or below it.
#[must_use]
pub fn is_over((x, y): (f64, f64)) -> bool {
    bounds().is_some_and(|(left, right, top)| x >= left && x <= right && y >= top - ROW / 2.0)
}

/// The grid's left, right and upper edge in the window, in CSS pixels.
fn bounds() -> Option<(f64, f64, f64)> {
    let grid = document().query_selector(".grid").ok().flatten()?.get_bounding_client_rect();
    Some((grid.left(), grid.right(), grid.top()))
}

/// The width of a column and its gap, negative where columns run from right to left. `None` if charts are in one column.
fn column(width: f64) -> Option<f64> {
    (width >= NARROW).then(|| (width + GAP) / f64::from(COLUMNS) * if theme::is_mirrored() { -1.0 } else { 1.0 })
}

/// The handle for moving and resizing a chart. Nothing if the viewer cannot edit.
pub fn handle(tile: TileState) -> Part {
    let Some(editor) = Editor::here() else { return ().part() };
    let drag = StoredValue::new(None::<Drag>);
    let name = tile.face().title.clone();
    let down = move |grip: Grip| move |event: ev::PointerEvent| begin(editor, drag, grip, &event);
    let on_move = move |event: ev::PointerEvent| {
        follow(editor, tile.key, drag, (f64::from(event.client_x()), f64::from(event.client_y())));
    };
    let on_up = move |_: ev::PointerEvent| {
        if drag.with_value(Option::is_some) {
            editor.arrange(&end(editor, drag));
        }
    };
    view! {
        <button
            type="button"
            class="icon-button tile-grip"
            aria-label=format!("Move {name}")
            title="Drag or use the arrow keys to move. Hold Shift to resize."
            on:pointerdown=down(Grip::Move)
            on:pointermove=on_move
            on:pointerup=on_up
            on:pointercancel=on_up
            on:keydown=move |event| press(editor, tile.key, &event)
        >
            {icons::grip()}
        </button>
        <span
            class="tile-corner"
            aria-hidden="true"
            on:pointerdown=down(Grip::Resize)
            on:pointermove=on_move
            on:pointerup=on_up
            on:pointercancel=on_up
        />
    }
    .part()
}

fn begin(editor: Editor, drag: StoredValue<Option<Drag>>, grip: Grip, event: &ev::PointerEvent) {
    let Some(element) = event.current_target().and_then(|target| target.dyn_into::<Element>().ok()) else { return };
    let Some(grid) = element.closest(".grid").ok().flatten() else { return };
    let Some(column) = column(grid.get_bounding_client_rect().width()).filter(|_| event.button() == 0) else { return };
    event.prevent_default();
    let _ = element.set_pointer_capture(event.pointer_id());
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        let _ = element.focus();
    }
    let _ = grid.class_list().add_1("arranging");
    let pointer = (f64::from(event.client_x()), f64::from(event.client_y()));
    let from = (pointer.0, pointer.1 + scrolled());
    drag.set_value(Some(Drag { grip, from, pointer, scrolls: false, start: editor.places(), column }));
}

/// The pointer moved. Does nothing without a drag.
pub fn follow(editor: Editor, key: ChartId, drag: StoredValue<Option<Drag>>, pointer: (f64, f64)) {
    let was_scrolling = drag.try_update_value(|drag| {
        let drag = drag.as_mut()?;
        drag.pointer = pointer;
        Some(std::mem::replace(&mut drag.scrolls, true))
    });
    arrange_at(editor, key, drag);
    if was_scrolling.flatten() == Some(false) {
        scroll(editor, key, drag);
    }
}

/// Scrolls the page while the pointer is near the upper or the lower edge of the window. A frame that is as high as its content
/// scrolls nothing.
fn scroll(editor: Editor, key: ChartId, drag: StoredValue<Option<Drag>>) {
    let Some(now) = drag.try_get_value().flatten().filter(|drag| drag.scrolls) else { return };
    let height = window().inner_height().ok().and_then(|height| height.as_f64()).unwrap_or_default();
    let before = scrolled();
    window().scroll_by_with_x_and_y(0.0, arrange::pace(now.pointer.1, height));
    if scrolled() == before {
        drag.update_value(|drag| drag.iter_mut().for_each(|drag| drag.scrolls = false));
        return;
    }
    arrange_at(editor, key, drag);
    request_animation_frame(move || scroll(editor, key, drag));
}

/// How far the page is scrolled down, in CSS pixels.
fn scrolled() -> f64 {
    window().scroll_y().unwrap_or_default()
}

/// Shows the new places. Only the end of the drag adds a step to the draft.
fn arrange_at(editor: Editor, key: ChartId, drag: StoredValue<Option<Drag>>) {
    let Some(Drag { grip, from, pointer, start, column, .. }) = drag.get_value() else { return };
    let Some((_, place)) = start.iter().find(|(other, _)| *other == key) else { return };
    let steps = |pixels: f64, unit: f64| (pixels / unit).round() as i32;
    let (right, down) = (steps(pointer.0 - from.0, column), steps(pointer.1 + scrolled() - from.1, ROW));
    let to = match grip {
        Grip::Move => GridPosition { x: by(place.x, right), y: by(place.y, down), ..*place },
        Grip::Resize => GridPosition { w: by(place.w, right).min(COLUMNS - place.x), h: by(place.h, down), ..*place },
    };
    for (key, place) in arrange::moved(&start, key, to) {
        stand(editor, key, place);
    }
}

/// The charts' places at the end of a drag.
pub fn end(editor: Editor, drag: StoredValue<Option<Drag>>) -> Vec<(ChartId, GridPosition)> {
    drag.set_value(None);
    if let Some(grid) = document().query_selector(".grid.arranging").ok().flatten() {
        let _ = grid.class_list().remove_1("arranging");
    }
    let tiles = editor.board.tiles.get_value().into_iter().filter(|tile| !tile.gone.get_untracked());
    tiles.map(|tile| (tile.key, tile.place.get_untracked())).collect()
}

/// The charts go back to where they were before a chart came from elsewhere, which waits outside of the grid.
pub fn put_back(editor: Editor, key: ChartId, drag: StoredValue<Option<Drag>>) {
    let start = drag.try_update_value(|drag| {
        let drag = drag.as_mut()?;
        drag.scrolls = false;
        Some(drag.start.clone())
    });
    let _ = editor.coming.try_set(None);
    for (other, place) in start.flatten().into_iter().flatten().filter(|(other, _)| *other != key) {
        stand(editor, other, place);
    }
}

/// Arrow keys move the chart. With Shift they resize it.
fn press(editor: Editor, key: ChartId, event: &ev::KeyboardEvent) {
    let ahead = if theme::is_mirrored() { -1 } else { 1 };
    let (right, down) = match event.key().as_str() {
        "ArrowLeft" => (-ahead, 0),
        "ArrowRight" => (ahead, 0),
        "ArrowUp" => (0, -1),
        "ArrowDown" => (0, 1),
        _ => return,
    };
    event.prevent_default();
    let places = editor.places();
    let Some((_, place)) = places.iter().find(|(other, _)| *other == key) else { return };
    let to = if event.shift_key() {
        GridPosition { w: by(place.w, right).min(COLUMNS - place.x), h: by(place.h, down), ..*place }
    } else {
        // Downwards, the chart swaps with the one below it. Otherwise it would move up again at once.
        let below = if down > 0 { i32::from(next_below(&places, key, place)) } else { down };
        GridPosition { x: by(place.x, right), y: by(place.y, below), ..*place }
    };
    editor.arrange(&arrange::moved(&places, key, to));
}

/// How far down the next chart below reaches.
fn next_below(places: &[(ChartId, GridPosition)], key: ChartId, place: &GridPosition) -> u16 {
    let below = places.iter().filter(|(other, under)| *other != key && under.y >= place.y + place.h);
    below.map(|(_, under)| under.y + under.h - place.y - place.h).filter(|steps| *steps > 0).min().unwrap_or(1)
}

fn by(value: u16, steps: i32) -> u16 {
    u16::try_from((i32::from(value) + steps).max(0)).unwrap_or(u16::MAX)
}

fn stand(editor: Editor, key: ChartId, place: GridPosition) {
    match editor.board.tiles.with_value(|tiles| tiles.iter().find(|tile| tile.key == key).copied()) {
        Some(tile) if tile.place.get_untracked() == place => {}
        Some(tile) => tile.place.set(place),
        None => editor.coming.set(Some(place)),
    }
}
