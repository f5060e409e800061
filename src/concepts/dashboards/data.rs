//! A chart's rows: the only way from a dashboard to the query engine. The page, its refreshes and the headless API share it.

use super::{by_meaning::Narrowed, compared, prepared::PreparedChart};
use crate::{
    concepts::{
        access::Viewer,
        charts::Chart,
        projects::Project,
        usage::{Audience, Counted, Usage},
    },
    ground::{error::Result, state::App},
};
use chrono::{NaiveDate, Utc};
use chrono_tz::Tz;
use futures::FutureExt as _;
use inlay_contract::{
    chart::definition::ChartDefinition,
    data::ChartData,
    filter::{FilterDefinition, FilterValue},
    ids::{ChartId, ConnectionId},
    page::Filters,
};
use inlay_query::{Answered, Catalog, MarkCondition, Query, QueryError, SecurityContext, Shape, Source, Today};
use std::{sync::Arc, time::Instant};

/// The option of a chart that says how periods without rows are drawn.
const MISSING: &str = "missing";

/// Today in a time zone: the requested one, otherwise the project's, otherwise UTC.
pub fn today(asked: Option<&str>, project: &Project) -> Today {
    let zone = asked.and_then(|name| name.parse::<Tz>().ok()).or_else(|| project.timezone.parse().ok()).unwrap_or(Tz::UTC);
    Today { day: Utc::now().with_timezone(&zone).date_naive(), zone }
}

/// One viewer's view of a dashboard: everything that the rows of its charts depend on beside the charts, and how their queries are counted.
#[derive(Clone)]
pub struct View {
    /// The state.
    pub app: App,
    /// The dashboard's own filters.
    pub own: Vec<FilterDefinition>,
    /// The values that row rules read for the viewer.
    pub context: SecurityContext,
    /// The active filters, by their full keys.
    pub filters: Filters,
    /// The viewer's current day.
    pub today: Today,
    /// Whether to query the source even if a result is cached.
    pub refresh: bool,
    /// Whether older rows may be shown while the source does not answer, if its operator allows it. Who shows them says how old they are.
    pub stale: bool,
    /// How its queries are counted.
    pub counted: Counted,
}

impl View {
    /// A viewer's view of charts on a dashboard with these own filters, under the active ones.
    ///
    /// # Errors
    /// 401 when the viewer is deleted.
    pub async fn open(app: &App, viewer: &Viewer, own: Vec<FilterDefinition>, filters: Filters, today: Today) -> Result<Self> {
        let context = viewer.security_context(app).await?;
        let counted = Counted::chart(Audience::of(viewer));
        Ok(Self { app: app.clone(), own, context, filters, today, refresh: false, stale: false, counted })
    }

    /// Counts queries differently. By default a view counts as a viewer who gets its charts.
    #[must_use]
    pub fn counted(self, counted: Counted) -> Self {
        Self { counted, ..self }
    }

    /// The rows of a chart.
    ///
    /// # Errors
    /// 422, 503 or 504 when the query fails. The message reveals nothing of the database.
    pub async fn rows(&self, chart: &Chart) -> Result<Answered> {
        let prepared = PreparedChart::of(&self.app, chart).await;
        self.answer(chart.id, prepared).await
    }

    /// The rows of a prepared chart, shared with concurrent requests for it.
    pub async fn answer(&self, chart: ChartId, prepared: Result<Arc<PreparedChart>>) -> Result<Answered> {
        let answer = async { self.read(&*prepared?).await }.await;
        let outcome = answer.as_ref().map_err(|problem| problem.code);
        if self.counted.is_chart() {
            self.app.part::<Usage>().came(self.counted.audience(), chart, outcome);
        } else {
            self.app.part::<Usage>().asked(self.counted.audience(), chart, outcome);
        }
        answer
    }

