//! Inlay's own database: the embedded SQLite or PostgreSQL. The same SQL runs on both: `$1` placeholders and the common subset
//! (`ON CONFLICT`, `RETURNING`, CTEs; no `now()`, arrays, JSON operators; `FOR UPDATE` and `FOR SHARE`, and the array of
//! several lookups at once, on PostgreSQL alone).
//! Only this folder and the concepts' `store.rs` files contain SQL.

pub mod backup;
pub mod connect;
pub mod health;
pub mod holding;
pub mod listening;
mod measures;
pub mod migrating;
pub mod patience;
pub mod postgres;
pub mod readers;
pub mod room;
pub mod rows;
pub mod seal;
pub mod version;

#[cfg(test)]
mod full_tests;
#[cfg(test)]
mod migrating_tests;
#[cfg(test)]
mod rows_tests;
#[cfg(test)]
mod silence_tests;

use crate::ground::{error::Result, traces};
use futures::{FutureExt as _, future::BoxFuture};
use holding::{Held, Holding};
use measures::Waiting;
use postgres::{Lent, Open, Pool, Served};
use readers::{Reader, Readers};
use sqlx::Transaction;
use sqlx_sqlite::{Sqlite, SqliteConnection, SqlitePool};

/// How many connections are set apart: one, and another for when the network has forgotten the first.
const APART: u8 = 2;

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
    Postgres(Pool),
}

/// A connection of either store, borrowed from a [`Lease`] or a [`Tx`]. Every store function takes one.
#[expect(missing_docs, reason = "the names say it")]
pub enum Conn<'c> {
    Sqlite(&'c mut SqliteConnection),
    Postgres(Served<'c>),
}

/// Runs one expression for the database of a [`Conn`]: `on!(conn, |c| query.execute(c).await)`. PostgreSQL has to answer in time.
#[macro_export]
macro_rules! on {
    ($conn:expr, |$c:ident| $body:expr) => {
        match $conn {
            $crate::ground::store::Conn::Sqlite(connection) => {
                let answer: $crate::ground::store::Answer<'_, _> = Box::pin(async {
                    let $c = &mut **connection;
                    $body
                });
                answer.await
            }
            $crate::ground::store::Conn::Postgres(served) => {
                let limit = served.limit();
                let answer: $crate::ground::store::Answer<'_, _> = Box::pin(async {
                    let $c = &mut *served.connection;
                    $body
                });
                limit.keep(answer).await
            }
        }
    };
}

/// An answer of the store that is on its way. Its type is forgotten, since every future that awaits it would hold that type, and
/// the compiler would walk through it again for each of them.
pub type Answer<'a, T> = BoxFuture<'a, sqlx::Result<T>>;

/// A connection for reading.
#[expect(missing_docs, reason = "the names say it")]
pub enum Lease {
    Sqlite(Held<Reader>),
    Postgres(Lent),
}

impl Lease {
    /// The connection.
    pub fn conn(&mut self) -> Conn<'_> {
        match self {
            Self::Sqlite(held) => Conn::Sqlite(&mut held.connection),
            Self::Postgres(lent) => Conn::Postgres(lent.served()),
        }
    }
}

/// A writing transaction. It is rolled back unless it is committed.
#[expect(missing_docs, reason = "the names say it")]
pub enum Tx {
    Sqlite(Held<Transaction<'static, Sqlite>>),
    Postgres(Open),
}

impl Tx {
    /// The connection inside the transaction.
    pub fn conn(&mut self) -> Conn<'_> {
        match self {
            Self::Sqlite(held) => Conn::Sqlite(&mut held.connection),
            Self::Postgres(open) => Conn::Postgres(open.served()),
        }
    }

    /// Lets the statements that follow take minutes, for a change of very many rows that cannot be made in parts.
    ///
    /// # Errors
    /// The store failed.
    pub fn take_time(&mut self) -> BoxFuture<'_, Result<()>> {
        async move {
            match self {
                // One writer at a time, without a limit on its statements.
                Self::Sqlite(_) => {}
                Self::Postgres(open) => open.take_time().await?,
            }
            Ok(())
        }
        .boxed()
    }

    /// Commits the changes.
    ///
    /// # Errors
    /// The store failed; nothing has changed.
    pub fn commit(self) -> BoxFuture<'static, Result<()>> {
        async move {
            match self {
                Self::Sqlite(held) => held.connection.commit().await?,
                Self::Postgres(open) => open.commit().await?,
            }
            Ok(())
        }
        .boxed()
    }

    /// Rolls the changes back.
    ///
    /// # Errors
    /// The store failed; nothing has changed.
    pub fn roll_back(self) -> BoxFuture<'static, Result<()>> {
        async move {
            match self {
                Self::Sqlite(held) => held.connection.rollback().await?,
                Self::Postgres(open) => open.roll_back().await?,
            }
            Ok(())
        }
        .boxed()
    }
}

impl Db {
    /// The database's name in traces.
    const fn system(&self) -> &'static str {
        match self {
            Self::Sqlite { .. } => "sqlite",
            Self::Postgres(_) => "postgresql",
        }
    }

    /// A connection for reading.
    pub fn read(&self) -> BoxFuture<'_, Result<Lease>> {
        async move {
            let holding = Holding::begin(traces::store(self.system(), "read"));
            let _waiting = Waiting::begin("read");
            Ok(match self {
                Self::Sqlite { readers, .. } => Lease::Sqlite(Held::new(readers.get().await?, holding)),
                Self::Postgres(pool) => Lease::Postgres(pool.lend(holding).await?),
            })
        }
        .boxed()
    }

    /// The same store by connections that nobody else uses, for what must not wait for callers.
    #[must_use]
    pub fn apart(&self) -> Self {
        match self {
            Self::Sqlite { writer, .. } => {
                let (options, wait) = (writer.connect_options().as_ref().clone(), writer.options().get_acquire_timeout());
                Self::Sqlite { readers: readers::readers(options, APART.into(), wait), writer: writer.clone() }
            }
            Self::Postgres(pool) => Self::Postgres(pool.apart(APART.into())),
        }
    }

    /// A writing transaction.
    pub fn write(&self) -> BoxFuture<'_, Result<Tx>> {
        async move {
            let holding = Holding::begin(traces::store(self.system(), "write"));
            let _waiting = Waiting::begin("write");
            Ok(match self {
                Self::Sqlite { writer, .. } => Tx::Sqlite(Held::new(writer.begin_with("BEGIN IMMEDIATE").await?, holding)),
                Self::Postgres(pool) => Tx::Postgres(pool.begin(holding).await?),
            })
        }
        .boxed()
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

/// Whether an insert failed because the row already exists (SQLite names no constraint, so callers must know the only key that
/// can conflict).
pub fn is_taken(fault: &sqlx::Error) -> bool {
    fault.as_database_error().is_some_and(sqlx::error::DatabaseError::is_unique_violation)
}
