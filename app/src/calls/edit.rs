//! What the tools of editing call.

use super::{Drawn, Scope};
use inlay_contract::{
    edit::{ChartEdit, DashboardEdit, EditableChart, LibraryChart, OfferedSource, SavedDashboard},
    ids::{ChartId, DashboardId},
    page::{Filters, TileContent},
};
use serde::{Deserialize, Serialize};

page_calls! {
    /// What the tools of editing call. Every method verifies the token first, then checks what the user's role allows now.
    trait EditCalls;

    /// Saves an edited dashboard. `DASHBOARD_CHANGED` if another save came first.
    save_dashboard "save-dashboard" (target: Target, edit: DashboardEdit) -> SavedDashboard;
    /// A chart's rows and picture as it would be; nothing is stored. A query that fails is a `TileContent::Failed`.
    preview_chart "preview-chart" (request: PreviewRequest) -> Drawn<TileContent>;
    /// The charts that may be added.
    chart_library "chart-library" (target: Target) -> Vec<LibraryChart>;
    /// The tables that a chart or a filter may use.
    offered_tables "offered-tables" (target: Target) -> Vec<OfferedSource>;
    /// A chart of the dashboard, for its editor.
    open_chart "open-chart" (target: Target, chart: ChartId) -> EditableChart;
    /// Creates an empty dashboard; its id.
    create_dashboard "create-dashboard" (scope: Scope, name: String) -> DashboardId;
    /// Copies a dashboard; the copy's id.
    duplicate_dashboard "duplicate-dashboard" (target: Target, name: String) -> DashboardId;
    /// Makes a dashboard open first for this user.
    default_dashboard "default-dashboard" (target: Target) -> ();
}

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
