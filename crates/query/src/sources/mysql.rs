//! MySQL, `MariaDB` and compatible databases: read-only sessions with settings that make the meaning of a query unambiguous.

pub(super) mod keys;
mod values;

use super::{Answer, Setting, batch::Batch, lent::Lent};
use crate::{
    address::{Route, driver},
    bind::Bind,
    dialect::{Dialect, Mysql},
    error::QueryError,
    limits::Limits,
    name::{TableKey, quote},
    schema::{Class, SourceColumn},
    source::Source,
    sql::places::positional,
};
use chrono_tz::Tz;
use futures::{Stream, TryStreamExt};
use inlay_contract::data::Column;
use sqlx::{
    AssertSqlSafe, Column as _, ConnectOptions, Connection, Executor, Row, SqlSafeStr, Statement, error::DatabaseError, raw_sql,
};
use sqlx_mysql::{MySql, MySqlConnectOptions, MySqlConnection, MySqlDatabaseError, MySqlPool, MySqlPoolOptions, MySqlRow};
use std::{sync::Arc, time::Duration};

/// Connections to a server, and how to open another one that stops a query.
#[derive(Clone)]
pub(crate) struct Server {
    pub(super) pool: MySqlPool,
    options: MySqlConnectOptions,
}

/// The recursion limit of a query. The servers' own limits are 1,000 and none.
const DEPTH: u32 = 1_000_000;
/// `MariaDB` uses hash joins from this level on. Below it, two wrapped tables, which have no index, are compared row by row.
const HASH_JOINS: u32 = 4;
/// The longest result of `group_concat`, in bytes.
const LONGEST_GROUP: u32 = 1 << 20;

pub(super) fn open(source: &Source, route: &Route, limits: &Limits) -> Result<Server, QueryError> {
    let refused = |refused| QueryError::unavailable(format!("connection {}: {refused}", source.name));
    let options = driver::mysql(&source.url).map_err(refused)?;
    // The host's name is kept for the check of its certificate.
    let options = match route.socket() {
        Some(path) => options.socket(path),
        None => options,
    };
    let options = options
        .pipes_as_concat(false)
        .no_engine_substitution(false)
        .timezone(Some("+00:00".to_owned()))
        .statement_cache_capacity(50)
        .disable_statement_logging();
    let (timeout, rows) = (limits.timeout, limits.rows.saturating_add(1));
    let pool = MySqlPoolOptions::new()
        .max_connections(limits.connections)
        .acquire_timeout(limits.timeout.min(Duration::from_secs(10)))
        .idle_timeout(Duration::from_secs(60))
        .after_connect(move |connection, _| Box::pin(prepare(connection, timeout, rows)))
        .connect_lazy_with(options.clone());
    Ok(Server { pool, options })
}

/// The kind of server behind MySQL's protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flavour {
    Mysql,
    MariaDb,
    /// It has no read-only transactions, and no stored functions that could write during a read.
    TiDb,
    /// `StarRocks`, Doris: no transactions for queries, no stored functions.
    Analytic,
}

impl Flavour {
    fn of(version: &str) -> Self {
        let version = version.to_ascii_lowercase();
        let has = |name: &str| version.contains(name);
        match () {
            () if has("mariadb") => Self::MariaDb,
            () if has("tidb") => Self::TiDb,
            () if has("starrocks") || has("doris") => Self::Analytic,
            () => Self::Mysql,
        }
    }

    /// The settings of a session: how SQL is parsed, and the limits of a query.
    fn settings(self, timeout: Duration, rows: usize) -> String {
        // Strict names, double quotes only for names, and empty text is not NULL, whatever the server's default.
        let mode = "sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION,PIPES_AS_CONCAT'";
        let milliseconds = timeout.as_millis().max(1);
        match self {
            Self::Mysql => format!(
                "SET SESSION {mode}, max_execution_time = {milliseconds}, sql_select_limit = {rows}, cte_max_recursion_depth = \
                 {DEPTH}, group_concat_max_len = {LONGEST_GROUP}, transaction_read_only = ON"
            ),
            Self::MariaDb => format!(
                "SET SESSION {mode}, max_statement_time = {}, sql_select_limit = {rows}, max_recursive_iterations = {DEPTH}, \
                 group_concat_max_len = {LONGEST_GROUP}, tx_read_only = ON, join_cache_level = {HASH_JOINS}",
                timeout.as_secs_f64().max(0.001)
            ),
            Self::TiDb => format!("SET SESSION {mode}, max_execution_time = {milliseconds}, sql_select_limit = {rows}"),
            Self::Analytic => format!("SET SESSION query_timeout = {}, sql_select_limit = {rows}", timeout.as_secs().max(1)),
        }
    }
}

