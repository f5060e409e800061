//! The state of a project, as far as a project file can express it, object by object: used to compare two states of a project,
//! or a file with a project.

use super::{export, model::ProjectFile};
use crate::{
    concepts::{applications, charts, connections, dashboards, organizations::secret, projects, workspaces},
    ground::{
        error::{Error, Result},
        names::free,
        store::{Conn, seal::Sealer},
    },
};
use inlay_contract::ids::{OrganizationId, ProjectId};
use inlay_query::SourceKindExt;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// The kind of an object, in the order of the file's sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names are the file's own")]
pub enum ObjectKind {
    Project,
    Connection,
    Table,
    Metric,
    Role,
    Chart,
    Workspace,
    Application,
    Dashboard,
}

impl fmt::Display for ObjectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Project => "project",
            Self::Connection => "connection",
            Self::Table => "table",
            Self::Metric => "metric",
            Self::Role => "role",
            Self::Chart => "chart",
            Self::Workspace => "workspace",
            Self::Application => "application",
            Self::Dashboard => "dashboard",
        })
    }
}

/// An object by its kind and name: `warehouse.flights`, `Operations / Overview`.
pub type ObjectKey = (ObjectKind, String);

/// The field that replaces a URL which must not be shown.
pub const SEALED: &str = "sealed";

/// The fields of each object.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ProjectState(#[serde(serialize_with = "as_list")] pub BTreeMap<ObjectKey, Map<String, Value>>);

fn as_list<S: serde::Serializer>(things: &BTreeMap<ObjectKey, Map<String, Value>>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(things)
}

impl ProjectState {
    /// The state that a file describes.
    pub fn of(file: &ProjectFile) -> Result<Self> {
        let mut project_state = Self::default();
        project_state.put(ObjectKind::Project, &file.project.name.value, &file.project, &["name"])?;
        for section in &file.connections {
            project_state.put(ObjectKind::Connection, &section.name.value, section, &["name"])?;
        }
        for section in &file.tables {
            let name = format!("{}.{}", section.connection.value, section.table.value);
            project_state.put(ObjectKind::Table, &name, section, &["connection", "table"])?;
        }
        for (name, metric) in &file.metrics {
            project_state.put(ObjectKind::Metric, name, metric, &[])?;
        }
        for section in &file.roles {
            project_state.put(ObjectKind::Role, &section.name.value, section, &["name"])?;
        }
        for section in &file.charts {
            project_state.put(ObjectKind::Chart, &section.name.value, section, &["name"])?;
        }
        for section in &file.workspaces {
            project_state.put(ObjectKind::Workspace, &section.name.value, section, &["name"])?;
        }
        for section in &file.applications {
            let name = &section.name.value;
            project_state.put(ObjectKind::Application, name, section, &["name", "dashboards"])?;
            let order: Vec<_> = section.dashboards.iter().map(|dashboard| dashboard.name.value.as_str()).collect();
            let first = section.dashboards.iter().find(|dashboard| dashboard.default).map(|one| one.name.value.as_str());
            project_state.tell(ObjectKind::Application, name, "dashboards", json!(order));
            project_state.tell(ObjectKind::Application, name, "opensFirst", json!(first.or(order.first().copied())));
            for dashboard in &section.dashboards {
                let name = format!("{name} / {}", dashboard.name.value);
                project_state.put(ObjectKind::Dashboard, &name, dashboard, &["name", "default", "filters", "charts"])?;
                let filters = dashboard.filters.iter().map(|filter| Ok((filter.key.value.clone(), fields(filter, &["key"])?)));
                let tiles = dashboard.charts.iter().map(|tile| Ok((tile.chart.value.clone(), fields(tile, &["chart"])?)));
                project_state.tell(ObjectKind::Dashboard, &name, "filters", numbered(filters)?);
                project_state.tell(ObjectKind::Dashboard, &name, "charts", numbered(tiles)?);
            }
        }
        Ok(project_state)
    }

    /// The stored state of the project with this name; empty when there is none. Beside a file's fields it holds the versions
    /// of charts and workspaces, and whether a hidden URL differs.
    pub async fn read(conn: &mut Conn<'_>, sealer: &Sealer, organization: OrganizationId, name: &str) -> Result<Self> {
        let Some(project) = projects::find_by_name(conn, organization, name).await? else {
            return Ok(Self::default());
        };
        let mut project_state = Self::of(&export::written(conn, sealer, project).await?)?;
        for source in connections::list(conn, sealer, project).await? {
            if !source.kind.is_file() {
                let sealed = json!({ SEALED: secret::derived("address", &source.url) });
                project_state.tell(ObjectKind::Connection, &source.name, "url", sealed);
            }
        }
        for chart in charts::list_of_file(conn, project).await? {
            project_state.tell(ObjectKind::Chart, &chart.name, "version", json!(chart.version));
        }
        for workspace in workspaces::latest_versions(conn, project).await? {
            project_state.tell(ObjectKind::Workspace, &workspace.name, "version", json!(workspace.version));
        }
        project_state.tiles(conn, project).await?;
        Ok(project_state)
    }

    /// Adds the versions of charts on dashboards, because a copy follows its original when a file is applied.
    async fn tiles(&mut self, conn: &mut Conn<'_>, project: ProjectId) -> Result<()> {
        for application in applications::of_project(conn, project).await? {
            for dashboard in dashboards::shared_of(conn, application.id).await? {
                let name = format!("{} / {}", application.name, dashboard.name);
                let charts = self.0.get_mut(&(ObjectKind::Dashboard, name)).and_then(|fields| fields.get_mut("charts"));
                let Some(Value::Object(tiles)) = charts else { continue };
                let mut taken = BTreeSet::new();
                for placed in dashboards::charts_on(conn, dashboard.id).await? {
                    let tile = tiles.get_mut(&free(&placed.chart.name, |name| taken.contains(name)));
                    if let Some(Value::Object(tile)) = tile {
                        tile.insert("version".to_owned(), json!(placed.chart.version));
                    }
                    taken.insert(free(&placed.chart.name, |name| taken.contains(name)));
                }
            }
        }
        Ok(())
    }

    /// A text that changes with everything that a file could change.
    pub fn fingerprint(&self) -> String {
        let text = serde_json::to_string(self).unwrap_or_default();
        secret::derived("project file", &text).chars().take(32).collect()
    }

    fn put(&mut self, kind: ObjectKind, name: &str, section: &impl Serialize, without: &[&str]) -> Result<()> {
        self.0.insert((kind, name.to_owned()), fields(section, without)?);
        Ok(())
    }

    fn tell(&mut self, kind: ObjectKind, name: &str, field: &str, value: Value) {
        if let Some(fields) = self.0.get_mut(&(kind, name.to_owned())) {
            fields.insert(field.to_owned(), value);
        }
    }
}

/// A section's fields without those that name it.
fn fields(section: &impl Serialize, without: &[&str]) -> Result<Map<String, Value>> {
    match serde_json::to_value(section).map_err(Error::internal)? {
        Value::Object(mut fields) => {
            fields.retain(|name, _| !without.contains(&name.as_str()));
            Ok(fields)
        }
        _ => Err(Error::internal("a section of a project file is not an object")),
    }
}

/// The objects of a list by name. A second one with the same name is `name (2)`.
fn numbered(things: impl Iterator<Item = Result<(String, Map<String, Value>)>>) -> Result<Value> {
    let mut all = Map::new();
    for thing in things {
        let (name, fields) = thing?;
        all.insert(free(&name, |name| all.contains_key(name)), Value::Object(fields));
    }
    Ok(Value::Object(all))
}
