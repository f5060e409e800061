//! What the tests read of a project file.

use super::Case;
use crate::concepts::catalog::{CatalogTable, ColumnSettings, modelled};
use inlay_contract::{
    chart::definition::{ChartType, Encoding},
    filter::FilterDefinition,
    ids::TableId,
    model::{Dimension, Measure, Metric, ModelQuery, TableModel},
    theme::Theme,
};
use inlay_query::{RowAccess, SourceKind, compile};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Project {
    pub connections: Vec<Connection>,
    pub tables: Vec<TableSection>,
    pub metrics: BTreeMap<String, Metric>,
    pub charts: Vec<Chart>,
    pub roles: Vec<Role>,
    pub workspaces: Vec<Workspace>,
    pub applications: Vec<Application>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Workspace {
    pub example_questions: Vec<String>,
}

#[derive(Deserialize)]
pub(super) struct Connection {
    pub name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TableSection {
    pub table: String,
    pub row_rule: Option<String>,
    pub columns: BTreeMap<String, ColumnSettings>,
    pub key: Option<String>,
    pub time: Option<String>,
    #[serde(default)]
    pub drill: Vec<String>,
    pub display: Option<String>,
    #[serde(default)]
    pub dimensions: BTreeMap<String, Dimension>,
    #[serde(default)]
    pub measures: BTreeMap<String, Measure>,
}

impl TableSection {
    pub(super) fn rows(&self) -> RowAccess {
        self.row_rule.clone().map_or(RowAccess::All, RowAccess::Rule)
    }

    pub(super) fn in_catalog(&self) -> CatalogTable {
        CatalogTable {
            id: TableId::generate(),
            name: self.table.clone(),
            label: None,
            description: None,
            synonyms: Vec::new(),
            rows: self.rows(),
            columns: self.columns.clone(),
            model: TableModel {
                key: self.key.iter().cloned().collect(),
                time: self.time.clone(),
                drill: self.drill.clone(),
                display: self.display.clone(),
                fiscal_year_start: None,
                dimensions: self.dimensions.clone(),
                measures: self.measures.clone(),
            },
        }
    }
}

#[derive(Deserialize)]
pub(super) struct Role {
    pub name: String,
    pub permissions: BTreeMap<String, bool>,
}

#[derive(Deserialize)]
pub(super) struct Chart {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: ChartType,
    pub sql: Option<String>,
    pub query: Option<ModelQuery>,
    pub encoding: Encoding,
    #[serde(default)]
    pub options: Map<String, Value>,
}

#[derive(Deserialize)]
pub(super) struct Application {
    pub theme: Theme,
    pub dashboards: Vec<Dashboard>,
}

#[derive(Deserialize)]
pub(super) struct Dashboard {
    pub name: String,
    #[serde(default)]
    pub default: bool,
    pub filters: Vec<FilterDefinition>,
    pub charts: Vec<Tile>,
}

#[derive(Deserialize)]
pub(super) struct Tile {
    pub chart: String,
    pub x: u16,
    pub y: u16,
    pub w: u16,
    pub h: u16,
}

impl Project {
    /// A product's file, with the SQL of the charts that ask its model.
    pub(super) fn of(case: &Case) -> Self {
        let mut project: Self = serde_saphyr::from_str(case.product.project.file).unwrap();
        let tables: Vec<CatalogTable> = project.tables.iter().map(TableSection::in_catalog).collect();
        let model = modelled(&tables, &project.metrics);
        for chart in &mut project.charts {
            let Some(query) = &chart.query else { continue };
            let query = ModelQuery { limit: query.limit.or(Some(50_000)), ..query.clone() };
            let compiled = compile(SourceKind::Sqlite, &model, &query, case.today());
            chart.sql = Some(compiled.unwrap_or_else(|problem| panic!("{}: {problem}", chart.name)).sql);
        }
        project
    }

    /// The charts that have rows, with their SQL.
    pub(super) fn queried(&self) -> impl Iterator<Item = (&Chart, &str)> {
        self.charts.iter().filter_map(|chart| Some((chart, chart.sql.as_deref()?)))
    }
}
