//! The pages of dashboards.

pub mod application;
pub mod content;
pub mod dashboard;
pub mod host_link;
pub mod navigation;
mod no_rows;
pub mod opened;
mod refresh;
#[cfg(not(feature = "edit"))]
mod without_tools;
