//! The assistant of dashboards: a sidebar that talks about the charts on screen (`aiInsight`), and charts made of their
//! viewer's words (`aiCharts`). Pages whose viewer may do neither load none of it.

pub mod answer;
pub mod composer;
pub mod describe;
pub mod insights;
pub mod talk;
pub mod wire;

pub use insights::{button, panel, start};
