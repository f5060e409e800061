//! The page's look, where it came later than the first HTML.

use leptos::prelude::document;

/// Puts the theme's custom properties and the page's title in place.
pub fn apply(style: &str, title: &str) {
    document().set_title(title);
    if let Some(html) = document().document_element() {
        let _ = html.set_attribute("style", style);
    }
}
