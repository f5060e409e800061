//! A modal dialog. It is the browser's own, which keeps the focus inside, closes on Escape, and restores the focus.

use super::{
    icons,
    part::{IntoLatePart, Part},
};
use crate::browser::dialog;
use crate::ui::effect::effect;
use leptos::{ev, html, prelude::*};

/// A dialog. It is open while its component is mounted.
#[component]
pub fn Dialog(
    /// Its accessible name, which it also shows.
    label: String,
    /// Its form: `narrow`, `wide` or `full`.
    form: &'static str,
    /// Called when the viewer closes it.
    close: Callback<()>,
    /// Its content.
    content: Part,
    /// The buttons below.
    #[prop(optional)]
    buttons: Option<Part>,
) -> impl IntoView {
    let node = NodeRef::<html::Dialog>::new();
    effect(move || {
        if let Some(element) = node.get() {
            dialog::open(&element);
            // The browser restores the focus of what is closed, not of what is removed.
            on_cleanup(move || {
                if let Some(Some(element)) = node.try_get_untracked() {
                    element.close();
                }
            });
        }
    });
    let title = label.clone();
    view! {
        <dialog
            class="dialog"
            data-form=form
            aria-label=label
            node_ref=node
            on:cancel=move |event: ev::Event| {
                event.prevent_default();
                close.run(());
            }
        >
            <div class="dialog-head">
                <h2>{title}</h2>
                <button type="button" class="icon-button" aria-label="Close" on:click=move |_| close.run(())>{icons::cross()}</button>
            </div>
            <div class="dialog-body">{content}</div>
            {buttons.map(|buttons| view! { <div class="dialog-foot">{buttons}</div> })}
        </dialog>
    }
    .late()
}
