//! The viewer's threads: search, open, rename, delete.

use super::{session::Session, wire::ThreadEntry};
use crate::ui::effect::effect;
use crate::{
    calls::{client, workspace},
    chat::{composer::on_enter, icons as own},
    ui::{
        icons,
        part::{IntoPart, IntoParts, Part},
    },
};
use inlay_contract::ids::ThreadId;
use leptos::{ev, prelude::*, task::spawn_local};

/// The list.
#[component]
pub fn History() -> impl IntoView {
    let session = Session::here();
    let search = RwSignal::new(String::new());
    let threads = RwSignal::new(None::<Vec<ThreadEntry>>);
    let asked = StoredValue::new(0_u32);
    effect(move || {
        session.changed.track();
        let wanted = search.get();
        let number = asked.get_value().wrapping_add(1);
        asked.set_value(number);
        spawn_local(async move {
            let found = workspace::list_threads(client::address(), wanted).await;
            // A newer search is in progress.
            if asked.try_get_value() != Some(number) {
                return;
            }
            match found {
                Ok(found) => {
                    threads.try_set(Some(found));
                }
                Err(refusal) => session.refuse(&refusal),
            }
        });
    });
    let renaming = RwSignal::new(None);
    view! {
        <input
            type="search"
            class="control panel-search"
            aria-label="Search threads"
            placeholder="Search"
            prop:value=move || search.get()
            on:input=move |event| search.set(event_target_value(&event))
        />
        {move || match threads.get() {
            None => view! { <p class="panel-note" aria-busy="true">"Loading…"</p> }.part(),
            Some(found) if found.is_empty() => {
                let text = if search.with(String::is_empty) { "No conversations yet." } else { "No conversation matches this search." };
                view! { <p class="panel-note">{text}</p> }.part()
            }
            Some(found) => {
                let items = found.into_iter().map(|thread| entry(session, thread, renaming)).parts();
                view! { <ul class="threads">{items}</ul> }.part()
            }
        }}
    }
    .part()
}

type Renaming = RwSignal<Option<ThreadId>>;

fn entry(session: Session, ThreadEntry { id, title, day }: ThreadEntry, renaming: Renaming) -> Part {
    let named = title.clone();
    view! {
        <li class="thread" class:thread-open=move || session.thread.get() == Some(id)>
            {move || if renaming.get() == Some(id) {
                title_field(session, id, named.clone(), renaming)
            } else {
                view! {
                    <button type="button" class="thread-title" aria-current=move || (session.thread.get() == Some(id)).then_some("true")
                        on:click=move |_| session.open_thread(id, None)>
                        <span>{named.clone()}</span>
                        <small>{day.clone()}</small>
                    </button>
                    <button type="button" class="icon-button" aria-label="Rename" title="Rename" on:click=move |_| renaming.set(Some(id))>
                        {own::pencil()}
                    </button>
                    <button type="button" class="icon-button" aria-label="Delete" title="Delete" on:click=move |_| delete(session, id)>
                        {own::bin()}
                    </button>
                }
                .part()
            }}
        </li>
    }
    .part()
}

fn title_field(session: Session, id: ThreadId, title: String, renaming: Renaming) -> Part {
    let text = RwSignal::new(title);
    let save = move || {
        renaming.set(None);
        rename(session, id, text.get_untracked());
    };
    view! {
        <div class="thread-rename">
            <input class="control" aria-label="Title" maxlength="200" autofocus prop:value=move || text.get()
                on:input=move |event| text.set(event_target_value(&event))
                on:keydown=move |event: ev::KeyboardEvent| {
                    on_enter(&event, save);
                    if event.key() == "Escape" {
                        event.stop_propagation();
                        renaming.set(None);
                    }
                } />
            <button type="button" class="icon-button" aria-label="Save title" title="Save title" on:click=move |_| save()>{icons::check()}</button>
        </div>
    }
    .part()
}

/// Renames a thread.
fn rename(session: Session, id: ThreadId, title: String) {
    spawn_local(async move {
        match workspace::rename_thread(client::address(), id, title).await {
            Ok(()) => session.has_changed(),
            Err(refusal) => session.refuse(&refusal),
        }
    });
}

/// Deletes a thread. If it is open, a new conversation starts.
fn delete(session: Session, id: ThreadId) {
    spawn_local(async move {
        match workspace::delete_thread(client::address(), id).await {
            Ok(()) => {
                if session.thread.get_untracked() == Some(id) {
                    session.start_afresh();
                }
                session.has_changed();
            }
            Err(refusal) => session.refuse(&refusal),
        }
    });
}
