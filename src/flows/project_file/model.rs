//! The structure of a project file. Names that other parts refer to carry their line.

use super::FileProblem;
use crate::concepts::{
    catalog::ColumnSettings,
    workspaces::{Example, WorkspaceSettings},
};
use inlay_contract::{
    chart::definition::{ChartDefinition, ChartType, Encoding},
    filter::{Control, FilterValue},
    grid::GridPosition,
    ids::AgentId,
    json,
    model::{Dimension, Measure, Metric, ModelQuery, TableModel, one_or_many},
    permissions::RolePermissions,
    theme::Theme,
    workspace::Placeholders,
};
use inlay_query::SourceKind;
use serde::{Deserialize, Deserializer, Serialize, de::Error};
use serde_json::{Map, Value};
use serde_saphyr::Spanned;
use std::collections::BTreeMap;

/// A text and its line.
pub type Name = Spanned<String>;

/// The whole file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProjectFile {
    /// The format's version: 1.
    pub version: Spanned<u32>,
    /// The project itself.
    pub project: ProjectSection,
    /// Connections to customers' databases.
    #[serde(default)]
    pub connections: Vec<ConnectionSection>,
    /// The only tables that a project user's query can name.
    #[serde(default)]
    pub tables: Vec<TableSection>,
    /// Numbers made of the tables' measures, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metrics: BTreeMap<String, Spanned<Metric>>,
    /// Roles.
    #[serde(default)]
    pub roles: Vec<RoleSection>,
    /// The chart library.
    #[serde(default)]
    pub charts: Vec<ChartSection>,
    /// Workspaces.
    #[serde(default)]
    pub workspaces: Vec<WorkspaceSection>,
    /// Applications with their dashboards.
    #[serde(default)]
    pub applications: Vec<ApplicationSection>,
}

/// `project`
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProjectSection {
    /// Unique within the organization.
    pub name: Name,
    /// Origins whose pages may frame the embeds. Any origin if the list is empty.
    #[serde(default)]
    pub allowed_origins: Vec<Name>,
    /// IANA name of the time zone for dates and times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timezone: Option<Name>,
    /// BCP 47 language tag for numbers and dates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locale: Option<Name>,
    /// Whether the project's isolation may be checked each night. A file that does not say so leaves it as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub isolation_check: Option<bool>,
    /// Whether the keys of the semantic model may be counted each night. A file that does not say so leaves it as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_check: Option<bool>,
}

/// One of `connections`
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConnectionSection {
    /// Unique within the project.
    pub name: Name,
    /// The kind of database.
    pub kind: SourceKind,
    /// Its URL. A relative path is relative to the file; `${NAME}` is read from the environment.
    pub url: Name,
    /// The settings of the database's own row policies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database_auth: Option<DatabaseAuthSection>,
    /// How long a result may come from the cache, in seconds. 0 turns the cache off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_seconds: Option<u32>,
    /// The maximum number of connections per node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_connections: Option<u32>,
    /// How old a result may be that is shown while the database does not answer, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stale_seconds: Option<u32>,
}

/// `databaseAuth`
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DatabaseAuthSection {
    /// The database setting that gets `dbAuthToken`.
    pub setting: Name,
    /// The property that the token must equal: `organization.<key>` or `user.<key>`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub equals: Option<Name>,
    /// Whether the database verifies the token itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub verified_by_database: bool,
}

/// One of `tables`
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TableSection {
    /// The connection of the table.
    pub connection: Name,
    /// `table`, or `schema.table` if the database has schemas.
    pub table: Name,
    /// Display name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Other names for it, or for one row of it, which the chat understands.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub synonyms: Vec<String>,
    /// The rule that selects the rows which a project user sees.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row_rule: Option<Name>,
    /// `all`: every project user sees every row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<AllRows>,
    /// The settings of its columns.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub columns: BTreeMap<String, ColumnSettings>,
    /// The columns that no two rows share, together.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "one_or_many")]
    pub key: Vec<String>,
    /// The default time dimension.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The month in which the years of its dates begin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fiscal_year_start: Option<u8>,
    /// The columns that the rows behind a number are listed by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drill: Vec<String>,
    /// The column or dimension that people read instead of the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display: Option<String>,
    /// Dimensions beside the columns, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub dimensions: BTreeMap<String, Spanned<Dimension>>,
    /// Measures, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub measures: BTreeMap<String, Spanned<Measure>>,
}