    /// The rows of a chart that may arrive after the caller stopped waiting. A caller who uses them calls [`Self::delivered`].
    pub async fn rows_of(&self, chart: ChartId, prepared: &PreparedChart) -> Result<Answered> {
        self.noted(chart, self.read(prepared).await)
    }

    /// Counts a chart that was delivered, with its rows or with its error.
    pub fn delivered(&self, chart: ChartId) {
        if self.counted.is_chart() {
            self.app.part::<Usage>().shown(self.counted.audience(), chart);
        }
    }

    /// The rows of a definition without a stored chart, and the definition as it is drawn. They are not counted.
    pub async fn rows_of_draft(
        &self,
        connection: ConnectionId,
        definition: &ChartDefinition,
    ) -> Result<(Arc<ChartDefinition>, Answered)> {
        let prepared = PreparedChart::of_definition(&self.app, connection, definition).await?;
        let rows = self.read(&prepared).await?;
        Ok((self.drawn(&prepared).await?, rows))
    }

    /// The definition of a chart as it is drawn under the active filters: it says with which days a period is compared.
    ///
    /// # Errors
    /// As for its rows.
    pub async fn drawn(&self, prepared: &PreparedChart) -> Result<Arc<ChartDefinition>> {
        let definition = &self.without_unasked_zeros(prepared).await?;
        let Some(compared) = prepared.meant().and_then(|meant| meant.compared.as_ref()) else {
            return Ok(Arc::clone(definition));
        };
        let narrowing = self.narrowed(prepared).await?.narrowing;
        let Some(elapsed) = narrowing.elapsed else { return Ok(Arc::clone(definition)) };
        let earlier = compared.earlier_days(&narrowing, self.today.day, elapsed);
        Ok(Arc::new(compared::told(definition, elapsed, earlier)))
    }

    /// The first day of the period that a chart compares, and the day after its last. `None` if it compares none.
    ///
    /// # Errors
    /// As for its rows.
    pub async fn compared_period(&self, prepared: &PreparedChart) -> Result<Option<(NaiveDate, NaiveDate)>> {
        let Some(meant) = prepared.meant() else { return Ok(None) };
        let narrowing = self.narrowed(prepared).await?.narrowing;
        compared::period(self, meant, &narrowing).await
    }

    /// A chart's definition. Days that an active filter leaves out one by one are not drawn as days without rows, where sums would be 0.
    async fn without_unasked_zeros(&self, prepared: &PreparedChart) -> Result<Arc<ChartDefinition>> {
        let definition = &prepared.definition;
        let is_list = |value: &FilterValue| matches!(value, FilterValue::AnyOf(_));
        let (Some(groups), true) = (prepared.groups(), self.filters.values().any(is_list)) else {
            return Ok(Arc::clone(definition));
        };
        let x = definition.encoding.x.as_ref();
        let Some(group) = groups.iter().find(|group| group.grain.is_some() && Some(&group.column) == x) else {
            return Ok(Arc::clone(definition));
        };
        if !definition.options.contains_key(MISSING) {
            return Ok(Arc::clone(definition));
        }
        let Narrowed { filters, narrowing } = prepared.narrowed(&self.app.engine, &self.own, &self.filters).await?;
        let source = &prepared.connection.source.name;
        let is_of_axis = |table: &str, name: &str| group.path == format!("{source}.{table}.{name}");
        let of_columns = filters.iter().any(|filter| is_list(&filter.value) && is_of_axis(&filter.table, &filter.column));
        let mut of_dimensions = narrowing.dimensions.iter();
        if of_columns || of_dimensions.any(|filter| is_list(&filter.value) && is_of_axis(&filter.table, &filter.dimension)) {
            let mut drawn = ChartDefinition::clone(definition);
            drawn.options.remove(MISSING);
            return Ok(Arc::new(drawn));
        }
        Ok(Arc::clone(definition))
    }

