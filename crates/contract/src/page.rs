//! What the server hands to an embedded page: in the first HTML as one JSON block, and from the server functions.
//! It is made for a project user's eyes: no SQL, no connection, no rule in it.

use crate::{
    chart::definition::{ChartDefinition, ChartType},
    code::WireCode,
    data::ChartData,
    filter::{Control, FilterValue},
    ids::{ApplicationId, ChartId, DashboardId, ProjectUserId},
    permissions::Permissions,
    theme::Theme,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Everything that a `/share/…` page shows first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EmbedPage {
    /// What is shown.
    pub content: PageContent,
    /// What the address asked for.
    pub parameters: PageParameters,
    /// BCP 47; for numbers and dates.
    pub locale: String,
    /// IANA name; days are those of this zone.
    pub timezone: String,
}

/// What a page shows. Tagged from outside: reading an inner tag would double the reading code in the wasm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PageContent {
    /// One sentence alone.
    Message {
        /// Which one.
        message: PageMessage,
    },
    /// The shell of a page whose token comes from the parent by message.
    AwaitingToken,
    /// An application with a dashboard open.
    Application(Box<ApplicationView>),
}

/// The sentences that stand alone on a page (docs/spec/service.md, "Errors"; docs/spec/contract.md, sections 6 and 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PageMessage {
    /// No token, or one that is not valid.
    InvalidToken,
    /// The token's time is over.
    SessionExpired,
    /// No such dashboard for this token.
    DashboardNotFound,
    /// No such workspace for this token.
    WorkspaceNotFound,
    /// The workspace has no production version.
    WorkspaceNotPublished,
    /// 15 seconds passed without a token.
    NoTokenReceived,
    /// A fault of ours; the page can be opened again.
    Unavailable,
}

impl PageMessage {
    /// The exact text.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::InvalidToken => "Invalid or missing token.",
            Self::SessionExpired => "Session expired",
            Self::DashboardNotFound => "Dashboard not found.",
            Self::WorkspaceNotFound => "Workspace not found.",
            Self::WorkspaceNotPublished => "This workspace has not been published",
            Self::NoTokenReceived => "No token received from the embedding page",
            Self::Unavailable => "Something went wrong. Please reload the page.",
        }
    }

    /// The page's HTTP status (docs/spec/contract.md, section 6).
    #[must_use]
    pub const fn status(self) -> u16 {
        match self {
            Self::InvalidToken | Self::SessionExpired => 401,
            Self::DashboardNotFound | Self::WorkspaceNotFound => 404,
            Self::WorkspaceNotPublished | Self::NoTokenReceived => 200,
            Self::Unavailable => 503,
        }
    }
}

/// What the address asked for. Address parameters only ever narrow or hide, never grant; `true` alone switches a flag on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PageParameters {
    /// One dashboard alone: no navigation, no tabs.
    pub single_dashboard: bool,
    /// No title.
    pub hide_header: bool,
    /// No `Download CSV`.
    pub hide_download_button: bool,
    /// A transparent background.
    pub transparent: bool,
    /// The token comes by message.
    pub token_handoff: bool,
    /// The host page's origin, when it was given and is well-formed.
    pub parent_origin: Option<String>,
    /// Report the content's height.
    pub auto_height: bool,
    /// The active filters, full key (`filter_destination`, `f_warehouse.flights.origin`) → value.
    pub filters: Filters,
    /// The names of parameters that are none of the page, or whose value cannot be used; the host is told of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
}

/// Active filters: full key → value.
pub type Filters = BTreeMap<String, FilterValue>;

/// An application as its viewer sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ApplicationView {
    /// The application.
    pub id: ApplicationId,
    /// Its name.
    pub name: String,
    /// Its look; stays on the server, which draws with it.
    #[serde(skip)]
    pub theme: Theme,
    /// The dashboards of the navigation, in order.
    pub dashboards: Vec<DashboardEntry>,
    /// The one that is open; none when the application has no dashboard for this viewer.
    pub dashboard: Option<DashboardView>,
    /// What the viewer may do.
    pub permissions: Permissions,
    /// Who the viewer is, so that a new token for another user is noticed.
    pub viewer: ProjectUserId,
}

/// A dashboard in the navigation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DashboardEntry {
    /// The dashboard.
    pub id: DashboardId,
    /// Its name.
    pub name: String,
    /// Whether it opens first.
    pub is_default: bool,
}