async fn prepare(connection: &mut MySqlConnection, timeout: Duration, rows: usize) -> sqlx::Result<()> {
    let row = raw_sql("SELECT VERSION(), @@version_comment").fetch_one(&mut *connection).await?;
    let version = format!("{} {}", row.try_get::<String, _>(0)?, row.try_get::<String, _>(1)?);
    let settings = Flavour::of(&version).settings(timeout, rows);
    connection.execute(raw_sql(AssertSqlSafe(settings))).await.map(drop)
}

/// A connection with a query in progress. Unless it is returned to the pool, the query is stopped in the server and the
/// connection is closed: nothing of an abandoned query can remain on a connection that another viewer gets.
struct Running {
    lent: Lent<MySql>,
    options: MySqlConnectOptions,
    number: u64,
}

impl Running {
    async fn acquire(server: &Server) -> sqlx::Result<Self> {
        let mut lent = Lent::of(&server.pool).await?;
        let row = raw_sql("SELECT CONNECTION_ID()").fetch_one(lent.get()?).await;
        let number = row.and_then(|row| row.try_get_unchecked::<String, _>(0))?;
        let number = number.parse().map_err(|_| sqlx::Error::Protocol("a connection without a number".to_owned()))?;
        Ok(Self { lent, options: server.options.clone(), number })
    }

    fn connection(&mut self) -> sqlx::Result<&mut MySqlConnection> {
        self.lent.get()
    }

    /// The query is complete: resets the connection and returns it to the pool.
    fn give_back(mut self) {
        self.lent.take().give_back();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.lent.detach().is_none() {
            return;
        }
        let (options, number) = (self.options.clone(), self.number);
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            let stop = async {
                let mut other = options.connect().await?;
                // A connection's number is never reused, so this stops this connection's query or nothing.
                other.execute(raw_sql(AssertSqlSafe(format!("KILL {number}")))).await?;
                other.close().await
            };
            // If this fails, the server's own time limit ends the query.
            drop(tokio::time::timeout(Duration::from_secs(10), stop).await);
        });
    }
}

pub(super) async fn check(server: &Server) -> Result<(), QueryError> {
    let work = async {
        let mut lent = Lent::of(&server.pool).await?;
        raw_sql("SELECT 1").fetch_one(lent.get()?).await?;
        lent.give_back();
        Ok(())
    };
    work.await.map_err(|problem| error(&problem))
}

pub(super) async fn describe(server: &Server, table: &TableKey) -> Result<Vec<SourceColumn>, QueryError> {
    // The loose comparison uses the server's own optimization; the exact one distinguishes names that differ only in case. Its
    // own limit overrides the session's row limit.
    const SQL: &str = "
        SELECT column_name, column_type FROM information_schema.columns
        WHERE table_schema = COALESCE(NULLIF(?, ''), DATABASE()) AND table_name = ?
            AND CAST(table_name AS BINARY) = CAST(? AS BINARY) AND extra NOT LIKE '%INVISIBLE%'
        ORDER BY ordinal_position LIMIT 100000";
    let query = sqlx::query(SQL).bind(&table.schema).bind(&table.table).bind(&table.table);
    let mut lent = Lent::of(&server.pool).await.map_err(|problem| error(&problem))?;
    let rows = async { query.fetch_all(lent.get()?).await }.await.map_err(|problem| error(&problem))?;
    lent.give_back();
    let column = |row: sqlx_mysql::MySqlRow| {
        let name = row.try_get_unchecked::<String, _>(0)?;
        Ok(SourceColumn::new(name, Class::of_mysql(&row.try_get_unchecked::<String, _>(1)?)))
    };
    rows.into_iter().map(column).collect::<sqlx::Result<_>>().map_err(|problem| error(&problem))
}