impl TableSection {
    /// What the table adds to the project's model.
    pub fn model(&self) -> TableModel {
        let Self { key, time, fiscal_year_start, drill, display, dimensions, measures, .. } = self;
        TableModel {
            key: key.clone(),
            time: time.clone(),
            fiscal_year_start: *fiscal_year_start,
            drill: drill.clone(),
            display: display.clone(),
            dimensions: plain(dimensions),
            measures: plain(measures),
        }
    }
}

/// Parts of the file without their lines.
fn plain<T: Clone>(parts: &BTreeMap<String, Spanned<T>>) -> BTreeMap<String, T> {
    parts.iter().map(|(name, part)| (name.clone(), part.value.clone())).collect()
}

impl ProjectFile {
    /// The metrics, without their lines.
    pub fn metrics(&self) -> BTreeMap<String, Metric> {
        plain(&self.metrics)
    }
}

/// The only value of `rows`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AllRows {
    /// Every row.
    All,
}

/// One of `roles`
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoleSection {
    /// Unique within the project.
    pub name: Name,
    /// The role's permissions.
    pub permissions: RolePermissions,
}

/// One of `charts`
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChartSection {
    /// Unique within the file.
    pub name: Name,
    /// The connection that its query runs on.
    pub connection: Name,
    /// The chart type.
    #[serde(rename = "type")]
    pub kind: ChartType,
    /// Its query. A `text` chart has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sql: Option<Name>,
    /// Its query of the semantic model, instead of SQL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<Spanned<ModelQuery>>,
    /// Which column is used for which axis, mark or label.
    #[serde(default)]
    pub encoding: Encoding,
    /// Number formats, stacking, units, colours.
    #[serde(default, deserialize_with = "settled", skip_serializing_if = "Map::is_empty")]
    pub options: Map<String, Value>,
    /// How long its rows may come from the cache, in seconds.
    #[serde(default, rename = "cacheSeconds", skip_serializing_if = "Option::is_none")]
    pub cache_seconds: Option<u32>,
}

impl ChartSection {
    /// The chart's definition.
    pub fn definition(&self) -> ChartDefinition {
        ChartDefinition {
            title: self.name.value.clone(),
            kind: self.kind,
            sql_override: self.sql.as_ref().map(|sql| sql.value.trim().to_owned()),
            encoding: self.encoding.clone(),
            options: with_query(&self.options, self.query.as_ref()),
            cache_seconds: self.cache_seconds,
        }
    }
}

/// One of `workspaces`
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WorkspaceSection {
    /// Unique within the project.
    pub name: Name,
    /// The connection that the chat queries.
    pub connection: Name,
    /// The v1 agent that it replaces, which hosts name in save-from-chat. Unique within the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<AgentId>,
    /// Whether to publish this version and promote it to production.
    #[serde(default)]
    pub publish: bool,
    /// Starter questions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub example_questions: Vec<String>,
    /// Instructions for the language model, beside the catalogue. Viewers never see them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// The tables of the connection that questions may be about. Defaults to all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<Vec<Name>>,
    /// Texts of the page, where the host's address gives none.
    #[serde(default, skip_serializing_if = "Placeholders::is_empty")]
    pub placeholders: Placeholders,
    /// Questions with the queries that answer them, for language models.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Example>,
    /// Whether language models query the semantic model only, without SQL of their own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub model_only: bool,
}

impl WorkspaceSection {
    /// The version's settings, without its connection.
    pub fn settings(&self) -> WorkspaceSettings {
        WorkspaceSettings {
            example_questions: self.example_questions.clone(),
            instructions: self.instructions.clone(),
            tables: self.tables.as_ref().map(|names| names.iter().map(|name| name.value.clone()).collect()),
            placeholders: self.placeholders.clone(),
            examples: self.examples.clone(),
            model_only: self.model_only,
        }
    }
}

/// One of `applications`
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApplicationSection {
    /// Unique within the project.
    pub name: Name,
    /// The workspace of the application: its assistant, and its `legacyWorkspaceId`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<Name>,
    /// Its theme.
    #[serde(default)]
    pub theme: Theme,
    /// Its dashboards, in the navigation's order.
    #[serde(default)]
    pub dashboards: Vec<DashboardSection>,
}

