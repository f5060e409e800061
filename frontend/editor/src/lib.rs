//! The wasm entry points of pages whose viewer may edit: the same page, and the tools that change it.

use wasm_bindgen::prelude::wasm_bindgen;

/// Takes over the page that the server drew.
#[wasm_bindgen]
pub fn hydrate() {
    inlay_app::hydrate::hydrate();
}

/// Takes the page over from the wasm without the tools, which received a token that allows editing.
#[wasm_bindgen]
pub fn succeed(token: String, path: &str, search: &str) {
    inlay_app::hydrate::succeed(token, path, search);
}
