//! `/v2/api`.

pub mod applications;
pub mod chat;
pub mod dashboards;
pub mod model;
pub mod webhooks;
