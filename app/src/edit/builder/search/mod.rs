//! The search over the measures, times and dimensions of the model. What it finds is added by a click, by Enter, or by a drag to a
//! part of the query.

mod drag;
mod items;
mod list;
mod ranking;
mod slots;

use super::Builder;
use crate::{
    browser::focus::{self, Move},
    ui::{
        effect::effect,
        icons,
        part::{IntoPart, Part},
    },
};
use drag::Drag;
use inlay_contract::model::ModelQuery;
use items::Item;
use leptos::{ev, html, prelude::*};
use ranking::Found;

/// The most items that the list shows.
const MOST: usize = 100;
const LIST: &str = "builder-found";

/// The state of the search.
#[derive(Clone, Copy)]
struct Search {
    builder: Builder,
    input: NodeRef<html::Input>,
    open: RwSignal<bool>,
    text: RwSignal<String>,
    /// The key of the item that Enter adds.
    current: RwSignal<Option<String>>,
    /// The drag in progress.
    drag: RwSignal<Option<Drag>>,
    /// Whether the last press of the pointer became a drag, so that it is no click.
    dragged: StoredValue<bool>,
    /// What was found. Nothing while the list is closed.
    found: Memo<Found>,
}

impl Search {
    fn new(builder: Builder) -> Self {
        let (open, text) = (RwSignal::new(false), RwSignal::new(String::new()));
        let items = Memo::new(move |_| {
            let model = open.get().then(|| builder.model()).flatten();
            model.zip(builder.meaning()).map(|(model, query)| items::offered(&model, &query)).unwrap_or_default()
        });
        let found = Memo::new(move |_| items.with(|items| text.with(|text| ranking::found(items, text, MOST))));
        Self {
            builder,
            input: NodeRef::new(),
            open,
            text,
            current: RwSignal::new(None),
            drag: RwSignal::new(None),
            dragged: StoredValue::new(false),
            found,
        }
    }

    fn close(self) {
        self.open.set(false);
        self.text.set(String::new());
        self.current.set(None);
        self.drag.set(None);
    }

    fn typed(self, text: String) {
        let is_search = !text.trim().is_empty();
        self.open.set(true);
        self.text.set(text);
        let first = self.found.with_untracked(|found| found.hits().next().map(|hit| hit.item.key()));
        self.current.set(first.filter(|_| is_search));
    }

    /// The position of the current item among all that are listed. Tracked.
    fn position(self) -> Option<usize> {
        let current = self.current.get()?;
        self.found.with(|found| found.hits().position(|hit| hit.item.key() == current))
    }

    fn go(self, towards: Move) {
        let now = untrack(|| self.position());
        let next = self.found.with_untracked(|found| {
            let to = towards.from(now, found.hits().count())?;
            found.hits().nth(to).map(|hit| hit.item.key())
        });
        self.current.set(next);
    }

    /// Adds the item where it fits, or takes it out. The next search takes the place of this one.
    fn toggle(self, item: &Item) {
        self.current.set(Some(item.key()));
        self.builder.mean(|query| slots::toggle(query, item));
        focus::on(self.input);
        if let Some(input) = self.input.get_untracked() {
            input.select();
        }
    }

    fn toggle_current(self) {
        let at = untrack(|| self.position());
        let item = self.found.with_untracked(|found| found.hits().nth(at?).map(|hit| hit.item.clone()));
        if let Some(item) = item {
            self.toggle(&item);
        }
    }

    /// One step back: the drag, then the text, then the list. `false` if there is nothing to leave.
    fn leave(self) -> bool {
        if self.drag.get_untracked().is_some() {
            self.drag.set(None);
        } else if !self.text.with_untracked(String::is_empty) {
            self.text.set(String::new());
            self.current.set(None);
        } else if self.open.get_untracked() {
            self.close();
        } else {
            return false;
        }
        true
    }

    fn pressed(self, event: &ev::KeyboardEvent) {
        let is_open = self.open.get_untracked();
        match &*event.key() {
            "ArrowDown" | "ArrowUp" if !is_open => self.open.set(true),
            "ArrowDown" => self.go(Move::Next),
            "ArrowUp" => self.go(Move::Previous),
            "Enter" if is_open => self.toggle_current(),
            // Otherwise the dialog closes.
            "Escape" if self.leave() => {}
            _ => return,
        }
        event.prevent_default();
    }

    /// The query of the chart. Tracked.
    fn query(self) -> ModelQuery {
        self.builder.meaning().unwrap_or_default()
    }
}

/// The search field, with the list below it while it is open.
pub fn search(builder: Builder) -> Part {
    let search = Search::new(builder);
    let wrapper = NodeRef::<html::Div>::new();
    effect(move || {
        if let Some(at) = search.position() {
            focus::scroll_to(&list::id_of(at));
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
