//! Applying a project file: one transaction, objects identified by name. Tables of the catalogue, dashboards and charts on them
//! that the file created and no longer lists are deleted. Roles, connections, library charts, workspaces and applications stay,
//! because others may use them.

use super::{
    FileProblem, check,
    dashboards::AppliedDashboard,
    export,
    losses::{self, Loss},
    model::ProjectFile,
    project_state::ProjectState,
    queries, semantics,
    sources::{self, Environment, SourceWarning},
    writing::Writing,
};
use crate::{
    concepts::{
        catalog::CatalogTable,
        connections, isolation, key_checks,
        organizations::{self, members::lock_organization},
        projects,
    },
    flows::catalogues::Catalogues,
    ground::{
        audit::{self, Actor, Deed},
        error::{Code, Error, Result},
        store::{Db, Tx, seal::Sealer},
    },
};
use inlay_contract::ids::{ApplicationId, ChartId, ConnectionId, OrganizationId, ProjectId, RoleId, TableId, WorkspaceId};
use inlay_query::{Catalog, Engine, Source};
use serde::Serialize;
use std::{collections::BTreeMap, path::Path};

/// What `inlay apply --json` prints: names → ids.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Applied {
    /// The project.
    pub project_id: ProjectId,
    /// Connections.
    pub connections: BTreeMap<String, ConnectionId>,
    /// Tables; `connection.table` where two connections have a table with the same name.
    pub tables: BTreeMap<String, TableId>,
    /// Roles.
    pub roles: BTreeMap<String, RoleId>,
    /// Library charts.
    pub charts: BTreeMap<String, ChartId>,
    /// Workspaces.
    pub workspaces: BTreeMap<String, WorkspaceId>,
    /// Applications.
    pub applications: BTreeMap<String, AppliedApplication>,
    /// Dashboards, by `Application/Dashboard`.
    pub dashboards: BTreeMap<String, AppliedDashboard>,
    /// Warnings for the operator about the connections.
    pub warnings: Vec<SourceWarning>,
    /// Objects that were removed while in use.
    pub losses: Vec<Loss>,
}

/// An application's ids.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AppliedApplication {
    /// The application.
    pub id: ApplicationId,
    /// The workspace that its assistant uses, and that v1 lists it under.
    pub legacy_workspace_id: Option<WorkspaceId>,
}

/// Why a file was not applied. Nothing has changed.
#[derive(Debug, thiserror::Error)]
pub enum ApplyProblem {
    /// The file has errors.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    File(Vec<FileProblem>),
    /// An error of the store or a conflict.
    #[error("{0}")]
    Store(#[from] Error),
}

impl From<FileProblem> for ApplyProblem {
    fn from(problem: FileProblem) -> Self {
        Self::File(vec![problem])
    }
}

/// The service that a file is applied to.
pub struct Target<'a> {
    /// The store.
    pub db: &'a Db,
    /// Encrypts connections.
    pub sealer: &'a Sealer,
    /// Checks queries and connections.
    pub engine: &'a Engine,
    /// The organization of the project.
    pub organization: OrganizationId,
}

/// A file to apply.
#[derive(Clone, Copy)]
pub struct Incoming<'a> {
    /// Its text.
    pub text: &'a str,
    /// The folder that relative paths start from.
    pub folder: &'a Path,
    /// The source of `${NAME}`.
    pub environment: Environment<'a>,
    /// The project's state that the caller saw, as returned by [`ProjectState::fingerprint`]. A project that has changed since
    /// is not overwritten. `None` skips this check.
    pub seen: Option<&'a str>,
    /// The losses that the caller confirmed, as returned by [`losses::fingerprint`]. `None` skips this check.
    pub despite: Option<&'a str>,
    /// Whether to count in the databases that declared keys are unique.
    pub check_data: bool,
}

/// Applies a file in a folder, for the command line.
///
/// # Errors
/// Every problem of the file, with line and field. Nothing has changed then.
pub async fn apply(
    target: &Target<'_>,
    text: &str,
    folder: &Path,
    environment: Environment<'_>,
) -> Result<Applied, ApplyProblem> {
    let incoming = Incoming { text, folder, environment, seen: None, despite: None, check_data: false };
    apply_as(target, &Actor::operator(target.organization), &incoming).await
}

/// Applies a file for an actor.
///
/// # Errors
/// As [`apply`]; 409 `CHANGED_MEANWHILE` when the project has changed since the caller saw it, `STILL_USED` when the file
/// removes objects in use and the caller has not confirmed that.
pub async fn apply_as(target: &Target<'_>, actor: &Actor, incoming: &Incoming<'_>) -> Result<Applied, ApplyProblem> {
    let written = write(target, actor, incoming).await?;
    if incoming.despite.is_some_and(|told| told != losses::fingerprint(&written.applied.losses)) {
        let told = "Nothing was applied yet: the file removes objects that are still in use. Apply it again to continue.";
        return Err(Error::new(Code::StillUsed, told).into());
    }
    written.tx.commit().await?;
    Ok(written.applied)
}

