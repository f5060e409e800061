//! Requests to the page's own server.

use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    /// Set by the page's boot script: posts JSON and gives back whether it went well, and the answer's text.
    #[wasm_bindgen(js_name = inlayAsk, catch)]
    async fn ask(path: &str, token: Option<String>, body: &str) -> Result<JsValue, JsValue>;
}

/// Posts JSON with a token: whether it was answered well, and the answer's text. None when no answer came.
pub async fn post(path: &str, token: Option<String>, body: &str) -> Option<(bool, String)> {
    let answer: js_sys::Array = ask(path, token, body).await.ok()?.dyn_into().ok()?;
    Some((answer.get(0).is_truthy(), answer.get(1).as_string()?))
}
