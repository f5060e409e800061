//! A connection of a pool that is closed unless it is given back. A query that nobody waits for any more may be under way on
//! it, or its network may be silent: the pool would wait for its answer without a limit, and the place would be lost for as
//! long.

use sqlx::{Database, Pool, pool::PoolConnection};
use std::time::Duration;
use tokio::runtime::Handle;

/// The most time that a connection takes to return.
const PATIENCE: Duration = Duration::from_secs(5);

/// The connection.
pub(super) struct Lent<DB: Database>(Option<PoolConnection<DB>>);

impl<DB: Database> Lent<DB> {
    /// Takes a connection from the pool.
    pub(super) async fn of(pool: &Pool<DB>) -> sqlx::Result<Self> {
        Ok(Self(Some(pool.acquire().await?)))
    }

    /// The connection, to ask something.
    pub(super) fn get(&mut self) -> sqlx::Result<&mut DB::Connection> {
        self.0.as_deref_mut().ok_or(sqlx::Error::PoolClosed)
    }

    /// The connection, for good. The pool may open another one in its place.
    pub(super) fn detach(&mut self) -> Option<DB::Connection> {
        self.0.take().map(PoolConnection::detach)
    }

    /// The same, held by another.
    pub(super) fn take(&mut self) -> Self {
        Self(self.0.take())
    }

    /// Returns it to the pool: everything that was asked was answered to the end. The pool asks it whether it is still there,
    /// which is limited here.
    pub(super) fn give_back(mut self) {
        let (Some(mut connection), Ok(runtime)) = (self.0.take(), Handle::try_current()) else { return };
        runtime.spawn(async move { drop(tokio::time::timeout(PATIENCE, connection.return_to_pool()).await) });
    }
}

impl<DB: Database> Drop for Lent<DB> {
    fn drop(&mut self) {
        drop(self.detach());
    }
}
