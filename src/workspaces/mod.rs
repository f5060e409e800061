//! Workspaces: the AI chat over a connection. Embeds serve the production version.

pub mod store;

use serde::{Deserialize, Serialize};

/// What a version of a workspace says beside its connection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct WorkspaceSettings {
    /// Questions to start with.
    pub example_questions: Vec<String>,
}
