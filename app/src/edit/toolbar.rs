//! What the editing tools add to a dashboard: buttons in the header, added charts, dialogs.

use super::{
    Editor, Open, builder, chart_menu,
    draft::Draft,
    filters, forms, grid, library,
    offers::{self, Access, Action, AddItem},
    tools::{Status, Tools},
};
use crate::{
    browser::leaving,
    dashboard_assistant::describe,
    filters::bar::FilterTools,
    pages::opened::Opened,
    tile::{Figure, board::Board, figure::ChartTools},
    ui::{
        effect::effect,
        icons,
        menu::{Menu, MenuItem},
        part::{IntoPart, Part},
    },
};
use inlay_contract::page::DashboardView;
use leptos::{ev, prelude::*};

/// Provides the tools of a dashboard to viewers who may edit: its editor, if they may change this one.
pub fn start(opened: Opened, board: Board, view: &DashboardView) {
    opened.unsaved.set(false);
    if !opened.permissions().can_edit() {
        return;
    }
    let tools = Tools::new(opened, Some(board));
    provide_context(tools);
    let Some(version) = view.version else { return };
    let editor = Editor::new(tools, board, view, version);
    provide_context(editor);
    provide_context(ChartTools { handle: grid::handle, menu: chart_menu::items });
    provide_context(FilterTools { added: filters::tools, is_gone: filters::is_gone, is_added: filters::is_added });
    effect(move || editor.resume());
    effect(move || leaving::ask(move || opened.unsaved.try_get_untracked().unwrap_or_default()));
    let keys = window_event_listener(ev::keydown, move |event| shortcut(editor, &event));
    on_cleanup(move || keys.remove());
}

/// The page of an application without dashboards, where viewers who may create one can do so.
pub fn no_dashboard(opened: Opened) -> Part {
    if offers::add_items(opened.permissions(), Access::NoDashboard).is_empty() {
        return view! { <p class="content-note">"No dashboards yet."</p> }.part();
    }
    let tools = Tools::new(opened, None);
    provide_context(tools);
    view! {
        <div class="content-note content-first">
            <p>"No dashboards yet. Create the first one."</p>
            {add(tools, None)}
            {move || status(tools)}
        </div>
        {dialogs()}
    }
    .part()
}

