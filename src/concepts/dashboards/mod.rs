//! Dashboards: who sees which, their charts, and the charts' rows.

mod by_meaning;
pub mod choices;
mod compared;
pub mod data;
pub mod days;
pub mod described;
pub mod edit;
pub mod filters;
pub mod layout;
pub mod lists;
mod number;
pub mod own_copy;
pub mod prepared;
mod store;
pub mod value_names;
pub mod writer;
pub mod writes;

pub use by_meaning::{Filterable, GroupPath, Narrowed, described, filterable};
pub use number::NumberRows;

#[cfg(test)]
mod compared_tests;
#[cfg(test)]
mod model_filters_tests;
#[cfg(test)]
mod prepared_tests;
#[cfg(test)]
mod rows_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod visibility_tests;

#[cfg(test)]
pub(crate) use store::{DashboardChartRow, DashboardRow, DefaultDashboardRow, of_application};
pub use store::{
    Origin, Place, Slot, chart_counts, charts_of_file, charts_on, count_own, count_shared, delete, filters_in_use,
    filters_of_project, find, hold, insert, name_chart, of_file, place, rewrite, set_filters, set_legacy_id, set_position,
    shared_of, touch, unplace, update, version,
};

use crate::{
    concepts::{
        access::HostOrViewer,
        applications::{self, Application},
        charts::Maker,
        projects::{self, Project},
    },
    ground::{
        error::{Error, Result},
        state::App,
        time::Timestamp,
    },
};
use inlay_contract::{
    filter::FilterDefinition,
    grid::GridPosition,
    ids::{ApplicationId, ChartId, CustomerId, DashboardId, ProjectId, ProjectUserId, TenantId},
};
use inlay_query::SecurityContext;
use std::sync::Arc;
use uuid::Uuid;
use writer::{Who, Writer};

/// A dashboard.
#[derive(Clone, Debug, PartialEq)]
pub struct Dashboard {
    /// Its id.
    pub id: DashboardId,
    /// The application that it belongs to.
    pub application: ApplicationId,
    /// Its v1 id, which pages and lookups accept too.
    pub legacy_id: Option<DashboardId>,
    /// Its name.
    pub name: String,
    /// Its owner.
    pub owner: Owner,
    /// The shared dashboard that this copy replaces in its owner's list.
    pub replaces: Option<DashboardId>,
    /// Its filters, in order.
    pub filters: Vec<FilterDefinition>,
    /// Seconds after which an open page asks for its rows again. `None`: never.
    pub refresh: Option<u32>,
    /// When it was created.
    pub created_at: Timestamp,
}

/// The owner of a dashboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// Nobody: every user of the application sees it (kind `template`).
    Shared,
    /// A user; colleagues of the same customer see it, unless it replaces a shared one.
    User {
        /// The user.
        user: ProjectUserId,
        /// Their customer, if they have one.
        customer: Option<CustomerId>,
        /// The v1 tenant that became this user, if one did.
        tenant: Option<TenantId>,
    },
    /// A v1 tenant that has no project user yet.
    Tenant(TenantId),
}

/// A chart on a dashboard.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedChart {
    /// The chart.
    pub chart: crate::concepts::charts::Chart,
    /// Its position.
    pub place: GridPosition,
}

impl Owner {
    /// The owner in the store's columns.
    const fn of(user: Option<ProjectUserId>, customer: Option<CustomerId>, tenant: Option<TenantId>) -> Self {
        match (user, tenant) {
            (Some(user), tenant) => Self::User { user, customer, tenant },
            (None, Some(tenant)) => Self::Tenant(tenant),
            (None, None) => Self::Shared,
        }
    }

    /// Whether a project user may open this owner's dashboards by id.
    pub fn is_seen_by(self, viewer: ProjectUserId, viewers_customer: Option<CustomerId>) -> bool {
        match self {
            Self::Shared => true,
            Self::User { user, customer, .. } => user == viewer || (customer.is_some() && customer == viewers_customer),
            Self::Tenant(_) => false,
        }
    }

    /// The v1 tenant of the owner, mapped to a user or not.
    pub const fn tenant(self) -> Option<TenantId> {
        match self {
            Self::Shared => None,
            Self::User { tenant, .. } => tenant,
            Self::Tenant(tenant) => Some(tenant),
        }
    }

    /// The project user, if it is one.
    pub const fn user(self) -> Option<ProjectUserId> {
        match self {
            Self::User { user, .. } => Some(user),
            Self::Shared | Self::Tenant(_) => None,
        }
    }

