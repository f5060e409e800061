//! The data of an embedded page: one JSON block in the first HTML, and the responses of server functions. It is for project
//! users: it contains no SQL, no connections and no rules.

use crate::{
    chart::{
        definition::{ChartDefinition, ChartType},
        picture::Picture,
    },
    code::WireCode,
    data::ChartData,
    filter::{Control, FilterValue},
    ids::{ApplicationId, ChartId, DashboardId, ProjectUserId, SavedViewId},
    permissions::Permissions,
    theme::Theme,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::{collections::BTreeMap, sync::Arc};

/// Everything that a `/share/…` page shows first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EmbedPage {
    /// Its content.
    pub content: PageContent,
    /// The address's parameters.
    pub parameters: PageParameters,
    /// BCP 47, for numbers and dates.
    pub locale: String,
    /// IANA name of the time zone for dates.
    pub timezone: String,
}

/// The content of a page. Externally tagged: an internal tag would double the deserialization code in the wasm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PageContent {
    /// A single message.
    Message {
        /// The message.
        message: PageMessage,
    },
    /// An empty page that waits for a token by message.
    AwaitingToken,
    /// An application with an open dashboard.
    Application(Box<ApplicationView>),
}

/// The messages that replace a page (docs/spec/service.md, "Errors"; docs/spec/contract.md, sections 6 and 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PageMessage {
    /// The token is missing or not valid.
    InvalidToken,
    /// The token has expired.
    SessionExpired,
    /// The dashboard does not exist, or not for this token.
    DashboardNotFound,
    /// The workspace does not exist, or not for this token.
    WorkspaceNotFound,
    /// The workspace has no production version.
    WorkspaceNotPublished,
    /// No token arrived within 15 seconds.
    NoTokenReceived,
    /// The service failed. The page can be reloaded.
    Unavailable,
}

impl PageMessage {
    /// The text.
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

/// The address's parameters. They only narrow or hide, never grant. Only `true` turns a flag on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PageParameters {
    /// Show a single dashboard: no navigation, no tabs.
    pub single_dashboard: bool,
    /// Hide the title.
    pub hide_header: bool,
    /// Hide `Download CSV`.
    pub hide_download_button: bool,
    /// Use a transparent background.
    pub transparent: bool,
    /// The token arrives by message.
    pub token_handoff: bool,
    /// The host page's origin, if given and valid.
    pub parent_origin: Option<String>,
    /// Report the content's height.
    pub auto_height: bool,
    /// The active filters, full key (`filter_destination`, `f_warehouse.flights.origin`) → value.
    pub filters: Filters,
    /// The names of unknown or invalid parameters, for the host.
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
    /// Its theme. It stays on the server, which draws the page.
    #[serde(skip)]
    pub theme: Theme,
    /// The dashboards of the navigation, in order: the first ones of a long list.
    pub dashboards: Vec<DashboardEntry>,
    /// Whether the viewer sees more dashboards, which they find by a search.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
    /// The open dashboard. `None` if the viewer has no dashboard.
    pub dashboard: Option<DashboardView>,
    /// The viewer's permissions.
    pub permissions: Permissions,
    /// The viewer, to notice a token of another user.
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
    /// Whether it is the default.
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
    /// The version that an edit is based on. `None` if the viewer may not edit it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
    /// Seconds after which an open page asks for its rows again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh: Option<u32>,
    /// Whether it is the viewer's own copy of a shared dashboard, which they may give up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_copy: bool,
    /// The viewer's saved views of it, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub views: Vec<SavedView>,
}

/// The values of a dashboard's filters that a viewer saved under a name. Other users do not see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedView {
    /// The view.
    pub id: SavedViewId,
    /// Its name, once per viewer and dashboard.
    pub name: String,
    /// Its active filters. A filter that is missing here is empty.
    pub filters: Filters,
    /// Whether the dashboard opens with it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_default: bool,
}

/// A filter, with the data of its control.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FilterView {
    /// Its key on the dashboard. Its parameter is `filter_<key>`.
    pub key: String,
    /// Its label.
    pub label: String,
    /// Its control.
    pub control: Control,
    /// Its value if the address sets none.
    pub default: Option<FilterValue>,
    /// Whether people read names instead of its values.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_named: bool,
    /// The names of the values that are chosen as the page opens.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<(Value, String)>,
}

impl FilterView {
    /// A filter without a default whose values have no names.
    #[must_use]
    pub const fn of(key: String, label: String, control: Control) -> Self {
        Self { key, label, control, default: None, is_named: false, names: Vec::new() }
    }
}

/// What a page needs to know about a chart before its rows arrive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChartFace {
    /// Its name.
    pub title: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: ChartType,
}

impl From<&ChartDefinition> for ChartFace {
    fn from(definition: &ChartDefinition) -> Self {
        Self { title: definition.title.clone(), kind: definition.kind }
    }
}

/// A chart on a dashboard's grid of 12 columns. Rows are 40 px high, with gaps of 16 px.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tile {
    /// The chart.
    pub id: ChartId,
    /// The part of its definition that the page needs.
    pub face: ChartFace,
    /// Its definition. It stays on the server, which draws the chart.
    #[serde(skip)]
    pub definition: Option<Arc<ChartDefinition>>,
    /// Left edge, 0–11.
    pub x: u16,
    /// Top edge, in rows.
    pub y: u16,
    /// Width, 1–12.
    pub w: u16,
    /// Height, in rows.
    pub h: u16,
    /// The full keys of the filters that affect a table of this chart. When one changes, the chart is requested again.
    pub filter_keys: Vec<String>,
    /// Whether its marks can filter the dashboard.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub narrows: bool,
    /// Whether it is a number whose rows can be listed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub drills: bool,
    /// Seconds after which an open page asks for its rows again, whatever the dashboard's are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh: Option<u32>,
    /// The labels of the filters on columns and dimensions that reach it or that its marks set, by full key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// Its content.
    pub content: TileContent,
    /// The drawing for the first HTML. Never sent in JSON.
    #[serde(skip)]
    pub svg: Option<String>,
    /// What is drawn of its rows. It stands beside the tiles in JSON.
    #[serde(skip)]
    pub picture: Option<Arc<Picture>>,
}

/// The content of a chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TileContent {
    /// The rows are not included: the page requests them.
    Loading,
    /// Rows.
    Ready {
        /// The rows.
        data: ChartData,
    },
    /// An error.
    Failed {
        /// The error.
        problem: Problem,
    },
}

/// An error for the viewer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// The error code.
    pub code: WireCode,
    /// A sentence for the viewer.
    pub message: String,
    /// Details, as in the API: the path of each bad field with the reason, or the details of the code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Box<Map<String, Value>>>,
    /// Seconds to wait before the next attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
}

impl Problem {
    /// An error without details.
    #[must_use]
    pub fn new(code: impl Into<WireCode>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), details: None, retry_after: None }
    }
}

/// An option of a select filter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// Its value.
    pub value: Value,
    /// What people read instead of the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How many of the viewer's rows have it.
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
