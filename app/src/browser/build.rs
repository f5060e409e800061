//! The page's build, and reloading the page.

use crate::calls::build;
use leptos::prelude::window;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// The URL of the script that started this wasm.
    #[wasm_bindgen(thread_local_v2, js_namespace = ["import", "meta"], js_name = url)]
    static SCRIPT: String;
}

/// The key in the tab's session storage for the builds that it has reloaded for.
const LOADED: &str = "inlay-loaded";

/// Reloads the page once when the server runs another build. Does nothing where the tab cannot store that it did, as in a frame
/// sandboxed without `allow-same-origin`: it could reload forever.
/// `whole` gives the query back with the token that was taken from it.
pub fn renew(server: &str, whole: impl Fn(&str) -> String) {
    let own = SCRIPT.with(|script| build::of_script(script).map(str::to_owned));
    let (Some(own), Ok(Some(storage))) = (own, window().session_storage()) else { return };
    let Ok(loaded) = storage.get_item(LOADED) else { return };
    let Some(loaded) = build::renewal(&own, server, &loaded.unwrap_or_default()) else { return };
    let location = window().location();
    if let (Ok(path), Ok(search), Ok(())) = (location.pathname(), location.search(), storage.set_item(LOADED, &loaded)) {
        // This fails only if the host forbids its frame to navigate. The page then stays as it is.
        let _ = location.replace(&format!("{path}{}", whole(&search)));
    }
}
