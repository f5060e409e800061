//! The engine: all queries go through one function.

mod audit;
mod breaker;
mod checking;
mod choices;
mod columns;
mod connections;
mod failures;
mod keys;
mod listing;
mod measures;
mod memo;
mod probe;
mod readers;
mod setting;
mod strangers;
mod trial;

use crate::{
    address::Addresses,
    cache::{AnswerCache, Answered, Answers, Digest, Fingerprint, Flights, of_answer, of_question, of_source, of_sql},
    catalog::{Catalog, RowAccess},
    error::QueryError,
    limits::Limits,
    memory::{Meter, Room},
    property::SecurityContext,
    rewrite::{Columns, Query, Reading, Rewritten, no_rule, reading, rewrite, tables_read},
    source::{Source, SourceLimits},
    sources::Answer,
};
pub use audit::Warning;
use columns::KnownColumns;
use connections::{Connections, Held};
use futures::FutureExt as _;
use inlay_contract::data::ChartData;
pub use keys::{DeclaredKey, DeclaredKeys, DeclaredReference};
pub use listing::SourceTable;
use memo::{Memo, Prepared};
pub use probe::Probed;
use readers::Readers;
use std::{
    collections::BTreeSet,
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};
pub use strangers::{Sees, StrangersTable, questions_about};
pub use trial::RuleTrial;

/// The age after which no result is reused, whatever a source or a chart says.
const MOST_AGE: Duration = Duration::from_secs(24 * 3600);
/// The age after which no result is shown any more, also while its source does not answer.
const MOST_STALE: Duration = Duration::from_secs(SourceLimits::MOST_STALE_SECONDS as u64);

/// The connections to sources, the caches and the limits. Cheap to clone.
#[derive(Clone)]
pub struct Engine(Arc<Shared>);

/// What an engine is made with.
#[derive(Clone, Default)]
pub struct EngineOptions {
    /// The limits of queries.
    pub limits: Limits,
    /// Where sources may be.
    pub addresses: Addresses,
    /// The shared cache of several nodes. `None`: each node caches alone.
    pub shared_answers: Option<Arc<dyn AnswerCache>>,
}

struct Shared {
    limits: Limits,
    connections: Connections,
    answers: Answers,
    flights: Flights<Result<Landed, QueryError>>,
    columns: KnownColumns,
    memo: Memo,
    readers: Readers,
}

/// The columns of the tables that a query reads.
struct ColumnsRead {
    columns: Columns,
    /// A hash of all of them.
    fingerprint: Fingerprint,
}

/// The result of a run.
#[derive(Clone)]
struct Landed {
    /// For the caller that started it.
    first: Answered,
    /// For callers that joined it, and for the cache.
    others: Answered,
}

