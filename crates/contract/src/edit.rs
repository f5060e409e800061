//! The requests and responses of dashboard editing. The server checks each change against the viewer's current role; what the
//! page offers is only a convenience.

use crate::{
    chart::definition::ChartDefinition,
    data::ColumnType,
    filter::Control,
    grid::GridPosition,
    ids::{ChartId, ConnectionId, DashboardId},
    model::OfferedModel,
    page::ChartFace,
};
use serde::{Deserialize, Serialize};

/// The new state of a dashboard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DashboardEdit {
    /// The version that the edit is based on. The save is refused if there is a newer one.
    pub version: i64,
    /// Whether to save it as a new dashboard and keep the edited one.
    #[serde(default)]
    pub beside: bool,
    /// Its name.
    pub name: String,
    /// Its filters, in order.
    pub filters: Vec<FilterEdit>,
    /// Its charts. Existing charts that are not listed are removed.
    pub tiles: Vec<TileEdit>,
}

/// A filter of an edited dashboard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FilterEdit {
    /// An existing filter.
    Kept {
        /// Its key.
        key: String,
    },
    /// A new filter.
    Added {
        /// Its label.
        label: String,
        /// `<connection>.<table>.<column>`
        column: String,
        /// Its control.
        control: Control,
    },
}

/// A chart of an edited dashboard and its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TileEdit {
    /// Left edge, 0–11.
    pub x: u16,
    /// Top edge, in rows.
    pub y: u16,
    /// Width, 1–12.
    pub w: u16,
    /// Height, in rows.
    pub h: u16,
    /// The chart.
    pub chart: ChartEdit,
}

impl TileEdit {
    /// Its place.
    #[must_use]
    pub const fn place(&self) -> GridPosition {
        GridPosition { x: self.x, y: self.y, w: self.w, h: self.h }
    }
}

/// The source of a chart of an edited dashboard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ChartEdit {
    /// An existing chart, unchanged.
    Kept {
        /// The chart.
        chart: ChartId,
    },
    /// An existing chart with changes. A definition without a query keeps the stored query.
    Changed {
        /// The chart.
        chart: ChartId,
        /// Its new definition.
        definition: Box<ChartDefinition>,
    },
    /// A chart of the library.
    Picked {
        /// The chart.
        chart: ChartId,
        /// A changed definition, if it is not added as it is. A definition without a query keeps the stored query.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        definition: Option<Box<ChartDefinition>>,
    },
    /// A new chart.
    Made {
        /// The connection that its query runs on.
        connection: ConnectionId,
        /// Its definition.
        definition: Box<ChartDefinition>,
    },
    /// A chart as it was before a save changed it or took it off: an undo brings it back.
    Restored {
        /// The chart.
        chart: ChartId,
        /// Its version at that time.
        version: i64,
    },
    /// A new chart from a description. The page cannot read its query.
    Described {
        /// The encrypted chart, as the server returned it.
        sealed: String,
    },
}

/// The result of a save.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedDashboard {
    /// The dashboard. If a shared one was edited, the user's own copy.
    pub dashboard: DashboardId,
    /// Its new version.
    pub version: i64,
    /// The charts' ids, in the order of the edit's tiles.
    pub charts: Vec<ChartId>,
    /// The filters' keys, in the order of the edit's.
    pub filters: Vec<String>,
    /// The charts of the dashboard before the save, with their versions at that time.
    #[serde(default)]
    pub before: Vec<(ChartId, i64)>,
}

/// A chart of the library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LibraryChart {
    /// Its id.
    pub id: ChartId,
    /// Its name and kind.
    pub face: ChartFace,
    /// A suitable width and height, in columns and rows of the grid.
    pub size: (u16, u16),
}

/// A chart for the chart builder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EditableChart {
    /// The connection that its query runs on.
    pub connection: ConnectionId,
    /// Its definition. It contains the SQL only for viewers who may write SQL.
    pub definition: Box<ChartDefinition>,
    /// The names of its query's columns.
    pub columns: Vec<String>,
}

/// The tables and the semantic model of a connection, for the chart builder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfferedSource {
    /// The connection.
    pub connection: ConnectionId,
    /// Its name.
    pub name: String,
    /// Its SQL dialect: the kind, as in project files.
    pub dialect: String,
    /// Its tables.
    pub tables: Vec<OfferedTable>,
    /// What its semantic model offers. `None` without measures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<OfferedModel>,
    /// Whether the dashboard has a chart that a filter on the default time of its measures reaches.
    #[serde(default)]
    pub time: bool,
}

/// A table that the viewer may query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfferedTable {
    /// Its name in the catalogue.
    pub name: String,
    /// Its label.
    pub label: String,
    /// Its columns that are not hidden.
    pub columns: Vec<OfferedColumn>,
    /// The declared dimensions of the semantic model that a filter of the dashboard can be on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dimensions: Vec<OfferedColumn>,
}

/// A column that the viewer may query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfferedColumn {
    /// Its name.
    pub name: String,
    /// Its label.
    pub label: String,
    /// Its type.
    pub kind: ColumnType,
}
