//! The page's address: read once, its secrets dropped from it.

use crate::{calls::client, filters::query};
use leptos::prelude::window;
use wasm_bindgen::JsValue;

/// Takes token and `dbAuthToken` out of the address bar and the history into memory.
pub fn take() {
    let location = window().location();
    let (Ok(path), Ok(search)) = (location.pathname(), location.search()) else { return };
    let left = client::take_address(&path, &search);
    if left != search {
        replace(&format!("{path}{left}"));
    }
}

/// Puts another address in the place of the frame's own.
fn replace(address: &str) {
    let hash = window().location().hash().unwrap_or_default();
    if let Ok(history) = window().history() {
        // Refused only where the host forbids history in its frame; what was there then stays there.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&format!("{address}{hash}")));
    }
}

/// Keeps the active filters, as a query, in the frame's own address, so that a frame that is loaded again shows what it showed.
/// The history gets no step.
pub fn show_filters(filters: &str) {
    let location = window().location();
    let (Ok(path), Ok(search)) = (location.pathname(), location.search()) else { return };
    let shown = query::with_filters(&search, filters);
    if shown != search {
        replace(&format!("{path}{shown}"));
    }
}
