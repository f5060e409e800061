//! A chart's rows: the one way from a dashboard to the query engine. The page, its refreshes and the headless API share it.

use super::{Dashboard, filters};
use crate::{
    access::{HostOrViewer, Viewer},
    charts::Chart,
    connections::{self, OpenConnection},
    error::{Code, Error, Result},
    projects::Project,
    state::App,
};
use chrono::Utc;
use chrono_tz::Tz;
use inlay_contract::{
    chart::{
        definition::{ChartDefinition, ChartType},
        question::Condition,
    },
    data::ChartData,
    ids::ConnectionId,
    page::Filters,
};
use inlay_query::{Engine, Filter, Query, SecurityContext, Today, question_sql};
use std::time::Duration;

/// What row rules read of a caller; an API key has no user, so a table with a rule stays closed to it.
///
/// # Errors
/// 401 when the user is gone.
pub async fn security_context(app: &App, caller: &HostOrViewer) -> Result<SecurityContext> {
    match caller {
        HostOrViewer::Viewer(viewer) => viewer.security_context(app).await,
        HostOrViewer::Host(_) => Ok(SecurityContext { organization: None, user: None, database_auth_token: None }),
    }
}

/// Today in a zone: the one that was asked for, else the project's, else UTC.
pub fn today(asked: Option<&str>, project: &Project) -> Today {
    let zone = asked.and_then(|name| name.parse::<Tz>().ok()).or_else(|| project.timezone.parse().ok()).unwrap_or(Tz::UTC);
    Today { day: Utc::now().with_timezone(&zone).date_naive(), zone }
}

/// How a chart's rows are asked for.
#[derive(Clone, Copy, Debug)]
pub struct Asking {
    /// Today, where the viewer is.
    pub today: Today,
    /// The source is asked even if an answer is remembered.
    pub refresh: bool,
}

impl From<Today> for Asking {
    fn from(today: Today) -> Self {
        Self { today, refresh: false }
    }
}

/// The rows of a chart on a dashboard.
///
/// # Errors
/// 422, 503 or 504 when the query fails; its text holds nothing of the database.
pub async fn rows(
    app: &App,
    dashboard: &Dashboard,
    chart: &Chart,
    context: &SecurityContext,
    active: &Filters,
    asking: impl Into<Asking>,
) -> Result<ChartData> {
    run(app, dashboard, chart.connection, &chart.definition, context, active, asking).await
}

/// The rows of a definition under a dashboard's filters, whether a chart of it is stored or not.
///
/// # Errors
/// As [`rows`].
pub async fn run(
    app: &App,
    dashboard: &Dashboard,
    connection: ConnectionId,
    definition: &ChartDefinition,
    context: &SecurityContext,
    active: &Filters,
    asking: impl Into<Asking>,
) -> Result<ChartData> {
    let Asking { today, refresh } = asking.into();
    if definition.kind == ChartType::Text {
        return Ok(ChartData { columns: Vec::new(), rows: Vec::new(), truncated: false, cached: false, duration_ms: 0 });
    }
    let connection = connections::open(app, connection).await?;
    let (sql, own) = asked(&app.engine, &connection, definition).await?;
    let mut conditions = filters::conditions(&app.engine, dashboard, &connection, active).await?;
    conditions.extend(own);
    let query = Query { filters: conditions, max_age: max_age(definition), refresh, ..Query::new(sql, today) };
    let started = std::time::Instant::now();
    let answer = app.engine.run(&connection.source, &connection.catalog, context, &query).await;
    let outcome =
        answer.as_ref().map_or_else(|problem| problem.code().as_str(), |data| if data.cached { "cached" } else { "ran" });
    metrics::histogram!("inlay_query_seconds", "outcome" => outcome).record(started.elapsed().as_secs_f64());
    Ok(answer?)
}

/// What a definition asks of its source: SQL, and the conditions of a question that was built by hand.
///
/// # Errors
/// 422 for a definition without a query, or with a question that cannot be asked.
pub async fn asked(
    engine: &Engine,
    connection: &OpenConnection,
    definition: &ChartDefinition,
) -> Result<(String, Vec<Filter>)> {
    if let Some(sql) = &definition.sql_override {
        return Ok((sql.clone(), Vec::new()));
    }
    let without = || Error::new(Code::QueryFailed, "This chart has no query, so it cannot show data.");
    let question = definition.question().ok_or_else(without)?;
    let gone = "This chart's question names a column that is not there any more. Edit the chart.";
    let gone = || Error::new(Code::QueryFailed, gone);
    let path = |column: &str| format!("{}.{}.{column}", connection.source.name, question.table);
    // SQLite takes a quoted name that is no column for a text.
    for column in question.named() {
        let (table, column) = connection.column(&path(column)).map(|(table, _)| (table, column)).ok_or_else(gone)?;
        if !engine.has_column(&connection.source, &table.name, column).await? {
            return Err(gone());
        }
    }
    let mut conditions = Vec::with_capacity(question.filters.len());
    for Condition { column, value } in &question.filters {
        // A page's filter on a column that is gone is dropped; a chart without one of its own conditions would show other rows.
        conditions.push(filters::condition(engine, connection, &path(column), value).await?.ok_or_else(gone)?);
    }
    Ok((question_sql(connection.source.kind, &question)?, conditions))
}

/// How old a chart's rows may be, if it says.
fn max_age(definition: &ChartDefinition) -> Option<Duration> {
    definition.cache_seconds.map(|seconds| Duration::from_secs(seconds.into()))
}

impl Viewer {
    /// This viewer with what the address or body hands to a database-native row policy.
    #[must_use]
    pub fn with_database_auth(mut self, token: Option<String>) -> Self {
        self.database_auth_token = token;
        self
    }
}
