//! A connection of a backup's own, without the limits of requests, and the tables that it sees.

use crate::ground::store::{Db, migrating};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, FromRow, SqlSafeStr};
use sqlx_core::transaction::TransactionManager;
use sqlx_postgres::{PgConnection, PgTransactionManager};
use sqlx_sqlite::{SqliteConnection, SqliteTransactionManager};
use std::collections::BTreeMap;

use super::{BackupProblem, LEFT_OUT};

/// The connection.
pub(super) enum Own {
    Sqlite(Box<SqliteConnection>),
    Postgres(Box<PgConnection>),
}

/// Runs one expression for the database of an [`Own`] connection.
macro_rules! on_own {
    ($own:expr, |$c:ident| $body:expr) => {
        match $own {
            $crate::ground::store::backup::own::Own::Sqlite(connection) => {
                let $c = &mut **connection;
                $body
            }
            $crate::ground::store::backup::own::Own::Postgres(connection) => {
                let $c = &mut **connection;
                $body
            }
        }
    };
}
pub(super) use on_own;

/// A column and the type that its store gives it.
#[derive(Debug, FromRow)]
pub(super) struct Column {
    table_name: String,
    pub(super) column_name: String,
    pub(super) data_type: String,
}

/// The columns of each table, in order.
pub(super) type Tables = BTreeMap<String, Vec<Column>>;

const COLUMNS_OF_SQLITE: &str = "SELECT m.name AS table_name, p.name AS column_name, LOWER(p.type) AS data_type \
    FROM sqlite_master m JOIN pragma_table_info(m.name) p WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' \
    ORDER BY m.name, p.cid";
const COLUMNS_OF_POSTGRES: &str = "SELECT CAST(c.table_name AS TEXT) AS table_name, CAST(c.column_name AS TEXT) AS column_name, \
    CAST(c.data_type AS TEXT) AS data_type FROM information_schema.columns c \
    JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name \
    WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' ORDER BY c.table_name, c.ordinal_position";
const SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY";
const NO_LIMITS: &str = "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";

impl Own {
    /// Connects. References between rows are not checked on SQLite, so that tables can be written in any order.
    pub(super) async fn connect(db: &Db) -> sqlx::Result<Self> {
        Ok(match db {
            Db::Sqlite { writer, .. } => {
                let options = writer.connect_options().as_ref().clone().foreign_keys(false);
                Self::Sqlite(Box::new(options.connect().await?))
            }
            Db::Postgres(pool) => Self::Postgres(Box::new(pool.connect_options().connect().await?)),
        })
    }

    /// Begins to read the store as it is now, whatever is written meanwhile.
    pub(super) async fn begin_reading(&mut self) -> sqlx::Result<()> {
        match self {
            Self::Sqlite(conn) => SqliteTransactionManager::begin(conn, None).await,
            Self::Postgres(conn) => {
                PgTransactionManager::begin(conn, Some(SNAPSHOT.into_sql_str())).await?;
                sqlx::raw_sql(NO_LIMITS).execute(&mut **conn).await.map(drop)
            }
        }
    }

    /// Begins to write alone.
    pub(super) async fn begin_writing(&mut self) -> sqlx::Result<()> {
        match self {
            Self::Sqlite(conn) => SqliteTransactionManager::begin(conn, Some("BEGIN IMMEDIATE".into_sql_str())).await,
            Self::Postgres(conn) => {
                PgTransactionManager::begin(conn, None).await?;
                sqlx::raw_sql(NO_LIMITS).execute(&mut **conn).await.map(drop)
            }
        }
    }

    /// Ends what was begun, with all that was written.
    pub(super) async fn commit(mut self) -> sqlx::Result<()> {
        match &mut self {
            Self::Sqlite(conn) => SqliteTransactionManager::commit(conn).await?,
            Self::Postgres(conn) => PgTransactionManager::commit(conn).await?,
        }
        self.close().await
    }

    /// Ends the connection, and with it what was begun.
    pub(super) async fn close(self) -> sqlx::Result<()> {
        match self {
            Self::Sqlite(conn) => conn.close().await,
            Self::Postgres(conn) => conn.close().await,
        }
    }

    /// The tables with their columns.
    pub(super) async fn tables(&mut self) -> sqlx::Result<Tables> {
        let sql = if self.is_sqlite() { COLUMNS_OF_SQLITE } else { COLUMNS_OF_POSTGRES };
        let columns: Vec<Column> = on_own!(self, |c| sqlx::query_as(sql).fetch_all(c).await)?;
        let mut tables = Tables::new();
        for column in columns.into_iter().filter(|column| !LEFT_OUT.contains(&column.table_name.as_str())) {
            tables.entry(column.table_name.clone()).or_default().push(column);
        }
        Ok(tables)
    }

    /// The newest migration of the store.
    pub(super) async fn newest_migration(&mut self) -> sqlx::Result<i64> {
        const SQL: &str = "SELECT COALESCE(MAX(version), 0) FROM _sqlx_migrations";
        on_own!(self, |c| sqlx::query_scalar(SQL).fetch_one(c).await)
    }

    /// Applies migrations up to one, in what was begun.
    pub(super) async fn migrate(&mut self, last: i64) -> Result<(), BackupProblem> {
        match self {
            Self::Sqlite(conn) => migrating::migrate_sqlite(conn, last).await?,
            Self::Postgres(conn) => migrating::migrate_postgres(conn, last).await?,
        }
        Ok(())
    }

    /// Runs a statement.
    pub(super) async fn run(&mut self, sql: String) -> sqlx::Result<()> {
        on_own!(self, |c| sqlx::query(AssertSqlSafe(sql)).execute(c).await.map(drop))
    }

    pub(super) const fn is_sqlite(&self) -> bool {
        matches!(self, Self::Sqlite(_))
    }
}
