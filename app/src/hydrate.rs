//! Where the browser takes the page over.

#[cfg(feature = "edit")]
use crate::calls::client;
use crate::{browser::address, calls::Drawn, pages::Root};
use inlay_contract::page::EmbedPage;
#[cfg(feature = "edit")]
use inlay_contract::page::PageContent;
#[cfg(feature = "edit")]
use leptos::mount::mount_to;
use leptos::{mount::hydrate_from, prelude::*};
use wasm_bindgen::JsCast;

/// Takes over what the server drew: reads the page's data, builds the same tree, and marks the page as answering to input.
pub fn hydrate() {
    console_error_panic_hook::set_once();
    address::take();
    let Some(page) = inlined() else { return };
    let Some(root) = document().get_element_by_id("inlay") else { return };
    hydrate_from(root.unchecked_into(), move || view! { <Root page token=None /> }).forget();
    if let Some(html) = document().document_element() {
        let _ = html.set_attribute("data-hydrated", "true");
    }
}

/// Takes the page over from the wasm without editing: the place of what stands there is cleared, and the page starts afresh
/// with a token that came by message, at the address that the other one has read.
#[cfg(feature = "edit")]
pub fn succeed(token: String, path: &str, search: &str) {
    console_error_panic_hook::set_once();
    let _ = client::take_address(path, search);
    let Some(mut page) = inlined() else { return };
    let Some(root) = document().get_element_by_id("inlay") else { return };
    page.content.content = PageContent::AwaitingToken;
    root.set_inner_html("");
    mount_to(root.unchecked_into(), move || view! { <Root page token=Some(token) /> }).forget();
}

/// The page's data, as the server wrote it into the HTML.
fn inlined() -> Option<Drawn<EmbedPage>> {
    let text = document().get_element_by_id("inlay-page")?.text_content()?;
    // Read as bytes, as server functions' answers are: one reader in the wasm instead of two.
    serde_json::from_slice(text.as_bytes()).ok()
}
