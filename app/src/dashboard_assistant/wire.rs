//! The request that the assistant gets. Its answers have the format of a workspace's answers.

use crate::calls::Scope;
use inlay_contract::{ids::DashboardId, page::Filters};
use serde::{Deserialize, Serialize};

/// What kind of answer the viewer wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AssistantTask {
    /// An answer about the charts on screen.
    Insight,
    /// A new chart.
    Chart,
}

/// A question about a dashboard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Question {
    /// The application.
    pub scope: Scope,
    /// The dashboard.
    pub dashboard: DashboardId,
    /// All active filters.
    pub filters: Filters,
    /// The kind of answer that is wanted.
    pub task: AssistantTask,
    /// The earlier questions and answers.
    #[serde(default)]
    pub earlier: Vec<Earlier>,
    /// The question's text.
    pub message: String,
}

/// An earlier question and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Earlier {
    /// The question.
    pub asked: String,
    /// The answer's text.
    pub answered: String,
}
