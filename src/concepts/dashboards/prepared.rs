//! Prepared charts: everything about a chart's query that does not depend on the viewer, computed once for each version of the
//! chart and of the configuration.

use super::{
    by_meaning::{Asked, ByMeaning, GroupPath, Narrowed},
    filters,
    store::{self, Place},
};
use crate::{
    concepts::{
        charts::{self, Chart},
        connections::{self, OpenConnection},
    },
    ground::{
        error::{Code, Error, Result},
        remembered::{Kept, Remembered},
        state::App,
        store::{holding::watched, version::Scope},
    },
};
use futures::future::join_all;
use inlay_contract::{
    chart::{
        definition::{ChartDefinition, ChartType},
        question::Question,
    },
    filter::{CONTROLLED, FilterDefinition, OMNIBAR},
    ids::{ChartId, ConnectionId, DashboardId, ProjectId},
    page::Filters,
};
use inlay_query::{Engine, Filter, NoMeaning, QueryError, Reading, Shape, Today, question_sql};
use std::{collections::BTreeMap, sync::Arc, time::Duration};

/// A prepared chart. It holds nothing of a viewer.
#[derive(Debug)]
pub struct PreparedChart {
    /// The connection that it queries, with the tables that it may name.
    pub connection: Arc<OpenConnection>,
    /// How it is drawn, with the labels and formats that the semantic model gives its columns.
    pub definition: Arc<ChartDefinition>,
    query: Result<ChartQuery, Unaskable>,
}

impl Kept for PreparedChart {
    const MOST: u64 = 2_000;

    fn scopes(&self) -> Vec<Scope> {
        self.connection.scopes()
    }
}

/// The query of a chart.
#[derive(Debug)]
pub struct ChartQuery {
    text: QueryText,
    /// The conditions of a question that was built in the editor.
    conditions: Vec<Filter>,
    /// How old its rows may be, if set.
    pub max_age: Option<Duration>,
    /// The columns that such a question names, each with its table.
    columns: Vec<(String, String)>,
    /// The tables and columns that the SQL reads.
    reading: Result<Arc<Reading>, QueryError>,
}

/// Where a chart's SQL comes from.
#[derive(Debug)]
enum QueryText {
    /// It was written, or made of a question.
    Written(Arc<str>),
    /// It is made of a query of the semantic model.
    Modelled(Box<ByMeaning>),
}

/// Why a chart cannot be queried.
#[derive(Clone, Debug)]
enum Unaskable {
    /// It has no query.
    WithoutQuery,
    /// Its query of the semantic model has no meaning there.
    NoMeaning(NoMeaning),
    /// Its query has a meaning, but not in the period that the filters ask for.
    NoPeriod(NoMeaning),
    /// Its question names a column that viewers cannot see.
    ColumnGone,
    /// Its question is invalid.
    Refused(QueryError),
}

impl From<Unaskable> for Error {
    fn from(problem: Unaskable) -> Self {
        let told = match problem {
            Unaskable::WithoutQuery => "This chart has no query, so it cannot show data.",
            Unaskable::ColumnGone => "This chart uses a column that no longer exists. Edit the chart.",
            Unaskable::NoMeaning(problem) => {
                let told = format!("The semantic model cannot answer this chart's query. {problem}. Change the query.");
                return Self::new(Code::QueryFailed, told);
            }
            Unaskable::NoPeriod(problem) => {
                let told = format!("This chart cannot show the chosen period: {}. Choose another period.", problem.why);
                return Self::new(Code::QueryFailed, told);
            }
            Unaskable::Refused(problem) => return problem.into(),
        };
        Self::new(Code::QueryFailed, told)
    }
}

