//! The page of a workspace: a conversation, the viewer's threads, favorites and canvas. It has its own wasm, so that dashboard
//! pages do not load it.

pub mod composer;
pub mod content;
pub mod conversation;
pub mod editor;
pub mod files;
pub mod history;
pub mod opened;
pub mod page;
pub mod pins;
pub mod session;
#[cfg(feature = "ssr")]
pub mod ssr;
pub mod wire;
