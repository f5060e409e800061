//! The door itself: one function that every question goes through.

mod audit;
mod choices;
mod connections;
mod listing;
mod probe;
mod setting;
mod trial;

use crate::{
    address::{Addresses, RefusedAddress, Unheard},
    cache::{AnswerCache, Answers, Fingerprint, Flights, of_answer, of_source},
    catalog::{Catalog, RowAccess},
    error::QueryError,
    limits::Limits,
    name::{TableKey, fold},
    property::SecurityContext,
    rewrite::{Columns, Query, Rewritten, no_rule, rewrite, tables_read},
    schema::{SourceColumn, find},
    source::Source,
};
pub use audit::Warning;
use connections::Connections;
use inlay_contract::data::{ChartData, Column};
pub use listing::SourceTable;
use moka::future::Cache;
pub use probe::Probed;
use std::{
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};
pub use trial::RuleTrial;

/// Connections to sources, remembered answers and columns, and the limits. A clone is another handle to the same.
#[derive(Clone)]
pub struct Engine(Arc<Shared>);

/// What an engine is made with.
#[derive(Clone, Default)]
pub struct EngineOptions {
    /// What a query may cost.
    pub limits: Limits,
    /// Where sources may be.
    pub addresses: Addresses,
    /// Where several nodes share answers; none: each remembers its own.
    pub shared_answers: Option<Arc<dyn AnswerCache>>,
}

struct Shared {
    limits: Limits,
    connections: Connections,
    answers: Answers,
    flights: Flights<Result<Landed, QueryError>>,
    columns: Cache<(Fingerprint, String), Arc<[SourceColumn]>>,
}

/// What a run brought.
#[derive(Clone)]
struct Landed {
    data: Arc<ChartData>,
    /// Another node had it.
    shared: bool,
}

