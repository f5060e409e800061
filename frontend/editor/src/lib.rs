//! The wasm entry points of pages whose viewer may edit: the same page with the editing tools.

use inlay_app::{
    frame::{hydrate, root::Handed},
    session::Session,
};
use wasm_bindgen::prelude::wasm_bindgen;

/// Hydrates the server's HTML.
#[wasm_bindgen]
pub fn hydrate() {
    hydrate::hydrate::<Session>();
}

/// Takes over from the wasm without the tools, after it received a token that allows editing. `place` is the open dashboard.
#[wasm_bindgen]
pub fn succeed(token: String, path: &str, search: &str, place: Option<String>) {
    hydrate::succeed::<Session>(Handed { token, place }, path, search);
}
