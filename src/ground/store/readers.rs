//! Connections for reading the embedded store. sqlx's own pool asks a connection whether it is alive before and after each use;
//! for a file that is two more changes of threads a read, and a connection to a file does not go stale.

use crate::ground::error::Error;
use deadpool::{
    Runtime,
    managed::{Manager, Metrics, Object, Pool, PoolError, RecycleResult, Timeouts},
};
use sqlx::ConnectOptions;
use sqlx_sqlite::{SqliteConnectOptions, SqliteConnection};
use std::time::Duration;

/// The connections, at most so many at once.
pub type Readers = Pool<Opener>;

/// A connection that goes back when it is dropped.
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

/// Up to so many connections, made when they are needed; who waits longer than `wait` for one is refused.
pub fn readers(options: SqliteConnectOptions, connections: usize, wait: Duration) -> Readers {
    let timeouts = Timeouts { wait: Some(wait), create: Some(wait), recycle: None };
    let builder = Pool::builder(Opener(options)).max_size(connections).timeouts(timeouts).runtime(Runtime::Tokio1);
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