    /// The space whose users may add charts from such a dashboard. `None` for every user of the project.
    pub fn space(self) -> Option<Uuid> {
        match self {
            Self::Shared => None,
            Self::User { user, customer, .. } => Maker::user(user, customer).space,
            Self::Tenant(tenant) => Maker::tenant(tenant).space,
        }
    }

    /// The `kind` of such a dashboard in the API.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Shared => "template",
            Self::User { .. } | Self::Tenant(_) => "dashboard",
        }
    }
}

impl Dashboard {
    /// Whether it is the application's default dashboard, or the copy that replaces it.
    pub fn is_default_of(&self, application: &Application) -> bool {
        let default = application.default_dashboard;
        default.is_some() && (default == Some(self.id) || default == self.replaces)
    }

    /// Its id in v1 responses: its v1 id, if it has one.
    pub fn v1_id(&self) -> DashboardId {
        self.legacy_id.unwrap_or(self.id)
    }
}

/// A dashboard of an application that a caller may open. For the owner of a copy, the shared dashboard's id opens the copy.
///
/// # Errors
/// 404 when there is none for this caller.
pub async fn open(app: &App, application: &Application, caller: &HostOrViewer, id: DashboardId) -> Result<Dashboard> {
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    let seer = Writer::v2(caller);
    let right = |dashboard: &Dashboard| dashboard.application == application.id && seer.sees(dashboard);
    let found = store::find(conn, id).await?.filter(right).ok_or_else(|| Error::not_found("Dashboard"))?;
    let copy = match seer.user() {
        Some((user, _)) => store::copy_of(conn, user, found.id).await?,
        None => None,
    };
    Ok(copy.unwrap_or(found))
}

/// A chart on a dashboard that a caller may see, with everything that its rows depend on.
#[derive(Debug)]
pub struct SeenChart {
    /// The project of the application.
    pub project: Arc<Project>,
    /// The filters of the chart's dashboard.
    pub filters: Vec<FilterDefinition>,
    /// The chart's project and version.
    pub chart: (ProjectId, i64),
    /// The values that row rules read for the caller. An API key has no user, so a table with a rule stays closed to it.
    pub context: SecurityContext,
}

/// A chart on a dashboard that a caller may open. For the owner of a copy, the shared dashboard's id finds the charts of both.
///
/// # Errors
/// 404 for the application, the dashboard or the chart; 401 when the viewer is deleted.
pub async fn see_chart(
    app: &App,
    caller: &HostOrViewer,
    application: ApplicationId,
    dashboard: DashboardId,
    chart: ChartId,
) -> Result<SeenChart> {
    let writer = Writer::v2(caller);
    let user = writer.user().map(|(user, _)| user);
    let missing = |what| move || Error::not_found(what);
    let seen = store::seen(&mut app.db.read().await?.conn(), application, dashboard, chart, user).await?;
    let within = |seen: &store::Seen| caller.reach().holds(seen.organization, seen.project);
    let store::Seen { project, dashboard, properties, .. } = seen.filter(within).ok_or_else(missing("Application"))?;
    let visible = |dashboard: &store::SeenDashboard| writer.sees_those_of(dashboard.owner);
    let dashboard = dashboard.filter(visible).ok_or_else(missing("Dashboard"))?;
    let chart = dashboard.chart.ok_or_else(missing("Chart"))?;
    let project = projects::by_id(app, project).await?.ok_or_else(missing("Project"))?;
    let context = match caller {
        HostOrViewer::Viewer(viewer) => viewer.reading(properties)?,
        HostOrViewer::Host(_) => SecurityContext::default(),
    };
    Ok(SeenChart { project, filters: dashboard.filters, chart, context })
}

/// A dashboard by its v1 or v2 id. An API key finds every dashboard of its organization; other callers those that they see.
///
/// # Errors
/// 404 when there is none for this caller.
pub async fn look_up(app: &App, caller: &Writer, id: DashboardId) -> Result<Dashboard> {
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    let missing = || Error::not_found("Dashboard");
    let found =
        store::find(conn, id).await?.filter(|found| caller.who == Who::Host || caller.sees(found)).ok_or_else(missing)?;
    applications::find_within(conn, caller.reach(), found.application).await?.ok_or_else(missing)?;
    Ok(found)
}

/// A chart on a dashboard.
///
/// # Errors
/// 404 when it is not on this dashboard.
pub async fn chart_on(app: &App, dashboard: DashboardId, chart: ChartId) -> Result<PlacedChart> {
    let charts = store::charts_on(&mut app.db.read().await?.conn(), dashboard).await?;
    charts.into_iter().find(|placed| placed.chart.id == chart).ok_or_else(|| Error::not_found("Chart"))
}
