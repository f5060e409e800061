//! Workspaces as members manage them: drafts, publishing, what embeds serve.

use crate::{
    concepts::{
        access::caller::Reach,
        applications::{self, Application},
        organizations::members::{Member, Reads, Works},
        projects,
        workspaces::{self, MOST_STARTERS, Version, WorkspaceSettings, versions},
    },
    ground::{
        audit::{self, Deed},
        checks::{Problems, is_name},
        error::{Code, Error, Result},
        state::App,
    },
};
use inlay_contract::ids::{ConnectionId, ProjectId, WorkspaceId};
use inlay_query::Probed;

/// The workspaces of a project in their newest versions, by name.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn list(app: &App, by: &Member<impl Reads>, project: ProjectId) -> Result<Vec<workspaces::LatestVersion>> {
    projects::of_organization(app, by.organization, project).await?;
    workspaces::latest_versions(&mut app.db.read().await?.conn(), project).await
}

/// A workspace in its newest version, with all versions, oldest first.
///
/// # Errors
/// 404 when the project has no such workspace.
pub async fn find(
    app: &App,
    by: &Member<impl Reads>,
    project: ProjectId,
    id: WorkspaceId,
) -> Result<(workspaces::LatestVersion, Vec<Version>)> {
    let all = list(app, by, project).await?;
    let latest = all.into_iter().find(|one| one.id == id).ok_or_else(|| Error::not_found("Workspace"))?;
    let versions = workspaces::list_versions(&mut app.db.read().await?.conn(), id).await?;
    Ok((latest, versions))
}

/// Makes a workspace with its first draft, or a new draft of the one of an id.
///
/// # Errors
/// 400 for what is wrong in a field, 404 for a connection of another project, 409 `WORKSPACE_NAME_TAKEN`.
pub async fn draft(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    id: Option<WorkspaceId>,
    name: &str,
    connection: ConnectionId,
    settings: &WorkspaceSettings,
) -> Result<WorkspaceId> {
    let open = crate::flows::management::catalog::opened(app, by, project, connection).await?;
    let mut problems = Problems::default();
    problems.note("name", is_name(name));
    let few = settings.example_questions.len() <= MOST_STARTERS;
    problems.note("questions", if few { Ok(()) } else { Err(format!("are at most {MOST_STARTERS}")) });
    let unknown = settings.tables.iter().flatten().find(|table| open.tables.iter().all(|known| known.name != **table));
    let told = |table: &String| format!("`{table}` is no listed table of the connection");
    problems.note("tables", unknown.map_or(Ok(()), |table| Err(told(table))));
    for (number, example) in settings.examples.iter().enumerate() {
        // What the database cannot be asked now, the evaluation asks.
        if let Probed::Refused(told) = app.engine.probe(&open.source, &open.catalog, &example.sql).await {
            problems.note(&format!("example.{number}.sql"), Err(format!("is refused: {told}")));
        }
    }
    problems.finish()?;
    let latest = match id {
        Some(id) => Some(find(app, by, project, id).await?.0),
        None if list(app, by, project).await?.iter().any(|one| one.name == name) => return Err(taken(name)),
        None => None,
    };
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let (id, number, action) = match latest {
        Some(latest) => (latest.id, latest.version + 1, "workspace.drafted"),
        None => (workspaces::put(conn, project, name).await?, 1, "workspace.created"),
    };
    workspaces::lock(conn, id).await?;
    workspaces::add_version(conn, id, number, connection, settings).await?;
    let deed = Deed::new(action, id.0).in_project(project).named(name).with("version", number);
    audit::record(conn, &by.actor(), deed).await?;
    tx.commit().await?;
    Ok(id)
}

fn taken(name: &str) -> Error {
    crate::ground::checks::taken(Code::WorkspaceNameTaken, format!("A workspace called `{name}` exists in this project."))
}

