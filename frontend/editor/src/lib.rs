//! The wasm entry points of pages whose viewer may edit: the same page with the editing tools.

use inlay_app::{frame::hydrate, pages::content::ApplicationPage};
use wasm_bindgen::prelude::wasm_bindgen;

/// Hydrates the server's HTML.
#[wasm_bindgen]
pub fn hydrate() {
    hydrate::hydrate::<ApplicationPage>();
}

/// Takes over from the wasm without the tools, after it received a token that allows editing. `handed` is JSON.
#[wasm_bindgen]
pub fn succeed(handed: &str) {
    hydrate::succeed::<ApplicationPage>(handed);
}
