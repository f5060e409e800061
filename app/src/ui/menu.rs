//! A button that opens a menu (WAI-ARIA menu button): arrow keys move, Escape closes and returns the focus.

use crate::browser::focus;
use crate::ui::part::{IntoPart, IntoParts, Part};
use leptos::{ev, html, prelude::*};

/// An item.
pub struct MenuItem {
    /// Its label.
    pub label: Signal<String>,
    /// Its icon.
    pub icon: Part,
    /// What it does.
    pub action: Callback<()>,
    /// Whether it is only offered on narrow pages.
    pub narrow: bool,
    /// Whether it has something to do. Without it, it always has.
    pub is_on: Option<Signal<bool>>,
}

impl MenuItem {
    /// An item with a fixed label.
    pub fn new(label: &str, icon: Part, action: impl Fn() + Send + Sync + 'static) -> Self {
        Self {
            label: Signal::stored(label.to_owned()),
            icon,
            action: Callback::new(move |()| action()),
            narrow: false,
            is_on: None,
        }
    }
}

/// A menu button and its menu.
#[component]
pub fn Menu(
    /// The button's name.
    #[prop(into)]
    label: String,
    /// Unique on the page.
    id: String,
    /// The items, in order.
    items: Vec<MenuItem>,
    /// An icon for a button that shows its label. Without it, the button shows three dots.
    #[prop(optional)]
    icon: Option<Part>,
    /// What a button that looks like a chip shows, in place of its label.
    #[prop(optional)]
    chip: Option<Part>,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let (wrapper, button, list) = (NodeRef::<html::Div>::new(), NodeRef::<html::Button>::new(), NodeRef::<html::Div>::new());
    let close = move || {
        open.set(false);
        focus::on(button);
    };
    let show = move |last: bool| {
        open.set(true);
        // The attribute follows `open` only later, and an element that is hidden takes no focus.
        if let Some(list) = list.get_untracked() {
            list.set_hidden(false);
        }
        focus::in_list(list, "[role=menuitem]", if last { focus::Move::Last } else { focus::Move::First });
    };
    let on_button = move |event: ev::KeyboardEvent| match event.key().as_str() {
        "ArrowDown" | "ArrowUp" => {
            event.prevent_default();
            show(event.key() == "ArrowUp");
        }
        "Escape" if open.get_untracked() => close(),
        _ => {}
    };
    let on_list = move |event: ev::KeyboardEvent| {
        if let Some(towards) = focus::Move::of_key(&event.key()) {
            event.prevent_default();
            focus::in_list(list, "[role=menuitem]", towards);
        } else if event.key() == "Escape" {
            event.stop_propagation();
            close();
        } else if event.key() == "Tab" {
            open.set(false);
        }
    };
    let entries = items
        .into_iter()
        .map(|MenuItem { label, icon, action, narrow, is_on }| {
            let is_off = move |get: fn(&Signal<bool>) -> bool| is_on.is_some_and(|is_on| !get(&is_on));
            view! {
                <button
                    type="button"
                    role="menuitem"
                    data-narrow=narrow.then_some("")
                    tabindex="-1"
                    aria-disabled=move || is_off(Signal::get).then_some("true")
                    on:click=move |_| {
                        if is_off(Signal::get_untracked) {
                            return;
                        }
                        close();
                        action.run(());
                    }
                >
                    {icon}
                    <span>{move || label.get()}</span>
                </button>
            }
        })
        .parts();
    let menu_id = id.clone();
    let (class, face) = match (chip, icon) {
        (Some(chip), _) => ("chip", chip),
        (None, Some(icon)) => ("button", view! { {icon}<span>{label.clone()}</span> }.part()),
        (None, None) => ("icon-button", super::icons::more()),
    };
    view! {
        <div class="menu" node_ref=wrapper on:focusout=move |event| focus::when_left(wrapper, &event, move || open.set(false))>
            <button
                type="button"
                class=class
                node_ref=button
                aria-label=label.clone()
                title=label.clone()
                aria-haspopup="menu"
                aria-expanded=move || open.get().to_string()
                aria-controls=menu_id
                on:click=move |_| if open.get_untracked() { close() } else { show(false) }
                on:keydown=on_button
            >
                {face}
            </button>
            <div class="menu-list" role="menu" id=id aria-label=label node_ref=list hidden=move || !open.get() on:keydown=on_list>
                {entries}
            </div>
        </div>
    }
    .part()
}
