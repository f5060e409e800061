//! `DuckDB`: a database file, opened read-only, or a folder whose Parquet and CSV files are tables.

pub(super) mod keys;

use super::{
    Answer, Rows,
    postgres::{
        Kind,
        relatives::{as_texts, of_text},
    },
};
use crate::{
    address::Route,
    bind::Bind,
    dialect::{Dialect, Duckdb},
    error::QueryError,
    limits::Limits,
    name::{TableKey, quote},
    schema::{Class, SourceColumn},
    source::Source,
};
use chrono_tz::Tz;
use duckdb::{
    AccessMode, Config, Connection, InterruptHandle,
    arrow::datatypes::{DataType, Schema},
    params_from_iter,
};
use inlay_contract::data::Column;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

/// The most memory of one source. By default it would be most of the machine's.
const MEMORY: &str = "1GiB";

/// The open database, or the folder of its tables.
#[derive(Clone)]
pub(crate) struct Server {
    path: PathBuf,
    /// Opened by the first query, which reads every file's header.
    opened: Arc<Mutex<Option<Connection>>>,
}

pub(super) fn open(source: &Source, route: &Route) -> Result<Server, QueryError> {
    let unreadable = || QueryError::unavailable(format!("the address of connection {} cannot be read", source.name));
    let path = route.file().ok_or_else(unreadable)?.to_owned();
    Ok(Server { path, opened: Arc::default() })
}

/// Opens a database that can only read files at this path and whose settings are locked.
fn connect(path: &Path) -> duckdb::Result<Connection> {
    let config = Config::default()
        .enable_autoload_extension(false)?
        .with("autoinstall_known_extensions", "false")?
        .with("temp_directory", "")?
        .with("memory_limit", MEMORY)?;
    let connection = if path.is_dir() {
        let connection = Connection::open_in_memory_with_flags(config)?;
        let literal = |text: &str| format!("'{}'", text.replace('\'', "''"));
        connection.execute_batch(&format!("SET allowed_directories = [{}]", literal(&format!("{}/", path.display()))))?;
        connection.execute_batch("SET enable_external_access = false")?;
        for (table, reader) in tables(path) {
            let table = quote(Duckdb.kind(), &table);
            connection.execute_batch(&format!("CREATE VIEW {table} AS SELECT * FROM {reader}"))?;
        }
        connection
    } else {
        let config = config.access_mode(AccessMode::ReadOnly)?.enable_external_access(false)?;
        Connection::open_with_flags(path, config)?
    };
    connection.execute_batch("SET TimeZone = 'UTC'; SET lock_configuration = true")?;
    Ok(connection)
}

/// The tables of a folder: each file by its name without an extension, and each subfolder as one table of its Parquet files.
/// Links are left out, since they could lead anywhere.
fn tables(folder: &Path) -> BTreeMap<String, String> {
    let mut tables = BTreeMap::new();
    let literal = |path: &Path| Some(format!("'{}'", path.to_str()?.replace('\'', "''")));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (Ok(kind), path) = (entry.file_type(), entry.path()) else { continue };
        let Some(name) = path.file_name().and_then(|name| name.to_str()).filter(|name| !name.contains(['*', '?', '['])) else {
            continue;
        };
        let reader = if kind.is_dir() {
            literal(&path.join("*.parquet")).map(|files| (name, format!("read_parquet({files}, union_by_name = true)")))
        } else if !kind.is_file() {
            None
        } else if let Some(stem) = name.strip_suffix(".parquet") {
            literal(&path).map(|file| (stem, format!("read_parquet({file})")))
        } else {
            let stem = name.strip_suffix(".csv").or_else(|| name.strip_suffix(".csv.gz"));
            stem.and_then(|stem| Some((stem, format!("read_csv({})", literal(&path)?))))
        };
        let parquet_in = |folder: &Path| {
            fs::read_dir(folder).into_iter().flatten().flatten().any(|file| {
                file.path().extension().is_some_and(|ending| ending == "parquet")
                    && file.file_type().is_ok_and(|kind| kind.is_file())
            })
        };
        if let Some((table, reader)) = reader.filter(|_| !kind.is_dir() || parquet_in(&path)) {
            tables.entry(table.to_owned()).or_insert(reader);
        }
    }
    tables
}

/// Work on another thread. It is interrupted when it is dropped.
struct Watched(Arc<InterruptHandle>);

impl Drop for Watched {
    fn drop(&mut self) {
        self.0.interrupt();
    }
}

impl Server {
    /// A new connection to the open database.
    fn connection(&self) -> Result<Connection, QueryError> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let connection = match opened.take() {
            Some(connection) => connection,
            None => connect(&self.path).map_err(|problem| unavailable(&problem))?,
        };
        let own = connection.try_clone().map_err(|problem| unavailable(&problem));
        *opened = Some(connection);
        own
    }

    async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, QueryError> + Send + 'static,
    ) -> Result<T, QueryError> {
        let server = self.clone();
        let broken = |_| QueryError::unavailable("DuckDB stopped working on the query");
        let connection = tokio::task::spawn_blocking(move || server.connection()).await.map_err(broken)??;
        let _watched = Watched(connection.interrupt_handle());
        tokio::task::spawn_blocking(move || work(&connection)).await.map_err(broken)?
    }
}

