//! Pages without content: a single message, and the wait for a token.

use crate::ui::part::{IntoPart, IntoParts};
use inlay_contract::page::PageMessage;
use leptos::prelude::*;

/// A single message.
#[component]
pub fn Message(
    /// The message.
    message: PageMessage,
) -> impl IntoView {
    view! {
        <main class="message">
            <p role="alert">{message.text()}</p>
        </main>
    }
    .part()
}

/// The placeholder that is shown until the host sends a token.
#[component]
pub fn Waiting() -> impl IntoView {
    let tiles = (0..4).map(|_| view! { <span class="waiting-tile" /> }).parts();
    view! {
        <main class="waiting" aria-busy="true" aria-label="Loading">
            <span class="waiting-title" />
            <div class="waiting-tiles" aria-hidden="true">{tiles}</div>
        </main>
    }
    .part()
}
