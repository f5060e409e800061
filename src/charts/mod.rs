//! Charts: the library, and the copies that stand on dashboards. A chart's record holds its newest version; older ones are
//! kept for those who name them.

pub mod save;
pub mod store;
pub mod v1;

#[cfg(test)]
mod tests;

use crate::{
    error::{Error, Result},
    store::Conn,
};
use inlay_contract::{
    chart::definition::ChartDefinition,
    ids::{ChartId, ConnectionId, ProjectId, ProjectUserId},
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

/// A chart of a project in one of its versions; the newest when none is named.
///
/// # Errors
/// 404 when the project has no such chart or version.
pub async fn find(conn: &mut Conn<'_>, project: ProjectId, id: ChartId, version: Option<i64>) -> Result<Chart> {
    let found = match version {
        Some(version) => store::find_version(conn, project, id, version).await?,
        None => store::find(conn, project, id).await?,
    };
    found.ok_or_else(|| Error::not_found("Chart"))
}

/// Copies a chart, in the version that is given, under a new id and as its first version; the new id.
///
/// # Errors
/// The store is away, or the chart is gone.
pub async fn copy(conn: &mut Conn<'_>, chart: &Chart, created_by: Option<ProjectUserId>) -> Result<ChartId> {
    let id = ChartId::generate();
    if store::copy(conn, chart.id, chart.version, id, created_by).await? { Ok(id) } else { Err(Error::not_found("Chart")) }
}