/// An open dashboard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DashboardView {
    /// The dashboard.
    pub id: DashboardId,
    /// Its name.
    pub name: String,
    /// Its filters, in order.
    pub filters: Vec<FilterView>,
    /// Its charts, in reading order.
    pub tiles: Vec<Tile>,
    /// The version that an edit is made of; none where the viewer may not change it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
}

/// A filter with what its control needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FilterView {
    /// Its key on the dashboard; `filter_<key>` is the full key.
    pub key: String,
    /// What stands beside its control.
    pub label: String,
    /// How it is drawn.
    pub control: Control,
    /// Its value when the address gives none.
    pub default: Option<FilterValue>,
}

/// What a page needs to know of a chart before it has its rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChartFace {
    /// Its name.
    pub title: String,
    /// How its rows are drawn.
    #[serde(rename = "type")]
    pub kind: ChartType,
}

impl From<&ChartDefinition> for ChartFace {
    fn from(definition: &ChartDefinition) -> Self {
        Self { title: definition.title.clone(), kind: definition.kind }
    }
}

/// A chart on a dashboard's grid of 12 columns; a row is 40 px high and gaps are 16 px.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tile {
    /// The chart.
    pub id: ChartId,
    /// What the page itself needs to know of its definition.
    pub face: ChartFace,
    /// Its definition; stays on the server, which draws it.
    #[serde(skip)]
    pub definition: Option<Box<ChartDefinition>>,
    /// Left edge, 0–11.
    pub x: u16,
    /// Top edge, in rows.
    pub y: u16,
    /// Width, 1–12.
    pub w: u16,
    /// Height, in rows.
    pub h: u16,
    /// Full keys of the filters that reach a table this chart reads: when one changes, the chart is asked again.
    pub filter_keys: Vec<String>,
    /// Whether its marks may filter the dashboard.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub narrows: bool,
    /// What it shows.
    pub content: TileContent,
    /// The picture for the first HTML; drawn by the server, never sent in JSON.
    #[serde(skip)]
    pub svg: Option<String>,
}

/// What a chart shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TileContent {
    /// Its rows are not here yet: the page asks for them.
    Loading,
    /// Its rows.
    Ready {
        /// The rows.
        data: ChartData,
    },
    /// Why it has none.
    Failed {
        /// The problem.
        problem: Problem,
    },
}

/// What went wrong, for a viewer's eyes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// As in the API's errors.
    pub code: WireCode,
    /// A plain sentence.
    pub message: String,
    /// As in the API's errors: field path → what is wrong with it, or what the code promises.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Box<Map<String, Value>>>,
    /// Seconds to wait before the next attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
}

impl Problem {
    /// A problem without details.
    #[must_use]
    pub fn new(code: impl Into<WireCode>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), details: None, retry_after: None }
    }
}

/// One value that a select filter offers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// The value that the filter takes.
    pub value: Value,
    /// Rows that have it, among those that the viewer sees.
    pub count: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Code;
    use serde_json::{from_value, json, to_value};

    #[test]
    fn a_problem_travels_with_its_details_and_its_patience() {
        let plain = Problem::new(Code::NotFound, "No.");
        assert_eq!(to_value(&plain).expect("JSON"), json!({"code": "NOT_FOUND", "message": "No."}));
        let details = Map::from_iter([("name".to_owned(), json!("is taken"))]);
        let full = Problem { details: Some(Box::new(details)), retry_after: Some(5), ..plain };
        let written = json!({"code": "NOT_FOUND", "message": "No.", "details": {"name": "is taken"}, "retryAfter": 5});
        assert_eq!(to_value(&full).expect("JSON"), written);
        assert_eq!(from_value::<Problem>(written).expect("a problem"), full);
    }

    #[test]
    fn a_problem_of_an_older_or_newer_server_is_read() {
        let older = json!({"code": "NOT_FOUND", "message": "No."});
        assert_eq!(from_value::<Problem>(older).expect("a problem"), Problem::new(Code::NotFound, "No."));
        let newer = json!({"code": "OF_A_NEWER_SERVER", "message": "No.", "severity": "high"});
        let read: Problem = from_value(newer).expect("a problem");
        assert_eq!((read.code.as_str(), read.code.known(), &*read.message), ("OF_A_NEWER_SERVER", None, "No."));
    }
}
