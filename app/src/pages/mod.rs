//! The pages of dashboards.

pub mod application;
pub mod dashboard;
pub mod host_link;
pub mod navigation;
#[cfg(not(feature = "edit"))]
mod without_tools;
