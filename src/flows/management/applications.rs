//! Applications, managed by members. An application that is created here equals one of a project file: it is exported, and
//! applied again, by name.

use crate::{
    concepts::{
        access::caller::Reach,
        applications::{self, Application},
        organizations::members::{Member, Reads, Works},
        projects, workspaces,
    },
    ground::{
        audit::{self, Deed},
        checks::is_name,
        error::{Code, Error, Result},
        state::App,
        store::Conn,
    },
};
use inlay_contract::{
    ids::{ApplicationId, ProjectId, WorkspaceId},
    theme::Theme,
};

/// An application of a project.
///
/// # Errors
/// 404 when the project has no such application.
pub async fn find(app: &App, by: &Member<impl Reads>, project: ProjectId, id: ApplicationId) -> Result<Application> {
    projects::of_organization(app, by.organization, project).await?;
    crate::concepts::applications::within(app, Reach::Project(project), id).await
}

/// Creates an application with Inlay's default theme.
///
/// # Errors
/// 400 for an invalid name, 409 `APPLICATION_NAME_TAKEN`.
pub async fn create(app: &App, by: &Member<impl Works>, project: ProjectId, name: &str) -> Result<ApplicationId> {
    projects::of_organization(app, by.organization, project).await?;
    is_name(name).map_err(|problem| Error::invalid("name", problem))?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    projects::lock(conn, project).await?;
    name_is_free(conn, project, name, None).await?;
    let id = applications::put(conn, project, name, &Theme::default(), None).await?;
    audit::record(conn, &by.actor(), Deed::new("application.created", id.0).in_project(project).named(name)).await?;
    tx.commit().await?;
    Ok(id)
}

async fn name_is_free(conn: &mut Conn<'_>, project: ProjectId, name: &str, own: Option<ApplicationId>) -> Result<()> {
    let all = applications::of_project(conn, project).await?;
    if all.iter().any(|other| other.name == name && Some(other.id) != own) {
        return Err(crate::ground::checks::taken(
            Code::ApplicationNameTaken,
            format!("An application named `{name}` already exists in this project. Choose another name."),
        ));
    }
    Ok(())
}

/// The settings of an application.
#[derive(Clone, Debug)]
pub struct ApplicationSettings {
    /// Its name.
    pub name: String,
    /// Its theme.
    pub theme: Theme,
    /// The workspace that its assistant uses, and that v1 lists it under.
    pub workspace: Option<WorkspaceId>,
}

/// Changes an application's name, theme and workspace.
///
/// # Errors
/// 400 for an invalid name or another project's workspace, 404 for an application of another project, 409 `APPLICATION_NAME_TAKEN`.
pub async fn change(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    id: ApplicationId,
    settings: &ApplicationSettings,
) -> Result<()> {
    find(app, by, project, id).await?;
    let ApplicationSettings { name, theme, workspace } = settings;
    is_name(name).map_err(|problem| Error::invalid("name", problem))?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    projects::lock(conn, project).await?;
    name_is_free(conn, project, name, Some(id)).await?;
    if let Some(workspace) = workspace {
        let found = workspaces::find(conn, *workspace).await?.filter(|found| found.project == project);
        found.ok_or_else(|| Error::invalid("workspace", "does not exist in this project"))?;
    }
    applications::update(conn, id, name, theme, *workspace).await?;
    audit::record(conn, &by.actor(), Deed::new("application.changed", id.0).in_project(project).named(name)).await?;
    tx.commit().await
}

/// Deletes an application with its dashboards, those of users included.
///
/// # Errors
/// 404 for an application of another project.
pub async fn remove(app: &App, by: &Member<impl Works>, project: ProjectId, id: ApplicationId) -> Result<()> {
    let application = find(app, by, project, id).await?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    applications::delete(conn, id).await?;
    audit::record(conn, &by.actor(), Deed::new("application.deleted", id.0).in_project(project).named(&application.name))
        .await?;
    tx.commit().await
}
