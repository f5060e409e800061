//! Pages without content: a sentence alone, and the wait for a token.

use crate::ui::part::{IntoPart, IntoParts};
use inlay_contract::page::PageMessage;
use leptos::prelude::*;

/// One sentence, alone on the page.
#[component]
pub fn Message(
    /// Which one.
    message: PageMessage,
) -> impl IntoView {
    view! {
        <main class="message">
            <p role="alert">{message.text()}</p>
        </main>
    }
    .part()
}

/// The shape of what comes once the host sends a token.
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