/// One of an application's `dashboards`
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DashboardSection {
    /// Unique within the application.
    pub name: Name,
    /// Whether it is the default dashboard.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub default: bool,
    /// Seconds after which an open page asks for its rows again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh: Option<u32>,
    /// Its filters, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<FilterSection>,
    /// Its charts.
    #[serde(default)]
    pub charts: Vec<TileSection>,
}

/// One of a dashboard's `filters`
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FilterSection {
    /// Unique on the dashboard.
    pub key: Name,
    /// The label of its control.
    pub label: String,
    /// `<connection>.<table>.<column>`, or `<connection>.time`
    pub column: Name,
    /// Its control.
    pub control: Control,
    /// Its default value, when the address gives none.
    #[serde(default, deserialize_with = "settled_default", skip_serializing_if = "Option::is_none")]
    pub default: Option<FilterValue>,
}

/// One of a dashboard's `charts`: a grid 12 columns wide.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TileSection {
    /// A chart of the library, by name. With `own`: the name of a chart that only this dashboard has.
    pub chart: Name,
    /// Left edge, 0–11.
    pub x: u16,
    /// Top edge, in rows.
    pub y: u16,
    /// Width, 1–12.
    pub w: u16,
    /// Height, in rows.
    pub h: u16,
    /// The chart's definition, if it differs from the library: it was changed on this dashboard, shows an earlier version, or
    /// was removed from the library.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<OwnSection>,
}

/// `own` of a dashboard's chart
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnSection {
    /// The library chart that it was copied from, by name, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<Name>,
    /// Its title, if that is not its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The connection that its query runs on.
    pub connection: Name,
    /// The chart type.
    #[serde(rename = "type")]
    pub kind: ChartType,
    /// Its query. A `text` chart has none, and neither has a chart that was built in the editor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sql: Option<Name>,
    /// Its query of the semantic model, instead of SQL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<Spanned<ModelQuery>>,
    /// Which column is used for which axis, mark or label.
    #[serde(default)]
    pub encoding: Encoding,
    /// Number formats, stacking, units, colours.
    #[serde(default, deserialize_with = "settled", skip_serializing_if = "Map::is_empty")]
    pub options: Map<String, Value>,
    /// How long its rows may come from the cache, in seconds.
    #[serde(default, rename = "cacheSeconds", skip_serializing_if = "Option::is_none")]
    pub cache_seconds: Option<u32>,
}

impl OwnSection {
    /// The chart's definition, with this name.
    pub fn definition(&self, name: &str) -> ChartDefinition {
        ChartDefinition {
            title: self.title.clone().unwrap_or_else(|| name.to_owned()),
            kind: self.kind,
            sql_override: self.sql.as_ref().map(|sql| sql.value.clone()),
            encoding: self.encoding.clone(),
            options: with_query(&self.options, self.query.as_ref()),
            cache_seconds: self.cache_seconds,
        }
    }
}

impl TileSection {
    /// The chart's position.
    pub const fn place(&self) -> GridPosition {
        GridPosition { x: self.x, y: self.y, w: self.w, h: self.h }
    }
}

/// Options with the query that a chart keeps among them.
fn with_query(options: &Map<String, Value>, query: Option<&Spanned<ModelQuery>>) -> Map<String, Value> {
    let mut options = options.clone();
    if let Some(Ok(query)) = query.map(|query| serde_json::to_value(&query.value)) {
        options.insert(ChartDefinition::QUERY.to_owned(), query);
        json::settle(&mut options);
    }
    options
}

/// Options with the numbers that the store gives back, so that the same file is the same chart.
fn settled<'de, D: Deserializer<'de>>(from: D) -> Result<Map<String, Value>, D::Error> {
    let mut options = Map::deserialize(from)?;
    json::settle(&mut options);
    Ok(options)
}

/// A filter's value, in the same way.
fn settled_default<'de, D: Deserializer<'de>>(from: D) -> Result<Option<FilterValue>, D::Error> {
    let Some(mut value) = Option::deserialize(from)? else { return Ok(None) };
    json::settle_value(&mut value);
    FilterValue::from_json(value).map(Some).map_err(D::Error::custom)
}

impl ProjectFile {
    /// The file as YAML.
    pub fn to_yaml(&self) -> Result<String, FileProblem> {
        serde_saphyr::to_string(self).map_err(|fault| FileProblem { line: 0, field: String::new(), message: fault.to_string() })
    }
}