/// The usual shortcuts for undo and redo, except while text is edited.
fn shortcut(editor: Editor, event: &ev::KeyboardEvent) {
    let writing = document()
        .active_element()
        .is_some_and(|element| element.matches("input, textarea, select, [contenteditable]").unwrap_or_default());
    if writing || editor.tools.dialog.get_untracked().is_some() || !(event.ctrl_key() || event.meta_key()) {
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
    let Some(tools) = Tools::here() else { return ().part() };
    let editor = Editor::here();
    view! {
        {move || status(tools)}
        {editor.map(|editor| move || editor.opened.unsaved.get().then(|| pending(editor)))}
        {add(tools, editor)}
        {move || actions(tools, editor)}
    }
    .part()
}

/// `Save` and `Discard` on a page whose role hides the header.
pub fn bar() -> Part {
    let Some(editor) = Editor::here() else { return ().part() };
    let unsaved = editor.opened.unsaved;
    let is_shown = Memo::new(move |_| unsaved.get() || editor.tools.status.with(|status| *status != Status::Idle));
    (move || {
        is_shown.get().then(|| {
            view! {
                <div class="edit-bar" class:edit-bar-done=move || !unsaved.get()>
                    {move || unsaved.get().then(|| view! { <p class="edit-bar-note">"Unsaved changes"</p> })}
                    {move || status(editor.tools)}
                    {move || unsaved.get().then(|| pending(editor))}
                </div>
            }
        })
    })
    .part()
}

fn status(tools: Tools) -> Part {
    let (class, text) = match tools.status.get() {
        Status::Idle => ("header-status", String::new()),
        Status::Saving => ("header-status", "Saving…".to_owned()),
        Status::Done(text) => ("header-status", text.to_owned()),
        Status::Unsaved(why) => ("header-status header-failed", format!("Not saved: {why} Your changes are kept here.")),
        Status::Failed(why) => ("header-status header-failed", why),
    };
    view! { <p class=class role="status">{text}</p> }.part()
}

fn pending(editor: Editor) -> Part {
    view! {
        <button type="button" class="button" on:click=move |_| editor.discard()>"Discard"</button>
        <button
            type="button"
            class="button button-main"
            disabled=move || editor.tools.status.get() == Status::Saving
            on:click=move |_| editor.save()
        >
            "Save"
        </button>
    }
    .part()
}

fn access(tools: Tools, editor: Option<Editor>) -> Access {
    match (tools.board, editor) {
        (None, _) => Access::NoDashboard,
        (Some(_), Some(_)) => Access::Editable,
        (Some(board), None) => {
            let id = board.id.get_untracked();
            let is_listed = tools.opened.entries.with_untracked(|entries| entries.iter().any(|entry| entry.id == id));
            Access::ReadOnly { is_listed }
        }
    }
}

fn add(tools: Tools, editor: Option<Editor>) -> Part {
    let item = |item: AddItem| {
        let (label, icon, opens) = match item {
            AddItem::Library => ("Chart from library", icons::columns(), Open::Library),
            AddItem::Builder => ("New chart", icons::pencil(), Open::Builder),
            AddItem::Described => ("Describe a chart", icons::spark(), Open::Described),
            AddItem::Filter => ("Filter", icons::funnel(), Open::Filter),
            AddItem::Dashboard => ("Dashboard", icons::dashboard(), Open::Dashboard),
        };
        MenuItem::new(label, icon, move || tools.open(opens))
    };
    let items: Vec<MenuItem> =
        offers::add_items(tools.opened.permissions(), access(tools, editor)).into_iter().map(item).collect();
    if items.is_empty() {
        return ().part();
    }
    view! { <Menu label="Add" id="menu-add".to_owned() items icon=icons::plus() /> }.part()
}

fn actions(tools: Tools, editor: Option<Editor>) -> Part {
    let step = move |act: fn(Editor)| {
        move || {
            if let Some(editor) = editor {
                act(editor);
            }
        }
    };
    let can = |is_there: fn(&Draft) -> bool| editor.map(|editor| Signal::derive(move || editor.draft.with(is_there)));
    let item = |action: Action| match action {
        Action::Undo => MenuItem { is_on: can(Draft::can_undo), ..MenuItem::new("Undo", icons::undo(), step(Editor::undo)) },
        Action::Redo => MenuItem { is_on: can(Draft::can_redo), ..MenuItem::new("Redo", icons::redo(), step(Editor::redo)) },
        Action::Rename => MenuItem::new("Rename", icons::pencil(), move || tools.open(Open::Rename)),
        Action::Duplicate => MenuItem::new("Duplicate", icons::copy(), move || tools.open(Open::Duplicate)),
        Action::SetDefault => MenuItem::new("Set as default", icons::star(), move || forms::set_default(tools)),
        Action::Leave => MenuItem::new("Back to the shared dashboard", icons::undo(), move || tools.open(Open::Leave)),
    };
    let is_copy = editor.is_some_and(|editor| editor.is_copy.get());
    let offered = offers::actions(tools.opened.permissions(), access(tools, editor), is_copy);
    let items: Vec<MenuItem> = offered.into_iter().map(item).collect();
    if items.is_empty() {
        return ().part();
    }
    view! { <Menu label="Actions" id="menu-actions".to_owned() items icon=icons::more() /> }.part()
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
    let Some(tools) = Tools::here() else { return ().part() };
    let editor = Editor::here();
    let dialog = move || match (tools.dialog.get(), editor) {
        (None, _) => ().part(),
        (Some(Open::Dashboard), _) => forms::new_dashboard(tools),
        (Some(Open::Duplicate), editor) => forms::duplicate(tools, editor),
        (Some(open), Some(editor)) => editing(editor, open),
        (Some(_), None) => ().part(),
    };
    let asks = editor.map(|editor| move || editor.opened.asks.get().map(|next| forms::unsaved(editor, next)));
    view! { {dialog} {asks} }.part()
}

/// A dialog that changes the dashboard.
fn editing(editor: Editor, open: Open) -> Part {
    match open {
        Open::Library => library::dialog(editor),
        Open::Builder => builder::dialog(editor, None),
        Open::Described => describe::dialog(editor),
        Open::Chart(key) => builder::dialog(editor, Some(key)),
        Open::Filter => filters::dialog(editor),
        Open::Rename => forms::rename(editor),
        Open::Conflict => forms::conflict(editor),
        Open::Leave => forms::leave(editor),
        Open::Dashboard | Open::Duplicate => ().part(),
    }
}
