//! Workspaces, managed by members: drafts, publishing, promoting to production.

use crate::{
    concepts::{
        access::caller::Reach,
        applications::{self, Application},
        chat::checking::{Checked, check_query},
        dashboards::data,
        organizations::members::{Member, Reads, Works},
        projects, verified_answers,
        workspaces::{self, MOST_STARTERS, Version, WorkspaceSettings, versions},
    },
    ground::{
        audit::{self, Actor, Deed},
        checks::is_name,
        error::{Code, Error, Result},
        problems::Problems,
        state::App,
        store::Db,
    },
};
use inlay_contract::ids::{AgentId, ConnectionId, ProjectId, WorkspaceId};

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

/// Creates a workspace with its first draft, or a new draft of the one with this id.
///
/// # Errors
/// 400 for an invalid field, 404 for a connection of another project, 409 `WORKSPACE_NAME_TAKEN`.
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
    problems.note("questions", if few { Ok(()) } else { Err(format!("must be at most {MOST_STARTERS}")) });
    let unknown = settings.tables.iter().flatten().find(|table| open.tables.iter().all(|known| known.name != **table));
    let told = |table: &String| format!("`{table}` is not a listed table of the connection");
    problems.note("tables", unknown.map_or(Ok(()), |table| Err(told(table))));
    let owner = projects::of_organization(app, by.organization, project).await?;
    let day = data::today(None, &owner).day;
    for (number, example) in settings.examples.iter().enumerate() {
        // While the database does not respond, only the evaluation checks the query.
        if let Checked::Refused(told) = check_query(app, &open, settings, &example.query, day).await {
            problems.note(&format!("example.{number}.query"), Err(format!("is refused: {told}")));
        }
    }
    problems.finish()?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    projects::lock(conn, project).await?;
    let mut all = workspaces::latest_versions(conn, project).await?.into_iter();
    let latest = match id {
        Some(id) => Some(all.find(|one| one.id == id).ok_or_else(|| Error::not_found("Workspace"))?),
        None if all.any(|one| one.name == name) => return Err(taken(name)),
        None => None,
    };
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
    crate::ground::checks::taken(
        Code::WorkspaceNameTaken,
        format!("A workspace named `{name}` already exists in this project. Choose another name."),
    )
}

/// Renames a workspace. Embeds and conversations refer to its id and continue to work.
///
/// # Errors
/// 400 for an invalid name, 404 for a workspace of another project, 409 `WORKSPACE_NAME_TAKEN`.
pub async fn rename(app: &App, by: &Member<impl Works>, project: ProjectId, id: WorkspaceId, name: &str) -> Result<()> {
    let mut problems = Problems::default();
    problems.note("name", is_name(name));
    problems.finish()?;
    projects::of_organization(app, by.organization, project).await?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    projects::lock(conn, project).await?;
    let all = workspaces::latest_versions(conn, project).await?;
    let old = all.iter().find(|one| one.id == id).ok_or_else(|| Error::not_found("Workspace"))?;
    if all.iter().any(|one| one.id != id && one.name == name) {
        return Err(taken(name));
    }
    workspaces::rename(conn, id, name).await?;
    let deed = Deed::new("workspace.renamed", id.0).in_project(project).named(name).with("before", old.name.as_str());
    audit::record(conn, &by.actor(), deed).await?;
    tx.commit().await
}

/// Sets the v1 agent that a workspace of a project replaces, for a member.
///
/// # Errors
/// As [`replace_agent`].
pub async fn set_agent(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    id: WorkspaceId,
    agent: Option<AgentId>,
) -> Result<()> {
    projects::of_organization(app, by.organization, project).await?;
    replace_agent(&app.db, &by.actor(), Reach::Project(project), id, agent).await
}

/// Sets the v1 agent that a workspace replaces: v1 hosts name the workspace by it in save-from-chat (docs/spec/contract.md, D11).
///
/// # Errors
/// 404 for a workspace out of reach, 400 when another workspace of the project replaces the agent.
pub async fn replace_agent(db: &Db, actor: &Actor, reach: Reach, id: WorkspaceId, agent: Option<AgentId>) -> Result<()> {
    let mut tx = db.write().await?;
    let conn = &mut tx.conn();
    let workspace = workspaces::find_within(conn, reach, id).await?.ok_or_else(|| Error::not_found("Workspace"))?;
    let all = workspaces::latest_versions(conn, workspace.project).await?;
    if let Some(other) = all.iter().find(|one| one.id != id && agent.is_some() && one.agent == agent) {
        return Err(Error::invalid("agentId", format!("is the agent of the workspace {}", other.name)));
    }
    workspaces::set_agent(conn, id, agent).await?;
    let deed = Deed::new("workspace.agentChanged", id.0).in_project(workspace.project).named(&workspace.name);
    let deed = deed.with("agentId", agent.map(|agent| agent.to_string()));
    audit::record(conn, actor, deed).await?;
    tx.commit().await
}

/// The uses of a workspace, which lose it when it is deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uses {
    /// The applications of the workspace, by name. v1 callers find dashboards through them.
    pub applications: Vec<String>,
    /// The number of users' conversations in it.
    pub conversations: i64,
}

/// The uses of a workspace.
///
/// # Errors
/// 404 for a workspace of another project.
pub async fn uses(app: &App, by: &Member<impl Reads>, project: ProjectId, id: WorkspaceId) -> Result<Uses> {
    find(app, by, project, id).await?;
    let stands_for = |one: &Application| one.workspace == Some(id);
    let all = applications::all(app, Reach::Project(project)).await?;
    let applications = all.into_iter().filter(stands_for).map(|one| one.name).collect();
    let conversations = workspaces::conversations(&mut app.db.read().await?.conn(), id).await?;
    Ok(Uses { applications, conversations })
}

/// Deletes a workspace with its versions and conversations. Its embeds are not found any more.
///
/// # Errors
/// 404 for a workspace of another project, 409 `WORKSPACE_IN_PRODUCTION` for one in production.
pub async fn remove(app: &App, by: &Member<impl Works>, project: ProjectId, id: WorkspaceId) -> Result<()> {
    projects::of_organization(app, by.organization, project).await?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    workspaces::lock(conn, id).await?;
    let all = workspaces::latest_versions(conn, project).await?;
    let latest = all.into_iter().find(|one| one.id == id).ok_or_else(|| Error::not_found("Workspace"))?;
    if latest.production.is_some() {
        let told = "This workspace is in production. Take it out of production first.";
        return Err(Error::new(Code::WorkspaceInProduction, told));
    }
    workspaces::delete(conn, id).await?;
    audit::record(conn, &by.actor(), Deed::new("workspace.deleted", id.0).in_project(project).named(&latest.name)).await?;
    tx.commit().await
}

/// A change of a workspace's versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Makes a version available for promotion.
    Publish(i64),
    /// Promotes a published version to production.
    Promote(i64),
    /// Puts the previously published version back into production.
    RollBack,
    /// Takes the workspace out of production: embeds say that it has not been published.
    Unpublish,
}

/// Changes the state of a workspace's versions.
///
/// # Errors
/// 404 for a workspace or version of another project, 409 when the versions' state does not allow it.
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
    // Another version may cover other tables.
    verified_answers::recheck(conn, project).await?;
    tx.commit().await
}
