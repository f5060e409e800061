//! The viewer's saved views of the dashboard: values of its filters under a name. Choosing one sets all filters.

use crate::{
    browser::{focus, theme},
    calls::{
        Refusal, Target,
        embed::{self, DeleteView, SaveView},
    },
    tile::board::Board,
    ui::{
        icons,
        part::{IntoLatePart, IntoPart, Part},
    },
};
use inlay_contract::page::{Filters, SavedView};
use leptos::{ev, html, prelude::*, task::spawn_local};

const NONE: &str =
    "Save the filters as they are now under a name, to choose them again later. Other users do not see your views.";

#[derive(Clone, Copy)]
struct Views {
    board: Board,
    saved: RwSignal<Vec<SavedView>>,
    /// What came of the last change.
    told: RwSignal<String>,
    open: RwSignal<bool>,
    button: NodeRef<html::Button>,
    name: NodeRef<html::Input>,
}

impl Views {
    /// Whether the dashboard shows this view. Tracked.
    fn shows(self, view: &SavedView) -> bool {
        self.board.filters.with(|filters| {
            let known = view.filters.iter().filter(|(key, _)| filters.knows(key));
            known.eq(filters.active())
        })
    }

    /// The name of the view that the dashboard shows. Tracked.
    fn shown(self) -> Option<String> {
        self.saved.with(|saved| saved.iter().find(|view| self.shows(view)).map(|view| view.name.clone()))
    }

    fn close(self) {
        self.open.set(false);
        focus::on(self.button);
    }

    fn act(self, act: Act, view: SavedView) {
        let SavedView { id, name, filters, is_default } = view;
        // The list is drawn again, without the button that has the focus.
        focus::on(self.name);
        match act {
            Act::Choose => {
                self.close();
                self.board.choose_filters(filters);
            }
            Act::Prefer => {
                let told = if is_default {
                    "The dashboard opens with its own filters again.".to_owned()
                } else {
                    format!("The dashboard opens with “{name}” from now on.")
                };
                self.save(name, filters, !is_default, told);
            }
            Act::Delete => {
                self.ask(format!("“{name}” is deleted."), move |target| embed::delete_view(DeleteView { target, view: id }))
            }
        }
    }

    /// Saves the filters as they are now. If the dashboard opens with a view of this name, it still does.
    fn save_as(self, name: String) {
        let is_default = self.saved.with_untracked(|saved| saved.iter().any(|view| view.name == name && view.is_default));
        let filters = self.board.filters.with_untracked(|filters| filters.active().clone());
        let told = format!("“{name}” is saved.");
        self.save(name, filters, is_default, told);
    }

    fn save(self, name: String, filters: Filters, is_default: bool, told: String) {
        self.ask(told, move |target| embed::save_view(SaveView { target, name, filters, is_default }));
    }

    fn ask<A>(self, told: String, ask: impl FnOnce(Target) -> A + 'static)
    where
        A: Future<Output = Result<Vec<SavedView>, Refusal>> + 'static,
    {
        let target = Target { scope: self.board.scope(), dashboard: self.board.id.get_untracked() };
        spawn_local(async move {
            match ask(target).await {
                Ok(saved) => {
                    // What was typed stays until a view has this name.
                    let typed = self.name.try_get_untracked().flatten();
                    if let Some(typed) = typed.filter(|typed| saved.iter().any(|view| view.name == typed.value().trim())) {
                        typed.set_value("");
                    }
                    let _ = self.saved.try_set(saved);
                    let _ = self.told.try_set(told);
                }
                Err(refusal) => {
                    let _ = self.told.try_set(self.board.refused(refusal).unwrap_or_default());
                }
            }
        });
    }
}

/// Whether the list must begin where its button begins: before the button's end is less room than the list is wide (views.css).
fn lacks_room(around: NodeRef<html::Div>) -> bool {
    let page = window().inner_width().ok().and_then(|width| width.as_f64()).unwrap_or_default();
    focus::element(around).is_some_and(|around| {
        let around = around.get_bounding_client_rect();
        let room = if theme::is_mirrored() { page - around.left() } else { around.right() };
        room < (page - 32.0).min(300.0)
    })
}

/// What a button in the list does with its view.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Act {
    Choose,
    Prefer,
    Delete,
}

