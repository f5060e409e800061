//! The rim: everything that touches the browser. Called from event handlers and effects only, never while drawing.

pub mod address;
pub mod charts;
pub mod clipboard;
pub mod download;
pub mod editor;
pub mod focus;
pub mod language;
pub mod observe;
pub mod parent;
pub mod theme;
pub mod visibility;
