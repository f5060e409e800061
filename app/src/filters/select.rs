//! A select filter: a searchable combobox with a list of values. Several values can be chosen.

use super::{
    choices::{self, Key, Line, Press},
    state::full_key,
    words::{summary_named, word},
};
use crate::ui::effect::effect;
use crate::ui::part::{IntoPart, IntoParts, Part};
use crate::{
    browser::focus::{self, Move},
    calls::{
        Refusal,
        embed::{self, ChoicesRequest},
    },
    session::Session,
    tile::board::Board,
    ui::icons,
};
use gloo_timers::callback::Timeout;
use inlay_contract::{
    filter::Scalar,
    page::{Choice, FilterView},
};
use leptos::{ev, html, prelude::*, task::spawn_local};

/// Milliseconds without typing before the server is asked for matching values.
const REST: u32 = 200;

/// The content of the list.
#[derive(Clone, Debug, PartialEq)]
enum Offer {
    Loading,
    Values(Vec<Choice>),
    Failed(String),
}

/// The state of one control.
#[derive(Clone, Copy)]
struct Select {
    board: Board,
    session: Session,
    key: StoredValue<String>,
    full_key: StoredValue<String>,
    open: RwSignal<bool>,
    search: RwSignal<String>,
    offer: RwSignal<Offer>,
    current: RwSignal<Option<usize>>,
    question: StoredValue<u32>,
    /// The number of the last question that was answered.
    answered: StoredValue<u32>,
    /// The search that the values in the list were loaded for.
    loaded: StoredValue<Option<String>>,
    /// The keys that wait for their choices, in order.
    presses: StoredValue<Vec<Press>>,
    /// The names that people read instead of values, as far as they are known.
    names: RwSignal<Vec<(Scalar, String)>>,
}

