//! SQLite files, opened read-only.

pub(super) mod keys;

use super::{Answer, batch::Batch, infer};
use crate::{
    address::Route,
    bind::Bind,
    dialect::{self, Dialect},
    error::QueryError,
    limits::Limits,
    name::TableKey,
    schema::{Class, SourceColumn},
    source::Source,
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use futures::TryStreamExt;
use inlay_contract::data::Column;
use inlay_sqlite_limits::ValueLimits;
use serde_json::Value;
use sqlx::{
    AssertSqlSafe, Column as _, ConnectOptions, Executor, Row, SqlSafeStr, Statement, TypeInfo, ValueRef, pool::PoolConnection,
};
use sqlx_sqlite::{Sqlite, SqliteConnectOptions, SqliteConnection, SqlitePool, SqlitePoolOptions, SqliteRow, SqliteValueRef};
use std::{
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// The number of SQLite's virtual machine steps between two checks of the clock.
const STEPS: i32 = 2_000;
/// No check of the clock interrupts a function, so values are short enough that `replace`, whose work is the product of two
/// lengths, ends within seconds, and `LIKE` as well. There is no limit on all memory of SQLite: it would be one for the whole
/// process, Inlay's own store included.
const LIMITS: ValueLimits = ValueLimits { value: 1 << 20, pattern: 500 };
/// The rows that are read ahead, each of any number of such values.
const ROWS_AHEAD: usize = 8;

pub(super) fn open(source: &Source, route: &Route, limits: &Limits) -> Result<SqlitePool, QueryError> {
    let unreadable = || QueryError::unavailable(format!("the address of connection {} cannot be read", source.name));
    let options = SqliteConnectOptions::from_str(&source.url)
        .map_err(|_| unreadable())?
        .filename(route.file().ok_or_else(unreadable)?)
        .read_only(true)
        .create_if_missing(false)
        .pragma("query_only", "on")
        .pragma("trusted_schema", "off")
        .busy_timeout(Duration::from_secs(5))
        .row_buffer_size(ROWS_AHEAD)
        .disable_statement_logging();
    Ok(SqlitePoolOptions::new()
        .max_connections(limits.connections)
        .acquire_timeout(limits.timeout)
        .idle_timeout(Duration::from_secs(60))
        .after_connect(|connection, _| Box::pin(limit(connection)))
        .connect_lazy_with(options))
}

async fn limit(connection: &mut SqliteConnection) -> sqlx::Result<()> {
    LIMITS.set(&mut connection.lock_handle().await?);
    Ok(())
}

/// A connection whose query ends at the time limit, or when it is dropped.
struct Watched {
    connection: PoolConnection<Sqlite>,
    stop: Arc<AtomicBool>,
}

impl Watched {
    async fn acquire(pool: &SqlitePool, limits: &Limits) -> Result<Self, QueryError> {
        let mut connection = pool.acquire().await.map_err(|problem| error(&problem))?;
        let stop = Arc::new(AtomicBool::new(false));
        let (stopped, deadline) = (Arc::clone(&stop), Instant::now() + limits.timeout);
        let go_on = move || !stopped.load(Ordering::Relaxed) && Instant::now() < deadline;
        connection.lock_handle().await.map_err(|problem| error(&problem))?.set_progress_handler(STEPS, go_on);
        Ok(Self { connection, stop })
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

pub(super) async fn check(pool: &SqlitePool, limits: &Limits) -> Result<(), QueryError> {
    let mut watched = Watched::acquire(pool, limits).await?;
    let answer = sqlx::query("SELECT count(*) FROM sqlite_schema").fetch_one(&mut *watched.connection).await;
    answer.map(drop).map_err(|problem| error(&problem))
}

pub(super) async fn describe(pool: &SqlitePool, table: &TableKey, limits: &Limits) -> Result<Vec<SourceColumn>, QueryError> {
    // `hidden` is 1 for columns of a virtual table that `*` omits.
    const SQL: &str = "SELECT name, type FROM pragma_table_xinfo($1, $2) WHERE hidden <> 1 ORDER BY cid";
    let mut watched = Watched::acquire(pool, limits).await?;
    let query = sqlx::query_as::<_, (String, String)>(SQL).bind(&table.table).bind(&table.schema);
    let columns = query.fetch_all(&mut *watched.connection).await.map_err(|problem| error(&problem))?;
    Ok(columns.into_iter().map(|(name, declared)| SourceColumn::new(name, Class::of_sqlite(&declared))).collect())
}

/// The most tables that are listed.
const MOST_TABLES: i64 = 2_000;

pub(super) async fn list(pool: &SqlitePool, limits: &Limits) -> Result<Vec<(TableKey, SourceColumn)>, QueryError> {
    const SQL: &str = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
        ORDER BY name LIMIT $1";
    let names: Vec<String> = {
        let mut watched = Watched::acquire(pool, limits).await?;
        let names = sqlx::query_scalar(SQL).bind(MOST_TABLES).fetch_all(&mut *watched.connection).await;
        names.map_err(|problem| error(&problem))?
    };
    let mut found = Vec::new();
    for table in names {
        let key = TableKey { schema: dialect::Sqlite.default_schema().to_owned(), table };
        // A view on a missing table has no columns. The other tables are still listed.
        match describe(pool, &key, limits).await {
            Ok(columns) => found.extend(columns.into_iter().map(|column| (key.clone(), column))),
            Err(QueryError::Failed(_)) => {}
            Err(problem) => return Err(problem),
        }
    }
    Ok(found)
}

pub(super) async fn run(pool: &SqlitePool, sql: &str, binds: &[Bind], limits: &Limits) -> Result<Answer, QueryError> {
    let mut watched = Watched::acquire(pool, limits).await?;
    fetch(&mut watched.connection, sql, binds, limits).await.map_err(|problem| error(&problem))
}

async fn fetch(connection: &mut SqliteConnection, sql: &str, binds: &[Bind], limits: &Limits) -> sqlx::Result<Answer> {
    // The only SQL here that is not a literal. `rewrite` created and verified it.
    let statement = connection.prepare(AssertSqlSafe(sql.to_owned()).into_sql_str()).await?;
    let columns: Arc<[_]> =
        statement.columns().iter().map(|column| (column.name().to_owned(), declared(column.type_info().name()))).collect();
    let mut query = statement.query();
    for bind in binds {
        query = match bind {
            Bind::Text(text) => query.bind(text.clone()),
            Bind::Integer(number) => query.bind(*number),
            Bind::Real(number) => query.bind(*number),
        };
    }
    let known = Arc::clone(&columns);
    let mut batch = Batch::new(limits, move |row: SqliteRow| values(&row, &known).map(Some));
    let mut stream = query.fetch(connection);
    while let Some(row) = stream.try_next().await? {
        let bytes = size(&row)?;
        if !batch.take(row, bytes).await? {
            break;
        }
    }
    drop(stream);
    let rows = batch.end().await?;
    let kinds = infer::column_types(columns.iter().map(|(_, class)| *class), &rows.rows);
    let columns = columns.iter().zip(kinds).map(|((name, _), kind)| Column { name: name.clone(), kind }).collect();
    Ok(Answer { columns, rows: rows.rows, truncated: rows.truncated })
}

/// The class of a result's column. `Other` if it is not a table's column.
fn declared(name: &str) -> Class {
    Class::of_sqlite(if name == "NULL" { "" } else { name })
}

/// About the bytes of a row's texts and blobs, without copying them.
fn size(row: &SqliteRow) -> sqlx::Result<usize> {
    let mut bytes = 0;
    for position in 0..row.len() {
        let raw = row.try_get_raw(position)?;
        let is_long = !raw.is_null() && matches!(raw.type_info().name(), "TEXT" | "BLOB");
        bytes += if is_long { <&[u8] as sqlx::Decode<'_, Sqlite>>::decode(raw).map_err(sqlx::Error::Decode)?.len() } else { 8 };
    }
    Ok(bytes)
}

fn values(row: &SqliteRow, columns: &[(String, Class)]) -> sqlx::Result<(Vec<Value>, usize)> {
    let mut values = Vec::with_capacity(columns.len());
    let mut bytes = 0;
    for (position, (_, class)) in columns.iter().enumerate() {
        let value = value(row.try_get_raw(position)?, *class)?;
        bytes += value.as_str().map_or(8, str::len);
        values.push(value);
    }
    Ok((values, bytes))
}

/// A value as JSON: integers and reals as numbers, booleans if the column is declared so, bytes in base64.
fn value(raw: SqliteValueRef<'_>, class: Class) -> sqlx::Result<Value> {
    fn read<'r, T: sqlx::Decode<'r, Sqlite>>(raw: SqliteValueRef<'r>) -> sqlx::Result<T> {
        T::decode(raw).map_err(sqlx::Error::Decode)
    }
    if raw.is_null() {
        return Ok(Value::Null);
    }
    let storage = raw.type_info().name().to_owned();
    Ok(match &*storage {
        "INTEGER" => match (read::<i64>(raw)?, class) {
            (number @ (0 | 1), Class::Boolean) => Value::Bool(number == 1),
            (number, _) => number.into(),
        },
        "REAL" => read::<f64>(raw)?.into(),
        "TEXT" => Value::String(read(raw)?),
        _ => Value::String(BASE64_STANDARD.encode(read::<&[u8]>(raw)?)),
    })
}

/// SQLite's primary result codes that mean that the file cannot be used at the moment.
const UNUSABLE: [i32; 7] = [5, 6, 7, 10, 11, 14, 26];
/// `SQLITE_TOOBIG`
const TOO_BIG: i32 = 18;
/// `SQLITE_INTERRUPT`
const INTERRUPTED: i32 = 9;

fn error(problem: &sqlx::Error) -> QueryError {
    match problem {
        sqlx::Error::Database(refused) => {
            let code = refused.code().and_then(|code| code.parse::<i32>().ok()).unwrap_or_default() & 0xff;
            let detail = format!("SQLite refused with code {code}: {}", refused.message());
            match code {
                TOO_BIG => QueryError::failed(
                    "SQLite refused a text or blob above 1 MiB: select less of it, such as substr(x, 1, 1000)",
                ),
                INTERRUPTED => QueryError::timeout("SQLite was interrupted at the time limit"),
                code if UNUSABLE.contains(&code) => QueryError::unavailable(detail),
                _ => QueryError::failed(detail),
            }
        }
        sqlx::Error::Decode(_) | sqlx::Error::ColumnDecode { .. } => QueryError::failed("a value of the answer cannot be read"),
        other => QueryError::unavailable(format!("SQLite: {other}")),
    }
}
