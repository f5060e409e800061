//! Writes a checked project file to the store, object by object, by name.

use super::{
    apply::{Applied, AppliedApplication, Target, table_of},
    dashboards,
    model::{ChartSection, ProjectFile},
    tiles::TileSources,
};
use crate::{
    concepts::{
        applications, catalog,
        charts::{self, Chart},
        connections,
        projects::{self, Project},
        roles, verified_answers, workspaces,
    },
    ground::{
        error::{Error, Result},
        store::{Conn, version},
    },
};
use inlay_contract::ids::{ChartId, ConnectionId, ProjectId, RoleId, TableId, WorkspaceId};
use inlay_query::Source;
use std::collections::BTreeMap;

/// A checked file that is being written.
pub(super) struct Writing<'a, 'c> {
    pub(super) conn: Conn<'c>,
    pub(super) target: &'a Target<'a>,
    pub(super) file: &'a ProjectFile,
    pub(super) sources: &'a BTreeMap<String, Source>,
}

impl Writing<'_, '_> {
    /// Writes everything. The caller adds warnings and losses.
    pub(super) async fn everything(&mut self) -> Result<Applied> {
        let project = self.project().await?;
        let connections = self.connections(project).await?;
        let tables = self.tables(&connections).await?;
        let roles = self.roles(project).await?;
        let charts = self.charts(project, &connections).await?;
        let workspaces = self.workspaces(project, &connections).await?;
        let (mut applications, mut dashboards) = (BTreeMap::new(), BTreeMap::new());
        let ground = TileSources { project, connections: &connections, library: &charts };
        for section in &self.file.applications {
            let name = &section.name.value;
            let workspace = section.workspace.as_ref().and_then(|name| workspaces.get(&name.value).copied());
            let id = applications::put(&mut self.conn, project, name, &section.theme, workspace).await?;
            applications.insert(name.clone(), AppliedApplication { id, legacy_workspace_id: workspace });
            let applied = dashboards::apply(&mut self.conn, id, section, &ground, workspace.is_some()).await?;
            dashboards.extend(applied.into_iter().map(|(dashboard, ids)| (format!("{name}/{dashboard}"), ids)));
        }
        verified_answers::recheck(&mut self.conn, project).await?;
        version::bump(&mut self.conn, &[self.target.organization.into()]).await?;
        let charts = charts.into_iter().map(|(name, chart)| (name, chart.id)).collect();
        let (warnings, losses) = (Vec::new(), Vec::new());
        let project_id = project;
        Ok(Applied { project_id, connections, tables, roles, charts, workspaces, applications, dashboards, warnings, losses })
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
            metrics: self.file.metrics(),
        };
        projects::put(&mut self.conn, &project).await
    }

    async fn connections(&mut self, project: ProjectId) -> Result<BTreeMap<String, ConnectionId>> {
        for source in self.sources.values() {
            connections::put(&mut self.conn, self.target.sealer, project, source).await?;
        }
        Ok(self.sources.values().map(|source| (source.name.clone(), source.id)).collect())
    }

    async fn tables(&mut self, connections: &BTreeMap<String, ConnectionId>) -> Result<BTreeMap<String, TableId>> {
        let mut ids = BTreeMap::new();
        for (name, connection) in connections {
            let named: Vec<_> = self.file.tables.iter().filter(|table| table.connection.value == *name).collect();
            for old in catalog::of_connection(&mut self.conn, *connection).await? {
                if named.iter().all(|table| table.table.value != old.name) {
                    catalog::delete(&mut self.conn, old.id).await?;
                }
            }
            for section in named {
                let id = catalog::put(&mut self.conn, *connection, &table_of(section)).await?;
                let table = section.table.value.clone();
                let key = if ids.contains_key(&table) { format!("{name}.{table}") } else { table };
                ids.insert(key, id);
            }
        }
        Ok(ids)
    }

    async fn roles(&mut self, project: ProjectId) -> Result<BTreeMap<String, RoleId>> {
        let known = roles::list_of_project(&mut self.conn, project).await?;
        let mut ids = BTreeMap::new();
        for section in &self.file.roles {
            let (name, permissions) = (&section.name.value, &section.permissions);
            let id = match known.iter().find(|role| role.name == *name) {
                Some(role) if role.permissions == *permissions => role.id,
                Some(role) => {
                    roles::update(&mut self.conn, role.id, name, permissions).await?;
                    role.id
                }
                None => roles::insert_row(&mut self.conn, project, name, permissions).await?,
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
            let connection = connection.ok_or_else(|| Error::internal("a checked reference does not exist"))?;
            let known = charts::find_in_library(&mut self.conn, project, name).await?;
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
            let connection = connection.ok_or_else(|| Error::internal("a checked reference does not exist"))?;
            let settings = section.settings();
            let id = workspaces::put(&mut self.conn, project, name).await?;
            let known = workspaces::latest_versions(&mut self.conn, project).await?;
            let latest = known.into_iter().find(|workspace| workspace.id == id);
            if latest.as_ref().and_then(|latest| latest.agent) != section.agent_id {
                workspaces::set_agent(&mut self.conn, id, section.agent_id).await?;
            }
            let same = latest.as_ref().filter(|latest| latest.connection == connection && latest.settings == settings);
            let number = match (same, &latest) {
                (Some(same), _) => same.version,
                (None, latest) => {
                    let number = latest.as_ref().map_or(1, |latest| latest.version + 1);
                    workspaces::add_version(&mut self.conn, id, number, connection, &settings).await?;
                    number
                }
            };
            if section.publish {
                workspaces::publish(&mut self.conn, id, number).await?;
                workspaces::promote(&mut self.conn, id, Some(number)).await?;
            } else if latest.is_some_and(|latest| latest.production == Some(latest.version)) {
                // The file only describes the newest version. An earlier one in production stays there.
                workspaces::promote(&mut self.conn, id, None).await?;
            }
            ids.insert(name.clone(), id);
        }
        Ok(ids)
    }
}

/// Creates or changes a library chart. A change increments its version.
async fn put_chart(
    conn: &mut Conn<'_>,
    known: Option<Chart>,
    project: ProjectId,
    connection: ConnectionId,
    section: &ChartSection,
) -> Result<Chart> {
    let (name, definition) = (section.name.value.clone(), section.definition());
    match known {
        Some(chart) if chart.connection == connection && chart.definition == definition => Ok(chart),
        Some(old) => {
            let chart = Chart { connection, name, version: old.version + 1, definition, ..old };
            charts::update(conn, &chart).await?;
            Ok(chart)
        }
        None => {
            let chart = Chart { id: ChartId::generate(), project, connection, name: name.clone(), version: 1, definition };
            let origin = charts::Origin { library_name: Some(&name), ..Default::default() };
            charts::insert(conn, &chart, origin).await?;
            Ok(chart)
        }
    }
}
