//! Dragging an item of the search to a part of the query, by pointer.

use super::{
    Search,
    items::Item,
    slots::{self, Slot},
};
use crate::ui::part::{IntoPart, Part};
use leptos::{ev, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::Element;

/// A press becomes a drag when the pointer has moved this far. In CSS pixels.
const AWAY: f64 = 5.0;

/// A pressed pointer on an item.
#[derive(Clone, Debug)]
pub struct Drag {
    item: Item,
    /// Where it started, in the window.
    from: (f64, f64),
    /// Where the pointer is now, in the window.
    pointer: (f64, f64),
    /// Whether the pointer has moved away, so that it is no click.
    moves: bool,
    /// The part of the query below the pointer, if it takes the item.
    pub over: Option<Slot>,
}

impl Drag {
    /// Whether a slot takes the item that is dragged. Tracked.
    pub fn takes(&self, search: Search, slot: Slot) -> bool {
        self.moves && slots::takes(&search.query(), &self.item, slot)
    }
}

/// The pointer goes down on an item. A finger that is not on the handle scrolls the list.
pub fn begin(search: Search, item: &Item, event: &ev::PointerEvent) {
    search.dragged.set_value(false);
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let is_on_grip = || target.and_then(|target| target.closest(".find-grip").ok().flatten()).is_some();
    if event.button() != 0 || (event.pointer_type() != "mouse" && !is_on_grip()) {
        return;
    }
    if let Some(option) = event.current_target().and_then(|target| target.dyn_into::<Element>().ok()) {
        let _ = option.set_pointer_capture(event.pointer_id());
    }
    let at = place_of(event);
    search.drag.set(Some(Drag { item: item.clone(), from: at, pointer: at, moves: false, over: None }));
}

/// The pointer moves.
pub fn follow(search: Search, event: &ev::PointerEvent) {
    let Some(mut drag) = search.drag.get_untracked() else { return };
    drag.pointer = place_of(event);
    drag.moves |= (drag.pointer.0 - drag.from.0).hypot(drag.pointer.1 - drag.from.1) > AWAY;
    if drag.moves {
        search.dragged.set_value(true);
        drag.over = slot_at(drag.pointer).filter(|slot| untrack(|| drag.takes(search, *slot)));
        search.drag.set(Some(drag));
    }
}

/// The pointer goes up: over a part that takes the item, it is added there.
pub fn end(search: Search, event: &ev::PointerEvent) {
    follow(search, event);
    let Some(drag) = search.drag.get_untracked() else { return };
    search.drag.set(None);
    if let Some(slot) = drag.over {
        search.builder.mean(|query| slots::put(query, &drag.item, slot));
    }
}

/// The item beside the pointer.
pub fn ghost(search: Search) -> Part {
    let moving = search.drag.get().filter(|drag| drag.moves);
    let shown = moving.map(|Drag { item, pointer: (x, y), .. }| {
        view! { <div class="find-ghost" aria-hidden="true" style=format!("left:{x}px;top:{y}px")>{item.label}</div> }
    });
    shown.part()
}

fn place_of(event: &ev::PointerEvent) -> (f64, f64) {
    (f64::from(event.client_x()), f64::from(event.client_y()))
}

fn slot_at((x, y): (f64, f64)) -> Option<Slot> {
    let below = document().element_from_point(x as f32, y as f32)?.closest("[data-slot]").ok().flatten()?;
    let name = below.get_attribute("data-slot")?;
    Slot::ALL.into_iter().find(|slot| slot.label() == name)
}
