//! Leaving the page: closing it, or its host opening another.

use leptos::{ev, prelude::*};

/// Has the browser ask before the page goes, as long as its component stands and there is something to lose.
pub fn ask(loses: impl Fn() -> bool + 'static) {
    let listener = window_event_listener(ev::beforeunload, move |event| {
        if loses() {
            event.prevent_default();
        }
    });
    on_cleanup(move || listener.remove());
}
