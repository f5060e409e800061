//! What the embedded pages ask of the server: the requests, the trait that the server implements, and the server
//! functions that carry one to the other under `/share/fn/`.

pub mod asking;
pub mod client;
pub mod drawn;
#[cfg(feature = "edit")]
pub mod editing;
pub mod functions;
pub mod refusal;
#[cfg(feature = "edit")]
pub mod reporting;
#[cfg(feature = "ssr")]
mod service;

#[cfg(feature = "ssr")]
pub use drawn::Style;
pub use drawn::{Drawn, OpenedPage, Picture};
pub use refusal::Refusal;
#[cfg(feature = "ssr")]
pub use service::{Backends, EditBackend, EmbedBackend, ReportBackend, SharedBackend, SharedEditor, answer, register};
#[cfg(feature = "ssr")]
pub(crate) use service::{answer_with, bearer};

use inlay_contract::{
    chart::mark::Mark,
    data::ChartData,
    ids::{ApplicationId, ChartId, DashboardId, ProjectUserId},
    page::{DashboardView, Filters},
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The page's own address, for a page that could not be drawn at once (token hand-off) or starts afresh.
/// The server reads it exactly as it reads the first `GET`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageAddress {
    /// `/share/application/<id>` or `/share/dashboard/<id>`
    pub path: String,
    /// The query with its leading `?`, without `jwt`; empty when there is none.
    pub search: String,
}

/// What every request about an open application carries, beside the token. `Debug` shows nothing of what a database believes.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Scope {
    /// The application.
    pub application: ApplicationId,
    /// IANA name of the zone whose days count, as the page got it.
    pub timezone: String,
    /// BCP 47; for numbers and dates, as the page got it.
    pub locale: String,
    /// The address's `dbAuthToken`. Never logged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub db_auth_token: Option<String>,
}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope")
            .field("application", &self.application)
            .field("timezone", &self.timezone)
            .field("locale", &self.locale)
            .finish_non_exhaustive()
    }
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_shows_no_token() {
        let (application, db_auth_token) = (ApplicationId::generate(), Some("s3cret".to_owned()));
        let scope = Scope { application, timezone: "UTC".to_owned(), locale: "en".to_owned(), db_auth_token };
        let shown = format!("{scope:?}");
        assert!(shown.contains("UTC") && !shown.contains("s3cret"), "{shown}");
    }
}
