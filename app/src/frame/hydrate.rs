//! Starts the page in the browser.

#[cfg(feature = "edit")]
use super::handed::Handed;
use super::{
    content::{Content, Page},
    root::root,
};
#[cfg(feature = "edit")]
use crate::calls::client;
use crate::{browser::address, json};
#[cfg(feature = "edit")]
use leptos::mount::mount_to;
use leptos::{mount::hydrate_from, prelude::*};
use wasm_bindgen::JsCast;

/// Hydrates the server's HTML: reads the page's data, builds the same view, and marks the page as interactive.
pub fn hydrate<C: Content>() {
    console_error_panic_hook::set_once();
    address::take();
    let Some(page) = inlined::<C::Page>() else { return };
    let Some(place) = document().get_element_by_id("inlay") else { return };
    hydrate_from(place.unchecked_into(), move || root::<C>(page, None)).forget();
    if let Some(html) = document().document_element() {
        let _ = html.set_attribute("data-hydrated", "true");
    }
}

/// Takes over from the wasm without tools. Its view is removed, and the page opens with what that wasm hands over, as JSON.
#[cfg(feature = "edit")]
pub fn succeed<C: Content>(handed: &str) {
    console_error_panic_hook::set_once();
    let Some(handed) = json::read::<Handed>(handed.as_bytes()) else { return };
    let _ = client::take_address(&handed.address.path, &handed.address.search);
    let Some(page) = inlined::<C::Page>() else { return };
    let Some(place) = document().get_element_by_id("inlay") else { return };
    let page = page.without_content(None);
    place.set_inner_html("");
    mount_to(place.unchecked_into(), move || root::<C>(page, Some(handed))).forget();
}

/// The page's data, which the server wrote into the HTML.
fn inlined<P: Page>() -> Option<P> {
    let text = document().get_element_by_id("inlay-page")?.text_content()?;
    json::read(text.as_bytes())
}
