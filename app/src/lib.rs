//! The pages.

pub mod backend;
pub mod data;
pub mod filters;
