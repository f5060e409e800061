//! Everything that uses the browser's APIs. Called only from event handlers and effects, never while a view is built.

pub mod address;
pub mod beacon;
pub mod build;
pub mod charts;
pub mod clipboard;
pub mod clock;
pub mod dialog;
pub mod download;
pub mod editor;
pub mod focus;
pub mod language;
#[cfg(feature = "edit")]
pub mod leaving;
pub mod network;
pub mod observe;
pub mod parent;
pub mod request;
pub mod selection;
#[cfg(feature = "edit")]
pub mod sheet;
#[cfg(feature = "edit")]
pub mod sql;
pub mod theme;
pub mod visibility;
