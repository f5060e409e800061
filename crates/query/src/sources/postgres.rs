//! PostgreSQL: read-only transactions that contain the settings of one query.

pub(super) mod keys;
pub(super) mod relatives;
mod values;

use super::{Answer, Rows, Setting, batch::Batch, lent::Lent};
use crate::{
    address::{Route, driver},
    error::QueryError,
    limits::Limits,
    name::TableKey,
    schema::{Class, SourceColumn},
    source::Source,
};
use chrono_tz::Tz;
use futures::TryStreamExt;
use inlay_contract::data::Column;
use relatives::Flavour;
use serde_json::Value;
use sqlx::{AssertSqlSafe, Column as _, ConnectOptions, Connection, Executor, Row, SqlSafeStr, Statement, Type, TypeInfo};
use sqlx_core::transaction::TransactionManager;
use sqlx_postgres::{PgColumn, PgConnection, PgPool, PgPoolOptions, PgTransactionManager, Postgres};
use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};
pub(super) use values::Kind;
use values::values;

/// Connections to a server, and the kind of server.
#[derive(Clone)]
pub(crate) struct Server {
    pub(super) pool: PgPool,
    flavour: Arc<OnceLock<Flavour>>,
}

impl Server {
    /// Known after the first connection.
    fn flavour(&self) -> Flavour {
        self.flavour.get().copied().unwrap_or(Flavour::Postgres)
    }
}

pub(super) fn open(source: &Source, route: &Route, limits: &Limits) -> Result<Server, QueryError> {
    let refused = |refused| QueryError::unavailable(format!("connection {}: {refused}", source.name));
    let options = driver::postgres(&source.url).map_err(refused)?;
    // The host's name is kept for the check of its certificate.
    let options = match route.socket_folder() {
        Some(folder) => options.socket(folder),
        None => options,
    };
    let options = options.application_name("inlay").statement_cache_capacity(50).disable_statement_logging();
    let flavour = Arc::new(Flavour::of_address(&source.url).map(OnceLock::from).unwrap_or_default());
    let told = Arc::clone(&flavour);
    let pool = PgPoolOptions::new()
        .max_connections(limits.connections)
        .acquire_timeout(limits.timeout.min(Duration::from_secs(10)))
        .idle_timeout(Duration::from_secs(60))
        .test_before_acquire(false)
        .after_connect(move |connection, _| {
            let told = Arc::clone(&told);
            Box::pin(async move {
                if told.get().is_none() {
                    let version: String = sqlx::query_scalar("SELECT version()").fetch_one(connection).await?;
                    told.get_or_init(|| Flavour::of_version(&version));
                }
                Ok(())
            })
        })
        .connect_lazy_with(options);
    Ok(Server { pool, flavour })
}

pub(super) async fn check(server: &Server) -> Result<(), QueryError> {
    let work = async {
        let mut lent = Lent::of(&server.pool).await?;
        sqlx::query("SELECT 1").fetch_one(lent.get()?).await?;
        lent.give_back();
        Ok(())
    };
    work.await.map_err(|problem| error(&problem))
}

pub(super) async fn describe(server: &Server, table: &TableKey) -> Result<Vec<SourceColumn>, QueryError> {
    // The kind of server is only known once there is a connection.
    let mut lent = Lent::of(&server.pool).await.map_err(|problem| error(&problem))?;
    // Views and virtual columns are computed when they are read. The compatible databases, which lack to_jsonb, are not asked:
    // their wrappers are always fenced.
    let worked_out = match server.flavour() {
        Flavour::Postgres => "c.relkind NOT IN ('r', 'p', 'm') OR coalesce(to_jsonb(a) ->> 'attgenerated', '') = 'v'",
        Flavour::Cockroach | Flavour::Redshift => "true",
    };
    let sql = format!(
        "
        SELECT a.attname::text, coalesce(base.typname, t.typname)::text, coalesce(base.typtype, t.typtype) = 'e', {worked_out}
        FROM pg_catalog.pg_attribute a
        JOIN pg_catalog.pg_class c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
        LEFT JOIN pg_catalog.pg_type base ON t.typtype = 'd' AND base.oid = t.typbasetype
        WHERE n.nspname = $1 AND c.relname = $2 AND a.attnum > 0 AND NOT a.attisdropped
        ORDER BY a.attnum"
    );
    let query = sqlx::query_as::<_, (String, String, bool, bool)>(AssertSqlSafe(sql)).bind(&table.schema).bind(&table.table);
    let columns = async { query.fetch_all(lent.get()?).await }.await.map_err(|problem| error(&problem))?;
    lent.give_back();
    let column = |(name, kind, is_enum, worked_out): (String, String, bool, bool)| {
        let class = Class::of_postgres(&kind, is_enum);
        SourceColumn { name, class, plain: !worked_out && class.is_builtin() }
    };
    Ok(columns.into_iter().map(column).collect())
}

