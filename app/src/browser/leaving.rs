//! Warns before the page is left: closed, or replaced by its host.

use leptos::{ev, prelude::*};

/// Shows the browser's warning before the page is left, while the component is mounted and `loses` returns true.
pub fn ask(loses: impl Fn() -> bool + 'static) {
    let listener = window_event_listener(ev::beforeunload, move |event| {
        if loses() {
            event.prevent_default();
        }
    });
    on_cleanup(move || listener.remove());
}
