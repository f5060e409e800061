//! The drivers of the databases. Only this module has connections. Each kind of source is a variant here.

mod batch;
mod clickhouse;
#[cfg(feature = "duckdb")]
mod duckdb;
mod http;
mod infer;
mod keys;
mod lent;
mod moment;
mod mysql;
mod number;
mod postgres;
mod rights;
mod sqlite;
mod trino;

pub(crate) use keys::{FoundKey, KeyRole};
pub(crate) use rights::{Role, TableRights};

pub(crate) use http::{HttpAddress, named_port};
pub(crate) use moment::at as moment_at;

use crate::{
    address::Route,
    bind::Bind,
    error::QueryError,
    limits::Limits,
    memory::of_row,
    name::{TableKey, is_plain},
    rewrite::Rewritten,
    schema::SourceColumn,
    source::Source,
};
use inlay_contract::data::{ChartData, Column};
use serde_json::Value;
use sqlx_sqlite::SqlitePool;

/// Connections to one source.
#[derive(Clone)]
pub(crate) enum Pool {
    Sqlite(SqlitePool),
    Postgres(postgres::Server),
    Mysql(mysql::Server),
    Clickhouse(clickhouse::Server),
    Trino(trino::Server),
    #[cfg(feature = "duckdb")]
    Duckdb(duckdb::Server),
}

/// A database setting for one query: name and value.
pub(crate) type Setting<'a> = (&'a str, &'a str);

impl Pool {
    /// Connections to a SQLite file.
    pub(crate) fn sqlite(source: &Source, route: &Route, limits: &Limits) -> Result<Self, QueryError> {
        sqlite::open(source, route, limits).map(Self::Sqlite)
    }

    /// Connections to PostgreSQL and compatible databases.
    pub(crate) fn postgres(source: &Source, route: &Route, limits: &Limits) -> Result<Self, QueryError> {
        postgres::open(source, route, limits).map(Self::Postgres)
    }

    /// Connections to MySQL and compatible databases.
    pub(crate) fn mysql(source: &Source, route: &Route, limits: &Limits) -> Result<Self, QueryError> {
        mysql::open(source, route, limits).map(Self::Mysql)
    }

    /// Connections to `ClickHouse`.
    pub(crate) fn clickhouse(source: &Source, route: &Route, limits: &Limits) -> Result<Self, QueryError> {
        clickhouse::open(source, route, limits).map(Self::Clickhouse)
    }

    /// Connections to Trino.
    pub(crate) fn trino(source: &Source, route: &Route, limits: &Limits) -> Result<Self, QueryError> {
        trino::open(source, route, limits).map(Self::Trino)
    }

    /// Connections to a file or folder for `DuckDB`.
    #[cfg(feature = "duckdb")]
    pub(crate) fn duckdb(source: &Source, route: &Route, _: &Limits) -> Result<Self, QueryError> {
        duckdb::open(source, route).map(Self::Duckdb)
    }

    /// # Errors
    /// Always: `DuckDB` is not built in.
    #[cfg(not(feature = "duckdb"))]
    pub(crate) fn duckdb(_: &Source, _: &Route, _: &Limits) -> Result<Self, QueryError> {
        Err(QueryError::unavailable("this build of Inlay has no DuckDB: build it with the cargo feature `duckdb`"))
    }

    /// The connections that are in use and idle. Those of HTTP are requests under way.
    pub(crate) fn counted(&self) -> (u64, u64) {
        let split = |open: u32, idle: usize| {
            let (open, idle) = (u64::from(open), u64::try_from(idle).unwrap_or_default());
            (open.saturating_sub(idle), idle)
        };
        match self {
            Self::Sqlite(pool) => split(pool.size(), pool.num_idle()),
            Self::Postgres(server) => split(server.pool.size(), server.pool.num_idle()),
            Self::Mysql(server) => split(server.pool.size(), server.pool.num_idle()),
            Self::Clickhouse(server) => (server.places.taken(), 0),
            Self::Trino(server) => (server.places.taken(), 0),
            #[cfg(feature = "duckdb")]
            Self::Duckdb(_) => (0, 0),
        }
    }

    /// Whether a connection may be opened only to see whether the server is there, which its driver does not tell.
    pub(crate) const fn may_knock(&self, has_answered: bool) -> bool {
        match self {
            Self::Postgres(_) => true,
            // It counts connections on which nothing is said, and in the end refuses their host.
            Self::Mysql(_) => !has_answered,
            _ => false,
        }
    }

    /// Runs a trivial query.
    pub(crate) async fn check(&self, limits: &Limits) -> Result<(), QueryError> {
        within(limits, async {
            match self {
                Self::Sqlite(pool) => sqlite::check(pool, limits).await,
                Self::Postgres(server) => postgres::check(server).await,
                Self::Mysql(server) => mysql::check(server).await,
                Self::Clickhouse(server) => clickhouse::check(server, limits).await,
                Self::Trino(server) => trino::check(server, limits).await,
                #[cfg(feature = "duckdb")]
                Self::Duckdb(server) => duckdb::check(server).await,
            }
        })
        .await
    }

    /// The columns of a table. Empty if there is no such table. Those whose names cannot be written safely are left out.
    pub(crate) async fn describe(&self, table: &TableKey, limits: &Limits) -> Result<Vec<SourceColumn>, QueryError> {
        within(limits, async {
            match self {
                Self::Sqlite(pool) => sqlite::describe(pool, table, limits).await,
                Self::Postgres(server) => postgres::describe(server, table).await,
                Self::Mysql(server) => mysql::describe(server, table).await,
                Self::Clickhouse(server) => clickhouse::describe(server, table, limits).await,
                Self::Trino(server) => trino::describe(server, table, limits).await,
                #[cfg(feature = "duckdb")]
                Self::Duckdb(server) => duckdb::describe(server, table).await,
            }
        })
        .await
        .map(|columns| columns.into_iter().filter(|column| is_plain(&column.name)).collect())
    }

