//! Dashboards: who sees which, what stands on them, and their charts' rows.

pub mod data;
pub mod filters;
pub mod store;
pub mod v2;

#[cfg(test)]
mod rows_tests;

use crate::{
    access::{HostOrViewer, Viewer},
    applications::Application,
    error::{Error, Result},
    state::App,
    time::Timestamp,
};
use inlay_contract::{
    filter::FilterDefinition,
    ids::{ApplicationId, ChartId, CustomerId, DashboardId, ProjectUserId, TenantId},
};

/// A dashboard.
#[derive(Clone, Debug, PartialEq)]
pub struct Dashboard {
    /// Its id.
    pub id: DashboardId,
    /// The application that it belongs to.
    pub application: ApplicationId,
    /// Its v1 id, which pages and look-ups take as well.
    pub legacy_id: Option<DashboardId>,
    /// Its name.
    pub name: String,
    /// Who it belongs to.
    pub owner: Owner,
    /// The shared dashboard that this copy replaces in its owner's list.
    pub replaces: Option<DashboardId>,
    /// Its filters, in order.
    pub filters: Vec<FilterDefinition>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// Who a dashboard belongs to.
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
    },
    /// A v1 tenant that has no project user yet.
    Tenant(TenantId),
}

/// A chart's place on the grid of 12 columns; rows are 40 px high.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Left edge, 0–11.
    pub x: u16,
    /// Top edge, in rows.
    pub y: u16,
    /// Width, 1–12.
    pub w: u16,
    /// Height, in rows.
    pub h: u16,
}

/// A chart on a dashboard.
#[derive(Clone, Debug)]
pub struct PlacedChart {
    /// The chart.
    pub chart: crate::charts::Chart,
    /// Where it stands.
    pub place: Place,
}

impl Dashboard {
    /// Whether a viewer may open it by its id.
    pub fn is_visible_to(&self, viewer: &Viewer) -> bool {
        match self.owner {
            Owner::Shared => true,
            Owner::User { user, customer } => user == viewer.user || (customer.is_some() && customer == viewer.customer),
            Owner::Tenant(_) => false,
        }
    }

    /// Whether it stands in a viewer's list: a colleague's copy of a shared dashboard does not.
    fn is_listed_for(&self, viewer: &Viewer) -> bool {
        let own = matches!(self.owner, Owner::User { user, .. } if user == viewer.user);
        self.is_visible_to(viewer) && (own || self.replaces.is_none())
    }

    /// Whether an id names it, in either generation.
    pub fn is_called(&self, id: DashboardId) -> bool {
        self.id == id || self.legacy_id == Some(id)
    }
}

/// A viewer's list of an application's dashboards: one entry per dashboard, an own copy in place of the shared one.
///
/// # Errors
/// The store is away.
pub async fn list_for_viewer(app: &App, application: ApplicationId, viewer: &Viewer) -> Result<Vec<Dashboard>> {
    let all = store::of_application(&mut app.db.read().await?.conn(), application).await?;
    Ok(listed(all, viewer))
}

fn listed(all: Vec<Dashboard>, viewer: &Viewer) -> Vec<Dashboard> {
    let mut shown: Vec<Dashboard> = all.into_iter().filter(|dashboard| dashboard.is_listed_for(viewer)).collect();
    // A copy stands where the dashboard stood that it replaces.
    let copies: Vec<(DashboardId, DashboardId)> =
        shown.iter().filter_map(|copy| copy.replaces.map(|replaced| (copy.id, replaced))).collect();
    for (copy, replaced) in copies {
        let (Some(from), Some(to)) = (
            shown.iter().position(|dashboard| dashboard.id == copy),
            shown.iter().position(|dashboard| dashboard.id == replaced),
        ) else {
            continue;
        };
        shown.swap(from, to);
        shown.remove(from);
    }
    shown
}

/// A dashboard of an application as a caller may open it; for the owner of a copy the shared dashboard's id opens the copy.
///
/// # Errors
/// 404 when there is none for this caller.
pub async fn open(app: &App, application: &Application, caller: &HostOrViewer, id: DashboardId) -> Result<Dashboard> {
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    let found = store::find(conn, id).await?.filter(|dashboard| dashboard.application == application.id);
    let found = found.ok_or_else(|| Error::not_found("Dashboard"))?;
    match caller {
        HostOrViewer::Host(_) if found.owner == Owner::Shared => Ok(found),
        HostOrViewer::Viewer(viewer) if found.is_visible_to(viewer) => {
            Ok(store::copy_of(conn, viewer.user, found.id).await?.unwrap_or(found))
        }
        HostOrViewer::Host(_) | HostOrViewer::Viewer(_) => Err(Error::not_found("Dashboard")),
    }
}

/// A chart on a dashboard.
///
/// # Errors
/// 404 when it does not stand there.
pub async fn chart_on(app: &App, dashboard: DashboardId, chart: ChartId) -> Result<PlacedChart> {
    let charts = store::charts_on(&mut app.db.read().await?.conn(), dashboard).await?;
    charts.into_iter().find(|placed| placed.chart.id == chart).ok_or_else(|| Error::not_found("Chart"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::{
        ids::{OrganizationId, ProjectId},
        permissions::Permissions,
    };

    fn viewer(customer: Option<CustomerId>) -> Viewer {
        Viewer {
            user: ProjectUserId::generate(),
            customer,
            project: ProjectId::generate(),
            organization: OrganizationId::generate(),
            permissions: Permissions::without_role(),
            database_auth_token: None,
        }
    }

    fn dashboard(name: &str, owner: Owner, replaces: Option<DashboardId>) -> Dashboard {
        Dashboard {
            id: DashboardId::generate(),
            application: ApplicationId::generate(),
            legacy_id: None,
            name: name.to_owned(),
            owner,
            replaces,
            filters: Vec::new(),
            created_at: Timestamp(0),
        }
    }

    fn of(viewer: &Viewer) -> Owner {
        Owner::User { user: viewer.user, customer: viewer.customer }
    }

    fn names(all: &[Dashboard], viewer: &Viewer) -> Vec<String> {
        listed(all.to_vec(), viewer).into_iter().map(|dashboard| dashboard.name).collect()
    }

    #[test]
    fn an_own_copy_stands_in_the_place_of_the_shared_dashboard() {
        let customer = Some(CustomerId::generate());
        let (me, colleague, stranger) = (viewer(customer), viewer(customer), viewer(Some(CustomerId::generate())));
        let shared = dashboard("shared", Owner::Shared, None);
        let copy = dashboard("copy", of(&me), Some(shared.id));
        let all = [shared, dashboard("other", Owner::Shared, None), dashboard("mine", of(&me), None), copy.clone()];
        assert_eq!(names(&all, &me), ["copy", "other", "mine"]);
        assert_eq!(names(&all, &colleague), ["shared", "other", "mine"]);
        assert_eq!(names(&all, &stranger), ["shared", "other"]);
        assert!(copy.is_visible_to(&colleague) && !copy.is_visible_to(&stranger));
    }

    #[test]
    fn users_without_a_customer_share_nothing() {
        let (one, other) = (viewer(None), viewer(None));
        let own = dashboard("own", of(&one), None);
        assert!(own.is_visible_to(&one) && !own.is_visible_to(&other));
    }
}
