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
struct Drag {
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

/// The handle for moving and resizing a chart. Nothing if the viewer cannot edit.
pub fn handle(tile: TileState) -> Part {
    let Some(editor) = Editor::here() else { return ().part() };
    let drag = StoredValue::new(None::<Drag>);
    let name = tile.face().title.clone();
    let down = move |grip: Grip| move |event: ev::PointerEvent| begin(editor, drag, grip, &event);
    let on_move = move |event: ev::PointerEvent| follow(editor, tile.key, drag, &event);
    let on_up = move |_: ev::PointerEvent| end(editor, drag);
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
    let width = grid.get_bounding_client_rect().width();
    if event.button() != 0 || width < NARROW {
        return;
    }
    event.prevent_default();
    let _ = element.set_pointer_capture(event.pointer_id());
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        let _ = element.focus();
    }
    let _ = grid.class_list().add_1("arranging");
    let pointer = (f64::from(event.client_x()), f64::from(event.client_y()));
    let from = (pointer.0, pointer.1 + scrolled());
    let column = (width + 16.0) / f64::from(COLUMNS) * if theme::is_mirrored() { -1.0 } else { 1.0 };
    drag.set_value(Some(Drag { grip, from, pointer, scrolls: false, start: editor.places(), column }));
}

/// The pointer moved.
fn follow(editor: Editor, key: ChartId, drag: StoredValue<Option<Drag>>, event: &ev::PointerEvent) {
    let pointer = (f64::from(event.client_x()), f64::from(event.client_y()));
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
    let Some(Some(now)) = drag.try_get_value() else { return };
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

fn end(editor: Editor, drag: StoredValue<Option<Drag>>) {
    if drag.get_value().is_none() {
        return;
    }
    drag.set_value(None);
    if let Some(grid) = document().query_selector(".grid.arranging").ok().flatten() {
        let _ = grid.class_list().remove_1("arranging");
    }
    let tiles = editor.board.tiles.get_value().into_iter().filter(|tile| !tile.gone.get_untracked());
    let places: Vec<(ChartId, GridPosition)> = tiles.map(|tile| (tile.key, tile.place.get_untracked())).collect();
    editor.arrange(&places);
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
    let tile = editor.board.tiles.with_value(|tiles| tiles.iter().find(|tile| tile.key == key).copied());
    if let Some(tile) = tile.filter(|tile| tile.place.get_untracked() != place) {
        tile.place.set(place);
    }
}