pub(super) async fn list(server: &Server) -> Result<Vec<(TableKey, SourceColumn)>, QueryError> {
    const SQL: &str = "
        SELECT n.nspname::text, c.relname::text, a.attname::text, coalesce(base.typname, t.typname)::text,
            coalesce(base.typtype, t.typtype) = 'e'
        FROM pg_catalog.pg_attribute a
        JOIN pg_catalog.pg_class c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
        LEFT JOIN pg_catalog.pg_type base ON t.typtype = 'd' AND base.oid = t.typbasetype
        WHERE n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%' AND a.attnum > 0 AND NOT a.attisdropped
            AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
        ORDER BY n.nspname <> 'public', n.nspname, c.relname, a.attnum LIMIT 100000";
    let query = sqlx::query_as::<_, (String, String, String, String, bool)>(SQL);
    let mut lent = Lent::of(&server.pool).await.map_err(|problem| error(&problem))?;
    let columns = async { query.fetch_all(lent.get()?).await }.await.map_err(|problem| error(&problem))?;
    lent.give_back();
    let column = |(schema, table, name, kind, is_enum): (String, String, String, String, bool)| {
        (TableKey { schema, table }, SourceColumn::new(name, Class::of_postgres(&kind, is_enum)))
    };
    Ok(columns.into_iter().map(column).collect())
}

pub(super) async fn run(
    server: &Server,
    sql: &str,
    binds: impl Iterator<Item = String>,
    setting: Option<Setting<'_>>,
    limits: &Limits,
    zone: Tz,
) -> Result<Answer, QueryError> {
    let work = async {
        let mut running = Running::begin(server, limits, zone).await?;
        let flavour = server.flavour();
        let fenced = flavour.fenced(sql).ok_or_else(|| sqlx::Error::Protocol("SQL that cannot be read again".to_owned()))?;
        let answer = running.ask(&fenced, binds.collect(), setting, limits, zone).await;
        running.end();
        answer
    };
    work.await.map_err(|problem| error(&problem))
}

/// A read-only transaction. If it is dropped before its end, it is cancelled in the server and its connection is closed.
struct Running {
    lent: Lent<Postgres>,
    /// The process id of its backend.
    backend: i32,
    pool: PgPool,
    flavour: Flavour,
}

impl Running {
    /// The settings of the transaction: limits, and what the parsing of literals and times depends on.
    async fn begin(server: &Server, limits: &Limits, zone: Tz) -> sqlx::Result<Self> {
        let mut lent = Self::transaction(&server.pool).await?;
        let milliseconds = format!("{}ms", limits.timeout.as_millis().max(1));
        let own = sqlx::query_scalar(server.flavour().settings()).bind(milliseconds).bind(zone.name());
        let backend = own.fetch_one(lent.get()?).await?;
        Ok(Self { lent, backend, pool: server.pool.clone(), flavour: server.flavour() })
    }

    /// Connections are not tested before each use, which would cost a round trip. If one was closed in the meantime, its first
    /// statement fails before the query is sent, and another connection replaces it.
    async fn transaction(pool: &PgPool) -> sqlx::Result<Lent<Postgres>> {
        let mut attempts = pool.size();
        loop {
            let mut lent = Lent::of(pool).await?;
            match PgTransactionManager::begin(lent.get()?, Some("BEGIN READ ONLY".into_sql_str())).await {
                Ok(()) => return Ok(lent),
                Err(problem) if attempts > 0 && has_gone(&problem) => attempts -= 1,
                Err(problem) => return Err(problem),
            }
        }
    }

