//! The page's address. It is read once; then its secrets are removed from it.

use crate::{calls::client, filters::query};
use leptos::prelude::window;
use wasm_bindgen::JsValue;

/// Moves the token and `dbAuthToken` from the address bar and the history into memory.
pub fn take() {
    let location = window().location();
    let (Ok(path), Ok(search)) = (location.pathname(), location.search()) else { return };
    let left = client::take_address(&path, &search);
    if left != search {
        replace(&format!("{path}{left}"));
    }
}

/// Replaces the frame's own address.
fn replace(address: &str) {
    let hash = window().location().hash().unwrap_or_default();
    if let Ok(history) = window().history() {
        // This fails only if the host forbids history in its frame. The address then stays as it was.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&format!("{address}{hash}")));
    }
}

/// Writes the active filters as a query into the frame's own address, so that a reload shows the same data. Adds no entry to
/// the history.
pub fn show_filters(filters: &str) {
    let location = window().location();
    let (Ok(path), Ok(search)) = (location.pathname(), location.search()) else { return };
    let shown = query::with_filters(&search, filters);
    if shown != search {
        replace(&format!("{path}{shown}"));
    }
}
