//! The charts, metrics and examples of workspaces that use the numbers of a semantic model.

use crate::{
    concepts::{
        charts,
        connections::OpenConnection,
        organizations::members::{Member, Reads},
        projects, workspaces,
    },
    flows::management::catalog_uses,
    ground::{error::Result, state::App, store::Conn},
};
use inlay_assistant::WrittenQuery;
use inlay_contract::{chart::definition::ChartDefinition, ids::ProjectId, model::ModelQuery};
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
    /// Examples of workspaces in their newest versions, as text for people.
    pub examples: Vec<String>,
}

impl Uses {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.charts.len() + self.of_users + self.metrics.len() + self.examples.len()
    }
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
    let queries = ModelQueries::read(&mut app.db.read().await?.conn(), open.project, &open.source).await?;
    for (name, query) in &queries.charts {
        for number in model.numbers_of(kind, query) {
            let charts = &mut uses.entry(number).or_default().charts;
            if charts.last() != Some(name) {
                charts.push(name.clone());
            }
        }
    }
    for (query, count) in &queries.of_users {
        for number in model.numbers_of(kind, query) {
            uses.entry(number).or_default().of_users += count;
        }
    }
    for (example, query) in &queries.examples {
        for number in model.numbers_of(kind, query) {
            uses.entry(number).or_default().examples.push(example.clone());
        }
    }
    Ok(uses)
}

/// The queries that people keep of a connection's model.
#[derive(Debug)]
pub struct ModelQueries {
    kind: SourceKind,
    /// Charts of the library and of shared dashboards, by name.
    charts: Vec<(String, ModelQuery)>,
    /// The queries of users' own charts, each with the number of its charts: copies repeat the same queries.
    of_users: Vec<(ModelQuery, usize)>,
    /// Examples of workspaces, as text for people.
    examples: Vec<(String, ModelQuery)>,
}

impl ModelQueries {
    /// The queries as the store has them now.
    pub async fn read(conn: &mut Conn<'_>, project: ProjectId, source: &Source) -> Result<Self> {
        let named = charts::of_connection(conn, source.id).await?;
        let named = named.into_iter().filter_map(|chart| Some((chart.name, chart.definition.model_query()?))).collect();
        let mut counts: HashMap<String, (ModelQuery, usize)> = HashMap::new();
        for query in charts::of_customers(conn, source.id).await?.iter().filter_map(ChartDefinition::model_query) {
            let key = serde_json::to_string(&query).unwrap_or_default();
            counts.entry(key).or_insert((query, 0)).1 += 1;
        }
        let mut examples = Vec::new();
        let chats = workspaces::latest_versions(conn, project).await?.into_iter();
        for chat in chats.filter(|chat| chat.connection == source.id) {
            for example in &chat.settings.examples {
                if let WrittenQuery::Model(query) = &example.query {
                    examples.push((catalog_uses::example_of(example, &chat.name), (**query).clone()));
                }
            }
        }
        Ok(Self { kind: source.kind, charts: named, of_users: counts.into_values().collect(), examples })
    }

    /// The charts and examples that one model answers and another does not, as text for people, by the reason.
    pub fn broken(&self, before: &Model, after: &Model) -> BTreeMap<String, Vec<String>> {
        let mut broken: BTreeMap<String, (Vec<String>, usize)> = BTreeMap::new();
        let charts = self.charts.iter().map(|(name, query)| (format!("chart {name}"), query));
        let examples = self.examples.iter().map(|(told, query)| (told.clone(), query));
        for (told, query) in charts.chain(examples) {
            if let Some(why) = self.breaks(query, before, after) {
                let uses = &mut broken.entry(why).or_default().0;
                if uses.last() != Some(&told) {
                    uses.push(told);
                }
            }
        }
        for (query, count) in &self.of_users {
            if let Some(why) = self.breaks(query, before, after) {
                broken.entry(why).or_default().1 += count;
            }
        }
        let told = |(why, (mut charts, count)): (String, (Vec<String>, usize))| {
            charts.extend(catalog_uses::counted(count, "chart"));
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
