//! The page's address: read once, its secrets dropped from it.

use crate::backend::client;
use leptos::prelude::window;
use wasm_bindgen::JsValue;

/// Takes token and `dbAuthToken` out of the address bar and the history into memory.
pub fn take() {
    let location = window().location();
    let (Ok(path), Ok(search)) = (location.pathname(), location.search()) else { return };
    let left = client::take_address(&path, &search);
    if left != search
        && let Ok(history) = window().history()
    {
        let hash = location.hash().unwrap_or_default();
        // Refused only where the host forbids history in its frame; the token then stays where it was.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&format!("{path}{left}{hash}")));
    }
}
