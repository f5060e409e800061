//! Switches to the wasm with the editing tools.

use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    /// Set by the page's boot script. Loads the other wasm and passes it the token, path, query and open dashboard.
    ///
    /// # Errors
    /// The wasm could not be loaded.
    #[wasm_bindgen(js_name = inlaySucceed, catch)]
    pub async fn open(token: &str, path: &str, search: &str, place: Option<String>) -> Result<JsValue, JsValue>;
}
