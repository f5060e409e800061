//! Reports when the network is back.

use crate::ui::effect::effect;
use leptos::prelude::*;

/// Calls `back` each time that the browser is online again, while the component is mounted.
pub fn when_back(back: impl Fn() + Copy + 'static) {
    effect(move || {
        let listener = window_event_listener(leptos::ev::online, move |_| back());
        on_cleanup(move || listener.remove());
    });
}