    async fn ask(
        &mut self,
        sql: &str,
        binds: Vec<String>,
        setting: Option<Setting<'_>>,
        limits: &Limits,
        zone: Tz,
    ) -> sqlx::Result<Answer> {
        let connection = self.lent.get()?;
        if let Some((name, value)) = setting {
            // The viewer's token, for the database's own row security.
            let set = sqlx::query("SELECT set_config($1, $2, true)").bind(name).bind(value);
            set.execute(&mut *connection).await?;
        }
        let statement = Prepared::of(connection, sql, binds).await?;
        match self.flavour.has_json_rows() {
            true => statement.fetch_json(connection, limits, zone).await,
            false => statement.fetch_texts(connection, limits, zone).await,
        }
    }

    /// The query is complete. The caller does not wait for the ROLLBACK. The connection returns to the pool once the server has
    /// responded to it, and is closed if it does not.
    fn end(mut self) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let mut lent = self.lent.take();
        runtime.spawn(async move {
            let rollback = async { PgTransactionManager::rollback(lent.get()?).await };
            if let Ok(Ok(())) = tokio::time::timeout(FAREWELL, rollback).await {
                lent.give_back();
            }
        });
    }
}

/// Whether a connection was lost before it was used: closed by the server or by the network.
fn has_gone(problem: &sqlx::Error) -> bool {
    /// `admin_shutdown`: the server's last message on a connection.
    const ENDED: &str = "57P01";
    match problem {
        sqlx::Error::Io(_) => true,
        sqlx::Error::Database(refused) => refused.code().is_some_and(|code| code == ENDED),
        _ => false,
    }
}

/// How long a cancellation may take.
const FAREWELL: Duration = Duration::from_secs(5);

impl Drop for Running {
    fn drop(&mut self) {
        let (Some(connection), Ok(runtime)) = (self.lent.detach(), tokio::runtime::Handle::try_current()) else { return };
        let (options, backend) = (self.pool.connect_options(), self.backend);
        runtime.spawn(async move {
            let cancel = async {
                let mut other = options.connect().await?;
                sqlx::query("SELECT pg_cancel_backend($1)").bind(backend).execute(&mut other).await?;
                other.close().await
            };
            drop(tokio::time::timeout(FAREWELL, cancel).await);
            // Closed only now, so that the server does not give the number of its process to another connection before.
            drop(connection);
        });
    }
}

/// A query that the server has parsed.
struct Prepared<'q> {
    sql: &'q str,
    binds: Vec<String>,
    columns: Vec<(String, Kind)>,
}

impl<'q> Prepared<'q> {
    async fn of(connection: &mut PgConnection, sql: &'q str, binds: Vec<String>) -> sqlx::Result<Self> {
        let types = vec![<String as Type<sqlx_postgres::Postgres>>::type_info(); binds.len()];
        let inner = connection.prepare_with(AssertSqlSafe(sql.to_owned()).into_sql_str(), &types).await?;
        let column = |column: &PgColumn| (column.name().to_owned(), Kind::of(column.type_info().name()));
        Ok(Self { sql, binds, columns: inner.columns().iter().map(column).collect() })
    }

