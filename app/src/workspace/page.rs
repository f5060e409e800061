//! The workspace's page: the conversation, the input below it, the panels beside it.

use super::{
    composer::{Composer, Starters},
    conversation::Conversation,
    history::History,
    pins::Pins,
    session::{Earlier, Session},
    wire::{Panel, PinCollection, WorkspaceView},
};
use crate::ui::effect::effect;
use crate::{
    browser::{focus, visibility},
    chat::{auto_scroll::Follow, conversation::Conversation, icons as own},
    tile::{look::Look, menu::Offers},
    ui::{
        icons,
        part::{IntoPart, Part},
    },
};
use leptos::{ev, prelude::*};

/// A workspace.
#[component]
pub fn Workspace(
    /// The workspace.
    view: WorkspaceView,
) -> impl IntoView {
    let session = Session::here();
    provide_context(Look { locale: StoredValue::new(session.page_untracked().locale.clone()) });
    provide_context(Offers { csv: true });
    let name = view.name.clone();
    let title = name.clone();
    let view = StoredValue::new(view);
    effect(move || {
        document().set_title(&title);
        session.look_again();
        send_prompt(session);
    });
    let follow = Follow::new(session.turns);
    let empty = move || session.turns.with(Vec::is_empty);
    let on_key = move |event: ev::KeyboardEvent| {
        if event.key() == "Escape" && session.panel.get_untracked().is_some() {
            session.panel.set(None);
        }
    };
    view! {
        <div class="workspace" class:workspace-split=move || session.panel.get().is_some() on:keydown=on_key>
            <header class="workspace-head">
                <h1>{name}</h1>
                <button type="button" class="button button-quiet" on:click=move |_| session.start_afresh()>
                    {own::plus()}<span>"New chat"</span>
                </button>
                {[Panel::History, Panel::Favorites, Panel::Canvas].map(|panel| opener(session, panel))}
            </header>
            <main class="talk">
                <div class="talk-scroll" node_ref=follow.scroll on:scroll=move |_| follow.scrolled()>
                    <div class="talk-column" node_ref=follow.column>
                        {move || empty().then(|| view! { <Starters view /> })}
                        {earlier(session, follow)}
                        <Conversation view />
                    </div>
                </div>
                <Composer view />
            </main>
            {move || session.panel.get().map(|panel| side(session, panel, view))}
            <p class="notice" role="status">{move || session.notice.get()}</p>
        </div>
    }
    .part()
}

/// The button above a conversation whose beginning is not shown. Whoever used it goes on from the conversation when it is gone.
fn earlier(session: Session, follow: Follow) -> Part {
    let is_there = Memo::new(move |_| session.earlier.get() != Earlier::None);
    let loads = move || session.earlier.get() == Earlier::Loading;
    let show = move |_| {
        if !untrack(loads) {
            session.show_earlier(move || {
                // The focus moves first: what it scrolls is put right after it.
                request_animation_frame(move || focus::back_to(follow.column, ".conversation"));
                follow.stay();
            });
        }
    };
    (move || {
        is_there.get().then(|| {
            view! {
                <button type="button" class="button button-quiet talk-earlier" aria-disabled=move || loads().to_string() on:click=show>
                    {move || if loads() { "Loading…" } else { "Show earlier messages" }}
                </button>
            }
        })
    })
    .part()
}

fn opener(session: Session, panel: Panel) -> Part {
    let icon = match panel {
        Panel::History => own::clock(),
        Panel::Favorites => own::star(),
        Panel::Canvas => own::board(),
    };
    let is_open = move || session.panel.get() == Some(panel);
    view! {
        <button
            type="button"
            class="button button-quiet"
            aria-expanded=move || is_open().to_string()
            aria-controls="panel"
            on:click=move |_| session.panel.update(|open| *open = if *open == Some(panel) { None } else { Some(panel) })
        >
            {icon}<span>{panel.name()}</span>
        </button>
    }
    .part()
}

fn side(session: Session, panel: Panel, view: StoredValue<WorkspaceView>) -> Part {
    let content = match panel {
        Panel::History => view! { <History /> }.part(),
        Panel::Favorites => view! { <Pins place=PinCollection::Favorites /> }.part(),
        Panel::Canvas => view! { <Pins place=PinCollection::Canvas /> }.part(),
    };
    let is_own = panel != Panel::Canvas;
    view! {
        <section id="panel" class="panel" class:panel-wide=panel == Panel::Canvas aria-label=panel.name()>
            <div class="panel-head" class:panel-owned=is_own>
                <h2>{panel.name()}</h2>
                {is_own.then(|| view! { <span class="panel-owner">{view.with_value(|view| view.viewer_name.clone())}</span> })}
                <button type="button" class="icon-button" aria-label="Close panel" title="Close panel"
                    on:click=move |_| session.panel.set(None)>
                    {icons::cross()}
                </button>
            </div>
            <div class="panel-body">{content}</div>
        </section>
    }
    .part()
}

/// Sends the address's prompt once, when the frame becomes visible: a frame that nobody sees costs nothing.
fn send_prompt(session: Session) {
    let Some(prompt) = session.page_untracked().parameters.prompt.clone() else { return };
    visibility::when_seen(move || {
        // The viewer may have asked something in the meantime.
        if session.turns.try_with_untracked(Vec::is_empty) == Some(true) && session.ask(&prompt) {
            session.prompted.set_value(true);
        }
    });
}
