//! What the editing tools add to a dashboard: buttons in the header, added charts, dialogs.

use super::{Editor, Open, builder, filters, forms, library, state::Status};
use crate::ui::effect::effect;
use crate::{
    browser::leaving,
    dashboard_assistant::describe,
    pages::application::Opened,
    tile::{Figure, board::Board},
    ui::{
        icons,
        menu::{Menu, MenuItem},
        part::{IntoPart, Part},
    },
};
use inlay_contract::{page::DashboardView, permissions::Flag};
use leptos::{ev, prelude::*};

/// Creates the editor of a dashboard, if the viewer may edit it, and provides it as context.
pub fn start(opened: Opened, board: Board, view: &DashboardView) {
    opened.unsaved.set(false);
    let Some(version) = view.version else { return };
    let editor = Editor::new(opened, board, view, version);
    provide_context(editor);
    effect(move || editor.resume());
    effect(move || leaving::ask(move || opened.unsaved.try_get_untracked().unwrap_or_default()));
    let keys = window_event_listener(ev::keydown, move |event| shortcut(editor, &event));
    on_cleanup(move || keys.remove());
}

/// The usual shortcuts for undo and redo, except while text is edited.
fn shortcut(editor: Editor, event: &ev::KeyboardEvent) {
    let writing = document()
        .active_element()
        .is_some_and(|element| element.matches("input, textarea, select, [contenteditable]").unwrap_or_default());
    if writing || editor.dialog.get_untracked().is_some() || !(event.ctrl_key() || event.meta_key()) {
        return;
    }
    match (event.key().to_ascii_lowercase().as_str(), event.shift_key()) {
        ("z", false) => editor.undo(),
        ("z", true) | ("y", _) => editor.redo(),
        ("s", false) if editor.opened.unsaved.get_untracked() => editor.save(),
        _ => return,
    }
    event.prevent_default();
}

/// The buttons in the header.
pub fn buttons() -> Part {
    let Some(editor) = Editor::here() else { return ().part() };
    view! {
        {move || status(editor)}
        {move || editor.opened.unsaved.get().then(|| pending(editor))}
        {add(editor)}
        {actions(editor)}
    }
    .part()
}

fn status(editor: Editor) -> Part {
    let (class, text) = match editor.status.get() {
        Status::Idle => ("header-status", String::new()),
        Status::Saving => ("header-status", "Saving…".to_owned()),
        Status::Done(text) => ("header-status", text.to_owned()),
        Status::Failed(why) => ("header-status header-failed", format!("Not saved: {why} Your changes are kept here.")),
    };
    view! { <p class=class role="status">{text}</p> }.part()
}

fn pending(editor: Editor) -> Part {
    view! {
        <button type="button" class="button" on:click=move |_| editor.discard()>"Discard"</button>
        <button
            type="button"
            class="button button-main"
            disabled=move || editor.status.get() == Status::Saving
            on:click=move |_| editor.save()
        >
            "Save"
        </button>
    }
    .part()
}

fn add(editor: Editor) -> Part {
    let mut items = Vec::new();
    let mut item = |flag: Flag, label: &'static str, icon: Part, opens: Open| {
        if editor.allows(flag) {
            items.push(MenuItem::new(label, icon, move || editor.open(opens)));
        }
    };
    item(Flag::AddChart, "Chart from library", icons::columns(), Open::Library);
    item(Flag::CreateChart, "New chart", icons::pencil(), Open::Builder);
    item(Flag::AiCharts, "Describe a chart", icons::spark(), Open::Described);
    if !editor.allows(Flag::HideFilters) {
        item(Flag::AddFilter, "Filter", icons::funnel(), Open::Filter);
    }
    if navigates(editor) {
        item(Flag::AddDashboard, "Dashboard", icons::dashboard(), Open::Dashboard);
    }
    if items.is_empty() {
        return ().part();
    }
    view! { <Menu label="Add" id="menu-add".to_owned() items icon=icons::plus() /> }.part()
}

fn actions(editor: Editor) -> Part {
    let step = |label: &'static str, icon: Part, act: fn(Editor)| MenuItem::new(label, icon, move || act(editor));
    let mut items = vec![
        step("Undo", icons::undo(), Editor::undo),
        step("Redo", icons::redo(), Editor::redo),
        MenuItem::new("Rename", icons::pencil(), move || editor.open(Open::Rename)),
    ];
    if editor.allows(Flag::CanDuplicateDashboard) && navigates(editor) {
        items.push(MenuItem::new("Duplicate", icons::copy(), move || editor.open(Open::Duplicate)));
    }
    if editor.allows(Flag::CanSetDefaultDashboard) {
        items.push(MenuItem::new("Set as default", icons::star(), move || forms::set_default(editor)));
    }
    view! { <Menu label="Actions" id="menu-actions".to_owned() items icon=icons::more() /> }.part()
}

/// Whether the page has a navigation to open other dashboards.
fn navigates(editor: Editor) -> bool {
    editor.opened.with_page(|page| !page.parameters.single_dashboard)
}

/// The text of a dashboard without charts.
pub fn empty() -> Part {
    let note = move || match Editor::here() {
        Some(editor) if !editor.added.get().is_empty() => ().part(),
        Some(_) => view! { <p class="content-note">"No charts yet. Add the first one."</p> }.part(),
        None => view! { <p class="content-note">"No charts yet."</p> }.part(),
    };
    note.part()
}

/// The charts that were added after the dashboard was opened.
pub fn added() -> Part {
    let Some(editor) = Editor::here() else { return ().part() };
    view! {
        <For each=move || editor.added.get() key=|tile| tile.key let:tile>
            <Figure tile svg=None />
        </For>
    }
    .part()
}

/// The open dialog.
pub fn dialogs() -> Part {
    let Some(editor) = Editor::here() else { return ().part() };
    let dialog = move || match editor.dialog.get() {
        None => ().part(),
        Some(Open::Library) => library::dialog(editor),
        Some(Open::Builder) => builder::dialog(editor, None),
        Some(Open::Described) => describe::dialog(editor),
        Some(Open::Chart(key)) => builder::dialog(editor, Some(key)),
        Some(Open::Filter) => filters::dialog(editor),
        Some(Open::Rename) => forms::rename(editor),
        Some(Open::Dashboard) => forms::new_dashboard(editor),
        Some(Open::Duplicate) => forms::duplicate(editor),
        Some(Open::Conflict) => forms::conflict(editor),
    };
    view! { {dialog} {move || editor.opened.asks.get().map(|next| forms::unsaved(editor, next))} }.part()
}
