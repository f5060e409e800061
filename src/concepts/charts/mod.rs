//! Charts: the library, and their copies on dashboards. A chart's row holds its newest version; older versions are kept for
//! callers that name them.

mod store;

#[cfg(test)]
mod copied_tests;
#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use store::{ChartRow, ChartVersionRow, find_newest};
pub(crate) use store::{FoundChart, NamedChart};
pub use store::{
    Origin, columns,
    copies::{descends, on_dashboard, own, shared},
    delete, find_in_library, find_version, insert, keep_columns, library, list_of_file, of_connection, of_customers,
    of_library, part_of_project, set_library_name,
    tidy::{TIDY_CHARTS, TIDY_VERSIONS, all_unplaced, kept_by, placed, unplaced},
    update, versions,
};

use crate::ground::{
    error::{Error, Result},
    store::Conn,
};
use inlay_contract::{
    chart::definition::ChartDefinition,
    ids::{ApplicationId, ChartId, ConnectionId, CustomerId, DashboardId, ProjectId, ProjectUserId, TenantId},
};
use uuid::Uuid;

/// A chart in one of its versions.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Its id.
    pub id: ChartId,
    /// The project that it belongs to.
    pub project: ProjectId,
    /// The connection that its query runs on.
    pub connection: ConnectionId,
    /// Its name.
    pub name: String,
    /// Its version. The first is 1, and each change adds one.
    pub version: i64,
    /// Its query and how it is drawn.
    pub definition: ChartDefinition,
}

/// The creator of a chart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Maker {
    /// The project user, if one created it.
    pub user: Option<ProjectUserId>,
    /// The space whose users may add the chart while it is on no dashboard: a customer, a user without one, or a v1 tenant.
    /// `None` for the project's library.
    pub space: Option<Uuid>,
}

impl Maker {
    /// A project user.
    pub fn user(user: ProjectUserId, customer: Option<CustomerId>) -> Self {
        Self { user: Some(user), space: Some(customer.map_or(user.0, |customer| customer.0)) }
    }

    /// A v1 tenant without a project user.
    pub const fn tenant(tenant: TenantId) -> Self {
        Self { user: None, space: Some(tenant.0) }
    }
}

/// A chart of a project in one version. Without a version: the newest.
///
/// # Errors
/// 404 when the project has no such chart or version.
pub async fn find(conn: &mut Conn<'_>, project: ProjectId, id: ChartId, version: Option<i64>) -> Result<Chart> {
    let found = match version {
        Some(version) => store::find_version(conn, project, id, version).await?,
        None => store::find_newest(conn, project, id).await?,
    };
    found.ok_or_else(|| Error::not_found("Chart"))
}

/// Copies a version of a chart. Returns the id of the copy, whose version is 1.
///
/// # Errors
///
/// 404 when the chart is deleted.
pub async fn copy(conn: &mut Conn<'_>, chart: &Chart, maker: Maker) -> Result<ChartId> {
    let id = ChartId::generate();
    if !store::copy(conn, chart.id, chart.version, id, maker).await? {
        return Err(Error::not_found("Chart"));
    }
    store::copies::descends(conn, id, chart.id, Some(chart.version)).await?;
    Ok(id)
}

/// A copy of a library chart on a shared dashboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedCopy {
    /// The copy.
    pub chart: ChartId,
    /// The dashboard.
    pub dashboard: DashboardId,
    /// The dashboard's application.
    pub application: ApplicationId,
    /// Application and dashboard, as text for people.
    pub named: String,
    /// The version that it was copied from. `None` when unknown.
    pub version: Option<i64>,
    /// Whether somebody changed it on the dashboard since it was copied.
    pub changed: bool,
}

impl PlacedCopy {
    /// Whether updating to the original's newest version would change it.
    pub fn is_behind(&self, newest: i64) -> bool {
        self.changed || self.version != Some(newest)
    }
}