    /// The same of every table that the source's user can read.
    pub(crate) async fn list(&self, limits: &Limits) -> Result<Vec<(TableKey, SourceColumn)>, QueryError> {
        within(limits, async {
            match self {
                Self::Sqlite(pool) => sqlite::list(pool, limits).await,
                Self::Postgres(server) => postgres::list(server).await,
                Self::Mysql(server) => mysql::list(server).await,
                Self::Clickhouse(server) => clickhouse::list(server, limits).await,
                Self::Trino(server) => trino::list(server, limits).await,
                #[cfg(feature = "duckdb")]
                Self::Duckdb(server) => duckdb::list(server).await,
            }
        })
        .await
        .map(|columns| columns.into_iter().filter(|(_, column)| is_plain(&column.name)).collect())
    }

    /// Runs the rewritten SQL, read-only and within the limits.
    pub(crate) async fn run(
        &self,
        query: &Rewritten,
        setting: Option<Setting<'_>>,
        limits: &Limits,
    ) -> Result<Answer, QueryError> {
        let Rewritten { sql, binds, zone } = query;
        within(limits, async {
            match self {
                Self::Sqlite(pool) => sqlite::run(pool, sql, binds, limits).await,
                Self::Postgres(server) => postgres::run(server, sql, texts(binds), setting, limits, *zone).await,
                Self::Mysql(server) => mysql::run(server, sql, binds, setting, limits, *zone).await,
                Self::Clickhouse(server) => clickhouse::run(server, sql, binds, setting, limits, *zone).await,
                Self::Trino(server) => trino::run(server, sql, binds, setting, limits, *zone).await,
                #[cfg(feature = "duckdb")]
                Self::Duckdb(server) => duckdb::run(server, sql, binds, limits, *zone).await,
            }
        })
        .await
    }
}

/// A column in a source's list: schema, table, name, type.
type ListedColumn = (String, String, String, String);

/// The list of all tables' columns, with the class of each type.
fn listed(
    columns: impl IntoIterator<Item = ListedColumn>,
    class: impl Fn(&str) -> crate::schema::Class,
) -> Vec<(TableKey, SourceColumn)> {
    let column =
        |(schema, table, name, kind): ListedColumn| (TableKey { schema, table }, SourceColumn::new(name, class(&kind)));
    columns.into_iter().map(column).collect()
}

/// The same from a result whose rows are four texts.
fn listed_rows(answer: Answer, class: impl Fn(&str) -> crate::schema::Class) -> Vec<(TableKey, SourceColumn)> {
    let text = |value: Value| if let Value::String(text) = value { Some(text) } else { None };
    let row = |row: Vec<Value>| {
        let mut texts = row.into_iter().map(text);
        let mut next = || texts.next().flatten();
        Some((next()?, next()?, next()?, next()?))
    };
    listed(answer.rows.into_iter().filter_map(row), class)
}

/// The limits of a query about columns. The row limit is meant for results.
fn for_columns(limits: &Limits) -> Limits {
    Limits { rows: 100_000, bytes: 16 << 20, ..limits.clone() }
}

/// PostgreSQL's binds are all text.
fn texts(binds: &[Bind]) -> impl Iterator<Item = String> {
    binds.iter().map(|bind| match bind {
        Bind::Text(text) => text.clone(),
        Bind::Integer(number) => number.to_string(),
        Bind::Real(number) => number.to_string(),
    })
}

/// How long the driver waits: a little longer than the database itself works.
pub(crate) fn patience(limits: &Limits) -> std::time::Duration {
    limits.timeout + std::time::Duration::from_millis(500)
}

/// The time limit on this side, for what the database's own limit does not cover (connecting, a lost network).
async fn within<T>(limits: &Limits, work: impl Future<Output = Result<T, QueryError>>) -> Result<T, QueryError> {
    tokio::time::timeout(patience(limits), work)
        .await
        .unwrap_or_else(|_| Err(QueryError::timeout("the time limit was reached")))
}

/// The result of a query.
pub(crate) struct Answer {
    columns: Vec<Column>,
    rows: Vec<Vec<Value>>,
    truncated: bool,
}

impl Answer {
    pub(crate) fn into_data(self, duration: std::time::Duration) -> ChartData {
        let Self { columns, rows, truncated } = self;
        let duration_ms = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        ChartData { columns, rows, truncated, cached: false, duration_ms, as_of: None }
    }
}

/// Collects rows up to the limits.
struct Rows {
    limits: Limits,
    rows: Vec<Vec<Value>>,
    bytes: usize,
    truncated: bool,
}

impl Rows {
    fn new(limits: &Limits) -> Self {
        Self { limits: limits.clone(), rows: Vec::new(), bytes: 0, truncated: false }
    }

    /// Adds a row of about this many bytes. Returns `false` if a limit is reached and the row was left out.
    fn take(&mut self, row: Vec<Value>, bytes: usize) -> bool {
        self.bytes = self.bytes.saturating_add(bytes);
        self.truncated = self.rows.len() == self.limits.rows || self.bytes > self.limits.bytes;
        // The row and its JSON. Without room the reading ends, and the engine refuses the result.
        self.truncated |= !self.truncated && !self.limits.meter.add(of_row(&row).saturating_add(bytes));
        if !self.truncated {
            self.rows.push(row);
        }
        !self.truncated
    }
}
