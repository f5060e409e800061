//! Favorites and the canvas: charts that the viewer pinned, with current rows.

use super::{
    files::ChartFiles,
    session::Session,
    wire::{ChartRef, PinCollection, PinView},
};
use crate::ui::effect::effect;
use crate::{
    calls::{client, workspace},
    chat::{composer::on_enter, figure, icons as own, wire::ChartSource},
    ui::{
        icons,
        part::{IntoPart, IntoParts, Part},
    },
};
use inlay_contract::{ids::PinId, permissions::Flag};
use leptos::{prelude::*, task::spawn_local};

/// A button that pins an answer's chart.
#[component]
pub fn PinButton(
    /// The chart.
    source: ChartSource,
    /// The place.
    place: PinCollection,
    /// Its label.
    label: &'static str,
    /// Its icon.
    #[prop(into)]
    icon: Part,
) -> impl IntoView {
    let session = Session::here();
    let keep = move |_| {
        spawn_local(async move {
            match workspace::pin(client::address(), place, source).await {
                Ok(()) => {
                    session.tell(match place {
                        PinCollection::Favorites => "Added to favorites",
                        PinCollection::Canvas => "Added to canvas",
                    });
                    session.has_changed();
                }
                Err(refusal) => session.refuse(&refusal),
            }
        });
    };
    view! { <button type="button" class="button button-quiet" on:click=keep>{icon}{label}</button> }.part()
}

/// The charts of a place.
#[component]
pub fn Pins(
    /// The place.
    place: PinCollection,
) -> impl IntoView {
    let session = Session::here();
    let pins = RwSignal::new(None::<Vec<PinView>>);
    effect(move || {
        session.changed.track();
        spawn_local(async move {
            match workspace::list_pins(client::address(), place).await {
                Ok(found) => {
                    pins.try_set(Some(found));
                }
                Err(refusal) => session.refuse(&refusal),
            }
        });
    });
    view! {
        {move || match pins.get() {
            None => view! { <p class="panel-note" aria-busy="true">"Loading…"</p> }.part(),
            Some(found) if found.is_empty() => {
                let text = match place {
                    PinCollection::Favorites => "Charts that you add to favorites appear here.",
                    PinCollection::Canvas => "Charts that you add to the canvas appear here. Arrange them to compare them.",
                };
                view! { <p class="panel-note">{text}</p> }.part()
            }
            Some(found) => board(session, place, pins, found),
        }}
    }
    .part()
}

type Kept = RwSignal<Option<Vec<PinView>>>;

fn board(session: Session, place: PinCollection, pins: Kept, found: Vec<PinView>) -> Part {
    let saves = move || place == PinCollection::Canvas && session.permissions.get().allows(Flag::AddDashboard);
    let figures = found.into_iter().map(|pin| figure(session, place, pins, pin)).parts();
    view! {
        <div class="pins" class:pins-canvas=place == PinCollection::Canvas>{figures}</div>
        {move || saves().then(|| save_canvas(session))}
    }
    .part()
}

fn figure(session: Session, place: PinCollection, pins: Kept, pin: PinView) -> Part {
    let PinView { id, source, wide, chart } = pin;
    let act = move |label: &'static str, icon: Part, action: Callback<()>| {
        view! {
            <button type="button" class="icon-button" aria-label=label title=label on:click=move |_| action.run(())>{icon}</button>
        }
    };
    let remove = Callback::new(move |()| unpin(session, id));
    let arranged = move |change: fn(&mut Vec<PinView>, usize)| Callback::new(move |()| arrange(session, pins, id, change));
    let own = match place {
        PinCollection::Favorites => {
            view! { <PinButton source place=PinCollection::Canvas label="Add to canvas" icon=own::board() /> }.part()
        }
        PinCollection::Canvas => view! {
            {act("Move before", own::before(), arranged(|pins, at| if at > 0 { pins.swap(at, at - 1) }))}
            {act("Move after", own::after(), arranged(|pins, at| if at + 1 < pins.len() { pins.swap(at, at + 1) }))}
            {act(
                if wide { "Half width" } else { "Full width" },
                own::widen(),
                arranged(|pins, at| if let Some(pin) = pins.get_mut(at) { pin.wide = !pin.wide }),
            )}
        }
        .part(),
    };
    let actions = view! {
        <div class="chart-actions">
            {own}
            {act(if place == PinCollection::Canvas { "Remove from canvas" } else { "Remove from favorites" }, icons::cross(), remove)}
        </div>
    };
    session.report(&chart);
    let files = ChartFiles { chart: ChartRef::Pin(id), session };
    view! {
        <div class="pin" class:pin-wide=wide>
            {figure::figure(chart, format!("pin-{id}"), files, actions.part())}
        </div>
    }
    .part()
}

fn unpin(session: Session, pin: PinId) {
    spawn_local(async move {
        match workspace::unpin(client::address(), pin).await {
            Ok(()) => session.has_changed(),
            Err(refusal) => session.refuse(&refusal),
        }
    });
}

/// Changes the canvas: at once on the page, then on the server.
fn arrange(session: Session, pins: Kept, pin: PinId, change: fn(&mut Vec<PinView>, usize)) {
    let Some(mut arranged) = pins.get_untracked() else { return };
    let Some(at) = arranged.iter().position(|other| other.id == pin) else { return };
    change(&mut arranged, at);
    let order = arranged.iter().map(|pin| (pin.id, pin.wide)).collect();
    pins.set(Some(arranged));
    spawn_local(async move {
        if let Err(refusal) = workspace::arrange(client::address(), order).await {
            session.refuse(&refusal);
            session.has_changed();
        }
    });
}

fn save_canvas(session: Session) -> Part {
    let open = RwSignal::new(false);
    let name = RwSignal::new(String::new());
    let save = move || {
        let wanted = name.get_untracked();
        open.set(false);
        spawn_local(async move {
            match workspace::save_canvas(client::address(), wanted.clone()).await {
                Ok(()) => session.tell(&format!("Saved as dashboard {wanted}")),
                Err(refusal) => session.refuse(&refusal),
            }
        });
    };
    view! {
        <div class="canvas-save">
            {move || if open.get() {
                view! {
                    <div class="chart-editor">
                        <label class="filter">
                            <span class="filter-label">"Dashboard name"</span>
                            <input class="control" maxlength="200" autofocus prop:value=move || name.get()
                                on:keydown=move |event| on_enter(&event, save)
                                on:input=move |event| name.set(event_target_value(&event)) />
                        </label>
                        <button type="button" class="button" on:click=move |_| save()>"Save"</button>
                    </div>
                }
                .part()
            } else {
                view! {
                    <button type="button" class="button" on:click=move |_| open.set(true)>{own::board()}"Save as dashboard"</button>
                }
                .part()
            }}
        </div>
    }
    .part()
}
