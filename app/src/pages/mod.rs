//! The embedded pages.

mod application;
mod dashboard;
mod message;
mod navigation;
mod root;

pub use root::Root;
