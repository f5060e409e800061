//! The clipboard.

use leptos::prelude::window;

/// Puts a text on the clipboard. A frame whose host does not allow it leaves the clipboard as it is.
pub fn copy(text: &str) {
    let _ = window().navigator().clipboard().write_text(text);
}
