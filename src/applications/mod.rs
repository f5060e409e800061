//! Applications: dashboards with navigation.

pub mod store;

use crate::{
    access::caller::Reach,
    error::{Error, Result},
    state::App,
};
use inlay_contract::{
    ids::{ApplicationId, DashboardId, OrganizationId, ProjectId, WorkspaceId},
    theme::Theme,
};

/// An application.
#[derive(Clone, Debug)]
pub struct Application {
    /// Its id.
    pub id: ApplicationId,
    /// The project that it belongs to.
    pub project: ProjectId,
    /// The organization that owns the project.
    pub organization: OrganizationId,
    /// Its name.
    pub name: String,
    /// Its look.
    pub theme: Theme,
    /// The v1 workspace that it stands for.
    pub legacy_workspace: Option<WorkspaceId>,
    /// The dashboard that opens first.
    pub default_dashboard: Option<DashboardId>,
}

/// An application within a caller's reach.
///
/// # Errors
/// 404 when there is none there.
pub async fn within(app: &App, reach: Reach, id: ApplicationId) -> Result<Application> {
    let found = store::find(&mut app.db.read().await?.conn(), id).await?;
    let within = |application: &Application| match reach {
        Reach::Organization(organization) => application.organization == organization,
        Reach::Project(project) => application.project == project,
    };
    found.filter(within).ok_or_else(|| Error::not_found("Application"))
}
