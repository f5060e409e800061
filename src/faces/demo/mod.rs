//! The demo: real flights as a data source, a project over them, and a host product that embeds it.

pub mod data;
pub mod host;

#[cfg(test)]
mod project_tests;

/// The demo's project file (docs/spec/contract.md, section 8). Its connection `warehouse` names [`data::FILE_NAME`] beside it.
pub const PROJECT: &str = include_str!("../../../demo/project.yaml");

/// Names in [`PROJECT`] that the host needs: the application, and its users' roles.
pub mod names {
    /// The project.
    pub const PROJECT: &str = "Flight operations";
    /// The application that the host embeds.
    pub const APPLICATION: &str = "Flight operations";
    /// The workspace.
    pub const WORKSPACE: &str = "Ask about flights";
    /// The role of users who build their own dashboards.
    pub const ANALYST: &str = "Analyst";
    /// The role of users who only view.
    pub const VIEWER: &str = "Viewer";
}
