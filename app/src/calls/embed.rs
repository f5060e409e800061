//! What the pages of dashboards call.

use super::{Drawn, PageAddress, Scope};
use crate::frame::content::Opened;
use inlay_contract::{
    chart::mark::Mark,
    data::ChartData,
    ids::{ChartId, DashboardId, ProjectUserId},
    page::{Choice, DashboardView, EmbedPage, Filters, TileContent},
    permissions::Permissions,
};
use serde::{Deserialize, Serialize};

page_calls! {
    /// What the pages of dashboards call. `token` is the caller's project-user token, unverified; every method verifies it first.
    /// A refused token is a problem of every call.
    trait EmbedCalls;

    /// The page at an address, as the first `GET` would show it. A page that does not exist is a page that says so.
    open_page "open-page" (address: PageAddress) -> OpenedPage;
    /// Another dashboard of the open application, with its charts' rows.
    open_dashboard "open-dashboard" (request: DashboardRequest) -> Drawn<OpenedDashboard>;
    /// One chart's rows under the given filters. A query that fails is a `TileContent::Failed`.
    tile_data "tile-data" (request: TileRequest) -> Drawn<TileContent>;
    /// A chart drawn as SVG: its plot as in the first HTML; the whole card of a chart that is HTML, as high as it needs. `None` for
    /// a chart without rows.
    tile_picture "tile-picture" (request: PictureRequest) -> Option<String>;
    /// The rows behind a mark of a chart.
    drill_down "drill-down" (request: DrillRequest) -> Drilled;
    /// The filters that narrow a dashboard to a mark of a chart; none where the mark stands for no value of a column.
    mark_filters "mark-filters" (request: DrillRequest) -> Filters;
    /// The full keys of the filters on columns that no chart of the dashboard has for this viewer.
    refused_filters "refused-filters" (request: DashboardRequest) -> Vec<String>;
    /// A dashboard as a PDF, in base64.
    dashboard_file "dashboard-file" (request: DashboardRequest) -> String;
    /// A chart's rows as an Excel workbook, in base64.
    chart_file "chart-file" (request: TileRequest) -> String;
    /// The values that a select filter offers, most frequent first.
    filter_choices "filter-choices" (request: ChoicesRequest) -> Vec<Choice>;
    /// The user of a token that is valid for the application at an address.
    check_token "check-token" (address: PageAddress) -> TokenCheck;
}

/// Opens another dashboard of the application.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DashboardRequest {
    /// Where.
    pub scope: Scope,
    /// Which one.
    pub dashboard: DashboardId,
    /// The filters that are active on the dashboard that is left; those that the new one has too are kept.
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

/// Asks one chart again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TileRequest {
    /// Where.
    pub scope: Scope,
    /// The dashboard that holds the chart.
    pub dashboard: DashboardId,
    /// The chart.
    pub chart: ChartId,
    /// All active filters: what is missing is not filtered; defaults are not added.
    pub filters: Filters,
}

/// Asks for a chart's picture at the size that it has on the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PictureRequest {
    /// The chart, under the filters that its rows were asked with.
    pub tile: TileRequest,
    /// Width and height in CSS pixels; the server draws the nearest of the sizes that it draws.
    pub size: (u32, u32),
}

/// Asks for what is behind a mark of a chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DrillRequest {
    /// The chart, under the filters that its rows were asked with.
    pub tile: TileRequest,
    /// The mark.
    pub mark: Mark,
    /// The column that the chart's numbers are broken down by; its rows when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// What is behind a mark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Drilled {
    /// What the mark says: columns as people call them, and their values.
    pub told: Vec<(String, String)>,
    /// The columns that the numbers can be broken down by, and what people call them.
    pub columns: Vec<(String, String)>,
    /// The one that they are broken down by.
    pub by: Option<String>,
    /// The rows, or the numbers.
    pub data: ChartData,
    /// The filters that the mark stands for.
    pub filters: Filters,
}

/// Asks for the values that a select filter offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChoicesRequest {
    /// Where.
    pub scope: Scope,
    /// The dashboard that holds the filter.
    pub dashboard: DashboardId,
    /// The filter's key (without `filter_`).
    pub key: String,
    /// Only values that contain this text, in any case; empty for all.
    pub search: String,
}

/// Whether a token that came by message may take the place of the one in use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TokenCheck {
    /// The user that the token is for; another one than before starts the page afresh.
    pub viewer: ProjectUserId,
    /// What the page would offer them.
    pub permissions: Permissions,
}

/// A page of dashboards that was requested after the first HTML.
pub type OpenedPage = Opened<Drawn<EmbedPage>>;
