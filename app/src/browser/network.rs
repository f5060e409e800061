//! The network, gone and back.

use crate::ui::effect::effect;
use leptos::prelude::*;

/// Calls back each time that the network is back, as long as the component stands.
pub fn when_back(back: impl Fn() + Copy + 'static) {
    effect(move || {
        let listener = window_event_listener(leptos::ev::online, move |_| back());
        on_cleanup(move || listener.remove());
    });
}
