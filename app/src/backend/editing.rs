//! What the tools of editing ask of the server: the requests, and the server functions that carry them.
#![expect(missing_docs, reason = "the macro makes a field of each argument and cannot document it")]

#[cfg(feature = "ssr")]
use super::service::editor;
use super::{Drawn, Refusal, Scope, client::BearerClient};
use inlay_contract::{
    edit::{ChartEdit, DashboardEdit, EditableChart, LibraryChart, OfferedSource, SavedDashboard},
    ids::{ChartId, DashboardId},
    page::{Filters, TileContent},
};
use leptos::{prelude::*, server_fn::codec::Json};
use serde::{Deserialize, Serialize};

/// One dashboard of an application.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Target {
    /// Where.
    pub scope: Scope,
    /// Which one.
    pub dashboard: DashboardId,
}

/// Asks for a chart's rows as it would be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PreviewRequest {
    /// The dashboard that it is for.
    pub target: Target,
    /// The chart.
    pub chart: ChartEdit,
    /// All active filters.
    pub filters: Filters,
}

/// Saves an edited dashboard.
///
/// # Errors
/// The role forbids it, the edit does not fit, or another save came first (`DASHBOARD_CHANGED`).
#[server(prefix = "/share/fn", endpoint = "save-dashboard", input = Json, output = Json, client = BearerClient)]
pub async fn save_dashboard(target: Target, edit: DashboardEdit) -> Result<SavedDashboard, Refusal> {
    let (backend, token) = editor()?;
    backend.save(&token, target, edit).await.map_err(Refusal)
}

/// A chart's rows and picture as it would be; nothing is stored.
///
/// # Errors
/// The role forbids it, or the chart is not there. A query that fails is a `TileContent::Failed`.
#[server(prefix = "/share/fn", endpoint = "preview-chart", input = Json, output = Json, client = BearerClient)]
pub async fn preview_chart(request: PreviewRequest) -> Result<Drawn<TileContent>, Refusal> {
    let (backend, token) = editor()?;
    backend.preview(&token, request).await.map_err(Refusal)
}

/// The charts that may be added.
///
/// # Errors
/// The role forbids it.
#[server(prefix = "/share/fn", endpoint = "chart-library", input = Json, output = Json, client = BearerClient)]
pub async fn chart_library(target: Target) -> Result<Vec<LibraryChart>, Refusal> {
    let (backend, token) = editor()?;
    backend.library(&token, target).await.map_err(Refusal)
}

/// The tables that a chart or a filter may be made of.
///
/// # Errors
/// The role forbids it.
#[server(prefix = "/share/fn", endpoint = "offered-tables", input = Json, output = Json, client = BearerClient)]
pub async fn offered_tables(target: Target) -> Result<Vec<OfferedSource>, Refusal> {
    let (backend, token) = editor()?;
    backend.tables(&token, target).await.map_err(Refusal)
}

/// A chart of the dashboard, for its editor.
///
/// # Errors
/// The role forbids it, or the chart is not there.
#[server(prefix = "/share/fn", endpoint = "open-chart", input = Json, output = Json, client = BearerClient)]
pub async fn open_chart(target: Target, chart: ChartId) -> Result<EditableChart, Refusal> {
    let (backend, token) = editor()?;
    backend.chart(&token, target, chart).await.map_err(Refusal)
}

/// Makes an empty dashboard; its id.
///
/// # Errors
/// The role forbids it.
#[server(prefix = "/share/fn", endpoint = "create-dashboard", input = Json, output = Json, client = BearerClient)]
pub async fn create_dashboard(scope: Scope, name: String) -> Result<DashboardId, Refusal> {
    let (backend, token) = editor()?;
    backend.create(&token, scope, name).await.map_err(Refusal)
}

/// Makes one more dashboard of a dashboard; its id.
///
/// # Errors
/// The role forbids it.
#[server(prefix = "/share/fn", endpoint = "duplicate-dashboard", input = Json, output = Json, client = BearerClient)]
pub async fn duplicate_dashboard(target: Target, name: String) -> Result<DashboardId, Refusal> {
    let (backend, token) = editor()?;
    backend.duplicate(&token, target, name).await.map_err(Refusal)
}

/// Makes a dashboard open first for this user.
///
/// # Errors
/// The role forbids it.
#[server(prefix = "/share/fn", endpoint = "default-dashboard", input = Json, output = Json, client = BearerClient)]
pub async fn default_dashboard(target: Target) -> Result<(), Refusal> {
    let (backend, token) = editor()?;
    backend.set_default(&token, target).await.map_err(Refusal)
}
