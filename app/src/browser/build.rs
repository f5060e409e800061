//! The page's build, and loading the page anew.

use crate::calls::{build, client};
use leptos::prelude::window;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// The address of the script that started this wasm.
    #[wasm_bindgen(thread_local_v2, js_namespace = ["import", "meta"], js_name = url)]
    static SCRIPT: String;
}

/// Where the tab remembers for which builds it has loaded pages anew.
const LOADED: &str = "inlay-loaded";

/// Loads the page anew for a server of another build, once. Nothing happens where the tab cannot remember that it did, as in a frame
/// sandboxed without `allow-same-origin`.
pub fn renew(server: &str) {
    let own = SCRIPT.with(|script| build::of_script(script).map(str::to_owned));
    let (Some(own), Ok(Some(storage))) = (own, window().session_storage()) else { return };
    let Ok(loaded) = storage.get_item(LOADED) else { return };
    let Some(loaded) = build::renewal(&own, server, &loaded.unwrap_or_default()) else { return };
    let location = window().location();
    if let (Ok(path), Ok(search), Ok(())) = (location.pathname(), location.search(), storage.set_item(LOADED, &loaded)) {
        // Refused only where the host forbids its frame to navigate; the page stays as it is.
        let _ = location.replace(&format!("{path}{}", client::whole_search(&search)));
    }
}
