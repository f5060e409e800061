//! What the search found, by table, and above it the parts of the query that items can be dragged to.

use super::{
    drag,
    items::Kind,
    ranking::{Hit, Marked},
    slots::{self, Slot},
    state::{LIST, MOST, Search},
};
use crate::{
    edit::builder::model::{choices, numbers},
    ui::{
        icons,
        part::{IntoPart, IntoParts, Part},
    },
};
use leptos::prelude::*;

icons::icons! {
    /// A measure.
    sigma "M12 5V3H4l4.5 5L4 13h8v-2",
    /// A dimension.
    tag "M2.5 2.5h6l5 5-6 6-5-5zM5.5 5.5h.01",
}

/// The id of the option at a position.
pub fn id_of(at: usize) -> String {
    format!("builder-found-{at}")
}

/// How much was found. Tracked.
pub fn count(search: Search) -> String {
    match search.found.with(|found| found.count) {
        0 => "Nothing found".to_owned(),
        1 => "1 result".to_owned(),
        count if count > MOST => format!("{count} results, first {MOST} shown"),
        count => format!("{count} results"),
    }
}

/// The list and the slots.
pub fn pop(search: Search) -> Part {
    let list = move || {
        let mut at = 0;
        let found = search.found.get().groups.into_iter();
        let groups = found.map(|group| {
            let table: String = group.table.iter().map(|(piece, _)| &**piece).collect();
            let option = |hit: Hit| {
                at += 1;
                option(search, at - 1, hit)
            };
            let options = group.hits.into_iter().map(option).parts();
            view! {
                <div role="group" aria-label=table>
                    <div class="find-table" aria-hidden="true">{marked(group.table)}</div>
                    {options}
                </div>
            }
        });
        groups.parts()
    };
    view! {
        // Keep the focus in the input.
        <div class="find-pop" on:mousedown=|event| event.prevent_default()>
            {slots(search)}
            <div
                id=LIST
                role="listbox"
                class="select-list find-list"
                aria-label="Measures and dimensions"
                aria-multiselectable="true"
            >
                {list}
            </div>
            {move || drag::ghost(search)}
        </div>
    }
    .part()
}

fn option(search: Search, at: usize, hit: Hit) -> Part {
    let Hit { item, label, other } = hit;
    let kind = item.kind();
    let icon = match kind {
        Kind::Measure => sigma(),
        Kind::Time => icons::clock(),
        Kind::Dimension => tag(),
    };
    let other = other.map(|name| view! { <span>"Also: "{marked(name)}</span> });
    let about = item.words.description.clone().map(|text| view! { <span>{text}</span> });
    let note = (other.is_some() || about.is_some()).then(|| view! { <span class="find-note">{other}{about}</span> });
    let (key, of_use, dragged, clicked) = (item.key(), item.clone(), item.clone(), item);
    let used = Memo::new(move |_| slots::used(&search.query(), &of_use));
    let is_shown = move || matches!(used.get(), Some(Slot::Measures | Slot::By | Slot::Series));
    view! {
        <div
            id=id_of(at)
            role="option"
            class="select-option find-option"
            class:current=move || search.current.with(|current| current.as_ref() == Some(&key))
            aria-selected=move || is_shown().to_string()
            on:pointerdown=move |event| drag::begin(search, &dragged, &event)
            on:pointermove=move |event| drag::follow(search, &event)
            on:pointerup=move |event| drag::end(search, &event)
            on:pointercancel=move |_| search.drag.set(None)
            on:click=move |_| {
                if !search.dragged.get_value() {
                    search.toggle(&clicked);
                }
            }
        >
            <span class="find-kind" role="img" aria-label=kind.name() title=kind.name()>{icon}</span>
            <span class="select-text">
                <span class="find-label">{marked(label)}</span>
                {note}
            </span>
            <span class="find-used">{move || used.get().map(Slot::label)}</span>
            <span class="drag-grip" aria-hidden="true">{icons::grip()}</span>
        </div>
    }
    .part()
}

/// The parts of the query with what they have. Screen readers find the same in the lists of the form.
fn slots(search: Search) -> Part {
    let slot = |slot: Slot| {
        let takes = move || search.drag.with(|drag| drag.as_ref().is_some_and(|drag| drag.takes(&search.query(), slot)));
        let is_over = move || search.drag.with(|drag| drag.as_ref().is_some_and(|drag| drag.over == Some(slot)));
        view! {
            <div class="find-slot" class:takes=takes class:over=is_over data-slot=slot.label()>
                <span class="find-slot-name">{slot.label()}</span>
                <span class="find-slot-has">{move || held(search, slot)}</span>
            </div>
        }
    };
    let slots = Slot::ALL.into_iter().map(slot).parts();
    view! { <div class="find-slots" aria-hidden="true">{slots}</div> }.part()
}

/// The labels of what a slot has. Tracked.
fn held(search: Search, slot: Slot) -> String {
    let (Some(model), query) = (search.builder.model(), search.query()) else { return String::new() };
    let places = choices::places(&model, &query);
    let place = |name: &String, via: Option<&str>| {
        places.iter().find(|place| place.is(name, via)).map_or_else(|| name.clone(), |place| place.label.clone())
    };
    let group = |at: usize| query.dimensions.get(at).map(|group| place(&group.name, group.via.as_deref())).unwrap_or_default();
    match slot {
        Slot::Measures => {
            query.measures.iter().map(|name| numbers::label_of(&model, &query, name)).collect::<Vec<_>>().join(", ")
        }
        Slot::By => group(0),
        Slot::Series => group(1),
        Slot::Filter => {
            let filters = query.filters.iter().map(|filter| place(&filter.dimension, filter.via.as_deref()));
            filters.collect::<Vec<_>>().join(", ")
        }
    }
}

/// A text with its matches marked.
fn marked(pieces: Marked) -> Part {
    let piece = |(text, is_match): (String, bool)| if is_match { view! { <mark>{text}</mark> }.part() } else { text.part() };
    pieces.into_iter().map(piece).parts()
}
