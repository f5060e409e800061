//! Applying a project file: one transaction, by name. What the file once made and no longer names goes (tables of the catalogue,
//! dashboards, charts on them); roles, connections, library charts, workspaces and applications stay, for others may use them.

use super::{
    Problem, check,
    dashboards::{self, AppliedDashboard},
    model::{ChartSection, ProjectFile},
    sources::{self, Environment, SourceWarning},
    standing::Standing,
};
use crate::{
    applications,
    audit::{self, Actor, Deed},
    catalog,
    catalog::CatalogTable,
    charts::{self, Chart},
    connections,
    error::{Error, Result},
    organizations,
    projects::{self, Project},
    roles,
    store::{Conn, Db, Tx, seal::Sealer, version},
    workspaces,
};
use inlay_contract::{
    chart::definition::ChartDefinition,
    ids::{ApplicationId, ChartId, ConnectionId, OrganizationId, ProjectId, RoleId, TableId, WorkspaceId},
};
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
    /// Tables; `connection.table` where two connections have a table of one name.
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
    /// What the operator should know about the connections.
    pub warnings: Vec<SourceWarning>,
}

/// An application's ids.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AppliedApplication {
    /// The application.
    pub id: ApplicationId,
    /// The v1 workspace that it stands for.
    pub legacy_workspace_id: Option<WorkspaceId>,
}

/// Why a file was not applied; nothing has changed.
#[derive(Debug, thiserror::Error)]
pub enum ApplyProblem {
    /// The file is bad.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    File(Vec<Problem>),
    /// The organization is not there, or the store is away.
    #[error("{0}")]
    Store(#[from] Error),
}

impl From<Problem> for ApplyProblem {
    fn from(problem: Problem) -> Self {
        Self::File(vec![problem])
    }
}

/// Where a file is applied.
pub struct Target<'a> {
    /// The store.
    pub db: &'a Db,
    /// Seals connections.
    pub sealer: &'a Sealer,
    /// Looks into the databases.
    pub engine: &'a Engine,
    /// The organization that the project belongs to.
    pub organization: OrganizationId,
}

/// A file on its way into a project.
#[derive(Clone, Copy)]
pub struct Incoming<'a> {
    /// What it says.
    pub text: &'a str,
    /// The folder that it stands in.
    pub folder: &'a Path,
    /// Where `${NAME}` is read from.
    pub environment: Environment<'a>,
    /// What the project was when whoever applies the file last looked at it, as [`Standing::fingerprint`] tells it; what others
    /// have changed since is not overwritten. None where nobody looked.
    pub seen: Option<&'a str>,
}

/// Applies a file that stands in a folder, for the command line.
///
/// # Errors
/// Everything that is wrong with the file, with line and field; or the store is away. Nothing has changed then.
pub async fn apply(
    target: &Target<'_>,
    text: &str,
    folder: &Path,
    environment: Environment<'_>,
) -> Result<Applied, ApplyProblem> {
    apply_as(target, &Actor::operator(target.organization), &Incoming { text, folder, environment, seen: None }).await
}

/// The same in the name of somebody.
///
/// # Errors
/// As [`apply`]; 409 `CHANGED_MEANWHILE` when the project is no longer what was looked at.
pub async fn apply_as(target: &Target<'_>, actor: &Actor, incoming: &Incoming<'_>) -> Result<Applied, ApplyProblem> {
    let written = write(target, actor, incoming).await?;
    written.tx.commit().await?;
    Ok(written.applied)
}

/// A file that is written and may still be taken back.
pub(super) struct Written {
    /// The transaction that it is written in.
    pub(super) tx: Tx,
    /// The file.
    pub(super) file: ProjectFile,
    /// What the project was before.
    pub(super) before: Standing,
    /// What was made of the file.
    pub(super) applied: Applied,
}

/// Checks a file and writes it, up to the end of the transaction.
pub(super) async fn write(target: &Target<'_>, actor: &Actor, incoming: &Incoming<'_>) -> Result<Written, ApplyProblem> {
    let file = ProjectFile::parse(incoming.text)?;
    refuse(check::problems(&file))?;
    organizations::store::find(&mut target.db.read().await?.conn(), target.organization).await?;
    let sources = sources_of(target, &file, incoming.folder, incoming.environment).await?;
    refuse(sources::problems(&file, &sources, target.engine).await)?;
    refuse(refused_queries(&file, &sources))?;
    let warnings = sources::warnings(&sources, target.engine, |connection| catalog_of(&file, connection)).await;
    let mut tx = target.db.write().await?;
    let name = &file.project.name.value;
    let before = Standing::read(&mut tx.conn(), target.sealer, target.organization, name).await?;
    if incoming.seen.is_some_and(|seen| seen != before.fingerprint()) {
        return Err(changed_meanwhile().into());
    }
    let mut writing = Writing { conn: tx.conn(), target, file: &file, sources: &sources };
    let applied = Applied { warnings, ..writing.everything().await? };
    let deed = Deed::new("project.applied", applied.project_id.0).in_project(applied.project_id).named(name);
    audit::record(&mut tx.conn(), actor, deed).await?;
    Ok(Written { tx, file, before, applied })
}

