//! The search over the measures, times and dimensions of the model. What it finds is added by a click, by Enter, or by a drag to a
//! part of the query.

mod drag;
mod dragged;
mod items;
mod list;
mod ranking;
mod slots;
mod state;
#[cfg(test)]
mod testing;

use super::Builder;
use crate::{
    browser::focus,
    ui::{
        effect::effect,
        icons,
        part::{IntoPart, Part},
    },
};
use leptos::{html, prelude::*};
use state::{LIST, Search};

/// The search field, with the list below it while it is open.
pub fn search(builder: Builder) -> Part {
    let search = Search::new(builder);
    let wrapper = NodeRef::<html::Div>::new();
    effect(move || {
        if let Some(at) = search.position() {
            focus::scroll_to(&list::id_of(at));
        }
    });
    // The list may reach below the dialog's edge.
    effect(move || {
        if search.open.get() {
            focus::scroll_to(LIST);
        }
    });
    let count = move || search.open.get().then(|| list::count(search));
    let pop = move || search.open.get().then(|| list::pop(search));
    view! {
        <div class="find" node_ref=wrapper on:focusout=move |event| focus::when_left(wrapper, &event, move || search.close())>
            <label class="field">
                <span class="filter-label">"Find a measure or dimension"</span>
                <span class="find-box">
                    {icons::magnifier()}
                    <input
                        class="control"
                        node_ref=search.input
                        type="text"
                        role="combobox"
                        autocomplete="off"
                        spellcheck="false"
                        placeholder="Search"
                        aria-autocomplete="list"
                        aria-haspopup="listbox"
                        aria-expanded=move || search.open.get().to_string()
                        aria-controls=LIST
                        aria-activedescendant=move || search.position().map(list::id_of)
                        prop:value=move || search.text.get()
                        on:click=move |_| search.open.set(true)
                        on:input=move |event| search.typed(event_target_value(&event))
                        on:keydown=move |event| search.pressed(&event)
                    />
                </span>
            </label>
            // It is there before its text is, so that screen readers announce the text.
            <p class="find-count" aria-live="polite">{count}</p>
            {pop}
        </div>
    }
    .part()
}
