//! A select filter: a searchable combobox with a list of values. Several values can be chosen.

use super::{
    choices::Line,
    selection::{Offer, Select},
};
use crate::{
    browser::focus,
    ui::{
        effect::effect,
        icons,
        part::{IntoPart, IntoParts, Part},
    },
};
use inlay_contract::page::FilterView;
use leptos::{ev, html, prelude::*};

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
        let chosen = Memo::new(move |_| select.chosen());
        effect(move || chosen.with(|chosen| select.learn(chosen)));
    }
    view! {
        <div
            class="filter select"
            class:filter-active=move || !select.summary().is_empty()
            node_ref=wrapper
            on:focusout=move |event| focus::when_left(wrapper, &event, move || select.leave())
            on:keydown=move |event| {
                if event.key() == "Escape" && !event.default_prevented() && select.open.get_untracked() {
                    focus::on(input);
                    select.leave();
                    event.prevent_default();
                }
            }
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
                {move || several(select, input)}
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
fn several(select: Select, input: NodeRef<html::Input>) -> Part {
    let lines = select.lines();
    let button = |label: &'static str, act: fn(Select)| {
        // The focus stays in the input, or goes back to it before the button goes.
        let keep = |event: ev::MouseEvent| event.prevent_default();
        let press = move |_| {
            focus::on(input);
            act(select);
        };
        view! { <button type="button" class="button button-quiet" on:mousedown=keep on:click=press>{label}</button> }
    };
    let all = (select.is_whole() && lines.len() > 1 && lines.iter().any(|line| !line.chosen))
        .then(|| button("Select all", Select::choose_all));
    let none = select.is_chosen().then(|| button("Clear", Select::clear));
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