fn changed_meanwhile() -> Error {
    Error::conflict("CHANGED_MEANWHILE", "Somebody else has changed this project since you opened the page.")
}

fn refuse(problems: Vec<Problem>) -> Result<(), ApplyProblem> {
    if problems.is_empty() { Ok(()) } else { Err(ApplyProblem::File(problems)) }
}

/// The file's sources by name, under the ids that they have in the store already.
async fn sources_of(
    target: &Target<'_>,
    file: &ProjectFile,
    folder: &Path,
    environment: Environment<'_>,
) -> Result<BTreeMap<String, Source>, ApplyProblem> {
    let mut lease = target.db.read().await?;
    let conn = &mut lease.conn();
    let project = projects::store::find_by_name(conn, target.organization, &file.project.name.value).await?;
    let mut sources = BTreeMap::new();
    for (number, section) in file.connections.iter().enumerate() {
        let known = match project {
            Some(project) => connections::store::find_by_name(conn, project, &section.name.value).await?,
            None => None,
        };
        let id = known.unwrap_or_else(ConnectionId::generate);
        sources.insert(section.name.value.clone(), sources::source(section, number, id, folder, environment)?);
    }
    Ok(sources)
}

/// Charts whose SQL no viewer could ever run.
fn refused_queries(file: &ProjectFile, sources: &BTreeMap<String, Source>) -> Vec<Problem> {
    let refused = |(number, chart): (usize, &ChartSection)| {
        let (sql, source) = chart.sql.as_ref().zip(sources.get(&chart.connection.value))?;
        let problem = inlay_query::tables_read(source.kind, &sql.value, &catalog_of(file, &source.name)).err()?;
        let message = format!("the query is refused: {}", problem.detail());
        Some(Problem { line: sql.referenced.line(), field: format!("charts[{number}].sql"), message })
    };
    file.charts.iter().enumerate().filter_map(refused).collect()
}

/// The tables of a connection.
fn catalog_of(file: &ProjectFile, connection: &str) -> Catalog {
    let own = file.tables.iter().filter(|table| table.connection.value == connection);
    Catalog { tables: own.map(|table| table_of(table).as_queried()).collect() }
}

fn table_of(section: &super::model::TableSection) -> CatalogTable {
    CatalogTable {
        id: TableId::generate(),
        name: section.table.value.clone(),
        label: section.label.clone(),
        description: section.description.clone(),
        synonyms: section.synonyms.clone(),
        rows: sources::row_access(section),
        columns: section.columns.clone(),
    }
}

struct Writing<'a, 'c> {
    conn: Conn<'c>,
    target: &'a Target<'a>,
    file: &'a ProjectFile,
    sources: &'a BTreeMap<String, Source>,
}

impl Writing<'_, '_> {
    async fn everything(&mut self) -> Result<Applied> {
        let project = self.project().await?;
        let connections = self.connections(project).await?;
        let tables = self.tables(&connections).await?;
        let roles = self.roles(project).await?;
        let charts = self.charts(project, &connections).await?;
        let workspaces = self.workspaces(project, &connections).await?;
        let (mut applications, mut dashboards) = (BTreeMap::new(), BTreeMap::new());
        for section in &self.file.applications {
            let name = &section.name.value;
            let workspace = section.workspace.as_ref().and_then(|name| workspaces.get(&name.value).copied());
            let id = applications::store::put(&mut self.conn, project, name, &section.theme, workspace).await?;
            applications.insert(name.clone(), AppliedApplication { id, legacy_workspace_id: workspace });
            let applied = dashboards::apply(&mut self.conn, id, section, &charts, workspace.is_some()).await?;
            dashboards.extend(applied.into_iter().map(|(dashboard, ids)| (format!("{name}/{dashboard}"), ids)));
        }
        version::bump(&mut self.conn).await?;
        let charts = charts.into_iter().map(|(name, chart)| (name, chart.id)).collect();
        let warnings = Vec::new();
        Ok(Applied { project_id: project, connections, tables, roles, charts, workspaces, applications, dashboards, warnings })
    }

    async fn project(&mut self) -> Result<ProjectId> {
        let section = &self.file.project;
        let or = |given: &Option<super::model::Name>, default: &str| {
            given.as_ref().map_or_else(|| default.to_owned(), |text| text.value.clone())
        };
        let project = Project {
            id: ProjectId::generate(),
            organization: self.target.organization,
            name: section.name.value.clone(),
            allowed_origins: section.allowed_origins.iter().map(|origin| origin.value.clone()).collect(),
            timezone: or(&section.timezone, "UTC"),
            locale: or(&section.locale, "en"),
        };
        projects::store::put(&mut self.conn, &project).await
    }