    /// Fetches rows as JSON: every type has a text form there, and numerics keep all digits. A row above the byte limit stays
    /// in the database.
    async fn fetch_json(self, connection: &mut PgConnection, limits: &Limits, zone: Tz) -> sqlx::Result<Answer> {
        let limited = format!(
            "SELECT CASE WHEN octet_length(inlay_json) <= {} THEN inlay_json END FROM (SELECT row_to_json(inlay_rows)::text AS \
             inlay_json FROM (SELECT * FROM ({}) AS inlay_query LIMIT {}) AS inlay_rows OFFSET 0) AS inlay_answer",
            limits.bytes,
            self.sql,
            limits.rows.saturating_add(1),
        );
        let query = self.binds.into_iter().fold(sqlx::query_scalar(AssertSqlSafe(limited)), |query, bind| query.bind(bind));
        let columns: Arc<[_]> = self.columns.into();
        let known = Arc::clone(&columns);
        let mut batch = Batch::new(limits, move |row: Option<String>| {
            row.map(|row| values(&row, &known, zone).map(|values| (values, row.len()))).transpose()
        });
        let mut stream = query.fetch(&mut *connection);
        while let Some(row) = stream.try_next().await? {
            let row: Option<String> = row;
            let bytes = row.as_ref().map_or(0, String::len);
            if !batch.take(row, bytes).await? {
                break;
            }
        }
        drop(stream);
        Ok(answer(&columns, batch.end().await?))
    }

    /// Fetches rows as one text per column.
    async fn fetch_texts(self, connection: &mut PgConnection, limits: &Limits, zone: Tz) -> sqlx::Result<Answer> {
        let sql =
            relatives::as_texts(self.sql, self.columns.iter().map(|(_, kind)| *kind), limits.rows.saturating_add(1), |_, _| {
                None
            });
        let query = self.binds.into_iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, bind| query.bind(bind));
        let columns: Arc<[_]> = self.columns.into();
        let known = Arc::clone(&columns);
        let mut batch = Batch::new(limits, move |texts: Vec<Option<String>>| {
            let bytes = size(&texts);
            let value = |(text, (_, kind)): (Option<String>, &(String, Kind))| {
                text.map_or(Value::Null, |text| relatives::of_text(*kind, text, zone))
            };
            Ok(Some((texts.into_iter().zip(&*known).map(value).collect(), bytes)))
        });
        let mut stream = query.fetch(&mut *connection);
        while let Some(row) = stream.try_next().await? {
            let texts = (0..columns.len()).map(|position| row.try_get(position)).collect::<sqlx::Result<Vec<_>>>()?;
            let bytes = size(&texts);
            if !batch.take(texts, bytes).await? {
                break;
            }
        }
        drop(stream);
        Ok(answer(&columns, batch.end().await?))
    }
}

/// The bytes of a row's texts.
fn size(texts: &[Option<String>]) -> usize {
    texts.iter().map(|text| text.as_ref().map_or(4, String::len)).sum()
}

fn answer(columns: &[(String, Kind)], rows: Rows) -> Answer {
    let columns = columns.iter().map(|(name, kind)| Column { name: name.clone(), kind: kind.column_type() }).collect();
    Answer { columns, rows: rows.rows, truncated: rows.truncated }
}

/// `query_canceled`: the statement timeout.
const CANCELLED: &str = "57014";

pub(super) fn error(problem: &sqlx::Error) -> QueryError {
    match problem {
        sqlx::Error::Database(refused) => {
            let code = refused.code().unwrap_or_default();
            // Messages of these classes contain names. Those of others (22, 23) can contain a row's values.
            let message = if matches!(code.get(..2), Some("42" | "0A" | "28" | "3D" | "25")) { refused.message() } else { "" };
            let detail = format!("PostgreSQL refused with {code} {message}");
            match code.get(..2) {
                _ if code == CANCELLED => QueryError::timeout("the statement timed out"),
                Some("28" | "3D") => QueryError::refused(detail),
                Some("08" | "53" | "57") => QueryError::unavailable(detail),
                _ => QueryError::failed(detail),
            }
        }
        sqlx::Error::Decode(_) | sqlx::Error::ColumnDecode { .. } => QueryError::failed("a value of the answer cannot be read"),
        sqlx::Error::PoolTimedOut => QueryError::unavailable("PostgreSQL: no connection became available in time"),
        sqlx::Error::Io(io) => QueryError::unavailable(format!("PostgreSQL: {}", io.kind())),
        sqlx::Error::Tls(_) => QueryError::unavailable("PostgreSQL: the TLS connection failed"),
        other => QueryError::unavailable(format!("PostgreSQL: {other}")),
    }
}