/// The charts of a dashboard, prepared, in reading order. Definitions are read only if one of them is not remembered.
///
/// # Errors
/// 404 when a connection is deleted.
pub async fn on_dashboard(app: &App, dashboard: DashboardId) -> Result<Vec<(Place, Arc<PreparedChart>)>> {
    let places = store::places_on(&mut app.db.read().await?.conn(), dashboard).await?;
    let known = join_all(places.iter().map(|place| PreparedChart::known(app, place.chart, place.version))).await;
    if let Some(known) = known.into_iter().collect::<Option<Vec<_>>>() {
        return Ok(places.into_iter().zip(known).collect());
    }
    let placed = store::charts_on(&mut app.db.read().await?.conn(), dashboard).await?;
    let prepared = placed.into_iter().map(|placed| {
        watched(async move {
            let prepared = PreparedChart::of(app, &placed.chart).await?;
            let Chart { id, name, version, .. } = placed.chart;
            Ok((Place { chart: id, name, version, position: placed.place }, prepared))
        })
    });
    join_all(prepared).await.into_iter().collect()
}

/// The connections of a dashboard's charts, each once, in reading order.
///
/// # Errors
/// As [`on_dashboard`].
pub async fn connections_on(app: &App, dashboard: DashboardId) -> Result<Vec<Arc<OpenConnection>>> {
    let mut connections: Vec<Arc<OpenConnection>> = Vec::new();
    for (_, chart) in on_dashboard(app, dashboard).await? {
        if connections.iter().all(|known| known.source.id != chart.connection.source.id) {
            connections.push(Arc::clone(&chart.connection));
        }
    }
    Ok(connections)
}

impl PreparedChart {
    /// Prepares a stored chart.
    ///
    /// # Errors
    ///
    /// 404 when the connection is deleted.
    pub async fn of(app: &App, chart: &Chart) -> Result<Arc<Self>> {
        let read = async || Self::of_definition(app, chart.connection, &chart.definition).await.map(Some);
        remembered(app, (chart.id, chart.version), read).await
    }

    /// A version of a chart that is remembered.
    pub async fn known(app: &App, chart: ChartId, version: i64) -> Option<Arc<Self>> {
        app.part::<Remembered<(ChartId, i64), Self>>().known(app, (chart, version)).await
    }

    /// Prepares a version of a project's chart. Reads it from the store unless it is cached.
    ///
    /// # Errors
    /// 404 when there is none or the connection is deleted.
    pub async fn of_version(app: &App, project: ProjectId, id: ChartId, version: i64) -> Result<Arc<Self>> {
        let read = async || {
            let chart = charts::find(&mut app.db.read().await?.conn(), project, id, Some(version)).await?;
            Self::of_definition(app, chart.connection, &chart.definition).await.map(Some)
        };
        remembered(app, (id, version), read).await
    }

    /// Prepares a definition, with or without a stored chart.
    ///
    /// # Errors
    ///
    /// 404 when the connection is deleted.
    pub async fn of_definition(app: &App, connection: ConnectionId, definition: &ChartDefinition) -> Result<Self> {
        let connection = connections::open(app, connection).await?;
        let query = ChartQuery::of(&app.engine, &connection, definition).await;
        // Not remembered: it may be read a moment later.
        if let Ok(ChartQuery { reading: Err(problem), .. }) = &query
            && problem.may_pass()
        {
            return Err(problem.clone().into());
        }
        let described = match &query {
            Ok(ChartQuery { text: QueryText::Modelled(meant), .. }) => meant.described(definition),
            _ => definition.clone(),
        };
        Ok(Self { connection, definition: Arc::new(described), query })
    }

    /// The chart's query, checked as in [`Self::checked`]. `None` for a text chart.
    pub async fn asks(&self, engine: &Engine) -> Result<Option<&ChartQuery>> {
        if self.definition.kind == ChartType::Text { Ok(None) } else { self.checked(engine).await.map(Some) }
    }

    /// The query, after checking that its columns exist.
    ///
    /// # Errors
    /// 422 for a chart without a query or with an invalid question; 503 when the source cannot be reached.
    pub async fn checked(&self, engine: &Engine) -> Result<&ChartQuery> {
        let query = self.query()?;
        // SQLite reads a quoted name that is not a column as text.
        for (table, column) in &query.columns {
            if !engine.has_column(&self.connection.source, table, column).await? {
                return Err(Unaskable::ColumnGone.into());
            }
        }
        Ok(query)
    }

