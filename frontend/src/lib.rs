//! The wasm entry point: a page's boot script calls `hydrate`.

use wasm_bindgen::prelude::wasm_bindgen;

/// Hydrates the server's HTML.
#[wasm_bindgen]
pub fn hydrate() {
    inlay_app::frame::hydrate::hydrate::<inlay_app::pages::content::ApplicationPage>();
}
