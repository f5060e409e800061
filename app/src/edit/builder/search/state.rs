//! The state of the search, and what keys and clicks do to it.

use super::{
    dragged::Drag,
    items::{self, Item},
    ranking::{self, Found},
    slots,
};
use crate::{
    browser::focus::{self, Move},
    edit::builder::Builder,
};
use inlay_contract::model::ModelQuery;
use leptos::{ev, html, prelude::*};

/// The most items that the list shows.
pub const MOST: usize = 100;
/// The id of the list.
pub const LIST: &str = "builder-found";

/// The state of the search.
#[derive(Clone, Copy)]
pub struct Search {
    /// The builder that it is part of.
    pub builder: Builder,
    /// The field.
    pub input: NodeRef<html::Input>,
    /// Whether the list is open.
    pub open: RwSignal<bool>,
    /// What was typed.
    pub text: RwSignal<String>,
    /// The key of the item that Enter adds.
    pub current: RwSignal<Option<String>>,
    /// The drag in progress.
    pub drag: RwSignal<Option<Drag>>,
    /// Whether the last press of the pointer became a drag, so that it is no click.
    pub dragged: StoredValue<bool>,
    /// What was found. Nothing while the list is closed.
    pub found: Memo<Found>,
}

impl Search {
    /// A search of a builder.
    pub fn new(builder: Builder) -> Self {
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

    /// Closes the list and forgets the text.
    pub fn close(self) {
        self.open.set(false);
        self.text.set(String::new());
        self.current.set(None);
        self.drag.set(None);
    }

    /// The text was changed.
    pub fn typed(self, text: String) {
        let is_search = !text.trim().is_empty();
        self.open.set(true);
        self.text.set(text);
        let first = self.found.with_untracked(|found| found.hits().next().map(|hit| hit.item.key()));
        self.current.set(first.filter(|_| is_search));
    }

    /// The position of the current item among all that are listed. Tracked.
    pub fn position(self) -> Option<usize> {
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
    pub fn toggle(self, item: &Item) {
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

    /// A key was pressed in the field.
    pub fn pressed(self, event: &ev::KeyboardEvent) {
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
    pub fn query(self) -> ModelQuery {
        self.builder.meaning().unwrap_or_default()
    }
}