/// An applied file whose transaction is not committed yet.
pub(super) struct Written {
    /// The transaction.
    pub(super) tx: Tx,
    /// The file.
    pub(super) file: ProjectFile,
    /// The project before.
    pub(super) before: ProjectState,
    /// The result.
    pub(super) applied: Applied,
}

/// Checks a file and applies it, without committing the transaction.
pub(super) async fn write(target: &Target<'_>, actor: &Actor, incoming: &Incoming<'_>) -> Result<Written, ApplyProblem> {
    let file = ProjectFile::parse(incoming.text)?;
    let stood = stood(target, &file.project.name.value).await?;
    refuse(check::problems(&file, stood.as_ref()))?;
    let sources = sources_of(target, &file, incoming.folder, incoming.environment).await?;
    refuse(sources::problems(&file, &sources, target.engine).await)?;
    refuse(queries::refused(&file, stood.as_ref(), &sources))?;
    if incoming.check_data {
        refuse(semantics::repeated_keys(&file, &sources, target.engine).await)?;
    }
    let warnings = sources::warnings(&sources, target.engine, |connection| catalog_of(&file, connection)).await;
    let mut tx = target.db.write().await?;
    tx.take_time().await?;
    let name = &file.project.name.value;
    // The project stays as it is compared below until the file is written; another file that creates it waits, too.
    lock_organization(&mut tx.conn(), target.organization).await?;
    if let Some(project) = projects::find_by_name(&mut tx.conn(), target.organization, name).await? {
        projects::lock(&mut tx.conn(), project).await?;
    }
    let before = ProjectState::read(&mut tx.conn(), target.sealer, target.organization, name).await?;
    if incoming.seen.is_some_and(|seen| seen != before.fingerprint()) {
        return Err(changed_meanwhile().into());
    }
    let catalogues = match projects::find_by_name(&mut tx.conn(), target.organization, name).await? {
        Some(project) => Some(Catalogues::read(&mut tx.conn(), target.sealer, project).await?),
        None => None,
    };
    let mut writing = Writing { conn: tx.conn(), target, file: &file, sources: &sources };
    let mut applied = Applied { warnings, ..writing.everything().await? };
    if let Some(allowed) = file.project.isolation_check {
        isolation::allow(&mut tx.conn(), actor, applied.project_id, name, allowed).await?;
    }
    if let Some(allowed) = file.project.key_check {
        key_checks::allow(&mut tx.conn(), actor, applied.project_id, name, allowed).await?;
    }
    if let Some(before) = catalogues {
        let conn = &mut tx.conn();
        let after = Catalogues::read(conn, target.sealer, applied.project_id).await?;
        applied.losses = before.lost_in(&after, conn, applied.project_id).await?;
    }
    let deed = Deed::new("project.applied", applied.project_id.0).in_project(applied.project_id).named(name);
    audit::record(&mut tx.conn(), actor, deed).await?;
    Ok(Written { tx, file, before, applied })
}

fn changed_meanwhile() -> Error {
    Error::new(Code::ChangedMeanwhile, "This project was changed since you opened the page.")
}

fn refuse(problems: Vec<FileProblem>) -> Result<(), ApplyProblem> {
    if problems.is_empty() { Ok(()) } else { Err(ApplyProblem::File(problems)) }
}

/// The file's sources by name, with the ids that they already have in the store.
async fn sources_of(
    target: &Target<'_>,
    file: &ProjectFile,
    folder: &Path,
    environment: Environment<'_>,
) -> Result<BTreeMap<String, Source>, ApplyProblem> {
    let mut lease = target.db.read().await?;
    let conn = &mut lease.conn();
    let project = projects::find_by_name(conn, target.organization, &file.project.name.value).await?;
    let mut sources = BTreeMap::new();
    for (number, section) in file.connections.iter().enumerate() {
        let known = match project {
            Some(project) => connections::find_by_name(conn, project, &section.name.value).await?,
            None => None,
        };
        let id = known.unwrap_or_else(ConnectionId::generate);
        sources.insert(section.name.value.clone(), sources::source(section, number, id, folder, environment)?);
    }
    Ok(sources)
}

/// The existing project with this name, as a file. `None` when there is none.
async fn stood(target: &Target<'_>, name: &str) -> Result<Option<ProjectFile>> {
    let mut lease = target.db.read().await?;
    let conn = &mut lease.conn();
    organizations::find(conn, target.organization).await?;
    match projects::find_by_name(conn, target.organization, name).await? {
        Some(project) => export::written(conn, target.sealer, project).await.map(Some),
        None => Ok(None),
    }
}

/// The tables of a connection.
pub(super) fn catalog_of(file: &ProjectFile, connection: &str) -> Catalog {
    let own = file.tables.iter().filter(|table| table.connection.value == connection);
    Catalog::new(own.map(|table| table_of(table).as_queried()).collect())
}

/// A table as the file defines it.
pub(super) fn table_of(section: &super::model::TableSection) -> CatalogTable {
    CatalogTable {
        id: TableId::generate(),
        name: section.table.value.clone(),
        label: section.label.clone(),
        description: section.description.clone(),
        synonyms: section.synonyms.clone(),
        rows: sources::row_access(section),
        columns: section.columns.clone(),
        model: section.model(),
    }
}