    async fn connections(&mut self, project: ProjectId) -> Result<BTreeMap<String, ConnectionId>> {
        for source in self.sources.values() {
            connections::store::put(&mut self.conn, self.target.sealer, project, source).await?;
        }
        Ok(self.sources.values().map(|source| (source.name.clone(), source.id)).collect())
    }

    async fn tables(&mut self, connections: &BTreeMap<String, ConnectionId>) -> Result<BTreeMap<String, TableId>> {
        let mut ids = BTreeMap::new();
        for (name, connection) in connections {
            let named: Vec<_> = self.file.tables.iter().filter(|table| table.connection.value == *name).collect();
            for old in catalog::store::of_connection(&mut self.conn, *connection).await? {
                if named.iter().all(|table| table.table.value != old.name) {
                    catalog::store::delete(&mut self.conn, old.id).await?;
                }
            }
            for section in named {
                let id = catalog::store::put(&mut self.conn, *connection, &table_of(section)).await?;
                let table = section.table.value.clone();
                let key = if ids.contains_key(&table) { format!("{name}.{table}") } else { table };
                ids.insert(key, id);
            }
        }
        Ok(ids)
    }

    async fn roles(&mut self, project: ProjectId) -> Result<BTreeMap<String, RoleId>> {
        let known = roles::store::list(&mut self.conn, project).await?;
        let mut ids = BTreeMap::new();
        for section in &self.file.roles {
            let (name, permissions) = (&section.name.value, &section.permissions);
            let id = match known.iter().find(|role| role.name == *name) {
                Some(role) if role.permissions == *permissions => role.id,
                Some(role) => {
                    roles::store::update(&mut self.conn, role.id, name, permissions).await?;
                    role.id
                }
                None => roles::store::insert(&mut self.conn, project, name, permissions).await?,
            };
            ids.insert(name.clone(), id);
        }
        Ok(ids)
    }

    async fn charts(
        &mut self,
        project: ProjectId,
        connections: &BTreeMap<String, ConnectionId>,
    ) -> Result<BTreeMap<String, Chart>> {
        let mut ready = BTreeMap::new();
        for section in &self.file.charts {
            let name = &section.name.value;
            let connection = connections.get(&section.connection.value).copied();
            let connection = connection.ok_or_else(|| Error::internal("a checked reference leads nowhere"))?;
            let known = charts::store::find_of_file(&mut self.conn, project, name).await?;
            let chart = put_chart(&mut self.conn, known, project, connection, section).await?;
            ready.insert(name.clone(), chart);
        }
        Ok(ready)
    }

    async fn workspaces(
        &mut self,
        project: ProjectId,
        connections: &BTreeMap<String, ConnectionId>,
    ) -> Result<BTreeMap<String, WorkspaceId>> {
        let mut ids = BTreeMap::new();
        for section in &self.file.workspaces {
            let name = &section.name.value;
            let connection = connections.get(&section.connection.value).copied();
            let connection = connection.ok_or_else(|| Error::internal("a checked reference leads nowhere"))?;
            let settings = section.settings();
            let id = workspaces::store::put(&mut self.conn, project, name).await?;
            let known = workspaces::store::latest_versions(&mut self.conn, project).await?;
            let latest = known.into_iter().find(|workspace| workspace.id == id);
            let same = latest.as_ref().filter(|latest| latest.connection == connection && latest.settings == settings);
            let number = match (same, &latest) {
                (Some(same), _) => same.version,
                (None, latest) => {
                    let number = latest.as_ref().map_or(1, |latest| latest.version + 1);
                    workspaces::store::add_version(&mut self.conn, id, number, connection, &settings).await?;
                    number
                }
            };
            if section.publish {
                workspaces::store::publish(&mut self.conn, id, number).await?;
            }
            workspaces::store::promote(&mut self.conn, id, section.publish.then_some(number)).await?;
            ids.insert(name.clone(), id);
        }
        Ok(ids)
    }
}

/// Makes or changes a library chart; a change adds one to its version.
async fn put_chart(
    conn: &mut Conn<'_>,
    known: Option<Chart>,
    project: ProjectId,
    connection: ConnectionId,
    section: &ChartSection,
) -> Result<Chart> {
    let name = section.name.value.clone();
    let definition = ChartDefinition {
        title: name.clone(),
        kind: section.kind,
        sql_override: section.sql.as_ref().map(|sql| sql.value.trim().to_owned()),
        encoding: section.encoding.clone(),
        options: section.options.clone(),
        cache_seconds: section.cache_seconds,
    };
    match known {
        Some(chart) if chart.connection == connection && chart.definition == definition => Ok(chart),
        Some(old) => {
            let chart = Chart { connection, name, version: old.version + 1, definition, ..old };
            charts::store::update(conn, &chart).await?;
            Ok(chart)
        }
        None => {
            let chart = Chart { id: ChartId::generate(), project, connection, name: name.clone(), version: 1, definition };
            let origin = charts::store::Origin { file_name: Some(&name), ..Default::default() };
            charts::store::insert(conn, &chart, origin).await?;
            Ok(chart)
        }
    }
}
