//! Where the browser takes a workspace's page over.

use super::{Root, wire::WorkspacePage};
use crate::browser::address;
use leptos::{mount::hydrate_from, prelude::*};
use wasm_bindgen::JsCast;

/// Takes over what the server drew: reads the page's data, builds the same tree, and marks the page as answering to input.
pub fn hydrate() {
    console_error_panic_hook::set_once();
    address::take();
    let Some(page) = inlined() else { return };
    let Some(root) = document().get_element_by_id("inlay") else { return };
    hydrate_from(root.unchecked_into(), move || view! { <Root page /> }).forget();
    if let Some(html) = document().document_element() {
        let _ = html.set_attribute("data-hydrated", "true");
    }
}

/// The page's data, as the server wrote it into the HTML.
fn inlined() -> Option<WorkspacePage> {
    let text = document().get_element_by_id("inlay-page")?.text_content()?;
    serde_json::from_slice(text.as_bytes()).ok()
}
