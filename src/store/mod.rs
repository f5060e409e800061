//! Our own database: the embedded SQLite or PostgreSQL. One SQL text serves both: `$1` placeholders and the common subset
//! (`ON CONFLICT`, `RETURNING`, CTEs; no `now()`, arrays, JSON operators, `FOR UPDATE`).
//! Only this folder and the concepts' `store.rs` files hold SQL.

pub mod connect;
pub mod readers;
pub mod rows;
pub mod seal;
pub mod version;

#[cfg(test)]
mod rows_tests;

use crate::error::Result;
use readers::{Reader, Readers};
use sqlx::{Transaction, pool::PoolConnection};
use sqlx_postgres::{PgConnection, PgPool, Postgres};
use sqlx_sqlite::{Sqlite, SqliteConnection, SqlitePool};

/// The store.
#[derive(Clone, Debug)]
pub enum Db {
    /// The embedded one. Writers have a pool of one, so that they queue instead of failing.
    Sqlite {
        /// Connections for reading.
        readers: Readers,
        /// The one for writing.
        writer: SqlitePool,
    },
    /// The one to scale out with.
    Postgres(PgPool),
}

/// A connection of either store, borrowed from a [`Lease`] or a [`Tx`]; what every store function takes.
#[expect(missing_docs, reason = "the names say it")]
pub enum Conn<'c> {
    Sqlite(&'c mut SqliteConnection),
    Postgres(&'c mut PgConnection),
}

/// Runs one expression for whichever database is behind a [`Conn`]: `on!(conn, |c| query.execute(c).await)`.
#[macro_export]
macro_rules! on {
    ($conn:expr, |$c:ident| $body:expr) => {
        match $conn {
            $crate::store::Conn::Sqlite(connection) => {
                let $c = &mut **connection;
                $body
            }
            $crate::store::Conn::Postgres(connection) => {
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

/// A transaction that writes; rolled back unless committed.
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

    /// Makes the changes last.
    ///
    /// # Errors
    /// The store refused or went away; nothing has changed.
    pub async fn commit(self) -> Result<()> {
        match self {
            Self::Sqlite(transaction) => transaction.commit().await?,
            Self::Postgres(transaction) => transaction.commit().await?,
        }
        Ok(())
    }

    /// Takes the changes back.
    ///
    /// # Errors
    /// The store went away; nothing has changed.
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
    ///
    /// # Errors
    ///
    /// None is free in time.
    pub async fn read(&self) -> Result<Lease> {
        Ok(match self {
            Self::Sqlite { readers, .. } => Lease::Sqlite(readers.get().await?),
            Self::Postgres(pool) => Lease::Postgres(pool.acquire().await?),
        })
    }

    /// A transaction that writes.
    ///
    /// # Errors
    ///
    /// No connection is free in time.
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

/// Whether an insert met a row that is there already (SQLite names no constraint, so callers look at one possible key a time).
pub fn is_taken(fault: &sqlx::Error) -> bool {
    fault.as_database_error().is_some_and(sqlx::error::DatabaseError::is_unique_violation)
}
