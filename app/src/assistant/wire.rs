//! What the assistant is asked. Its answers come as a workspace's do.

use crate::calls::Scope;
use inlay_contract::{ids::DashboardId, page::Filters};
use serde::{Deserialize, Serialize};

/// What is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Wish {
    /// To talk about the charts on screen.
    Insight,
    /// A new chart.
    Chart,
}

/// A question at a dashboard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// Where.
    pub scope: Scope,
    /// The dashboard.
    pub dashboard: DashboardId,
    /// All active filters.
    pub filters: Filters,
    /// What is wanted.
    pub wish: Wish,
    /// What was said before.
    #[serde(default)]
    pub earlier: Vec<Earlier>,
    /// What is asked.
    pub message: String,
}

/// An earlier question and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Earlier {
    /// What was asked.
    pub asked: String,
    /// What was answered.
    pub answered: String,
}
