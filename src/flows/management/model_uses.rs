//! The charts and metrics that use the numbers of a semantic model.

use crate::{
    concepts::{
        charts,
        connections::OpenConnection,
        organizations::members::{Member, Reads},
        projects,
    },
    ground::{error::Result, state::App, store::Conn},
};
use inlay_contract::{chart::definition::ChartDefinition, model::ModelQuery};
use inlay_query::{Model, Source, SourceKind};
use std::collections::{BTreeMap, HashMap};

/// What uses a measure or metric.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// Charts of the library and of shared dashboards, by name.
    pub charts: Vec<String>,
    /// The number of users' own charts.
    pub of_users: usize,
    /// Metrics that are made of it.
    pub metrics: Vec<String>,
}

/// What uses each number of a connection's model. Numbers without uses are left out.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn of_numbers(app: &App, by: &Member<impl Reads>, open: &OpenConnection) -> Result<BTreeMap<String, Uses>> {
    projects::of_organization(app, by.organization, open.project).await?;
    let (model, kind) = (&open.model, open.source.kind);
    let mut uses: BTreeMap<String, Uses> = BTreeMap::new();
    for metric in model.metrics.keys() {
        for part in model.made_of(kind, [metric.clone()]).into_iter().filter(|part| part != metric) {
            uses.entry(part).or_default().metrics.push(metric.clone());
        }
    }
    let charts = ModelCharts::read(&mut app.db.read().await?.conn(), &open.source).await?;
    for (name, query) in &charts.named {
        for number in model.numbers_of(kind, query) {
            let charts = &mut uses.entry(number).or_default().charts;
            if charts.last() != Some(name) {
                charts.push(name.clone());
            }
        }
    }
    for (query, count) in &charts.of_users {
        for number in model.numbers_of(kind, query) {
            uses.entry(number).or_default().of_users += count;
        }
    }
    Ok(uses)
}

/// The charts of a connection that query its model.
#[derive(Debug)]
pub struct ModelCharts {
    kind: SourceKind,
    /// Charts of the library and of shared dashboards, by name.
    named: Vec<(String, ModelQuery)>,
    /// The queries of users' own charts, each with the number of its charts: copies repeat the same queries.
    of_users: Vec<(ModelQuery, usize)>,
}

impl ModelCharts {
    /// The charts as the store has them now.
    pub async fn read(conn: &mut Conn<'_>, source: &Source) -> Result<Self> {
        let named = charts::of_connection(conn, source.id).await?;
        let named = named.into_iter().filter_map(|chart| Some((chart.name, chart.definition.model_query()?))).collect();
        let mut counts: HashMap<String, (ModelQuery, usize)> = HashMap::new();
        for query in charts::of_customers(conn, source.id).await?.iter().filter_map(ChartDefinition::model_query) {
            let key = serde_json::to_string(&query).unwrap_or_default();
            counts.entry(key).or_insert((query, 0)).1 += 1;
        }
        Ok(Self { kind: source.kind, named, of_users: counts.into_values().collect() })
    }

    /// The charts that one model answers and another does not, as text for people, by the reason.
    pub fn broken(&self, before: &Model, after: &Model) -> BTreeMap<String, Vec<String>> {
        let mut broken: BTreeMap<String, (Vec<String>, usize)> = BTreeMap::new();
        for (name, query) in &self.named {
            if let Some(why) = self.breaks(query, before, after) {
                let charts = &mut broken.entry(why).or_default().0;
                let told = format!("chart {name}");
                if charts.last() != Some(&told) {
                    charts.push(told);
                }
            }
        }
        for (query, count) in &self.of_users {
            if let Some(why) = self.breaks(query, before, after) {
                broken.entry(why).or_default().1 += count;
            }
        }
        let told = |(why, (mut charts, count)): (String, (Vec<String>, usize))| {
            charts.extend(super::catalog_uses::counted(count, "chart"));
            (why, charts)
        };
        broken.into_iter().map(told).collect()
    }

    /// Why a query that one model answers has no meaning in another.
    fn breaks(&self, query: &ModelQuery, before: &Model, after: &Model) -> Option<String> {
        let today = chrono::Utc::now().date_naive();
        let problem = inlay_query::compile(self.kind, after, query, today).err()?;
        inlay_query::compile(self.kind, before, query, today).is_ok().then_some(problem.why)
    }
}