    /// The shape of the query on a day, if it has one. `narrowed`: what the active filters ask of it.
    ///
    /// # Errors
    /// 422 without a query, or for one that Inlay does not run.
    pub fn shape(&self, today: Today, narrowed: &Narrowed) -> Result<Option<Arc<Shape>>> {
        match &self.query()?.text {
            QueryText::Written(_) => Ok(self.reading()?.shape.clone()),
            QueryText::Modelled(meant) => Ok(asked(meant, today, narrowed)?.shape),
        }
    }

    /// What active filters ask of the query.
    ///
    /// # Errors
    /// 422 without a query; 503 when the source cannot be asked for its columns.
    pub async fn narrowed(&self, engine: &Engine, own: &[FilterDefinition], active: &Filters) -> Result<Narrowed> {
        let query = self.query()?;
        match &query.text {
            QueryText::Written(_) => {
                let mut filters = filters::conditions(engine, own, &self.connection, active).await?;
                filters.extend(query.conditions.iter().cloned());
                Ok(Narrowed { filters, ..Narrowed::default() })
            }
            QueryText::Modelled(meant) => meant.narrowed(engine, own, active).await,
        }
    }

    /// Whether Inlay runs the query.
    ///
    /// # Errors
    /// 422 without a query, or for one that Inlay does not run.
    pub fn is_readable(&self) -> Result<()> {
        self.reading().map(drop)
    }

    /// The full keys of the filters that reach the chart: the dashboard's own, and the active ones.
    pub fn filter_keys(&self, own: &[FilterDefinition], active: &Filters) -> Vec<String> {
        let Ok(query) = self.query() else { return Vec::new() };
        let keys = own.iter().map(|filter| format!("{CONTROLLED}{}", filter.key));
        let keys = keys.chain(active.keys().filter(|key| key.starts_with(OMNIBAR)).cloned());
        keys.filter(|key| filters::column_path(own, key).is_some_and(|path| self.is_reached(query, path))).collect()
    }

    fn is_reached(&self, query: &ChartQuery, path: &str) -> bool {
        match &query.text {
            QueryText::Written(_) => {
                let table = self.connection.column(path).map(|(table, _)| &table.name);
                table.is_some_and(|table| query.reading.as_ref().is_ok_and(|reading| reading.tables.contains(table)))
            }
            QueryText::Modelled(meant) => meant.is_reached(path),
        }
    }

    /// What a mark of a chart that asks the semantic model stands for, if filters can say it.
    pub fn groups(&self) -> Option<&[GroupPath]> {
        self.meant()?.groups()
    }

    /// Its query of the semantic model.
    pub(super) fn meant(&self) -> Option<&ByMeaning> {
        match &self.query.as_ref().ok()?.text {
            QueryText::Modelled(meant) => Some(meant),
            QueryText::Written(_) => None,
        }
    }

    /// The labels of filters on columns and dimensions, by full key: of those among `keys`, and of those that its marks set.
    pub fn filter_labels(&self, keys: &[String]) -> BTreeMap<String, String> {
        let active = keys.iter().filter_map(|key| Some((key.clone(), self.connection.label(key.strip_prefix(OMNIBAR)?)?)));
        let groups = self.groups().unwrap_or_default();
        active.chain(groups.iter().map(|group| (format!("{OMNIBAR}{}", group.path), group.label.clone()))).collect()
    }

    /// Whether its SQL is compiled from a query of the semantic model.
    pub fn is_by_meaning(&self) -> bool {
        self.meant().is_some()
    }

    fn query(&self) -> Result<&ChartQuery> {
        self.query.as_ref().map_err(|problem| problem.clone().into())
    }

    fn reading(&self) -> Result<&Reading> {
        self.query()?.reading.as_deref().map_err(|problem| problem.clone().into())
    }
}

/// A chart as it is drawn: with the labels and formats that the semantic model gives its columns. Without them where the chart
/// cannot be prepared, which whoever asks for its rows is told.
pub async fn drawn(app: &App, chart: Chart) -> Chart {
    if chart.definition.model_query().is_none() {
        return chart;
    }
    match PreparedChart::of(app, &chart).await {
        Ok(prepared) => Chart { definition: ChartDefinition::clone(&prepared.definition), ..chart },
        Err(_) => chart,
    }
}

