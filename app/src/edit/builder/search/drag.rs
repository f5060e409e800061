//! Dragging an item of the search to a part of the query, by pointer.

use super::{
    dragged::Drag,
    items::Item,
    slots::{self, Slot},
    state::Search,
};
use crate::{
    edit::press::Press,
    ui::part::{IntoPart, Part},
};
use leptos::{ev, prelude::*};

/// The pointer goes down on an item.
pub fn begin(search: Search, item: &Item, event: &ev::PointerEvent) {
    search.dragged.set_value(false);
    search.drag.set(Press::begin(event).map(|press| Drag { item: item.clone(), press, over: None }));
}

/// The pointer moves.
pub fn follow(search: Search, event: &ev::PointerEvent) {
    let Some(mut drag) = search.drag.get_untracked() else { return };
    drag.press.follow(event);
    if drag.press.drags {
        search.dragged.set_value(true);
        drag.over = slot_at(drag.press.pointer).filter(|slot| untrack(|| drag.takes(&search.query(), *slot)));
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
    let moving = search.drag.get().filter(|drag| drag.press.drags);
    let shown = moving.map(|Drag { item, press: Press { pointer: (x, y), .. }, .. }| {
        view! { <div class="drag-ghost" aria-hidden="true" style=format!("left:{x}px;top:{y}px")>{item.label}</div> }
    });
    shown.part()
}

fn slot_at((x, y): (f64, f64)) -> Option<Slot> {
    let below = document().element_from_point(x as f32, y as f32)?.closest("[data-slot]").ok().flatten()?;
    let name = below.get_attribute("data-slot")?;
    Slot::ALL.into_iter().find(|slot| slot.label() == name)
}