pub(super) async fn list(server: &Server) -> Result<Vec<(TableKey, SourceColumn)>, QueryError> {
    const SQL: &str = "
        SELECT CASE WHEN table_schema = DATABASE() THEN '' ELSE table_schema END, table_name, column_name, column_type
        FROM information_schema.columns
        WHERE table_schema = COALESCE(DATABASE(), table_schema) AND extra NOT LIKE '%INVISIBLE%'
            AND table_schema NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys')
        ORDER BY table_schema, table_name, ordinal_position LIMIT 100000";
    let mut lent = Lent::of(&server.pool).await.map_err(|problem| error(&problem))?;
    let rows = async { sqlx::query(SQL).fetch_all(lent.get()?).await }.await.map_err(|problem| error(&problem))?;
    lent.give_back();
    let column = |row: sqlx_mysql::MySqlRow| {
        let text = |position: usize| row.try_get_unchecked::<String, _>(position);
        Ok((text(0)?, text(1)?, text(2)?, text(3)?))
    };
    let columns = rows.into_iter().map(column).collect::<sqlx::Result<Vec<_>>>().map_err(|problem| error(&problem))?;
    Ok(super::listed(columns, Class::of_mysql))
}

pub(super) async fn run(
    server: &Server,
    sql: &str,
    binds: &[Bind],
    setting: Option<Setting<'_>>,
    limits: &Limits,
    zone: Tz,
) -> Result<Answer, QueryError> {
    let work = async {
        let mut running = Running::acquire(server).await?;
        let variable = setting.map(|(name, _)| variable(name));
        if let (Some(variable), Some((_, value))) = (&variable, setting) {
            let set = AssertSqlSafe(format!("SET {variable} = ?"));
            sqlx::query(set).bind(value).execute(running.connection()?).await?;
        }
        let zone = reckon_in(running.connection()?, zone).await?;
        let (answer, ended) = fetch(running.connection()?, sql, binds, limits, zone).await?;
        if !ended {
            return Ok(answer);
        }
        if zone != Tz::UTC {
            running.connection()?.execute(raw_sql("SET time_zone = '+00:00'")).await?;
        }
        if let Some(variable) = variable {
            running.connection()?.execute(raw_sql(AssertSqlSafe(format!("SET {variable} = NULL")))).await?;
        }
        running.give_back();
        Ok(answer)
    };
    work.await.map_err(|problem| error(&problem))
}

/// The session variable of a connection's `databaseAuth`: `@app.tenant`, with or without the sign.
fn variable(setting: &str) -> String {
    format!("@{}", quote(Mysql.kind(), setting.trim_start_matches('@')))
}

/// `ER_UNKNOWN_TIME_ZONE`
const UNKNOWN_ZONE: u16 = 1298;

/// Sets the session's time zone. Returns UTC if the server has no named zones.
async fn reckon_in(connection: &mut MySqlConnection, zone: Tz) -> sqlx::Result<Tz> {
    if zone == Tz::UTC {
        return Ok(zone);
    }
    let set = AssertSqlSafe(format!("SET time_zone = '{}'", zone.name()));
    match connection.execute(raw_sql(set)).await {
        Ok(_) => Ok(zone),
        Err(sqlx::Error::Database(refused)) if number(&*refused) == UNKNOWN_ZONE => Ok(Tz::UTC),
        Err(problem) => Err(problem),
    }
}

/// How far an answer that was cut is read on, in rows and in time. After as many rows as the session's limit allows only the
/// end is left; to read it costs less than another connection, and one more to stop the query.
const READ_ON: (usize, Duration) = (1_000, Duration::from_millis(250));

/// Whether the rows of an answer end soon.
async fn ends_soon(mut rows: impl Stream<Item = sqlx::Result<MySqlRow>> + Unpin) -> bool {
    let (most, patience) = READ_ON;
    let end = async {
        for _ in 0..most {
            match rows.try_next().await {
                Ok(Some(_)) => {}
                Ok(None) => return true,
                Err(_) => return false,
            }
        }
        false
    };
    tokio::time::timeout(patience, end).await.unwrap_or(false)
}

/// The answer, and whether it was read to its end.
async fn fetch(
    connection: &mut MySqlConnection,
    sql: &str,
    binds: &[Bind],
    limits: &Limits,
    zone: Tz,
) -> sqlx::Result<(Answer, bool)> {
    let (sql, order) = positional(sql);
    // The only SQL here that is not constant. `rewrite` created and verified it.
    let statement = connection.prepare(AssertSqlSafe(sql).into_sql_str()).await?;
    let columns: Arc<[_]> =
        statement.columns().iter().map(|column| (column.name().to_owned(), values::Kind::of(column.type_info()))).collect();
    let mut query = statement.query();
    for place in order {
        query = match binds.get(place) {
            Some(Bind::Text(text)) => query.bind(text.clone()),
            Some(Bind::Integer(number)) => query.bind(*number),
            Some(Bind::Real(number)) => query.bind(*number),
            None => return Err(sqlx::Error::Protocol("a place without a value".to_owned())),
        };
    }
    let known = Arc::clone(&columns);
    let mut batch = Batch::new(limits, move |row: MySqlRow| values::read(&row, &known, zone).map(Some));
    let (mut stream, mut ended) = (query.fetch(connection), true);
    while let Some(row) = stream.try_next().await? {
        let bytes = values::size(&row)?;
        if !batch.take(row, bytes).await? {
            ended = ends_soon(&mut stream).await;
            break;
        }
    }
    drop(stream);
    let rows = batch.end().await?;
    let columns = columns.iter().map(|(name, kind)| Column { name: name.clone(), kind: kind.column_type() }).collect();
    Ok((Answer { columns, rows: rows.rows, truncated: rows.truncated }, ended))
}