pub(super) async fn check(server: &Server) -> Result<(), QueryError> {
    server.ask(|connection| connection.execute_batch("SELECT 1").map_err(|problem| error(&problem))).await
}

pub(super) async fn describe(server: &Server, table: &TableKey) -> Result<Vec<SourceColumn>, QueryError> {
    const SQL: &str = "SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = ? AND table_name = ? \
        AND table_catalog = current_database() ORDER BY ordinal_position";
    let binds = [table.schema.clone(), table.table.clone()];
    let work = move |connection: &Connection| {
        let read = || -> duckdb::Result<Vec<SourceColumn>> {
            let mut statement = connection.prepare(SQL)?;
            let rows = statement.query_map(binds, |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
            rows.map(|row| row.map(|(name, kind)| SourceColumn::new(name, Class::of_duckdb(&kind)))).collect()
        };
        read().map_err(|problem| error(&problem))
    };
    server.ask(work).await
}

pub(super) async fn list(server: &Server) -> Result<Vec<(TableKey, SourceColumn)>, QueryError> {
    const SQL: &str = "SELECT table_schema, table_name, column_name, data_type FROM information_schema.columns \
        WHERE table_catalog = current_database() ORDER BY table_schema <> 'main', table_schema, table_name, ordinal_position LIMIT 100000";
    let work = |connection: &Connection| {
        let read = || -> duckdb::Result<Vec<super::ListedColumn>> {
            let mut statement = connection.prepare(SQL)?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
            rows.collect()
        };
        read().map(|columns| super::listed(columns, Class::of_duckdb)).map_err(|problem| error(&problem))
    };
    server.ask(work).await
}

pub(super) async fn run(server: &Server, sql: &str, binds: &[Bind], limits: &Limits, zone: Tz) -> Result<Answer, QueryError> {
    let texts: Vec<String> = super::texts(binds).collect();
    let (sql, limits) = (sql.to_owned(), limits.clone());
    server.ask(move |connection| fetch(connection, &sql, &texts, &limits, zone).map_err(|problem| error(&problem))).await
}

fn fetch(connection: &Connection, sql: &str, binds: &[String], limits: &Limits, zone: Tz) -> duckdb::Result<Answer> {
    // The types are known only after execution, so it is first executed for no rows.
    let mut shape = connection.prepare(&format!("SELECT * FROM ({sql}) AS inlay_query LIMIT 0"))?;
    drop(shape.query(params_from_iter(binds))?);
    let columns = columns_of(&shape.schema());
    let texts = as_texts(sql, columns.iter().map(|(_, kind)| *kind), limits.rows.saturating_add(1), |kind, name| match kind {
        Kind::Json => Some(format!("CAST(to_json({name}) AS VARCHAR)")),
        Kind::Bytes => Some(format!("to_base64({name})")),
        _ => None,
    });
    let mut statement = connection.prepare(&texts)?;
    let mut found = statement.query(params_from_iter(binds))?;
    let mut rows = Rows::new(limits);
    while let Some(row) = found.next()? {
        let (mut values, mut bytes) = (Vec::with_capacity(columns.len()), 0);
        for (position, (_, kind)) in columns.iter().enumerate() {
            let text: Option<String> = row.get(position)?;
            bytes += text.as_ref().map_or(4, String::len);
            values.push(text.map_or(serde_json::Value::Null, |text| of_text(*kind, text, zone)));
        }
        if !rows.take(values, bytes) {
            break;
        }
    }
    let columns = columns.into_iter().map(|(name, kind)| Column { name, kind: kind.column_type() }).collect();
    Ok(Answer { columns, rows: rows.rows, truncated: rows.truncated })
}

fn columns_of(schema: &Schema) -> Vec<(String, Kind)> {
    let kind = |data_type: &DataType| match data_type {
        number if number.is_numeric() => Kind::Number,
        DataType::Boolean => Kind::Boolean,
        DataType::Date32 | DataType::Date64 => Kind::Date,
        DataType::Timestamp(_, None) => Kind::Timestamp,
        DataType::Timestamp(_, Some(_)) => Kind::Moment,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => Kind::Bytes,
        nested if nested.is_nested() => Kind::Json,
        _ => Kind::Text,
    };
    schema.fields().iter().map(|field| (field.name().clone(), kind(field.data_type()))).collect()
}

fn unavailable(problem: &duckdb::Error) -> QueryError {
    // The message may contain the path, which the operator wrote.
    QueryError::unavailable(format!("DuckDB cannot open its file or folder: {problem}"))
}

fn error(problem: &duckdb::Error) -> QueryError {
    let text = problem.to_string();
    let about = |kind: &str| text.starts_with(kind);
    if about("INTERRUPT Error") {
        QueryError::timeout("DuckDB was interrupted at the time limit")
    } else if about("Binder Error") || about("Catalog Error") || about("Parser Error") {
        // The first line is about names. Further lines quote the SQL, and other kinds of errors quote values.
        QueryError::failed(format!("DuckDB refused: {}", text.lines().next().unwrap_or_default()))
    } else {
        QueryError::failed(format!("DuckDB refused with: {}", text.split(':').next().unwrap_or_default()))
    }
}
