//! Charts: the library, and the copies that stand on dashboards. A chart's record holds its newest version; older ones are
//! kept for those who name them.

pub mod store;

use inlay_contract::{
    chart::definition::ChartDefinition,
    ids::{ChartId, ConnectionId, ProjectId},
};

/// A chart in one of its versions.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Its id.
    pub id: ChartId,
    /// The project that it belongs to.
    pub project: ProjectId,
    /// Where its query goes.
    pub connection: ConnectionId,
    /// Its name.
    pub name: String,
    /// Its version; the first is 1, each change adds one.
    pub version: i64,
    /// What is queried and how it is drawn.
    pub definition: ChartDefinition,
}
