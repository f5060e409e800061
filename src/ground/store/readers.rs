//! Connections for reading the embedded store. sqlx's own pool pings a connection before and after each use. For a file that
//! costs two extra thread switches per read, and connections to a file do not become stale.

use crate::ground::error::Error;
use deadpool::{
    Runtime,
    managed::{Manager, Metrics, Object, Pool, PoolError, QueueMode, RecycleResult, Timeouts},
};
use sqlx::ConnectOptions;
use sqlx_sqlite::{SqliteConnectOptions, SqliteConnection};
use std::time::Duration;

/// The connections, with a maximum number.
pub type Readers = Pool<Opener>;

/// A connection that returns to the pool when it is dropped.
pub type Reader = Object<Opener>;

/// Opens connections to one file.
#[derive(Debug)]
pub struct Opener(SqliteConnectOptions);

impl Manager for Opener {
    type Type = SqliteConnection;
    type Error = sqlx::Error;

    async fn create(&self) -> Result<SqliteConnection, sqlx::Error> {
        self.0.connect().await
    }

    async fn recycle(&self, _: &mut SqliteConnection, _: &Metrics) -> RecycleResult<sqlx::Error> {
        Ok(())
    }
}

/// A pool of at most this many connections, opened when needed. A caller who waits longer than `wait` gets an error.
pub fn readers(options: SqliteConnectOptions, connections: usize, wait: Duration) -> Readers {
    let timeouts = Timeouts { wait: Some(wait), create: Some(wait), recycle: None };
    // The connection that was used last comes next: its thread and its pages are at hand.
    let builder = Pool::builder(Opener(options)).max_size(connections).timeouts(timeouts).runtime(Runtime::Tokio1);
    let builder = builder.queue_mode(QueueMode::Lifo);
    builder.build().unwrap_or_else(|problem| unreachable!("a pool with a runtime: {problem}"))
}

impl From<PoolError<sqlx::Error>> for Error {
    fn from(problem: PoolError<sqlx::Error>) -> Self {
        match problem {
            PoolError::Backend(fault) => fault.into(),
            PoolError::Timeout(_) => sqlx::Error::PoolTimedOut.into(),
            PoolError::Closed | PoolError::NoRuntimeSpecified | PoolError::PostCreateHook(_) => sqlx::Error::PoolClosed.into(),
        }
    }
}