impl Engine {
    /// An engine for sources on the internet and in files, without connections; they are made when they are needed.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self::open(EngineOptions { limits, ..EngineOptions::default() })
    }

    /// An engine without connections; they are made when they are needed.
    #[must_use]
    pub fn open(options: EngineOptions) -> Self {
        let EngineOptions { limits, addresses, shared_answers } = options;
        let columns = Cache::builder().max_capacity(10_000).time_to_live(limits.schema_ttl).build();
        Self(Arc::new(Shared {
            connections: Connections::new(addresses),
            answers: Answers::new(limits.cache_bytes, shared_answers),
            flights: Flights::default(),
            columns,
            limits,
        }))
    }

    /// Answers a question with the rows that the viewer may see. Everything goes through here: charts, choices of filters,
    /// exports, chat.
    ///
    /// Those who ask the same at the same time wait for one run. Whoever drops the future leaves; when nobody waits any
    /// more, the run is stopped in the source.
    ///
    /// # Errors
    /// See [`QueryError`]; there are no rows beside an error.
    pub async fn run(
        &self,
        source: &Source,
        catalog: &Catalog,
        viewer: &SecurityContext,
        query: &Query,
    ) -> Result<ChartData, QueryError> {
        let setting = setting::of(source, viewer)?;
        let columns = self.columns_read(source, catalog, query).await?;
        let rewritten = rewrite(source.kind, catalog, &columns, viewer, query)?;
        let key = of_answer(source, &rewritten, setting.as_ref(), &self.0.limits);
        let max_age = self.max_age(source, query);
        if !query.refresh
            && let Some(found) = self.0.answers.here(&key, max_age).await
        {
            return Ok(remembered(&found));
        }
        let work = self.0.clone().work(source.clone(), rewritten, setting, key, max_age, query.refresh);
        // A refresh joins no run that began before it: that one may have read what was there earlier.
        let flight = if query.refresh { refreshing(key) } else { key };
        let (flight, joined) = self.0.flights.join(flight, work);
        match flight.await {
            Ok(landed) if joined || landed.shared => Ok(remembered(&landed.data)),
            Ok(landed) => Ok(ChartData::clone(&landed.data)),
            Err(problem) => {
                // The table may have changed since its columns were remembered.
                for name in columns.into_keys() {
                    self.0.columns.invalidate(&(of_source(source), name)).await;
                }
                Err(problem)
            }
        }
    }

    /// How old an answer to a question may be.
    fn max_age(&self, source: &Source, query: &Query) -> Duration {
        let own = source.limits.cache_seconds.map(|seconds| Duration::from_secs(seconds.into()));
        // An engine that remembers nothing does so for every source.
        let default = self.0.limits.cache_ttl;
        if default.is_zero() { default } else { query.max_age.or(own).unwrap_or(default) }
    }

    /// The SQL that a question becomes, values as `$1`, `$2`, …: for an operator who examines a rule, never for a viewer.
    ///
    /// # Errors
    /// As [`Engine::run`].
    pub async fn explain(
        &self,
        source: &Source,
        catalog: &Catalog,
        viewer: &SecurityContext,
        query: &Query,
    ) -> Result<String, QueryError> {
        let columns = self.columns_read(source, catalog, query).await?;
        rewrite(source.kind, catalog, &columns, viewer, query).map(|rewritten| rewritten.sql)
    }

    /// The columns of a table as the source has them now, for checking a project file.
    ///
    /// # Errors
    /// [`QueryError::Failed`] when there is no such table, [`QueryError::SourceUnavailable`].
    pub async fn describe(&self, source: &Source, table: &str) -> Result<Vec<Column>, QueryError> {
        self.0.columns.invalidate(&(of_source(source), table.to_owned())).await;
        let columns = self.columns(source, table).await?;
        Ok(columns.iter().map(|column| Column { name: column.name.clone(), kind: column.class.column_type() }).collect())
    }

    /// Whether a table has a column, as far as the engine remembers: a page's filter on a column that is not there is dropped.
    ///
    /// # Errors
    /// As [`Engine::describe`].
    pub async fn has_column(&self, source: &Source, table: &str, column: &str) -> Result<bool, QueryError> {
        let columns = self.columns(source, table).await?;
        Ok(find(source.kind, &columns, &fold(source.kind, column)).is_some())
    }

    /// Whether a source can be reached.
    ///
    /// # Errors
    /// [`QueryError::SourceUnavailable`]
    pub async fn check(&self, source: &Source) -> Result<(), QueryError> {
        let limits = self.0.limits_of(source);
        let held = self.0.connections.of(source, &limits).await?;
        // A pool of connections tries a closed port again until its time is over.
        match self.0.connections.addresses().knock(source).await {
            Ok(()) => held.pool.check(&limits).await,
            Err(Unheard::Closed) => Err(QueryError::unavailable("connection refused: nothing listens at this host and port")),
            Err(Unheard::Silent) => Err(QueryError::unavailable("timed out: nothing was heard from this host and port")),
        }
    }

    /// Whether a source may be where it is, as far as can be told now; each connection is judged again.
    ///
    /// # Errors
    /// A sentence for the operator.
    pub async fn check_address(&self, source: &Source) -> Result<(), RefusedAddress> {
        self.0.connections.addresses().check(source).await
    }

    /// The columns of the tables that a query reads.
    async fn columns_read(&self, source: &Source, catalog: &Catalog, query: &Query) -> Result<Columns, QueryError> {
        let mut columns = Columns::new();
        for name in tables_read(source.kind, &query.sql, catalog)? {
            let table = catalog.named(source.kind, &name).filter(|table| table.rows != RowAccess::Nothing);
            let table = table.ok_or_else(|| no_rule(&name))?;
            columns.insert(name, self.columns(source, &table.name).await?);
        }
        Ok(columns)
    }

    async fn columns(&self, source: &Source, table: &str) -> Result<Arc<[SourceColumn]>, QueryError> {
        let key = (of_source(source), table.to_owned());
        let work = async {
            let missing = || QueryError::failed(format!("connection {} has no table {table}", source.name));
            let spelled = TableKey::spelled(source.kind, table).ok_or_else(missing)?;
            let limits = self.0.limits_of(source);
            let columns = self.0.connections.of(source, &limits).await?.pool.describe(&spelled, &limits).await?;
            if columns.is_empty() { Err(missing()) } else { Ok(Arc::from(columns)) }
        };
        self.0.columns.try_get_with(key, work).await.map_err(|problem: Arc<QueryError>| QueryError::clone(&problem))
    }
}

impl Shared {
    /// The limits of one source.
    fn limits_of(&self, source: &Source) -> Limits {
        let connections = source.limits.max_connections.map_or(self.limits.connections, |most| most.max(1));
        Limits { connections, ..self.limits.clone() }
    }

    /// One run for all who wait: the answer of another node, or of the source.
    async fn work(
        self: Arc<Self>,
        source: Source,
        query: Rewritten,
        setting: Option<(String, String)>,
        key: Fingerprint,
        max_age: Duration,
        refresh: bool,
    ) -> Result<Landed, QueryError> {
        if !refresh && let Some(data) = self.answers.shared(&key, max_age).await {
            return Ok(Landed { data, shared: true });
        }
        let limits = self.limits_of(&source);
        let held = self.connections.of(&source, &limits).await?;
        let _place = held.enter(&source)?;
        let (asked_at, start) = (SystemTime::now(), Instant::now());
        let setting = setting.as_ref().map(|(name, value)| (name.as_str(), value.as_str()));
        let answer = held.pool.run(&query, setting, &limits).await?;
        let data = Arc::new(answer.into_data(start.elapsed()));
        self.answers.put(key, &data, asked_at, max_age).await;
        Ok(Landed { data, shared: false })
    }
}

/// An answer that was there already.
fn remembered(data: &ChartData) -> ChartData {
    ChartData { cached: true, duration_ms: 0, ..data.clone() }
}

/// The flight of those who refresh an answer.
fn refreshing(mut key: Fingerprint) -> Fingerprint {
    key.iter_mut().for_each(|byte| *byte = !*byte);
    key
}
