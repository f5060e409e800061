//! The state of a select filter: what its list offers, what is searched and chosen.

use super::{
    choices::{self, Key, Line, Press},
    state::full_key,
    words::{MOST_SHOWN, summary_named, word},
};
use crate::{
    browser::focus::Move,
    calls::{
        Refusal,
        embed::{self, ChoicesRequest, MOST_CHOICES},
    },
    session::Session,
    tile::board::Board,
};
use gloo_timers::callback::Timeout;
use inlay_contract::{
    filter::Scalar,
    page::{Choice, FilterView},
};
use leptos::{ev, prelude::*, task::spawn_local};

/// Milliseconds without typing before the server is asked for matching values.
const REST: u32 = 200;

/// How many values' names are asked for while the page is open.
const MOST_SOUGHT: usize = 200;

/// The content of the list.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Offer {
    Loading,
    Values(Vec<Choice>),
    Failed(String),
}

/// The state of one control.
#[derive(Clone, Copy)]
pub(super) struct Select {
    board: Board,
    session: Session,
    key: StoredValue<String>,
    full_key: StoredValue<String>,
    /// Whether the list is open.
    pub open: RwSignal<bool>,
    /// The search.
    pub search: RwSignal<String>,
    /// The content of the list.
    pub offer: RwSignal<Offer>,
    /// The current option.
    pub current: RwSignal<Option<usize>>,
    question: StoredValue<u32>,
    /// The number of the last question that was answered.
    answered: StoredValue<u32>,
    /// The search that the values in the list were loaded for.
    loaded: StoredValue<Option<String>>,
    /// The keys that wait for their choices, in order.
    presses: StoredValue<Vec<Press>>,
    /// The names that people read instead of values, as far as they are known.
    names: RwSignal<Vec<(Scalar, String)>>,
    /// The values whose names were asked for.
    sought: StoredValue<Vec<Scalar>>,
}

impl Select {
    pub fn new(filter: &FilterView) -> Self {
        let named = filter.names.iter().filter_map(|(value, name)| Some((choices::scalar(value)?, name.clone())));
        Self {
            board: Board::here(),
            session: Session::here(),
            key: StoredValue::new(filter.key.clone()),
            full_key: StoredValue::new(full_key(filter)),
            open: RwSignal::new(false),
            search: RwSignal::new(String::new()),
            offer: RwSignal::new(Offer::Loading),
            current: RwSignal::new(None),
            question: StoredValue::new(0),
            answered: StoredValue::new(0),
            loaded: StoredValue::new(None),
            presses: StoredValue::new(Vec::new()),
            names: RwSignal::new(named.collect()),
            sought: StoredValue::new(Vec::new()),
        }
    }

    /// A short text of the chosen values. Tracked.
    pub fn summary(self) -> String {
        let key = self.full_key.get_value();
        let names = self.names.get();
        let text = |value: &_| summary_named(value, &names);
        self.board.filters.with(|filters| filters.active().get(&key).map(text)).unwrap_or_default()
    }

    /// The options of the list. Tracked.
    pub fn lines(self) -> Vec<Line> {
        let search = self.search.get();
        self.lines_of(&search)
    }

    /// The options that match a search. Tracked.
    fn lines_of(self, search: &str) -> Vec<Line> {
        let chosen = self.chosen();
        self.names.with(|names| {
            self.offer.with(|offer| match offer {
                Offer::Values(values) => choices::lines(values, &chosen, search, names),
                Offer::Loading | Offer::Failed(_) => choices::lines(&[], &chosen, search, names),
            })
        })
    }

    /// The chosen values. Tracked.
    pub fn chosen(self) -> Vec<Scalar> {
        let key = self.full_key.get_value();
        self.board.filters.with(|filters| choices::chosen(filters.active().get(&key)))
    }

    /// Asks for the names of chosen values that came from elsewhere: the host, or a chart's mark. Once for each value, and only for so
    /// many as are shown.
    pub fn learn(self, chosen: &[Scalar]) {
        if chosen.len() > MOST_SHOWN || self.sought.with_value(Vec::len) > MOST_SOUGHT {
            return;
        }
        for value in chosen {
            let is_known = self.names.with_untracked(|names| names.iter().any(|(named, _)| named == value));
            if is_known || self.sought.with_value(|sought| sought.contains(value)) {
                continue;
            }
            self.sought.update_value(|sought| sought.push(value.clone()));
            let request = self.request(&word(value));
            spawn_local(async move {
                if let Ok(values) = embed::filter_choices(request).await {
                    let _ = self.names.try_update(|names| *names = choices::names(&values, std::mem::take(names)));
                }
            });
        }
    }

    /// Whether the list has all options that match the search. Tracked.
    pub fn is_whole(self) -> bool {
        let is_short = self.offer.with(|offer| matches!(offer, Offer::Values(values) if values.len() < MOST_CHOICES as usize));
        let search = self.search.get();
        is_short && self.loaded.with_value(|loaded| loaded.as_deref() == Some(search.trim()))
    }

    /// Whether any value is chosen. Tracked.
    pub fn is_chosen(self) -> bool {
        let key = self.full_key.get_value();
        self.board.filters.with(|filters| filters.active().contains_key(&key))
    }

    /// Chooses no value.
    pub fn clear(self) {
        self.board.set_filter(&self.full_key.get_value(), None);
    }

    /// Chooses every option that matches the search.
    pub fn choose_all(self) {
        let (chosen, lines) = untrack(|| (self.chosen(), self.lines()));
        self.board.set_filter(&self.full_key.get_value(), choices::all(chosen, &lines));
    }

