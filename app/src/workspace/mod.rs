//! The page of a workspace: a conversation with answers drawn as they are made, the viewer's threads, favourites and canvas.
//! It has a wasm of its own, so that dashboards' pages do not carry it.

pub mod composer;
pub mod conversation;
pub mod editor;
pub mod history;
pub mod page;
pub mod pins;
pub mod session;
#[cfg(feature = "ssr")]
pub mod ssr;
pub mod wire;