/// A version of a chart under the current configuration. `read` starts after the configuration's version is known, so it finds
/// nothing older.
async fn remembered<F>(app: &App, of: (ChartId, i64), read: impl FnOnce() -> F + Send) -> Result<Arc<PreparedChart>>
where
    F: Future<Output = Result<Option<PreparedChart>>> + Send,
{
    let found = app.part::<Remembered<(ChartId, i64), PreparedChart>>().get(app, of, read).await?;
    found.ok_or_else(|| Error::not_found("Chart"))
}

impl ChartQuery {
    async fn of(engine: &Engine, connection: &Arc<OpenConnection>, definition: &ChartDefinition) -> Result<Self, Unaskable> {
        let max_age = definition.cache_seconds.map(|seconds| Duration::from_secs(seconds.into()));
        let (text, columns, conditions) = match (&definition.sql_override, definition.question(), definition.model_query()) {
            (Some(sql), ..) => (QueryText::Written(sql.as_str().into()), Vec::new(), Vec::new()),
            (None, Some(question), _) => {
                let (sql, columns, conditions) = built(connection, &question)?;
                (QueryText::Written(sql.into()), columns, conditions)
            }
            (None, None, Some(query)) => {
                let meant = ByMeaning::of(connection, query).map_err(Unaskable::NoMeaning)?;
                (QueryText::Modelled(Box::new(meant)), Vec::new(), Vec::new())
            }
            (None, None, None) => return Err(Unaskable::WithoutQuery),
        };
        let reading = engine.reading(&connection.source, &connection.catalog, &text.prepared()).await;
        Ok(Self { text, conditions, max_age, columns, reading })
    }

    /// Its SQL on a day. `narrowed`: what the active filters ask of it.
    ///
    /// # Errors
    /// 422 when a query of the semantic model has no meaning on that day, or in the period that the filters ask for.
    pub fn sql(&self, today: Today, narrowed: &Narrowed) -> Result<Arc<str>> {
        match &self.text {
            QueryText::Written(sql) => Ok(Arc::clone(sql)),
            QueryText::Modelled(meant) => Ok(asked(meant, today, narrowed)?.sql),
        }
    }
}

fn asked(meant: &ByMeaning, today: Today, narrowed: &Narrowed) -> Result<Asked, Unaskable> {
    let other_period = narrowed.narrowing.period.is_some();
    let why = |problem| if other_period { Unaskable::NoPeriod(problem) } else { Unaskable::NoMeaning(problem) };
    meant.on(today.day, &narrowed.narrowing).map_err(why)
}

impl QueryText {
    /// The SQL as it was when the chart was prepared.
    fn prepared(&self) -> Arc<str> {
        match self {
            Self::Written(sql) => Arc::clone(sql),
            Self::Modelled(meant) => meant.prepared(),
        }
    }
}

/// The SQL of a question; the columns that it names, each with its table; and its conditions that are bound.
type Built = (String, Vec<(String, String)>, Vec<Filter>);

/// The query of a question that was built in the editor. Conditions on its own table are bound; the others stand in the SQL.
///
/// A bound condition reaches every occurrence of its table. A question that joins its own table has none bound: they would
/// narrow the joined rows, too.
fn built(connection: &OpenConnection, question: &Question) -> Result<Built, Unaskable> {
    // A page's filter on a column that is gone is dropped; a chart without one of its own conditions would show other rows.
    let place = |table: &str, column: &str| {
        let path = format!("{}.{table}.{column}", connection.source.name);
        let (table, column) = connection.column(&path).ok_or(Unaskable::ColumnGone)?;
        Ok((table.name.clone(), column.to_owned()))
    };
    let columns: Vec<(String, String)> =
        question.named().into_iter().map(|(table, column)| place(table, column)).collect::<Result<_, _>>()?;
    let mut written = question.clone();
    let mut bound = Vec::new();
    if question.joins.iter().all(|join| join.table != question.table) {
        written.filters.retain(|condition| condition.filter().is_none());
        for (condition, value) in question.filters.iter().filter_map(|one| Some((one, one.filter()?))) {
            let (table, column) = place(&question.table, &condition.column)?;
            bound.push(Filter { table, column, value: value.clone() });
        }
    }
    let sql = question_sql(connection.source.kind, &written).map_err(Unaskable::Refused)?;
    Ok((sql, columns, bound))
}