impl Engine {
    /// An engine for sources on the internet and in files. Connections are opened when needed.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self::open(EngineOptions { limits, ..EngineOptions::default() })
    }

    /// An engine with these options. Connections are opened when needed.
    #[must_use]
    pub fn open(options: EngineOptions) -> Self {
        let EngineOptions { limits, addresses, shared_answers } = options;
        Self(Arc::new(Shared {
            connections: Connections::new(addresses),
            answers: Answers::new(limits.cache_bytes, shared_answers),
            flights: Flights::default(),
            columns: KnownColumns::new(&limits),
            memo: Memo::new(),
            readers: Readers::new(),
            limits,
        }))
    }

    /// The limits of queries.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// Answers a query with the rows that the viewer may see. Everything goes through here: charts, filter choices, exports,
    /// chat. A repeated query is not parsed again.
    ///
    /// Concurrent identical queries share one run. Dropping the future leaves it; when no caller is left, the run is cancelled
    /// in the source.
    ///
    /// # Errors
    /// See [`QueryError`]. An error never comes with rows.
    pub async fn answer(
        &self,
        source: &Source,
        catalog: &Catalog,
        viewer: &SecurityContext,
        query: &Query,
    ) -> Result<Answered, QueryError> {
        async move {
            let setting = setting::of(source, viewer)?;
            let read = self.columns_read(source, catalog, viewer, query).await?;
            let prepared = self.prepared(source, catalog, &read, viewer, setting.as_ref(), query).await?;
            let key = prepared.key;
            let max_age = self.max_age(source, query);
            if !query.refresh {
                let found = self.0.answers.here(&key, max_age).await;
                measures::asked("answers", found.is_some());
                if let Some(found) = found {
                    return Ok(found);
                }
            }
            let oldest = self.oldest(source);
            let keep = max_age.max(oldest);
            let work = self.0.clone().work(source.clone(), viewer.share, prepared, setting, (max_age, keep), query.refresh);
            let work = measures::traced(source.kind, work);
            // A refresh does not join a run that began before it, since that may have read older data.
            let flight = if query.refresh { refreshing(key) } else { key };
            let (flight, joined) = self.0.flights.join(flight, work);
            match flight.await {
                Ok(Landed { first, others }) => Ok(if joined { others } else { first }),
                Err(problem) if query.stale && !query.refresh && problem.is_silence() && !self.refuses(source) => {
                    let last = self.0.answers.last(&key, oldest).await;
                    measures::stale(source.kind, last.is_some());
                    last.ok_or(problem)
                }
                Err(problem) => {
                    // The table may have changed since its columns were cached. A source that does not answer is not asked for them once more.
                    if let QueryError::Failed(_) = problem {
                        for name in read.columns.into_keys() {
                            self.0.columns.forget(source, &name).await;
                        }
                    }
                    Err(problem)
                }
            }
        }
        .boxed()
        .await
    }

    /// The same with an owned result.
    ///
    /// # Errors
    /// See [`Engine::answer`].
    pub async fn run(
        &self,
        source: &Source,
        catalog: &Catalog,
        viewer: &SecurityContext,
        query: &Query,
    ) -> Result<ChartData, QueryError> {
        self.answer(source, catalog, viewer, query).await.map(Answered::into_data)
    }

    /// The maximum age of a cached result.
    fn max_age(&self, source: &Source, query: &Query) -> Duration {
        let own = source.limits.cache_seconds.map(|seconds| Duration::from_secs(seconds.into()));
        // An engine without a cache has none for any source.
        let default = self.0.limits.cache_ttl;
        if default.is_zero() { default } else { query.max_age.or(own).unwrap_or(default).min(MOST_AGE) }
    }

    /// Whether anything of a source's rows may be remembered, beside the answers that the engine remembers itself.
    #[must_use]
    pub fn remembers(&self, source: &Source) -> bool {
        let own = source.limits.cache_seconds.is_none_or(|seconds| seconds > 0);
        own && !self.0.limits.cache_ttl.is_zero() && !self.refuses(source)
    }

    /// Whether the source has refused its login or its address, and not responded since: what it showed before is not to be seen.
    fn refuses(&self, source: &Source) -> bool {
        self.0.connections.failures().refuses(source.id)
    }

    /// The age of the oldest result that may take the place of one while the source does not answer.
    fn oldest(&self, source: &Source) -> Duration {
        let seconds = source.limits.stale_seconds.unwrap_or_default();
        if self.0.limits.cache_ttl.is_zero() { Duration::ZERO } else { Duration::from_secs(seconds.into()).min(MOST_STALE) }
    }

    /// The SQL that a query is rewritten to, with values as `$1`, `$2`, …. For an operator who examines a rule, never for a
    /// viewer.
    ///
    /// # Errors
    /// See [`Engine::run`].
    pub async fn explain(
        &self,
        source: &Source,
        catalog: &Catalog,
        viewer: &SecurityContext,
        query: &Query,
    ) -> Result<String, QueryError> {
        async move {
            let read = self.columns_read(source, catalog, viewer, query).await?;
            self.rewritten(source, catalog, &read, viewer, query).await.map(|rewritten| rewritten.sql)
        }
        .boxed()
        .await
    }

    /// What is known about a query before it runs. Cached per catalogue.
    ///
    /// # Errors
    /// [`QueryError::Failed`]: the query is not allowed.
    pub async fn reading(&self, source: &Source, catalog: &Catalog, sql: &str) -> Result<Arc<Reading>, QueryError> {
        async move {
            let (kind, own_catalog, own_sql) = (source.kind, catalog.clone(), sql.to_owned());
            let read = self.0.readers.read(source, &self.0.limits, move || reading(kind, &own_sql, &own_catalog));
            self.0.memo.readings.get(Some(of_sql(source, catalog, sql)), read).await
        }
        .boxed()
        .await
    }

    /// The catalogue's tables that a query reads, as [`tables_read`] finds them, on a reader's thread.
    ///
    /// # Errors
    /// [`QueryError::Failed`]: the query is not allowed.
    pub async fn tables_read(&self, source: &Source, catalog: &Catalog, sql: &str) -> Result<BTreeSet<String>, QueryError> {
        let (kind, catalog, sql) = (source.kind, catalog.clone(), sql.to_owned());
        self.0.readers.read(source, &self.0.limits, move || tables_read(kind, &sql, &catalog)).await
    }

    /// The columns of the tables that a query reads.
    async fn columns_read(
        &self,
        source: &Source,
        catalog: &Catalog,
        viewer: &SecurityContext,
        query: &Query,
    ) -> Result<ColumnsRead, QueryError> {
        let (mut columns, mut digest) = (Columns::new(), Digest::default());
        for name in &self.reading(source, catalog, &query.sql).await?.tables {
            let table = catalog.named(source.kind, name).filter(|table| table.rows != RowAccess::Nothing);
            let table = table.ok_or_else(|| no_rule(name))?;
            let described = self.columns(source, &table.name, viewer.share).await?;
            digest = digest.bytes(name.as_bytes()).bytes(&described.fingerprint);
            columns.insert(name.clone(), described.columns);
        }
        Ok(ColumnsRead { columns, fingerprint: digest.end() })
    }

    /// The query as its source may run it for this viewer.
    async fn prepared(
        &self,
        source: &Source,
        catalog: &Catalog,
        read: &ColumnsRead,
        viewer: &SecurityContext,
        setting: Option<&(String, String)>,
        query: &Query,
    ) -> Result<Arc<Prepared>, QueryError> {
        let of = of_source(source);
        let make = async {
            let rewritten = self.rewritten(source, catalog, read, viewer, query).await?;
            Ok(Prepared { key: of_answer(&of, &rewritten, setting, &self.0.limits), query: rewritten })
        };
        self.0.memo.prepared.get(of_question(&of, catalog, &read.fingerprint, viewer, setting, query), make).await
    }

    /// The query rewritten on a reader's thread.
    async fn rewritten(
        &self,
        source: &Source,
        catalog: &Catalog,
        read: &ColumnsRead,
        viewer: &SecurityContext,
        query: &Query,
    ) -> Result<Rewritten, QueryError> {
        let (kind, catalog, columns) = (source.kind, catalog.clone(), read.columns.clone());
        let (viewer, query) = (viewer.clone(), query.clone());
        let work = move || rewrite(kind, &catalog, &columns, &viewer, &query);
        self.0.readers.read(source, &self.0.limits, work).await
    }
}

