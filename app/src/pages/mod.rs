//! The pages of dashboards.

pub mod application;
pub mod dashboard;
pub mod link;
pub mod navigation;
