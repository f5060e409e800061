//! Questions by the semantic model (docs/model.md): what an assistant can name of it, and charts that ask it.

use super::data_scope::DataScope;
use crate::{
    concepts::{catalog, connections::OpenConnection, dashboards::described, workspaces::WorkspaceSettings},
    ground::{
        error::{Code, Error, Result},
        state::App,
    },
};
use inlay_assistant::{Assumed, Dimension, Number, SemanticModel, SemanticTable, Words};
use inlay_contract::{
    chart::definition::ChartDefinition,
    model::{ModelQuery, OfferedNumber},
};
use inlay_query::{
    Answered, Compiled, Filter, Model, ModelTable, Narrowing, NoMeaning, Query, Reach, RowAccess, compile, compile_narrowed,
};
use std::collections::BTreeSet;

/// The most rows that a query of the semantic model asks for in a chat.
pub(super) const MOST_ROWS: u32 = 5_000;

/// The semantic model of those tables in scope that anybody may see rows of.
pub(super) fn model_in_scope(connection: &OpenConnection, settings: &WorkspaceSettings) -> Model {
    let visible = connection.tables.iter().filter(|table| settings.covers(&table.name) && table.rows != RowAccess::Nothing);
    catalog::modelled(visible, &connection.model.metrics)
}

/// A query of the model under the filters of the dashboard on the viewer's screen.
pub(super) struct Narrowed {
    /// Its SQL and its columns.
    pub(super) compiled: Compiled,
    /// The filters that reach it.
    filters: Vec<Filter>,
    /// The tables of those that do not.
    pub(super) unreached: BTreeSet<String>,
}

impl DataScope {
    /// The query's SQL and the filters that reach it.
    ///
    /// # Errors
    /// The query has no meaning in the model of the tables in scope.
    pub(super) fn compiled(&self, query: &ModelQuery) -> Result<Narrowed, NoMeaning> {
        let (kind, day) = (self.connection.source.kind, self.today.day);
        let limit = query.limit.unwrap_or(MOST_ROWS).min(MOST_ROWS);
        let query = ModelQuery { limit: Some(limit), totals: false, ..query.clone() };
        let reach = Reach::of(kind, &self.model, &query, day)?;
        let (mut narrowing, mut filters, mut unreached) = (Narrowing::default(), Vec::new(), BTreeSet::new());
        for filter in &self.filters {
            if !reach.tables.contains(&filter.table) {
                unreached.insert(filter.table.clone());
            } else if narrowing.period.is_none() && reach.is_compared(kind, &filter.table, &filter.column, &filter.value) {
                narrowing.period = Some(filter.value.clone());
            } else {
                narrowing.tables.insert(filter.table.clone());
                filters.push(filter.clone());
            }
        }
        let compiled = compile_narrowed(kind, &self.model, &query, narrowing, day)?;
        Ok(Narrowed { compiled, filters, unreached })
    }

    /// The rows of a compiled query, as this viewer sees them.
    ///
    /// # Errors
    /// 422, 503 or 504. The message reveals nothing of the database.
    pub(super) async fn rows_of(&self, app: &App, narrowed: &Narrowed) -> Result<Answered> {
        let Narrowed { compiled, filters, .. } = narrowed;
        self.run(app, Query { filters: filters.clone(), ..Query::compiled(&compiled.sql, self.today) }).await
    }

    /// The SQL of a query that has a meaning only with what is assumed beside the model.
    ///
    /// # Errors
    /// The query has no meaning then, either.
    pub(super) fn compiled_assuming(&self, query: &ModelQuery, assumed: &Assumed) -> Result<Compiled, NoMeaning> {
        let limit = query.limit.unwrap_or(MOST_ROWS).min(MOST_ROWS);
        let query = ModelQuery { limit: Some(limit), totals: false, ..query.clone() };
        compile(self.connection.source.kind, &self.model.assuming(assumed), &query, self.today.day)
    }

    /// The rows of a chart of an answer, with this viewer's row rules and only on the tables in scope: by its SQL or by its query
    /// of the semantic model.
    ///
    /// # Errors
    /// 422, also when the model no longer has a meaning for its query; 503 or 504. The message reveals nothing of the database.
    pub async fn chart_rows(&self, app: &App, chart: &ChartDefinition) -> Result<Answered> {
        let Some(query) = chart.model_query() else {
            return self.rows(app, chart.sql_override.as_deref().unwrap_or_default()).await;
        };
        let narrowed = self.compiled(&query).map_err(|problem| {
            let told = format!("The semantic model can no longer answer this chart's query. {problem}. Ask again.");
            Error::new(Code::QueryFailed, told)
        })?;
        self.rows_of(app, &narrowed).await
    }

    /// A chart with the labels and formats that the model gives the columns of its query.
    pub fn described(&self, chart: ChartDefinition) -> ChartDefinition {
        let compiled = chart.model_query().and_then(|query| self.compiled(&query).ok());
        match compiled {
            Some(Narrowed { compiled, .. }) => described(chart, &compiled.columns),
            None => chart,
        }
    }

    /// What an assistant can name of the model. `None` without measures.
    pub(super) fn semantic_model(&self) -> Option<SemanticModel> {
        let numbers = self.model.offered_numbers(self.connection.source.kind);
        let numbers: Vec<Number> = numbers.into_iter().map(|offered| self.number(offered)).collect();
        let tables = self.model.tables.iter().map(|(name, table)| self.semantic_table(name, table)).collect();
        (!numbers.is_empty()).then_some(SemanticModel { numbers, tables })
    }

    fn number(&self, OfferedNumber { name, facts, .. }: OfferedNumber) -> Number {
        let measure = self.model.tables.values().find_map(|table| table.model.measures.get(&name));
        let of_measure = measure.map(|about| words(&about.label, &about.description, &about.synonyms));
        let metric = self.model.metrics.get(&name);
        let of_metric = || metric.map(|about| words(&about.label, &about.description, &about.synonyms));
        let aggregate = measure.map(|measure| measure.aggregate);
        let lower_is_better = measure
            .map(|about| about.lower_is_better)
            .or_else(|| metric.map(|about| about.lower_is_better))
            .unwrap_or_default();
        let words = of_measure.or_else(of_metric).unwrap_or_default();
        Number { words, name, facts, aggregate, lower_is_better }
    }

    fn semantic_table(&self, name: &str, table: &ModelTable) -> SemanticTable {
        let full = |dimension: &str| format!("{name}.{dimension}");
        let declared = table.model.dimensions.iter().map(|(dimension, about)| Dimension {
            name: full(dimension),
            words: words(&about.label, &about.description, &about.synonyms),
        });
        // The catalogue describes the columns.
        let columns = table.columns.keys().map(|column| Dimension { name: full(column), words: Words::default() });
        SemanticTable {
            name: name.to_owned(),
            time: table.model.time.as_deref().map(full),
            dimensions: declared.chain(columns).collect(),
            ways: self.model.offered_ways(name).into_iter().filter(|way| !way.via.is_empty()).collect(),
        }
    }
}

fn words(label: &Option<String>, description: &Option<String>, synonyms: &[String]) -> Words {
    Words { label: label.clone(), description: description.clone(), synonyms: synonyms.to_vec() }
}
