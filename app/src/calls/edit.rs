//! The calls of the editing tools.

use super::{
    drawn::Drawn,
    scope::{Scope, Target},
};
use inlay_contract::{
    data::ChartData,
    edit::{ChartEdit, DashboardEdit, EditableChart, LibraryChart, OfferedSource, SavedDashboard},
    ids::{ChartId, DashboardId},
    page::{Filters, TileContent},
};
use serde::{Deserialize, Serialize};

page_calls! {
    /// The calls of the editing tools. Every method first verifies the token, then checks what the user's role allows now.
    trait EditCalls;

    /// Saves an edited dashboard. Fails with `DASHBOARD_CHANGED` if it was saved elsewhere in between.
    save_dashboard "save-dashboard" (target: Target, edit: DashboardEdit) -> SavedDashboard;
    /// Previews a chart's rows and picture. Stores nothing. A failed query is a `TileContent::Failed`.
    preview_chart "preview-chart" (request: PreviewRequest) -> Drawn<TileContent>;
    /// The charts that may be added.
    chart_library "chart-library" (target: Target) -> Vec<LibraryChart>;
    /// The tables that a chart or a filter may use.
    offered_tables "offered-tables" (target: Target) -> Vec<OfferedSource>;
    /// A chart of the dashboard, for the chart builder.
    open_chart "open-chart" (target: Target, chart: ChartId) -> EditableChart;
    /// Creates an empty dashboard and returns its id.
    create_dashboard "create-dashboard" (scope: Scope, name: String) -> DashboardId;
    /// Copies a dashboard and returns the copy's id.
    duplicate_dashboard "duplicate-dashboard" (target: Target, name: String) -> DashboardId;
    /// Deletes the viewer's own copy of a shared dashboard. Returns the shared dashboard's id.
    leave_copy "leave-copy" (target: Target) -> DashboardId;
    /// Rows that the page shows as an Excel workbook, in base64.
    rows_file "rows-file" (scope: Scope, title: String, data: ChartData) -> String;
    /// An HTML chart that the page shows, drawn as SVG from its definition as JSON and its rows. `None` for other charts.
    shown_picture "shown-picture" (scope: Scope, definition: String, data: ChartData) -> Option<String>;
}

/// Requests a preview of a chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PreviewRequest {
    /// The dashboard that the chart is for.
    pub target: Target,
    /// The chart.
    pub chart: ChartEdit,
    /// All active filters.
    pub filters: Filters,
}
