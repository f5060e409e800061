//! The dialog that adds a chart from the library.

use super::{Editor, type_pictures::picture};
use crate::{
    calls::edit,
    ui::{
        dialog::Dialog,
        part::{IntoPart, IntoParts, Part},
    },
};
use inlay_contract::edit::{ChartEdit, LibraryChart};
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
                let entries = entries.into_iter().map(|chart| entry(editor, chart)).parts();
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
        {list}
    };
    let close = Callback::new(move |()| editor.close());
    view! { <Dialog label="Add a chart".to_owned() form="wide" close content=content.part() /> }.part()
}

fn entry(editor: Editor, chart: LibraryChart) -> Part {
    let kind = chart.face.kind;
    let title = chart.face.title.clone();
    let is_there = editor.has(chart.id).then(|| view! { <span class="library-there">"On this dashboard"</span> });
    let add = move |_| {
        editor.close();
        let picked = ChartEdit::Picked { chart: chart.id, definition: None };
        editor.add(chart.face.clone(), picked, chart.size);
    };
    view! {
        <li>
            <button type="button" class="library-chart" on:click=add>
                {picture(kind)}
                <span class="library-title">{title}</span>
                <span class="library-kind">{kind.label()}{is_there}</span>
            </button>
        </li>
    }
    .part()
}

fn note(text: &str) -> Part {
    view! { <p class="select-note" role="status">{text.to_owned()}</p> }.part()
}
