//! The embedded pages.

pub mod application;
pub mod dashboard;
pub mod message;
pub mod navigation;
pub mod root;

pub use root::Root;