impl Shared {
    /// The limits of one source.
    fn limits_of(&self, source: &Source) -> Limits {
        let connections = source.limits.max_connections.map_or(self.limits.connections, |most| most.max(1));
        Limits { connections, parsers: self.limits.parsers.of(source.id), ..self.limits.clone() }
    }

    /// A run for all who wait: takes the shared result of another node, or queries the source.
    async fn work(
        self: Arc<Self>,
        source: Source,
        share: u128,
        prepared: Arc<Prepared>,
        setting: Option<(String, String)>,
        (max_age, keep): (Duration, Duration),
        refresh: bool,
    ) -> Result<Landed, QueryError> {
        let Prepared { query, key } = &*prepared;
        if !refresh && let Some(answer) = self.answers.shared(key, max_age).await {
            return Ok(Landed { first: answer.clone(), others: answer });
        }
        let limits = self.limits_of(&source);
        let held = self.connections.of(&source, &limits).await?;
        let _under_way = measures::UnderWay::begin(source.kind);
        let (_place, limits) = held.enter(&source, share, limits).await?;
        let (asked_at, start) = (SystemTime::now(), Instant::now());
        let setting = setting.as_ref().map(|(name, value)| (name.as_str(), value.as_str()));
        let (answer, room) = read(&held, &source, query, setting, &limits).await?;
        let first = Answered::new(answer.into_data(start.elapsed())).with_room(room);
        let others = first.joined();
        self.answers.put(*key, &others, asked_at, keep).await;
        Ok(Landed { first, others })
    }
}

/// The room that a result begins with, in bytes.
const FIRST_ROOM: usize = 16 << 10;

/// How long a query waits for room.
const WAIT_FOR_ROOM: Duration = Duration::from_secs(2);

/// Asks a source. The result takes room while its rows are read. If it outgrows what is free, it gives back what it has, waits for
/// more, and is read once more.
async fn read(
    held: &Held,
    source: &Source,
    query: &Rewritten,
    setting: Option<(&str, &str)>,
    limits: &Limits,
) -> Result<(Answer, Option<Room>), QueryError> {
    let mut room = FIRST_ROOM;
    for _ in 0..2 {
        let begin = limits.memory.take(room, WAIT_FOR_ROOM).await.map_err(|_| QueryError::busy())?;
        let metered = Limits { meter: Meter::of(begin), ..limits.clone() };
        let answer = held.ask(source, &metered, held.pool.run(query, setting, &metered)).await?;
        match metered.meter.end() {
            Ok(room) => return Ok((answer, room)),
            // More than a third of all has no place beside others.
            Err(missing) => room = missing.saturating_mul(2).min(limits.memory.total() / 3).max(missing),
        }
    }
    Err(QueryError::busy())
}

/// The key of runs that refresh a result.
fn refreshing(mut key: Fingerprint) -> Fingerprint {
    key.iter_mut().for_each(|byte| *byte = !*byte);
    key
}
