//! Inlay's own database: the embedded SQLite or PostgreSQL. The same SQL runs on both: `$1` placeholders and the common subset (`ON CONFLICT`,
//! `RETURNING`, CTEs; no `now()`, arrays, JSON operators, `FOR UPDATE`). Only this folder and the concepts' `store.rs` files contain SQL.

pub mod connect;
pub mod readers;
pub mod rows;
pub mod seal;
pub mod version;

#[cfg(test)]
mod rows_tests;

use crate::ground::error::Result;
use readers::{Reader, Readers};
use sqlx::{Transaction, pool::PoolConnection};
use sqlx_postgres::{PgConnection, PgPool, Postgres};
use sqlx_sqlite::{Sqlite, SqliteConnection, SqlitePool};

/// The store.
#[derive(Clone, Debug)]
pub enum Db {
    /// The embedded store. It has a single writing connection, so that writers queue instead of failing.
    Sqlite {
        /// Connections for reading.
        readers: Readers,
        /// The connection for writing.
        writer: SqlitePool,
    },
    /// The store for several nodes.
    Postgres(PgPool),
}

/// A connection of either store, borrowed from a [`Lease`] or a [`Tx`]. Every store function takes one.
#[expect(missing_docs, reason = "the names say it")]
pub enum Conn<'c> {
    Sqlite(&'c mut SqliteConnection),
    Postgres(&'c mut PgConnection),
}

/// Runs one expression for the database of a [`Conn`]: `on!(conn, |c| query.execute(c).await)`.
#[macro_export]
macro_rules! on {
    ($conn:expr, |$c:ident| $body:expr) => {
        match $conn {
            $crate::ground::store::Conn::Sqlite(connection) => {
                let $c = &mut **connection;
                $body
            }
            $crate::ground::store::Conn::Postgres(connection) => {
                let $c = &mut **connection;
                $body
            }
        }
    };
}

/// A connection for reading.
#[expect(missing_docs, reason = "the names say it")]
pub enum Lease {
    Sqlite(Reader),
    Postgres(PoolConnection<Postgres>),
}

impl Lease {
    /// The connection.
    pub fn conn(&mut self) -> Conn<'_> {
        match self {
            Self::Sqlite(connection) => Conn::Sqlite(connection),
            Self::Postgres(connection) => Conn::Postgres(connection),
        }
    }
}

/// A writing transaction. It is rolled back unless it is committed.
#[expect(missing_docs, reason = "the names say it")]
pub enum Tx {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(Transaction<'static, Postgres>),
}

impl Tx {
    /// The connection inside the transaction.
    pub fn conn(&mut self) -> Conn<'_> {
        match self {
            Self::Sqlite(transaction) => Conn::Sqlite(transaction),
            Self::Postgres(transaction) => Conn::Postgres(transaction),
        }
    }

    /// Commits the changes.
    ///
    /// # Errors
    /// The store failed; nothing has changed.
    pub async fn commit(self) -> Result<()> {
        match self {
            Self::Sqlite(transaction) => transaction.commit().await?,
            Self::Postgres(transaction) => transaction.commit().await?,
        }
        Ok(())
    }

    /// Rolls the changes back.
    ///
    /// # Errors
    /// The store failed; nothing has changed.
    pub async fn roll_back(self) -> Result<()> {
        match self {
            Self::Sqlite(transaction) => transaction.rollback().await?,
            Self::Postgres(transaction) => transaction.rollback().await?,
        }
        Ok(())
    }
}

impl Db {
    /// A connection for reading.
    pub async fn read(&self) -> Result<Lease> {
        Ok(match self {
            Self::Sqlite { readers, .. } => Lease::Sqlite(readers.get().await?),
            Self::Postgres(pool) => Lease::Postgres(pool.acquire().await?),
        })
    }

    /// A writing transaction.
    pub async fn write(&self) -> Result<Tx> {
        Ok(match self {
            Self::Sqlite { writer, .. } => Tx::Sqlite(writer.begin_with("BEGIN IMMEDIATE").await?),
            Self::Postgres(pool) => Tx::Postgres(pool.begin().await?),
        })
    }

    /// Closes every connection.
    pub async fn close(&self) {
        match self {
            Self::Sqlite { readers, writer } => {
                readers.close();
                writer.close().await;
            }
            Self::Postgres(pool) => pool.close().await,
        }
    }
}

/// Whether an insert failed because the row already exists (SQLite names no constraint, so callers must know the only key that can conflict).
pub fn is_taken(fault: &sqlx::Error) -> bool {
    fault.as_database_error().is_some_and(sqlx::error::DatabaseError::is_unique_violation)
}
