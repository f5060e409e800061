//! A select filter: a searchable combobox with a list of values. Several values can be chosen.

use super::{
    bar::summary,
    choices::{self, Line},
    state::full_key,
};
use crate::ui::effect::effect;
use crate::ui::part::{IntoPart, IntoParts, Part};
use crate::{
    browser::focus::{self, Move},
    calls::embed::{self, ChoicesRequest},
    session::Session,
    tile::board::Board,
    ui::icons,
};
use gloo_timers::callback::Timeout;
use inlay_contract::page::{Choice, FilterView};
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
}

impl Select {
    fn new(filter: &FilterView) -> Self {
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
        }
    }

    /// A short text of the chosen values. Tracked.
    fn summary(self) -> String {
        let key = self.full_key.get_value();
        self.board.filters.with(|filters| filters.active().get(&key).map(summary)).unwrap_or_default()
    }

    /// The options of the list. Tracked.
    fn lines(self) -> Vec<Line> {
        let key = self.full_key.get_value();
        let chosen = self.board.filters.with(|filters| choices::chosen(filters.active().get(&key)));
        let search = self.search.get();
        self.offer.with(|offer| match offer {
            Offer::Values(values) => choices::lines(values, &chosen, &search),
            Offer::Loading | Offer::Failed(_) => choices::lines(&[], &chosen, &search),
        })
    }

    fn show(self) {
        if !self.open.get_untracked() {
            self.open.set(true);
            self.search.set(String::new());
            self.current.set(None);
            self.ask();
        }
    }

    fn close(self) {
        self.open.set(false);
        self.search.set(String::new());
    }

    fn ask(self) {
        self.question.update_value(|number| *number += 1);
        let question = self.question.get_value();
        let request = ChoicesRequest {
            scope: self.board.scope(),
            dashboard: self.board.id.get_untracked(),
            key: self.key.get_value(),
            search: self.search.get_untracked().trim().to_owned(),
        };
        spawn_local(async move {
            let answer = embed::filter_choices(request).await;
            if self.question.try_get_value() != Some(question) {
                return;
            }
            self.offer.set(match answer {
                Ok(values) => Offer::Values(values),
                Err(refusal) => {
                    self.session.refuse_part(&refusal);
                    Offer::Failed(refusal.0.message)
                }
            });
        });
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
        let rested = move || {
            if self.search.try_get_untracked().is_some_and(|now| now == text) {
                self.ask();
            }
        };
        Timeout::new(REST, rested).forget();
    }

    fn key_down(self, event: &ev::KeyboardEvent) {
        let lines = || untrack(|| self.lines());
        match (event.key().as_str(), self.open.get_untracked()) {
            ("ArrowDown" | "ArrowUp" | "Enter", false) => self.show(),
            ("ArrowDown" | "ArrowUp", true) => {
                let count = lines().len();
                let towards = Move::of_key(&event.key()).unwrap_or(Move::Next);
                self.current.update(|current| *current = towards.from(*current, count));
            }
            ("Enter", true) => {
                let lines = lines();
                let line = match self.current.get_untracked() {
                    Some(current) => lines.get(current),
                    // If only one option matches the search, Enter chooses it without an arrow key.
                    None => lines.first().filter(|_| lines.len() == 1),
                };
                if let Some(line) = line {
                    self.toggle(line);
                }
            }
            ("Escape", true) => self.close(),
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
    view! {
        <div
            class="filter select"
            class:filter-active=move || !select.summary().is_empty()
            node_ref=wrapper
            on:focusout=move |event| focus::when_left(wrapper, &event, move || select.close())
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
                    on:keydown=move |event| select.key_down(&event)
                />
                {icons::chevron_down()}
            </div>
            <div class="select-pop" hidden=move || !select.open.get()>
                <div id=list_id role="listbox" class="select-list" aria-label=filter.label aria-multiselectable="true">
                    {move || select.open.get().then(|| options(select, &id, input))}
                </div>
                {move || note(select)}
            </div>
        </div>
    }
    .part()
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

/// The text of an empty list.
fn note(select: Select) -> Part {
    let text = select.offer.with(|offer| match offer {
        Offer::Loading => Some("Loading…".to_owned()),
        Offer::Failed(message) => Some(message.clone()),
        Offer::Values(_) => select.lines().is_empty().then(|| "No values".to_owned()),
    });
    text.map(|text| view! { <p class="select-note" role="status">{text}</p> }).part()
}
