//! A chart's rows: the one way from a dashboard to the query engine. The page, its refreshes and the headless API share it.

use super::{
    filters,
    prepared::{ChartQuery, PreparedChart},
};
use crate::{
    concepts::{
        access::Viewer,
        charts::Chart,
        projects::Project,
        usage::{Audience, Counted},
    },
    ground::{error::Result, state::App},
};
use chrono::Utc;
use chrono_tz::Tz;
use inlay_contract::{
    chart::definition::ChartDefinition,
    data::ChartData,
    filter::FilterDefinition,
    ids::{ChartId, ConnectionId},
    page::Filters,
};
use inlay_query::{Answered, Catalog, Filter, MarkCondition, Query, QueryError, SecurityContext, Source, Today};
use std::{sync::Arc, time::Instant};

/// Today in a zone: the one that was asked for, else the project's, else UTC.
pub fn today(asked: Option<&str>, project: &Project) -> Today {
    let zone = asked.and_then(|name| name.parse::<Tz>().ok()).or_else(|| project.timezone.parse().ok()).unwrap_or(Tz::UTC);
    Today { day: Utc::now().with_timezone(&zone).date_naive(), zone }
}

/// A dashboard as somebody looks at it: what the rows of its charts depend on beside the charts, and how they are counted.
#[derive(Clone)]
pub struct View {
    /// The state.
    pub app: App,
    /// The dashboard's own filters.
    pub own: Vec<FilterDefinition>,
    /// What row rules read of whoever looks.
    pub context: SecurityContext,
    /// The active filters, by their full keys.
    pub filters: Filters,
    /// Today, where the viewer is.
    pub today: Today,
    /// The source is asked even if an answer is remembered.
    pub refresh: bool,
    /// How what is read counts.
    pub counted: Counted,
}

impl View {
    /// A viewer's look at the charts of a dashboard with filters of its own, under the active ones.
    ///
    /// # Errors
    /// 401 when the viewer is gone.
    pub async fn open(app: &App, viewer: &Viewer, own: Vec<FilterDefinition>, filters: Filters, today: Today) -> Result<Self> {
        let context = viewer.security_context(app).await?;
        let counted = Counted::chart(Audience::of(viewer));
        Ok(Self { app: app.clone(), own, context, filters, today, refresh: false, counted })
    }

    /// The same, counted otherwise: by itself, a view counts as somebody who gets its charts.
    #[must_use]
    pub fn counted(self, counted: Counted) -> Self {
        Self { counted, ..self }
    }

    /// The rows of a chart.
    ///
    /// # Errors
    /// 422, 503 or 504 when the query fails; its text holds nothing of the database.
    pub async fn rows(&self, chart: &Chart) -> Result<ChartData> {
        let prepared = PreparedChart::of(&self.app, chart).await;
        self.answer(chart.id, prepared).await.map(Answered::into_data)
    }

    /// The same of a chart that was made ready, shared with others who asked.
    ///
    /// # Errors
    /// As [`Self::rows`].
    pub async fn answer(&self, chart: ChartId, prepared: Result<Arc<PreparedChart>>) -> Result<Answered> {
        let answer = async { self.read(&*prepared?).await }.await;
        let outcome = answer.as_deref().map_err(|problem| problem.code);
        if self.counted.is_chart() {
            self.app.usage.came(self.counted.audience(), chart, outcome);
        } else {
            self.app.usage.asked(self.counted.audience(), chart, outcome);
        }
        answer
    }

    /// The rows of a chart that may come too late for whoever waits: those who get them say so ([`Self::delivered`]).
    ///
    /// # Errors
    /// As [`Self::rows`].
    pub async fn rows_of(&self, chart: ChartId, prepared: &PreparedChart) -> Result<ChartData> {
        self.noted(chart, self.read(prepared).await)
    }

    /// Counts a chart that was delivered, with its rows or with the reason why it has none.
    pub fn delivered(&self, chart: ChartId) {
        if self.counted.is_chart() {
            self.app.usage.shown(self.counted.audience(), chart);
        }
    }

    /// The rows of a definition that no chart is stored for; nothing counts them.
    ///
    /// # Errors
    /// As [`Self::rows`].
    pub async fn rows_of_draft(&self, connection: ConnectionId, definition: &ChartDefinition) -> Result<ChartData> {
        self.read(&PreparedChart::of_definition(&self.app, connection, definition).await?).await.map(Answered::into_data)
    }

    /// The rows behind a mark of a chart, by SQL of the chart's shape.
    ///
    /// # Errors
    /// As [`Self::rows`].
    pub async fn rows_behind(
        &self,
        chart: ChartId,
        prepared: &PreparedChart,
        sql: String,
        behind: Vec<MarkCondition>,
    ) -> Result<ChartData> {
        let Some(query) = prepared.asks(&self.app.engine).await? else { return Ok(nothing().into_data()) };
        let filters = self.conditions(prepared, query).await?;
        self.noted(chart, self.ask(prepared, Query { filters, behind, ..Query::new(sql, self.today) }).await)
    }

    async fn read(&self, prepared: &PreparedChart) -> Result<Answered> {
        let Some(query) = prepared.asks(&self.app.engine).await? else { return Ok(nothing()) };
        let filters = self.conditions(prepared, query).await?;
        let asked = Query { filters, max_age: query.max_age, refresh: self.refresh, ..Query::new(&*query.sql, self.today) };
        self.ask(prepared, asked).await
    }

    /// What narrows a chart's tables: the active filters, and the chart's own conditions.
    async fn conditions(&self, prepared: &PreparedChart, query: &ChartQuery) -> Result<Vec<Filter>> {
        let mut all = filters::conditions(&self.app.engine, &self.own, &prepared.connection, &self.filters).await?;
        all.extend(query.conditions.iter().cloned());
        Ok(all)
    }

    async fn ask(&self, prepared: &PreparedChart, query: Query) -> Result<Answered> {
        let connection = &prepared.connection;
        Ok(ask(&self.app, &connection.source, &connection.catalog, &self.context, &query).await?)
    }

    /// Counts the question that was put to a chart's source.
    fn noted(&self, chart: ChartId, answer: Result<Answered>) -> Result<ChartData> {
        self.app.usage.asked(self.counted.audience(), chart, answer.as_deref().map_err(|problem| problem.code));
        answer.map(Answered::into_data)
    }
}

/// Asks a source through the one door, and measures how long it takes.
///
/// # Errors
/// As [`inlay_query::Engine::answer`].
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
        answer.as_ref().map_or_else(|problem| problem.code().as_str(), |data| if data.cached { "cached" } else { "ran" });
    metrics::histogram!("inlay_query_seconds", "outcome" => outcome).record(started.elapsed().as_secs_f64());
    answer
}

/// What a text shows of rows.
fn nothing() -> Answered {
    Answered::new(ChartData { columns: Vec::new(), rows: Vec::new(), truncated: false, cached: false, duration_ms: 0 })
}

impl Viewer {
    /// This viewer with what the address or body hands to a database-native row policy.
    #[must_use]
    pub fn with_database_auth(mut self, token: Option<String>) -> Self {
        self.database_auth_token = token;
        self
    }
}
