//! Navigation between dashboards: the sidebar and the tabs.

use super::opened::Opened;
use crate::ui::part::{IntoPart, IntoParts, Part};
use crate::{
    browser::{
        focus::{self, Move},
        theme,
    },
    ui::icons,
};
use inlay_contract::{ids::DashboardId, page::DashboardEntry};
use leptos::{ev, html, prelude::*, task::spawn_local};

/// The sidebar. On narrow pages, a single line that expands.
#[component]
pub fn Navigation(
    /// The application's name.
    name: String,
    /// Whether there are more dashboards than are named.
    more: bool,
) -> impl IntoView {
    let opened = Opened::here();
    let unfolded = RwSignal::new(false);
    let found = RwSignal::new(None::<Vec<DashboardEntry>>);
    let wrapper = NodeRef::<html::Nav>::new();
    let toggle = NodeRef::<html::Button>::new();
    let links = move || {
        let named = found.get().unwrap_or_else(|| opened.entries.get());
        named.into_iter().map(|entry| link(opened, entry, unfolded)).parts()
    };
    let current = move || {
        let chosen = opened.chosen.get();
        opened.entries.with(|entries| {
            let open = entries.iter().find(|entry| Some(entry.id) == chosen);
            open.map_or_else(|| "Dashboards".to_owned(), |entry| entry.name.clone())
        })
    };
    let on_key = move |event: ev::KeyboardEvent| {
        if event.key() == "Escape" && unfolded.get_untracked() {
            unfolded.set(false);
            focus::on(toggle);
        }
    };
    view! {
        <nav
            class="navigation"
            class:unfolded=move || unfolded.get()
            aria-label="Dashboards"
            node_ref=wrapper
            on:keydown=on_key
            on:focusout=move |event| focus::when_left(wrapper, &event, move || unfolded.set(false))
        >
            <p class="navigation-name">{name}</p>
            <button
                type="button"
                class="navigation-toggle"
                node_ref=toggle
                aria-expanded=move || unfolded.get().to_string()
                aria-controls="navigation-list"
                on:click=move |_| unfolded.update(|unfolded| *unfolded = !*unfolded)
            >
                {icons::dashboard()}
                <span class="unseen">"Choose a dashboard: "</span>
                <span>{current}</span>
                {icons::chevron_down()}
            </button>
            <ul id="navigation-list">
                {more.then(|| finder(opened, found))}
                {links}
                {more.then(|| view! { <li class="navigation-note">{move || note(opened, found)}</li> })}
            </ul>
        </nav>
    }
    .part()
}

/// The search of a navigation that names only the first dashboards.
fn finder(opened: Opened, found: RwSignal<Option<Vec<DashboardEntry>>>) -> Part {
    let asked = StoredValue::new(0_u32);
    let on_input = move |event: ev::Event| {
        let search = event_target_value(&event);
        let number = asked.get_value().wrapping_add(1);
        asked.set_value(number);
        if search.trim().is_empty() {
            found.set(None);
            return;
        }
        spawn_local(async move {
            let answer = opened.find(search).await;
            // A newer search is in progress.
            if asked.try_get_value() == Some(number) && answer.is_some() {
                found.try_set(answer);
            }
        });
    };
    view! {
        <li class="navigation-search">
            <input type="search" class="control" aria-label="Find a dashboard" placeholder="Find a dashboard" on:input=on_input />
        </li>
    }
    .part()
}

/// What the navigation does not show.
fn note(opened: Opened, found: RwSignal<Option<Vec<DashboardEntry>>>) -> String {
    found.with(|found| match found {
        None => format!("The first {} dashboards. Search for the others.", opened.entries.with(Vec::len)),
        Some(found) if found.is_empty() => "No dashboard matches this search.".to_owned(),
        Some(_) => String::new(),
    })
}

fn link(opened: Opened, entry: DashboardEntry, unfolded: RwSignal<bool>) -> Part {
    let (id, name) = (entry.id, entry.name.clone());
    let is_open = move || opened.chosen.get() == Some(id);
    view! {
        <li>
            <a
                href=format!("#{id}")
                aria-current=move || is_open().then_some("page")
                on:click=move |event| {
                    event.prevent_default();
                    unfolded.set(false);
                    opened.name(&entry);
                    opened.open(id);
                }
            >
                {icons::dashboard()}
                <span>{name}</span>
            </a>
            {move || (is_open() && opened.sets_default()).then(|| star(opened, id))}
        </li>
    }
    .part()
}

/// The button that makes the open dashboard the viewer's default. It is pressed where it already is.
fn star(opened: Opened, id: DashboardId) -> Part {
    view! {
        <button
            type="button"
            class="icon-button"
            aria-label="Set as default"
            title="Set as default"
            aria-pressed=move || (opened.default.get() == Some(id)).to_string()
            on:click=move |_| opened.prefer(id)
        >
            {icons::star()}
        </button>
    }
    .part()
}

/// The id of a dashboard's tab.
pub fn tab_id(dashboard: DashboardId) -> String {
    format!("tab-{dashboard}")
}

/// The tabs above the dashboard. Arrow keys move the focus, Enter opens a dashboard.
#[component]
pub fn Tabs() -> impl IntoView {
    let opened = Opened::here();
    let list = NodeRef::<html::Div>::new();
    let tabs = move || {
        let entries = opened.entries.get();
        let first = entries.first().map(|entry| entry.id);
        entries.into_iter().map(|entry| tab(opened, entry, first)).parts()
    };
    let on_key = move |event: ev::KeyboardEvent| {
        if let Some(towards) = Move::of_key_in_row(&event.key(), theme::is_mirrored()) {
            event.prevent_default();
            focus::in_list(list, "[role=tab]", towards);
        }
    };
    view! {
        <div class="tabs" role="tablist" aria-label="Dashboard tabs" node_ref=list on:keydown=on_key>
            {tabs}
        </div>
    }
    .part()
}

fn tab(opened: Opened, DashboardEntry { id, name, .. }: DashboardEntry, first: Option<DashboardId>) -> Part {
    let is_open = move || opened.chosen.get() == Some(id);
    // Only one tab is in the tab order: the open one, or the first if none is open.
    let tabindex = move || if opened.chosen.get().or(first) == Some(id) { "0" } else { "-1" };
    view! {
        <button
            type="button"
            role="tab"
            id=tab_id(id)
            aria-selected=move || is_open().to_string()
            aria-controls="dashboard"
            tabindex=tabindex
            on:click=move |_| opened.open(id)
        >
            {name}
        </button>
    }
    .part()
}