impl Select {
    fn new(filter: &FilterView) -> Self {
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
        }
    }

    /// A short text of the chosen values. Tracked.
    fn summary(self) -> String {
        let key = self.full_key.get_value();
        let names = self.names.get();
        let text = |value: &_| summary_named(value, &names);
        self.board.filters.with(|filters| filters.active().get(&key).map(text)).unwrap_or_default()
    }

    /// The options of the list. Tracked.
    fn lines(self) -> Vec<Line> {
        let search = self.search.get();
        self.lines_of(&search)
    }

    /// The options that match a search. Tracked.
    fn lines_of(self, search: &str) -> Vec<Line> {
        let key = self.full_key.get_value();
        let chosen = self.board.filters.with(|filters| choices::chosen(filters.active().get(&key)));
        self.names.with(|names| {
            self.offer.with(|offer| match offer {
                Offer::Values(values) => choices::lines(values, &chosen, search, names),
                Offer::Loading | Offer::Failed(_) => choices::lines(&[], &chosen, search, names),
            })
        })
    }

    /// Asks for the name of a chosen value that came from elsewhere: the host, or a chart's mark. Tracked.
    fn learn(self) {
        let key = self.full_key.get_value();
        let chosen = self.board.filters.with(|filters| choices::chosen(filters.active().get(&key)));
        let is_known = |value: &Scalar| self.names.with_untracked(|names| names.iter().any(|(named, _)| named == value));
        if let Some(unknown) = chosen.iter().take(2).find(|value| !is_known(value))
            && !self.open.get_untracked()
        {
            self.ask(&word(unknown));
        }
    }

    /// Chooses every option that matches the search.
    fn choose_all(self) {
        let key = self.full_key.get_value();
        let chosen = self.board.filters.with_untracked(|filters| choices::chosen(filters.active().get(&key)));
        self.board.set_filter(&key, choices::all(chosen, &untrack(|| self.lines())));
    }

    fn show(self) {
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
    fn leave(self) {
        if self.open.get_untracked() {
            self.press(Key::Escape);
        }
    }

    fn ask(self, search: &str) {
        self.question.update_value(|number| *number += 1);
        let question = self.question.get_value();
        let request = ChoicesRequest {
            scope: self.board.scope(),
            dashboard: self.board.id.get_untracked(),
            key: self.key.get_value(),
            search: search.trim().to_owned(),
        };
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

    fn toggle(self, line: &Line) {
        let key = self.full_key.get_value();
        let chosen = self.board.filters.with_untracked(|filters| choices::chosen(filters.active().get(&key)));
        self.board.set_filter(&key, choices::toggled(chosen, &line.value));
    }

    fn typed(self, text: String) {
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

    fn key_down(self, event: &ev::KeyboardEvent) {
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

/// A select filter.
#[component]
pub fn SelectFilter(
    /// Unique on the page.
    id: String,
    /// The filter.
    filter: FilterView,
) -> impl IntoView {
    let select = Select::new(&filter);
    let wrapper = NodeRef::<html::Div>::new();
    let input = NodeRef::<html::Input>::new();
    let list_id = format!("{id}-list");
    let option_id = {
        let id = id.clone();
        move || select.open.get().then(|| select.current.get()).flatten().map(|at| format!("{id}-{at}"))
    };
    let shown = move || if select.open.get() { select.search.get() } else { select.summary() };
    let placeholder = move || Some(select.summary()).filter(|chosen| !chosen.is_empty()).unwrap_or_else(|| "All".into());
    effect({
        let id = id.clone();
        move || {
            if let Some(current) = select.current.get() {
                focus::scroll_to(&format!("{id}-{current}"));
            }
        }
    });
    if filter.is_named {
        effect(move || select.learn());
    }
    view! {
        <div
            class="filter select"
            class:filter-active=move || !select.summary().is_empty()
            node_ref=wrapper
            on:focusout=move |event| focus::when_left(wrapper, &event, move || select.leave())
        >
            <label class="filter-label" for=id.clone()>{filter.label.clone()}</label>
            <div class="select-box">
                <input
                    id=id.clone()
                    class="control"
                    node_ref=input
                    type="text"
                    role="combobox"
                    autocomplete="off"
                    spellcheck="false"
                    aria-autocomplete="list"
                    aria-haspopup="listbox"
                    aria-expanded=move || select.open.get().to_string()
                    aria-controls=list_id.clone()
                    aria-activedescendant=option_id
                    placeholder=placeholder
                    value=shown
                    prop:value=shown
                    on:click=move |_| select.show()
                    on:input=move |event| select.typed(event_target_value(&event))
                    on:keydown=move |event| {
                        select.key_down(&event);
                        if event.key() == "Enter" {
                            renew(input);
                        }
                    }
                />
                {icons::chevron_down()}
            </div>
            <div class="select-pop" hidden=move || !select.open.get()>
                <div id=list_id role="listbox" class="select-list" aria-label=filter.label aria-multiselectable="true">
                    {move || select.open.get().then(|| options(select, &id, input))}
                </div>
                {move || note(select)}
                {move || several(select)}
            </div>
        </div>
    }
    .part()
}

/// Selects the search, so that the next one takes its place.
fn renew(input: NodeRef<html::Input>) {
    if let Some(input) = input.get_untracked() {
        input.select();
    }
}

fn options(select: Select, id: &str, input: NodeRef<html::Input>) -> Part {
    let option = |(position, line): (usize, Line)| {
        let (chosen, text, count) = (line.chosen, line.text.clone(), line.count);
        view! {
            <div
                id=format!("{id}-{position}")
                role="option"
                class="select-option"
                class:current=move || select.current.get() == Some(position)
                aria-selected=chosen.to_string()
                // Keep the focus in the input.
                on:mousedown=|event| event.prevent_default()
                on:click=move |_| {
                    select.toggle(&line);
                    focus::on(input);
                    renew(input);
                }
            >
                <span class="select-tick">{icons::check()}</span>
                <span class="select-text">{text}</span>
                <span class="select-count" aria-hidden="true">{count}</span>
            </div>
        }
    };
    select.lines().into_iter().enumerate().map(option).parts()
}

/// The buttons that choose all options, or none.
fn several(select: Select) -> Part {
    let lines = select.lines();
    let key = select.full_key.get_value();
    let is_chosen = select.board.filters.with(|filters| filters.active().contains_key(&key));
    let button = |label: &'static str, act: fn(Select)| {
        // The focus stays in the input.
        let keep = |event: ev::MouseEvent| event.prevent_default();
        view! { <button type="button" class="button button-quiet" on:mousedown=keep on:click=move |_| act(select)>{label}</button> }
    };
    let all = (lines.len() > 1 && lines.iter().any(|line| !line.chosen)).then(|| button("Select all", Select::choose_all));
    let none = is_chosen.then(|| button("Clear", |select| select.board.set_filter(&select.full_key.get_value(), None)));
    (all.is_some() || none.is_some()).then(|| view! { <div class="select-foot">{all}{none}</div> }).part()
}

/// The text of an empty list.
fn note(select: Select) -> Part {
    let text = select.offer.with(|offer| match offer {
        Offer::Loading => Some("Loading…".to_owned()),
        Offer::Failed(message) => Some(message.clone()),
        Offer::Values(_) => select.lines().is_empty().then(|| "No values".to_owned()),
    });
    text.map(|text| view! { <p class="select-note" role="status">{text}</p> }).part()
}
