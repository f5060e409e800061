//! Applications: dashboards with navigation.

mod store;

#[cfg(test)]
pub(crate) use store::ApplicationRow;
pub use store::{delete, find, find_by_workspace, of_project, put, set_default, update};

use crate::{
    concepts::{
        access::caller::Reach,
        organizations,
        workspaces::{self, Workspace},
    },
    ground::{
        error::{Error, Result},
        paging::Part,
        state::App,
        store::Conn,
        time::Timestamp,
    },
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
    pub workspace: Option<WorkspaceId>,
    /// The dashboard that opens first.
    pub default_dashboard: Option<DashboardId>,
    /// When it was created.
    pub created_at: Timestamp,
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

/// The place of an application in the lists: its name and id.
pub type Place = (String, ApplicationId);

/// Every application within a caller's reach, by name.
pub async fn all(app: &App, reach: Reach) -> Result<Vec<Application>> {
    Ok(list(app, reach, None, usize::MAX).await?.entries)
}

/// The next applications within a caller's reach, by name.
pub async fn list(app: &App, reach: Reach, after: Option<Place>, most: usize) -> Result<Part<Application, Place>> {
    let mut lease = app.db.read().await?;
    let rows = store::part_within(&mut lease.conn(), reach, after, Part::<Application, Place>::to_read(most)).await?;
    Ok(Part::of(rows, most, |last| (last.name.clone(), last.id)))
}

/// The application of a v1 workspace: the oldest one that names it, or a new one with the workspace's name.
pub async fn of_workspace(conn: &mut Conn<'_>, workspace: &Workspace) -> Result<Application> {
    if let Some(known) = store::find_by_workspace(conn, workspace.id).await? {
        return Ok(known);
    }
    // Concurrent callers wait here, and then find the application that the first one created.
    workspaces::lock(conn, workspace.id).await?;
    if let Some(known) = store::find_by_workspace(conn, workspace.id).await? {
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

/// Whether v1 knows an application by its workspace's id: the oldest application of a workspace. Others go by their own ids.
pub fn stands_for_workspace(application: &Application, all: &[Application]) -> bool {
    let age = |one: &Application| (one.created_at, one.id);
    let older = |other: &Application| other.workspace == application.workspace && age(other) < age(application);
    application.workspace.is_some() && !all.iter().any(older)
}

/// The application of a v1 workspace, if there is one. After the migration is finalized, an application is found by its own id too.
///
/// # Errors
/// 404 when there is no such workspace within reach.
pub async fn of_v1_workspace(conn: &mut Conn<'_>, reach: Reach, id: WorkspaceId) -> Result<Option<Application>> {
    if let Some(workspace) = workspaces::find_within(conn, reach, id).await? {
        return store::find_by_workspace(conn, workspace.id).await;
    }
    let missing = || Error::not_found("Workspace");
    let application = find_within(conn, reach, ApplicationId(id.0)).await?.ok_or_else(missing)?;
    let finalized = organizations::find(conn, application.organization).await?.migration_finalized;
    if finalized { Ok(Some(application)) } else { Err(missing()) }
}
