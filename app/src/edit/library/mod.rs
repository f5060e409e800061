//! The dialog that adds a chart from the library.

mod drag;

use super::{Editor, type_pictures::picture};
use crate::{
    calls::edit,
    ui::{
        dialog::Dialog,
        icons,
        part::{IntoPart, IntoParts, Part},
    },
};
use drag::{Carrying, picked};
use inlay_contract::edit::LibraryChart;
use leptos::{prelude::*, task::spawn_local};

/// The content of the dialog.
#[derive(Clone, Debug, PartialEq)]
enum Shelf {
    Loading,
    Charts(Vec<LibraryChart>),
    Failed(String),
}

/// The library's dialog.
pub fn dialog(editor: Editor) -> Part {
    let shelf = RwSignal::new(Shelf::Loading);
    let search = RwSignal::new(String::new());
    let carrying = Carrying::new(editor);
    spawn_local(async move {
        let answer = edit::chart_library(editor.target()).await;
        let _ = shelf.try_set(match answer {
            Ok(charts) => Shelf::Charts(charts),
            Err(refusal) => Shelf::Failed(refusal.0.message),
        });
    });
    let list = move || {
        shelf.with(|shelf| match shelf {
            Shelf::Loading => note("Loading…"),
            Shelf::Failed(why) => note(why),
            Shelf::Charts(charts) => {
                let wanted = search.get().trim().to_lowercase();
                let fits = charts.iter().filter(|chart| chart.face.title.to_lowercase().contains(&wanted));
                let entries: Vec<LibraryChart> = fits.cloned().collect();
                if entries.is_empty() {
                    return note("No chart matches this name.");
                }
                let entries = entries.into_iter().map(|chart| entry(editor, carrying, chart)).parts();
                view! { <ul class="library">{entries}</ul> }.part()
            }
        })
    };
    let content = view! {
        <input
            class="control library-search"
            type="search"
            placeholder="Search charts"
            aria-label="Search charts"
            on:input=move |event| search.set(event_target_value(&event))
        />
        <p class="library-note">"Click a chart to add it below the others, or drag it to its place."</p>
        {list}
        {move || carrying.shown()}
    };
    // Escape ends a drag and nothing else.
    let close = Callback::new(move |()| {
        if !carrying.cancel() {
            editor.close()
        }
    });
    view! { <Dialog label="Add a chart".to_owned() form="wide" close content=content.part() /> }.part()
}

fn entry(editor: Editor, carrying: Carrying, chart: LibraryChart) -> Part {
    let kind = chart.face.kind;
    let title = chart.face.title.clone();
    let is_there = editor.has(chart.id).then(|| view! { <span class="library-there">"On this dashboard"</span> });
    let pressed = chart.clone();
    let add = move |_| {
        if !carrying.was_drag() {
            editor.close();
            editor.add(chart.face.clone(), picked(&chart), chart.size);
        }
    };
    view! {
        <li>
            <button
                type="button"
                class="library-chart"
                on:pointerdown=move |event| carrying.begin(&pressed, &event)
                on:pointermove=move |event| carrying.follow(&event)
                on:pointerup=move |_| carrying.end()
                on:pointercancel=move |_| {
                    carrying.cancel();
                }
                on:click=add
            >
                {picture(kind)}
                <span class="library-title">{title}</span>
                <span class="drag-grip" aria-hidden="true">{icons::grip()}</span>
                <span class="library-kind">{kind.label()}{is_there}</span>
            </button>
        </li>
    }
    .part()
}

fn note(text: &str) -> Part {
    view! { <p class="select-note" role="status">{text.to_owned()}</p> }.part()
}
