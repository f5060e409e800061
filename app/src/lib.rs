//! The pages that hosts embed. The server renders them, and the same components hydrate them in the browser.

pub mod browser;
pub mod calls;
pub mod chat;
#[cfg(feature = "edit")]
pub mod dashboard_assistant;
pub mod data;
pub mod drawing;
pub mod drill;
#[cfg(feature = "edit")]
pub mod edit;
pub mod filters;
pub mod frame;
pub mod json;
mod leptos_internals;
pub mod pages;
pub mod prose;
#[cfg(feature = "edit")]
pub mod reports;
pub mod session;
#[cfg(feature = "ssr")]
pub mod snapshot;
#[cfg(feature = "ssr")]
pub mod ssr;
pub mod tile;
pub mod ui;
pub mod workspace;
