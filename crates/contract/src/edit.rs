//! What the page sends and gets when its viewer edits a dashboard. The server checks each change against the viewer's role as it
//! is then; what the page offers is only a convenience.

use crate::{
    chart::definition::ChartDefinition,
    data::ColumnType,
    filter::Control,
    grid::Place,
    ids::{ChartId, ConnectionId, DashboardId},
    page::ChartFace,
};
use serde::{Deserialize, Serialize};

/// A dashboard as it is to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DashboardEdit {
    /// The version that was edited; a save that another one overtook is refused.
    pub version: i64,
    /// Whether it is to be one more dashboard, so that the edited one stays as it is.
    #[serde(default)]
    pub beside: bool,
    /// Its name.
    pub name: String,
    /// Its filters, in order.
    pub filters: Vec<FilterEdit>,
    /// Its charts; one that stands there and is not named goes.
    pub tiles: Vec<TileEdit>,
}

/// A filter of an edited dashboard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FilterEdit {
    /// One that stands there, by its key.
    Kept {
        /// Its key.
        key: String,
    },
    /// A new one.
    Added {
        /// What stands beside its control.
        label: String,
        /// `<connection>.<table>.<column>`
        column: String,
        /// How it is drawn.
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
    /// Where it stands.
    #[must_use]
    pub const fn place(&self) -> Place {
        Place { x: self.x, y: self.y, w: self.w, h: self.h }
    }
}

/// Where a chart of an edited dashboard comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ChartEdit {
    /// It stands there.
    Kept {
        /// Which one.
        chart: ChartId,
    },
    /// It stands there and is changed. A definition without a query of its own keeps the chart's.
    Changed {
        /// Which one.
        chart: ChartId,
        /// What it is to be.
        definition: Box<ChartDefinition>,
    },
    /// One of the library.
    Picked {
        /// Which one.
        chart: ChartId,
        /// What it is to be, where that is not what it is there. A definition without a query of its own keeps the chart's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        definition: Option<Box<ChartDefinition>>,
    },
    /// A new one.
    Made {
        /// Where its query goes.
        connection: ConnectionId,
        /// What it is.
        definition: Box<ChartDefinition>,
    },
    /// A new one that was made of its user's words. What it asks stays the server's secret.
    Described {
        /// As the server handed it out.
        sealed: String,
    },
}

/// What a save made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedDashboard {
    /// The dashboard: the user's own copy where a shared one was edited.
    pub dashboard: DashboardId,
    /// Its version now.
    pub version: i64,
    /// The charts' ids, in the order of the edit's tiles.
    pub charts: Vec<ChartId>,
    /// The filters' keys, in the order of the edit's.
    pub filters: Vec<String>,
}

/// A chart of the library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LibraryChart {
    /// Its id.
    pub id: ChartId,
    /// Its name and kind.
    pub face: ChartFace,
    /// The width and height that show it well, in columns and rows of the grid.
    pub size: (u16, u16),
}

/// A chart as its editor sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EditableChart {
    /// Where its query goes.
    pub connection: ConnectionId,
    /// Its definition; with its SQL for those alone who may write SQL.
    pub definition: Box<ChartDefinition>,
    /// The names of its query's columns.
    pub columns: Vec<String>,
}

/// A connection's tables, as the chart builder offers them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfferedSource {
    /// The connection.
    pub connection: ConnectionId,
    /// Its name.
    pub name: String,
    /// Which SQL it speaks: its kind, as project files name it.
    pub dialect: String,
    /// Its tables.
    pub tables: Vec<OfferedTable>,
}

/// A table that a viewer's query may name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfferedTable {
    /// As the catalogue names it.
    pub name: String,
    /// What people call it.
    pub label: String,
    /// Its columns that are not hidden.
    pub columns: Vec<OfferedColumn>,
}

/// A column that a viewer's query may name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfferedColumn {
    /// Its name.
    pub name: String,
    /// What people call it.
    pub label: String,
    /// What it holds.
    pub kind: ColumnType,
}