/// The numbers of errors after a timeout or a cancellation.
const STOPPED: [u16; 4] = [1317, 1969, 3024, 1205];
/// The numbers of errors that mean that the server is not available for this account, or at all.
const UNUSABLE: [u16; 6] = [1040, 1053, 1129, 1203, 1226, 1927];
/// The numbers of errors of a login: the user, the password, the host that they come from, the database.
const LOGIN: [u16; 5] = [1044, 1045, 1049, 1130, 1698];
/// The numbers of errors whose messages contain names, but never a row's values: syntax, unknown and ambiguous names, grouping,
/// missing rights.
const ABOUT_NAMES: [u16; 13] = [1046, 1051, 1052, 1054, 1055, 1060, 1064, 1142, 1146, 1222, 1241, 1305, 1792];

fn number(refused: &dyn DatabaseError) -> u16 {
    refused.try_downcast_ref::<MySqlDatabaseError>().map_or(0, MySqlDatabaseError::number)
}

fn error(problem: &sqlx::Error) -> QueryError {
    match problem {
        sqlx::Error::Database(refused) => {
            let number = number(&**refused);
            let message = if ABOUT_NAMES.contains(&number) { refused.message() } else { "" };
            let detail = format!("MySQL refused with {number} {message}");
            match number {
                _ if STOPPED.contains(&number) => QueryError::timeout("the statement timed out"),
                _ if LOGIN.contains(&number) => QueryError::refused(detail),
                _ if UNUSABLE.contains(&number) => QueryError::unavailable(detail),
                _ => QueryError::failed(detail),
            }
        }
        sqlx::Error::Decode(_) | sqlx::Error::ColumnDecode { .. } => QueryError::failed("a value of the answer cannot be read"),
        sqlx::Error::PoolTimedOut => QueryError::unavailable("MySQL: no connection became available in time"),
        sqlx::Error::Io(io) => QueryError::unavailable(format!("MySQL: {}", io.kind())),
        sqlx::Error::Tls(_) => QueryError::unavailable("MySQL: the TLS connection failed"),
        other => QueryError::unavailable(format!("MySQL: {other}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_told_apart_by_their_version() {
        for (version, flavour) in [
            ("8.4.3 MySQL Community Server - GPL", Flavour::Mysql),
            ("10.11.6-MariaDB-0+deb12u1 Debian 12", Flavour::MariaDb),
            ("8.0.11-TiDB-v8.5.0 TiDB Server (Apache License 2.0)", Flavour::TiDb),
            ("8.0.33 StarRocks version 3.3.2", Flavour::Analytic),
            ("5.7.99 Doris version doris-3.0.3", Flavour::Analytic),
        ] {
            assert_eq!(Flavour::of(version), flavour, "{version}");
        }
    }

    #[test]
    fn sessions_are_read_only_where_something_could_write() {
        for flavour in [Flavour::Mysql, Flavour::MariaDb] {
            let settings = flavour.settings(Duration::from_millis(1_500), 11);
            assert!(settings.contains("_read_only = ON") && settings.contains("sql_select_limit = 11"), "{settings}");
        }
        let maria = Flavour::MariaDb.settings(Duration::from_millis(1_500), 11);
        assert!(maria.contains("max_statement_time = 1.5,"), "{maria}");
        assert!(!Flavour::Analytic.settings(Duration::from_millis(10), 1).contains("query_timeout = 0"));
    }

    #[test]
    fn a_variable_is_one_name_whatever_it_holds() {
        assert_eq!(variable("app.tenant"), "@`app.tenant`");
        assert_eq!(variable("@tenant"), "@`tenant`");
        assert_eq!(variable("x` = 1, @@global.y"), "@`x`` = 1, @@global.y`");
    }
}