    /// A chart as it is drawn under the active filters, once its rows were read. The same where it cannot be prepared.
    pub async fn drawn_chart(&self, chart: Chart) -> Chart {
        let drawn = async { self.drawn(&*PreparedChart::of(&self.app, &chart).await?).await };
        match drawn.await {
            Ok(definition) => Chart { definition: Arc::unwrap_or_clone(definition), ..chart },
            Err(_) => chart,
        }
    }

    /// The rows behind a mark of a chart, with SQL built from the chart's query.
    pub async fn rows_behind(
        &self,
        chart: ChartId,
        prepared: &PreparedChart,
        sql: String,
        behind: Vec<MarkCondition>,
    ) -> Result<Answered> {
        if prepared.asks(&self.app.engine).await?.is_none() {
            return Ok(nothing());
        }
        let filters = self.narrowed(prepared).await?.filters;
        let compiled = prepared.is_by_meaning();
        self.noted(chart, self.ask(prepared, Query { filters, behind, compiled, ..Query::new(sql, self.today) }).await)
    }

    async fn read(&self, prepared: &PreparedChart) -> Result<Answered> {
        let Some(query) = prepared.asks(&self.app.engine).await? else { return Ok(nothing()) };
        let narrowed = self.narrowed(prepared).await?;
        let sql = query.sql(self.today, &narrowed)?;
        let asked = Query {
            filters: narrowed.filters,
            max_age: query.max_age,
            refresh: self.refresh,
            stale: self.stale,
            compiled: prepared.is_by_meaning(),
            ..Query::new(&*sql, self.today)
        };
        self.ask(prepared, asked).await
    }

    /// The shape of a chart's query under the active filters, for the rows behind its marks.
    ///
    /// # Errors
    /// 422 without a query, or for one that Inlay does not run.
    pub async fn shape(&self, prepared: &PreparedChart) -> Result<Option<Arc<Shape>>> {
        prepared.shape(self.today, &self.narrowed(prepared).await?)
    }

    async fn narrowed(&self, prepared: &PreparedChart) -> Result<Narrowed> {
        let mut narrowed = prepared.narrowed(&self.app.engine, &self.own, &self.filters).await?;
        if let Some(meant) = prepared.meant() {
            narrowed.narrowing.elapsed = compared::elapsed(self, meant, &narrowed.narrowing).boxed().await;
        }
        Ok(narrowed)
    }

    async fn ask(&self, prepared: &PreparedChart, query: Query) -> Result<Answered> {
        let connection = &prepared.connection;
        Ok(ask(&self.app, &connection.source, &connection.catalog, &self.context, &query).await?)
    }

    /// Counts a query of a chart.
    fn noted(&self, chart: ChartId, answer: Result<Answered>) -> Result<Answered> {
        self.app.part::<Usage>().asked(self.counted.audience(), chart, answer.as_ref().map_err(|problem| problem.code));
        answer
    }
}

/// Runs a query through the query engine, and measures its duration.
pub async fn ask(
    app: &App,
    source: &Source,
    catalog: &Catalog,
    context: &SecurityContext,
    query: &Query,
) -> Result<Answered, QueryError> {
    let started = Instant::now();
    let answer = app.engine.answer(source, catalog, context, query).await;
    let outcome =
        answer.as_ref().map_or_else(|problem| problem.code().as_str(), |answer| if answer.cached() { "cached" } else { "ran" });
    metrics::histogram!("inlay_query_seconds", "outcome" => outcome).record(started.elapsed().as_secs_f64());
    answer
}

/// The result of a text chart: no rows.
fn nothing() -> Answered {
    Answered::new(ChartData {
        columns: Vec::new(),
        rows: Vec::new(),
        truncated: false,
        cached: false,
        duration_ms: 0,
        as_of: None,
    })
}

impl Viewer {
    /// This viewer with the token for a database's own row policies, from the address or body.
    #[must_use]
    pub fn with_database_auth(mut self, token: Option<String>) -> Self {
        self.database_auth_token = token;
        self
    }
}
