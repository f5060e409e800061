//! The controls of the chart builder.

use super::steady;
use crate::ui::{
    icons,
    part::{IntoPart, IntoParts, Part},
};
use leptos::{ev::Event, prelude::*};
use std::rc::Rc;

/// A value and its label.
pub type Choice = (String, String);

/// A labelled select.
pub fn select(
    label: &str,
    choices: Vec<Choice>,
    value: impl Fn() -> String + Copy + Send + Sync + 'static,
    set: impl Fn(String) + 'static,
) -> Part {
    let options = choices.into_iter().map(|(key, text)| {
        let selected = key == untrack(value);
        view! { <option value=key selected=selected>{text}</option> }
    });
    view! {
        <label class="field">
            <span class="filter-label">{label.to_owned()}</span>
            <select class="control" prop:value=value on:change=move |event| set(event_target_value(&event))>{options.parts()}</select>
        </label>
    }
    .part()
}

/// A select without a visible label.
pub fn bare_select(label: &str, choices: Vec<Choice>, value: String, set: impl Fn(String) + 'static) -> Part {
    let options = choices.into_iter().map(|(key, text)| {
        let selected = key == value;
        view! { <option value=key prop:selected=selected>{text}</option> }
    });
    let options = options.parts();
    view! {
        <select class="control" aria-label=label.to_owned() on:change=move |event| set(event_target_value(&event))>{options}</select>
    }
    .part()
}

/// A select without a visible label, whose choices stand in groups. `value` may be a choice of none of them; it then stands first.
pub fn grouped_select(label: &str, groups: Vec<(String, Vec<Choice>)>, value: Choice, set: impl Fn(String) + 'static) -> Part {
    let (now, text) = value;
    let is_known = groups.iter().flat_map(|(_, choices)| choices).any(|(key, _)| *key == now);
    let option = |(key, text): Choice| {
        let selected = key == now;
        view! { <option value=key prop:selected=selected>{text}</option> }
    };
    let first = (!is_known).then(|| option((now.clone(), text)));
    let group = |(name, choices): (String, Vec<Choice>)| {
        view! { <optgroup label=name>{choices.into_iter().map(option).parts()}</optgroup> }
    };
    let groups = groups.into_iter().map(group).parts();
    view! {
        <select class="control" aria-label=label.to_owned() on:change=move |event| set(event_target_value(&event))>{first}{groups}</select>
    }
    .part()
}

/// A switch.
pub fn switch(label: &str, on: bool, set: impl Fn(bool) + 'static) -> Part {
    view! {
        <label class="switch">
            <input type="checkbox" checked=on on:change=move |event| set(event_target_checked(&event)) />
            <span>{label.to_owned()}</span>
        </label>
    }
    .part()
}

/// A list with a button below it that adds an item.
pub fn group(title: &str, rows: Vec<Part>, add: &'static str, action: impl Fn() + 'static) -> Part {
    group_of(title, rows, adder(add, action))
}

/// A list with buttons below it that add items of several kinds.
pub fn group_of(title: &str, rows: Vec<Part>, adders: Part) -> Part {
    let rows = rows.into_iter().parts();
    view! {
        <fieldset class="field builder-group">
            <legend class="filter-label">{title.to_owned()}</legend>
            {rows}
            <div class="builder-adders">{adders}</div>
        </fieldset>
    }
    .part()
}

/// A button that adds an item to a list.
pub fn adder(label: &'static str, action: impl Fn() + 'static) -> Part {
    view! {
        <button type="button" class="button button-quiet builder-add" on:click=move |_| action()>{icons::plus()}{label}</button>
    }
    .part()
}

/// A text, taken over when it is left.
pub fn text(label: &str, placeholder: &str, now: String, set: impl Fn(String) + 'static) -> Part {
    view! {
        <input
            class="control"
            type="text"
            autocomplete="off"
            aria-label=label.to_owned()
            placeholder=placeholder.to_owned()
            prop:value=now
            on:change=settled(set)
        />
    }
    .part()
}

/// A number, taken over when it is left.
pub fn number(label: &str, now: String, set: impl Fn(String) + 'static) -> Part {
    view! {
        <input class="control" type="number" step="any" aria-label=label.to_owned() prop:value=now on:change=settled(set) />
    }
    .part()
}

/// Takes over what was typed, once a click that ended the typing is done.
pub fn settled(set: impl Fn(String) + 'static) -> impl Fn(Event) {
    let set = Rc::new(set);
    move |event| {
        let (set, typed) = (Rc::clone(&set), event_target_value(&event));
        steady::after_click(move || set(typed));
    }
}

/// An item of a list, with a button that removes it.
pub fn line(content: Part, name: &str, remove: impl Fn() + 'static) -> Part {
    view! {
        <div class="builder-line">
            {content}
            <button type="button" class="icon-button" aria-label=format!("Remove {name}") on:click=move |_| remove()>{icons::cross()}</button>
        </div>
    }
    .part()
}

/// A condition: what it is on, with a button that removes it, and below its values.
pub fn condition(head: Part, values: Part, remove: impl Fn() + 'static) -> Part {
    block("condition", head, values, remove)
}

/// An item of a list with a second line. `name` says what it is.
pub fn block(name: &'static str, head: Part, values: Part, remove: impl Fn() + 'static) -> Part {
    view! {
        <div class=format!("builder-block builder-{name}")>
            {line(head, name, remove)} <div class="builder-values">{values}</div>
        </div>
    }
    .part()
}
