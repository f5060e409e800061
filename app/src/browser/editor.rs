//! The wasm with the tools of editing, which takes the place of the one without.

use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    /// Set by the page's boot script: loads the other wasm and hands it token, path, query and the dashboard that is open.
    ///
    /// # Errors
    /// It could not be loaded.
    #[wasm_bindgen(js_name = inlaySucceed, catch)]
    pub async fn open(token: &str, path: &str, search: &str, place: Option<String>) -> Result<JsValue, JsValue>;
}