/// The button that opens the list of views, and the list.
#[component]
pub fn SavedViews(
    /// The views, by name.
    views: Vec<SavedView>,
) -> impl IntoView {
    let views = Views {
        board: Board::here(),
        saved: RwSignal::new(views),
        told: RwSignal::new(String::new()),
        open: RwSignal::new(false),
        button: NodeRef::new(),
        name: NodeRef::new(),
    };
    let (open, around, starts) = (views.open, NodeRef::<html::Div>::new(), RwSignal::new(false));
    let press = move |_| {
        starts.set(lacks_room(around));
        open.update(|open| *open = !*open);
        views.told.set(String::new());
    };
    let on_key = move |event: ev::KeyboardEvent| {
        if event.key() == "Escape" && open.get_untracked() {
            event.stop_propagation();
            views.close();
        }
    };
    view! {
        <div
            class="menu views"
            node_ref=around
            on:focusout=move |event| focus::when_left(around, &event, move || open.set(false))
            on:keydown=on_key
        >
            <button
                type="button"
                class="button button-quiet"
                node_ref=views.button
                aria-expanded=move || open.get().to_string()
                aria-controls="saved-views"
                on:click=press
            >
                {icons::bookmark()}
                <span>{move || views.shown().map_or_else(|| "Views".to_owned(), |name| format!("View: {name}"))}</span>
            </button>
            // A click on a text in the list leaves the focus inside, so that the list stays.
            <div id="saved-views" class="menu-list" tabindex="-1" role="group" aria-label="Saved views" hidden=move || !open.get() data-start=move || starts.get().then_some("")>
                {move || open.get().then(|| panel(views))}
            </div>
        </div>
    }
    .part()
}

fn panel(views: Views) -> Part {
    let save = move |event: ev::SubmitEvent| {
        event.prevent_default();
        let Some(input) = views.name.get_untracked() else { return };
        let name = input.value().trim().to_owned();
        focus::on(views.name);
        if !name.is_empty() {
            views.save_as(name);
        }
    };
    view! {
        <ul>{move || views.saved.get().into_iter().map(|view| entry(views, view)).collect::<Vec<_>>()}</ul>
        <form on:submit=save>
            <input class="control" node_ref=views.name aria-label="Name of the view" placeholder="Name of the view" maxlength="100" autocomplete="off" />
            <button class="button">"Save view"</button>
        </form>
        <p role="status">{move || hint(views)}</p>
    }
    .late()
}

/// What came of the last change, or what views are for.
fn hint(views: Views) -> String {
    let told = views.told.get();
    if told.is_empty() && views.saved.with(Vec::is_empty) { NONE.to_owned() } else { told }
}

fn entry(views: Views, view: SavedView) -> Part {
    let name = &view.name;
    let (open, delete) = (format!("Open the dashboard with {name}"), format!("Delete {name}"));
    let is_default = Some(view.is_default);
    let text = view! { <span>{name.clone()}</span> }.late();
    let name = press(views, &view, Act::Choose, None, views.shows(&view).then_some(true), [icons::check(), text]);
    let open = press(views, &view, Act::Prefer, Some(open), is_default, [icons::star(), ().part()]);
    let delete = press(views, &view, Act::Delete, Some(delete), None, [icons::bin(), ().part()]);
    view! { <li>{name}{open}{delete}</li> }.late()
}

/// A button of a view: its name, or an icon with a label.
fn press(views: Views, view: &SavedView, act: Act, label: Option<String>, pressed: Option<bool>, face: [Part; 2]) -> Part {
    let view = view.clone();
    view! {
        <button
            type="button"
            class=label.is_some().then_some("icon-button")
            title=label.clone()
            aria-label=label
            aria-pressed=pressed.map(|pressed| pressed.to_string())
            on:click=move |_| views.act(act, view.clone())
        >
            {face.into_iter().collect::<Vec<_>>()}
        </button>
    }
    .late()
}
