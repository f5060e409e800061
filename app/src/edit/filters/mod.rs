//! Adding and removing a dashboard's filters. An unsaved filter works like a filter on its column or dimension (omnibar).

pub mod condition;

use super::{Editor, Open, draft::FilterSketch};
use crate::{
    calls::edit,
    filters::bar,
    ui::{
        dialog::Dialog,
        icons,
        part::{IntoPart, IntoParts, Part},
    },
};
use inlay_contract::{
    data::ColumnType,
    edit::{FilterEdit, OfferedSource, OfferedTable},
    filter::{Control, OMNIBAR},
    page::FilterView,
    permissions::Flag,
};
use leptos::{prelude::*, task::spawn_local};

/// The control for a column's type.
const fn control(kind: ColumnType) -> Control {
    match kind {
        ColumnType::Number => Control::NumberRange,
        ColumnType::Date | ColumnType::Timestamp => Control::DateRange,
        ColumnType::Text | ColumnType::Boolean | ColumnType::Json => Control::Select,
    }
}

/// The buttons that an editor's filter bar adds.
pub fn tools(own: &[FilterView]) -> Part {
    let Some(editor) = Editor::here() else { return ().part() };
    let own: Vec<String> = own.iter().map(|filter| filter.key.clone()).collect();
    let filters = Memo::new(move |_| editor.draft.with(|draft| draft.now().filters.clone()));
    let known = own.clone();
    let added = move || {
        let added = filters.get().into_iter().filter(|filter| !known.contains(&filter.view.key));
        added.map(|filter| bar::control(&filter.view.key.replace('.', "-"), filter.view)).parts()
    };
    let may = editor.allows(Flag::AddFilter);
    let button = may.then(|| {
        view! {
            <button type="button" class="button button-quiet" on:click=move |_| editor.open(Open::Filter)>
                {icons::plus()}
                "Add filter"
            </button>
        }
    });
    view! { {added} {button} }.part()
}

/// Whether a filter was added or is one of the dashboard's, in the draft. Tracked.
#[must_use]
pub fn is_added(key: &str) -> bool {
    let has = |editor: Editor| editor.draft.with(|draft| draft.now().filters.iter().any(|filter| filter.view.key == key));
    Editor::here().is_some_and(has)
}

/// Whether a filter has been removed. Tracked.
#[must_use]
pub fn is_gone(key: &str) -> bool {
    Editor::here()
        .is_some_and(|editor| !editor.draft.with(|draft| draft.now().filters.iter().any(|filter| filter.view.key == key)))
}

/// The dialog: choose a column or a dimension of the semantic model to filter by, or remove a filter.
pub fn dialog(editor: Editor) -> Part {
    let sources = RwSignal::new(None::<Result<Vec<OfferedSource>, String>>);
    spawn_local(async move {
        let answer = edit::offered_tables(editor.target()).await;
        let _ = sources.try_set(Some(answer.map_err(|refusal| refusal.0.message)));
    });
    let list = move || match sources.get() {
        None => note("Loading…"),
        Some(Err(why)) => note(&why),
        Some(Ok(sources)) => sources.iter().map(|source| columns(editor, source)).parts(),
    };
    let content = view! { {move || standing(editor)} {list} };
    let close = Callback::new(move |()| editor.close());
    view! { <Dialog label="Add filter".to_owned() form="wide" close content=content.part() /> }.part()
}

/// The dashboard's filters, each with a button to remove it.
fn standing(editor: Editor) -> Part {
    let filters = editor.draft.with(|draft| draft.now().filters.clone());
    let chip = |filter: FilterSketch| {
        let label = filter.view.label.clone();
        let name = format!("Remove filter {label}");
        let remove = move |_| {
            let key = crate::filters::state::full_key(&filter.view);
            editor.board.set_filter(&key, None);
            editor.change(|now| now.filters.retain(|other| other.view.key != filter.view.key));
        };
        view! {
            <span class="chip">
                <span>{label}</span>
                <button type="button" class="chip-remove" aria-label=name on:click=remove>{icons::cross()}</button>
            </span>
        }
    };
    view! { <div class="chips">{filters.into_iter().map(chip).parts()}</div> }.part()
}

fn columns(editor: Editor, source: &OfferedSource) -> Part {
    let time = source.time.then(|| {
        let button = choice(editor, format!("{}.time", source.name), "Time".to_owned(), ColumnType::Date);
        group("Each measure's own time", button)
    });
    let of_table = |table: &OfferedTable| {
        let buttons = table.columns.iter().chain(&table.dimensions).map(|column| {
            let path = format!("{}.{}.{}", source.name, table.name, column.name);
            choice(editor, path, column.label.clone(), column.kind)
        });
        group(&table.label, buttons.parts())
    };
    view! { {time} {source.tables.iter().map(of_table).parts()} }.part()
}

fn group(label: &str, choices: Part) -> Part {
    view! { <h3 class="library-head">{label.to_owned()}</h3><ul class="library">{choices}</ul> }.part()
}

/// A button that adds a filter on a column path.
fn choice(editor: Editor, path: String, label: String, kind: ColumnType) -> Part {
    let add = {
        let label = label.clone();
        move |_| {
            let (key, control) = (format!("{OMNIBAR}{path}"), control(kind));
            let view = FilterView::of(key.clone(), label.clone(), control);
            let edit = FilterEdit::Added { label: label.clone(), column: path.clone(), control };
            editor.close();
            editor.change(|now| {
                if !now.filters.iter().any(|filter| filter.view.key == key) {
                    now.filters.push(FilterSketch { view, edit });
                }
            });
        }
    };
    view! { <li><button type="button" class="library-chart" on:click=add><span class="library-title">{label}</span></button></li> }
        .part()
}

fn note(text: &str) -> Part {
    view! { <p class="select-note" role="status">{text.to_owned()}</p> }.part()
}
