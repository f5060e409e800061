//! The assistant of dashboards: a sidebar that answers questions about the charts on screen (`aiInsight`), and charts built
//! from a description (`aiCharts`). Pages whose viewer has neither flag do not load this code.

pub mod answer;
pub mod composer;
pub mod describe;
pub mod insights;
pub mod talk;
pub mod wire;

pub use insights::{button, panel, start};
