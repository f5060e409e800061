//! The wasm entry points of pages whose viewer may edit: the same page, and the tools that change it.

use inlay_app::{
    frame::{hydrate, root::Handed},
    session::Session,
};
use wasm_bindgen::prelude::wasm_bindgen;

/// Takes over the page that the server drew.
#[wasm_bindgen]
pub fn hydrate() {
    hydrate::hydrate::<Session>();
}

/// Takes the page over from the wasm without the tools, which received a token that allows editing. `place` is the dashboard that is open.
#[wasm_bindgen]
pub fn succeed(token: String, path: &str, search: &str, place: Option<String>) {
    hydrate::succeed::<Session>(Handed { token, place }, path, search);
}
