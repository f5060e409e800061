//! The small dialogs: names, and the confirmations before changes are lost.

use super::{
    Editor,
    tools::{Status, Tools},
};
use crate::ui::effect::effect;
use crate::{
    calls::{Refusal, Target, edit},
    ui::{
        dialog::Dialog,
        part::{IntoPart, Part},
    },
};
use inlay_contract::{ids::DashboardId, permissions::Flag};
use leptos::{ev, html, prelude::*, task::spawn_local};

/// A dialog that asks for a name and passes it to `then`.
fn name_form(tools: Tools, label: &str, name: &str, submit: &'static str, then: impl Fn(String) + Clone + 'static) -> Part {
    let input = NodeRef::<html::Input>::new();
    effect(move || {
        if let Some(input) = input.get() {
            input.select();
        }
    });
    let on_submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        let name = input.get_untracked().map(|input| input.value().trim().to_owned()).unwrap_or_default();
        if !name.is_empty() {
            tools.close();
            then(name);
        }
    };
    let content = view! {
        <form id="name-form" on:submit=on_submit>
            <label class="field">
                <span class="filter-label">"Name"</span>
                <input class="control" type="text" node_ref=input maxlength="512" required autocomplete="off" value=name.to_owned() />
            </label>
        </form>
    };
    let buttons = view! {
        <button type="button" class="button" on:click=move |_| tools.close()>"Cancel"</button>
        <button type="submit" class="button button-main" form="name-form">{submit}</button>
    };
    let close = Callback::new(move |()| tools.close());
    view! { <Dialog label=label.to_owned() form="narrow" close content=content.part() buttons=buttons.part() /> }.part()
}

/// Renames the dashboard.
pub fn rename(editor: Editor) -> Part {
    let name = editor.board.name.get_untracked();
    name_form(editor.tools, "Rename dashboard", &name, "Rename", move |name| editor.change(|now| now.name = name))
}

/// Creates a dashboard.
pub fn new_dashboard(tools: Tools) -> Part {
    name_form(tools, "New dashboard", "", "Create", move |name| {
        let Some(scope) = tools.scope() else { return };
        spawn_local(async move {
            let made = edit::create_dashboard(scope, name.clone()).await;
            enter(tools, made, name);
        });
    })
}

/// Duplicates the dashboard, with the viewer's unsaved changes if their role may store these as a new dashboard.
pub fn duplicate(tools: Tools, editor: Option<Editor>) -> Part {
    let Some(board) = tools.board else { return ().part() };
    let name = format!("{} (Copy)", board.name.get_untracked());
    name_form(tools, "Duplicate dashboard", &name, "Duplicate", move |name| {
        let holds = |editor: &Editor| editor.opened.unsaved.get_untracked() && editor.allows(Flag::AddDashboard);
        if let Some(editor) = editor.filter(holds) {
            return editor.save_beside(name);
        }
        let target = Target { scope: board.scope(), dashboard: board.id.get_untracked() };
        spawn_local(async move {
            let made = edit::duplicate_dashboard(target, name.clone()).await;
            enter(tools, made, name);
        });
    })
}

/// Opens a dashboard that was created, in place of the current one.
fn enter(tools: Tools, made: Result<DashboardId, Refusal>, name: String) {
    match made {
        Ok(id) => {
            tools.opened.list(id, name);
            tools.opened.open(id);
        }
        Err(refusal) => tools.failed(&refusal),
    }
}

/// Sets the dashboard as the user's default.
pub fn set_default(tools: Tools) {
    let Some(dashboard) = tools.board.map(|board| board.id.get_untracked()) else { return };
    spawn_local(async move {
        match tools.opened.set_default(dashboard).await {
            Ok(()) => {
                let _ = tools.status.try_set(Status::Done("Set as your default dashboard"));
            }
            Err(refusal) => tools.failed(&refusal),
        }
    });
}

/// Asks what to do with unsaved changes before another dashboard opens.
pub fn unsaved(editor: Editor, next: DashboardId) -> Part {
    let stay = move || editor.opened.asks.set(None);
    let go = move || {
        editor.let_go();
        editor.opened.asks.set(None);
        editor.opened.open(next);
    };
    let save = move |_| {
        editor.opened.asks.set(None);
        editor.save_and(move || editor.opened.open(next));
    };
    let content = view! { <p>"This dashboard has unsaved changes."</p> };
    let buttons = view! {
        <button type="button" class="button" on:click=move |_| stay()>"Stay here"</button>
        <button type="button" class="button" on:click=move |_| go()>"Discard changes"</button>
        <button type="button" class="button button-main" on:click=save>"Save changes"</button>
    };
    let close = Callback::new(move |()| stay());
    view! { <Dialog label="Unsaved changes".to_owned() form="narrow" close content=content.part() buttons=buttons.part() /> }
        .part()
}

/// Asks before the viewer's own copy of a shared dashboard is deleted.
pub fn leave(editor: Editor) -> Part {
    let leave = move |_| {
        editor.close();
        editor.leave();
    };
    let content = view! {
        <p>
            "Delete your copy of this dashboard? Your changes are lost, and so are the scheduled reports and alerts of the copy. "
            "You see the shared dashboard again. This cannot be undone."
        </p>
    };
    let buttons = view! {
        <button type="button" class="button" on:click=move |_| editor.close()>"Cancel"</button>
        <button type="button" class="button button-main" on:click=leave>"Delete my copy"</button>
    };
    let close = Callback::new(move |()| editor.close());
    let label = "Back to the shared dashboard".to_owned();
    view! { <Dialog label form="narrow" close content=content.part() buttons=buttons.part() /> }.part()
}

/// The dashboard was saved elsewhere first. The viewer chooses which version to keep.
pub fn conflict(editor: Editor) -> Part {
    let reload = move |_| {
        editor.close();
        editor.let_go();
        editor.opened.reopen(editor.board.id.get_untracked());
    };
    let beside = move |_| {
        editor.close();
        editor.save_beside(format!("{} (Mine)", editor.board.name.get_untracked()));
    };
    let content = view! {
        <p>"This dashboard was changed elsewhere after you opened it. Your changes are still here."</p>
    };
    let may_add = editor.allows(Flag::AddDashboard);
    let buttons = view! {
        <button type="button" class="button" on:click=move |_| editor.close()>"Keep editing"</button>
        <button type="button" class="button" on:click=reload>"Load the newer version"</button>
        {may_add.then(|| view! {
            <button type="button" class="button button-main" on:click=beside>"Save mine as a new dashboard"</button>
        })}
    };
    let close = Callback::new(move |()| editor.close());
    view! { <Dialog label="Save conflict".to_owned() form="narrow" close content=content.part() buttons=buttons.part() /> }
        .part()
}
