//! Updates the page's theme, title and language when they arrive after the first HTML.

use inlay_contract::format::locale::is_right_to_left;
use leptos::prelude::document;

/// Sets the theme's custom properties and the page's title.
pub fn apply(style: &str, title: &str) {
    document().set_title(title);
    if let Some(html) = document().document_element() {
        let _ = html.set_attribute("style", style);
    }
}

/// Sets the page's language and writing direction.
pub fn speak(locale: &str) {
    if let Some(html) = document().document_element() {
        let _ = html.set_attribute("lang", locale);
        let _ = html.set_attribute("dir", if is_right_to_left(locale) { "rtl" } else { "ltr" });
    }
}

/// Whether the page runs from right to left.
pub fn is_mirrored() -> bool {
    document().document_element().and_then(|html| html.get_attribute("dir")).is_some_and(|way| way == "rtl")
}
