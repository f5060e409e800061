//! The calls of dashboard pages.

use super::{
    drawn::Drawn,
    opened::Opened,
    scope::{PageAddress, Scope, Target},
};
use inlay_contract::{
    chart::mark::Mark,
    data::ChartData,
    ids::{ChartId, DashboardId, ProjectUserId, SavedViewId},
    model::ModelOrder,
    page::{Choice, DashboardEntry, DashboardView, EmbedPage, Filters, SavedView, TileContent},
    permissions::Permissions,
};
use serde::{Deserialize, Serialize};

page_calls! {
    /// The calls of dashboard pages. `token` is the caller's project-user token, unverified; every method verifies it first.
    /// Every call can fail because the token is refused.
    trait EmbedCalls;

    /// The page at an address, as the first `GET` would show it, or with the dashboard that the viewer had open. For a dashboard
    /// that does not exist, a page with a message. A token for another project is refused.
    open_page "open-page" (address: PageAddress, place: Option<DashboardId>) -> OpenedPage;
    /// Another dashboard of the open application, with its charts' rows.
    open_dashboard "open-dashboard" (request: DashboardRequest) -> Drawn<OpenedDashboard>;
    /// The dashboards of the application whose names contain a text, in any case: the first 200.
    find_dashboards "find-dashboards" (scope: Scope, search: String) -> Vec<DashboardEntry>;
    /// One chart's rows under the given filters. A query that fails is a `TileContent::Failed`.
    tile_data "tile-data" (request: TileRequest) -> Drawn<TileContent>;
    /// A chart drawn as SVG: only its plot, as in the first HTML, or the whole card of an HTML chart, as high as it needs.
    /// `None` for a chart without rows.
    tile_picture "tile-picture" (request: PictureRequest) -> Option<String>;
    /// The rows behind a mark of a chart.
    drill_down "drill-down" (request: DrillRequest) -> Drilled;
    /// The filters that narrow a dashboard to a mark of a chart. Empty if the mark stands for no value of a column.
    mark_filters "mark-filters" (request: DrillRequest) -> Filters;
    /// The full keys of the filters on columns that no chart of the dashboard has for this viewer.
    refused_filters "refused-filters" (request: DashboardRequest) -> Vec<String>;
    /// A dashboard as a PDF, in base64.
    dashboard_file "dashboard-file" (request: DashboardRequest) -> String;
    /// A chart's rows as an Excel workbook, in base64.
    chart_file "chart-file" (request: TileRequest) -> String;
    /// The values that a select filter offers, most frequent first.
    filter_choices "filter-choices" (request: ChoicesRequest) -> Vec<Choice>;
    /// What to show in place of a period that leaves a dashboard without rows. `None` if no period is the reason.
    nearest_data "nearest-data" (request: DashboardRequest) -> Option<NearestData>;
    /// Sets the dashboard that opens first for this user.
    default_dashboard "default-dashboard" (target: Target) -> ();
    /// Saves the values of a dashboard's filters under a name, in place of this user's view of that name. Returns all the
    /// user's views of the dashboard, by name.
    save_view "save-view" (request: SaveView) -> Vec<SavedView>;
    /// Deletes a saved view of this user. Returns the user's other views of the dashboard, by name.
    delete_view "delete-view" (request: DeleteView) -> Vec<SavedView>;
    /// The user of a token, if it is valid for the application at an address.
    check_token "check-token" (address: PageAddress) -> TokenCheck;
}

/// Requests another dashboard of the application.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DashboardRequest {
    /// The application.
    pub scope: Scope,
    /// The dashboard.
    pub dashboard: DashboardId,
    /// The active filters of the dashboard that was open. Those that the new dashboard also has are kept.
    pub filters: Filters,
}

/// A dashboard and the filters that its charts were drawn with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenedDashboard {
    /// The dashboard.
    pub dashboard: DashboardView,
    /// The active filters: those kept, and the defaults of the others.
    pub filters: Filters,
}

/// Requests one chart's rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TileRequest {
    /// The application.
    pub scope: Scope,
    /// The dashboard that holds the chart.
    pub dashboard: DashboardId,
    /// The chart.
    pub chart: ChartId,
    /// All active filters. Defaults are not added for missing ones.
    pub filters: Filters,
}

/// Requests a chart's picture in the size that it has on the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PictureRequest {
    /// The chart, with the filters of its rows.
    pub tile: TileRequest,
    /// Width and height in CSS pixels. The server uses the nearest size that it draws.
    pub size: (u32, u32),
}

/// Requests what is behind a mark of a chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DrillRequest {
    /// The chart, with the filters of its rows.
    pub tile: TileRequest,
    /// The mark.
    pub mark: Mark,
    /// The column that the chart's numbers are broken down by. `None` requests the rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The order by a listed column, for a list that is cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<ModelOrder>,
}

/// The most choices of a select filter in a list at once.
pub const MOST_CHOICES: u32 = 200;

/// What is behind a mark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Drilled {
    /// The mark in words: the columns' labels and their values.
    pub told: Vec<(String, String)>,
    /// The columns that the numbers can be broken down by, with their labels.
    pub columns: Vec<(String, String)>,
    /// The column that they are broken down by.
    pub by: Option<String>,
    /// The rows, or the numbers.
    pub data: ChartData,
    /// The labels of their columns, in order.
    #[serde(default)]
    pub labels: Vec<String>,
    /// The filters that the mark stands for.
    pub filters: Filters,
    /// How many rows or values are listed, in words.
    #[serde(default)]
    pub count: String,
    /// Whether there are more than are listed: then the server sorts them.
    #[serde(default)]
    pub more: bool,
    /// A question for the sidebar of insights: why the mark's number changed. `None` for viewers without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// Requests the values that a select filter offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChoicesRequest {
    /// The application.
    pub scope: Scope,
    /// The dashboard that holds the filter.
    pub dashboard: DashboardId,
    /// The filter's key (without `filter_`).
    pub key: String,
    /// Only values that contain this text, in any case; empty for all.
    pub search: String,
}

/// The data that is nearest to a period without any. Dates are in the viewer's language.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NearestData {
    /// From when to when there is data: `Jan 15, 2024 to Mar 6, 2024`.
    pub span: String,
    /// The nearest period of the same length: `Feb 26, 2024 – Mar 6, 2024`.
    pub period: String,
    /// The active filters with that period.
    pub filters: Filters,
}

/// Saves a view of a dashboard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SaveView {
    /// The dashboard.
    pub target: Target,
    /// The view's name, 1 to 100 characters.
    pub name: String,
    /// The active filters.
    pub filters: Filters,
    /// Whether the dashboard opens with this view from now on.
    #[serde(default)]
    pub is_default: bool,
}

/// Deletes a saved view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeleteView {
    /// The dashboard.
    pub target: Target,
    /// The view.
    pub view: SavedViewId,
}

/// What the server says of a valid token that came by message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TokenCheck {
    /// The token's user. If it is another user than before, the page starts again.
    pub viewer: ProjectUserId,
    /// What the page offers this user.
    pub permissions: Permissions,
}

/// A dashboard page that is requested after the first HTML.
pub type OpenedPage = Opened<Drawn<EmbedPage>>;
