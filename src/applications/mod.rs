//! Applications: dashboards with navigation.

mod filters;
pub mod manage;
pub mod shared;
pub mod store;
pub mod v2;

use crate::{
    access::caller::Reach,
    error::{Error, Result},
    state::App,
    store::Conn,
    workspaces::{self, Workspace},
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
    /// Its theme.
    pub theme: Theme,
    /// The workspace that its assistant uses, and that v1 lists it under.
    pub legacy_workspace: Option<WorkspaceId>,
    /// The dashboard that opens first.
    pub default_dashboard: Option<DashboardId>,
}

/// An application within a caller's reach.
///
/// # Errors
/// 404 when there is none there.
pub async fn within(app: &App, reach: Reach, id: ApplicationId) -> Result<Application> {
    let found = find_within(&mut app.db.read().await?.conn(), reach, id).await?;
    found.ok_or_else(|| Error::not_found("Application"))
}

/// An application within a caller's reach, if there is one there.
pub async fn find_within(conn: &mut Conn<'_>, reach: Reach, id: ApplicationId) -> Result<Option<Application>> {
    let found = store::find(conn, id).await?;
    Ok(found.filter(|application| reach.holds(application.organization, application.project)))
}

/// Every application within a caller's reach, by name.
pub async fn list(app: &App, reach: Reach) -> Result<Vec<Application>> {
    let mut lease = app.db.read().await?;
    match reach {
        Reach::Organization(organization) => store::of_organization(&mut lease.conn(), organization).await,
        Reach::Project(project) => store::of_project(&mut lease.conn(), project).await,
    }
}

/// The application of a v1 workspace: the oldest one that names it, or a new one with the workspace's name.
pub async fn of_workspace(conn: &mut Conn<'_>, workspace: &Workspace) -> Result<Application> {
    if let Some(known) = store::of_workspace(conn, workspace.id).await? {
        return Ok(known);
    }
    // Concurrent callers wait here, and then find the application that the first one created.
    workspaces::store::lock(conn, workspace.id).await?;
    if let Some(known) = store::of_workspace(conn, workspace.id).await? {
        return Ok(known);
    }
    let names = std::iter::once(workspace.name.clone()).chain((2..).map(|number| format!("{} ({number})", workspace.name)));
    for name in names {
        let id = ApplicationId::generate();
        if store::insert(conn, id, workspace.project, &name, workspace.id).await? {
            return store::find(conn, id).await?.ok_or_else(|| Error::internal("a new application is gone"));
        }
    }
    Err(Error::internal("every numbered name is taken"))
}
