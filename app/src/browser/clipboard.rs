//! The clipboard.

use leptos::prelude::window;

/// Copies a text. Does nothing if the host does not allow its frame to use the clipboard.
pub fn copy(text: &str) {
    let _ = window().navigator().clipboard().write_text(text);
}