    pub fn show(self) {
        if !self.open.get_untracked() {
            self.open.set(true);
            self.search.set(String::new());
            self.current.set(None);
            self.forgive();
            self.ask("");
        }
    }

    fn close(self) {
        self.open.set(false);
        self.search.set(String::new());
        self.presses.update_value(Vec::clear);
    }

    /// The focus has left. The list closes once the keys before have had their effect.
    pub fn leave(self) {
        if self.open.get_untracked() {
            self.press(Key::Escape);
        }
    }

    fn request(self, search: &str) -> ChoicesRequest {
        ChoicesRequest {
            scope: self.board.scope(),
            dashboard: self.board.id.get_untracked(),
            key: self.key.get_value(),
            search: search.trim().to_owned(),
        }
    }

    fn ask(self, search: &str) {
        self.question.update_value(|number| *number += 1);
        let question = self.question.get_value();
        let request = self.request(search);
        let search = request.search.clone();
        spawn_local(async move {
            let answer = embed::filter_choices(request).await;
            // An answer that comes after a later one is dropped.
            if self.answered.try_get_value().is_some_and(|answered| question > answered) {
                self.answered.set_value(question);
                self.heard(search, answer, question == self.question.get_value());
            }
        });
    }

    /// The choices for a search, or why there are none. `is_last`: no later answer is on its way.
    fn heard(self, search: String, answer: Result<Vec<Choice>, Refusal>, is_last: bool) {
        match answer {
            Ok(values) => {
                self.loaded.set_value(Some(search));
                self.names.update(|names| *names = choices::names(&values, std::mem::take(names)));
                self.offer.set(Offer::Values(values));
                self.catch_up(is_last);
            }
            Err(refusal) if is_last => {
                self.loaded.set_value(None);
                self.offer.set(Offer::Failed(refusal.0.message.clone()));
                self.give_up();
                self.session.refuse_part(&refusal);
            }
            Err(_) => {}
        }
    }

    fn has_failed(self) -> bool {
        self.offer.with_untracked(|offer| matches!(offer, Offer::Failed(_)))
    }

    /// The choices are requested again after a failure.
    fn forgive(self) {
        if self.has_failed() {
            self.offer.set(Offer::Loading);
        }
    }

    /// Whether a key at a search must wait for its choices.
    fn waits(self, search: &str) -> bool {
        if self.has_failed() {
            return false;
        }
        let lines = untrack(|| self.lines_of(search)).len();
        self.loaded.with_value(|loaded| choices::waits(loaded.as_deref(), search, lines))
    }

    /// Choices have arrived: the keys that waited for them take effect.
    fn catch_up(self, is_last: bool) {
        let mut presses = self.presses.try_update_value(std::mem::take).unwrap_or_default().into_iter().peekable();
        if presses.peek().is_none() {
            return;
        }
        while let Some(press) = presses.next_if(|press| press.key == Key::Escape || !self.waits(&press.search)) {
            self.act(press);
        }
        let search = presses.peek().map_or_else(|| self.search.get_untracked(), |press| press.search.clone());
        self.presses.set_value(presses.collect());
        // Nothing was asked for while keys waited.
        if is_last && self.open.get_untracked() && self.loaded.with_value(|loaded| loaded.as_deref() != Some(search.trim())) {
            self.ask(&search);
        }
    }

    /// There are no choices: nothing can be chosen, but the list closes if that was wanted.
    fn give_up(self) {
        let presses = self.presses.try_update_value(std::mem::take).unwrap_or_default();
        if presses.iter().any(|press| press.key == Key::Escape) {
            self.close();
        }
    }

    fn press(self, key: Key) {
        let press = Press { key, search: self.search.get_untracked() };
        let is_first = self.presses.with_value(Vec::is_empty);
        if is_first && (key == Key::Escape || !self.waits(&press.search)) {
            self.act(press);
        } else {
            self.presses.update_value(|presses| presses.push(press));
        }
    }

    fn act(self, Press { key, search }: Press) {
        let lines = untrack(|| self.lines_of(&search));
        match key {
            Key::Arrow(towards) => self.current.update(|current| *current = towards.from(*current, lines.len())),
            Key::Enter => {
                let line = match self.current.get_untracked() {
                    Some(current) => lines.get(current),
                    // If only one option matches the search, Enter chooses it without an arrow key.
                    None => lines.first().filter(|_| lines.len() == 1),
                };
                if let Some(line) = line {
                    self.toggle(line);
                }
            }
            Key::Escape => self.close(),
        }
    }

    pub fn toggle(self, line: &Line) {
        let chosen = untrack(|| self.chosen());
        self.board.set_filter(&self.full_key.get_value(), choices::toggled(chosen, &line.value));
    }

    pub fn typed(self, text: String) {
        self.open.set(true);
        self.search.set(text.clone());
        self.current.set(None);
        self.presses.update_value(choices::retype);
        self.forgive();
        let rested = move || {
            // While keys wait, their choices are asked for first.
            let is_free = self.presses.try_with_value(Vec::is_empty) == Some(true);
            if is_free && self.search.try_get_untracked().is_some_and(|now| now == text) {
                self.ask(&text);
            }
        };
        Timeout::new(REST, rested).forget();
    }

    pub fn key_down(self, event: &ev::KeyboardEvent) {
        let name = event.key();
        match (name.as_str(), self.open.get_untracked()) {
            ("ArrowDown" | "ArrowUp" | "Enter", false) => self.show(),
            ("ArrowDown" | "ArrowUp", true) => self.press(Key::Arrow(Move::of_key(&name).unwrap_or(Move::Next))),
            ("Enter", true) => self.press(Key::Enter),
            ("Escape", true) => self.press(Key::Escape),
            _ => return,
        }
        event.prevent_default();
    }
}