/// Gives a workspace another name. Embeds and conversations know it by its id, and go on.
///
/// # Errors
/// 400 for a name that will not do, 404 for a workspace of another project, 409 `WORKSPACE_NAME_TAKEN`.
pub async fn rename(app: &App, by: &Member<impl Works>, project: ProjectId, id: WorkspaceId, name: &str) -> Result<()> {
    let mut problems = Problems::default();
    problems.note("name", is_name(name));
    problems.finish()?;
    let all = list(app, by, project).await?;
    let old = all.iter().find(|one| one.id == id).ok_or_else(|| Error::not_found("Workspace"))?;
    if all.iter().any(|one| one.id != id && one.name == name) {
        return Err(taken(name));
    }
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    workspaces::rename(conn, id, name).await?;
    let deed = Deed::new("workspace.renamed", id.0).in_project(project).named(name).with("before", old.name.as_str());
    audit::record(conn, &by.actor(), deed).await?;
    tx.commit().await
}

/// What goes with a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uses {
    /// The applications that stand for it, by name: v1 callers' dashboards are found through them.
    pub applications: Vec<String>,
    /// How many conversations users had in it.
    pub conversations: i64,
}

/// Where a workspace is used.
///
/// # Errors
/// 404 for a workspace of another project.
pub async fn uses(app: &App, by: &Member<impl Reads>, project: ProjectId, id: WorkspaceId) -> Result<Uses> {
    find(app, by, project, id).await?;
    let stands_for = |one: &Application| one.legacy_workspace == Some(id);
    let all = applications::list(app, Reach::Project(project)).await?;
    let applications = all.into_iter().filter(stands_for).map(|one| one.name).collect();
    let conversations = workspaces::conversations(&mut app.db.read().await?.conn(), id).await?;
    Ok(Uses { applications, conversations })
}

/// Deletes a workspace with its versions and conversations. Its embeds find nothing any more.
///
/// # Errors
/// 404 for a workspace of another project, 409 `WORKSPACE_IN_PRODUCTION` for one that embeds serve.
pub async fn remove(app: &App, by: &Member<impl Works>, project: ProjectId, id: WorkspaceId) -> Result<()> {
    projects::of_organization(app, by.organization, project).await?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    workspaces::lock(conn, id).await?;
    let all = workspaces::latest_versions(conn, project).await?;
    let latest = all.into_iter().find(|one| one.id == id).ok_or_else(|| Error::not_found("Workspace"))?;
    if latest.production.is_some() {
        let told = "Embeds serve this workspace. Take it out of production first.";
        return Err(Error::new(Code::WorkspaceInProduction, told));
    }
    workspaces::delete(conn, id).await?;
    audit::record(conn, &by.actor(), Deed::new("workspace.deleted", id.0).in_project(project).named(&latest.name)).await?;
    tx.commit().await
}

/// What moves a workspace's versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// A version may be promoted from now on.
    Publish(i64),
    /// A published version is what embeds serve.
    Promote(i64),
    /// The published version before the one in production is what embeds serve.
    RollBack,
    /// Embeds say that the workspace has not been published.
    Unpublish,
}

/// Moves a workspace's versions.
///
/// # Errors
/// 404 for a workspace or version that is not the project's, 409 where the versions do not allow it.
pub async fn advance(app: &App, by: &Member<impl Works>, project: ProjectId, id: WorkspaceId, step: Move) -> Result<()> {
    let (latest, _) = find(app, by, project, id).await?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let (action, number) = match step {
        Move::Publish(number) => ("workspace.published", Some(versions::publish(conn, id, Some(number)).await?)),
        Move::Promote(number) => ("workspace.promoted", Some(versions::promote(conn, id, Some(number)).await?)),
        Move::RollBack => ("workspace.rolledBack", Some(versions::roll_back(conn, id).await?)),
        Move::Unpublish => {
            workspaces::promote(conn, id, None).await?;
            ("workspace.unpublished", None)
        }
    };
    let deed = Deed::new(action, id.0).in_project(project).named(&latest.name).with("version", number);
    audit::record(conn, &by.actor(), deed).await?;
    tx.commit().await
}
