//! Switches to the wasm with the editing tools.

use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    /// Set by the page's boot script. Loads the other wasm.
    ///
    /// # Errors
    /// The wasm could not be loaded.
    #[wasm_bindgen(js_name = inlayLoadEditor, catch)]
    pub async fn load() -> Result<JsValue, JsValue>;

    /// Set by the page's boot script. Lets the loaded wasm take over, with a `Handed` as JSON.
    #[wasm_bindgen(js_name = inlaySucceed)]
    pub fn succeed(handed: &str);
}
