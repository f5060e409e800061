//! How long the store may take. A network can fall silent without a word: what waits without a limit then waits for TCP, some
//! fifteen minutes.

use std::{future::Future, io, time::Duration};

/// The limits of a node's connections to its store.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// How long a caller waits for a connection.
    pub connection: Duration,
    /// How long PostgreSQL works on one statement, the waiting for locks included.
    pub statement: Duration,
    /// How long a statement waits for another transaction's rows in PostgreSQL.
    pub lock: Duration,
    /// How long this node waits for a statement's result. Longer than [`Self::statement`], so that a PostgreSQL that is well answers first.
    /// A transaction that does nothing for as long is ended by PostgreSQL: its node has given up by then.
    pub answer: Duration,
    /// How long a connection may take to say that it is still there.
    pub ping: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            connection: Duration::from_secs(5),
            statement: Duration::from_secs(7),
            lock: Duration::from_secs(4),
            answer: Duration::from_secs(8),
            ping: Duration::from_secs(1),
        }
    }
}

impl Patience {
    /// Of a transaction that changes very many rows at once, such as the deletion of a project.
    pub(super) const UNHURRIED: Duration = Duration::from_secs(15 * 60);
}

/// The result of work on a connection, or an error when there is none in time.
pub(super) async fn within<T>(limit: Duration, work: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
    tokio::time::timeout(limit, work).await.unwrap_or_else(|_| Err(silence(limit)))
}

fn silence(limit: Duration) -> sqlx::Error {
    sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, format!("no answer within {} ms", limit.as_millis())))
}
