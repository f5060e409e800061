//! Connections to PostgreSQL with limits on every wait, on both sides.
//!
//! The driver limits nothing but the wait for a connection: a statement on a connection that the network has forgotten would
//! wait for TCP, and so would the pool's own question whether a connection that returns is still there. PostgreSQL, for its
//! part, would keep the forgotten transaction with its locks.

use super::{
    holding::Holding,
    patience::{Patience, within},
};
use sqlx::{AssertSqlSafe, Connection, pool::PoolConnection};
use sqlx_core::transaction::TransactionManager;
use sqlx_postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions, PgTransactionManager, Postgres};
use std::{
    future::Future,
    ops::{Deref, DerefMut},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::runtime::Handle;

/// A connection that was used this lately is not asked whether it is still there.
const LATELY: Duration = Duration::from_secs(1);

/// The connections of a node.
#[derive(Clone, Debug)]
pub struct Pool {
    pool: PgPool,
    trust: Arc<Trust>,
    patience: Patience,
}

impl Deref for Pool {
    type Target = PgPool;

    fn deref(&self) -> &PgPool {
        &self.pool
    }
}

impl Pool {
    /// Connects.
    pub(super) async fn open(options: PgConnectOptions, connections: u32, patience: Patience) -> sqlx::Result<Self> {
        let trust = Arc::new(Trust::default());
        let pool = pool_options(connections, patience, &trust).connect_with(options).await?;
        Ok(Self { pool, trust, patience })
    }

    /// Connections to the same store that nobody else uses, opened when they are needed.
    pub(super) fn apart(&self, connections: u32) -> Self {
        let (trust, patience) = (Arc::new(Trust::default()), self.patience);
        let options = self.pool.connect_options().as_ref().clone();
        Self { pool: pool_options(connections, patience, &trust).connect_lazy_with(options), trust, patience }
    }

    /// A connection.
    pub(super) async fn lend(&self, holding: Holding) -> sqlx::Result<Lent> {
        let connection = self.pool.acquire().await?;
        Ok(Lent { connection, answer: self.patience.answer, pool: self.clone(), _holding: holding })
    }

    /// A writing transaction.
    pub(super) async fn begin(&self, holding: Holding) -> sqlx::Result<Open> {
        // Before it begins, so that what PostgreSQL has begun is rolled back if nobody waits for it any more.
        let mut open = Open { lent: self.lend(holding).await?, ended: false };
        let served = open.lent.served();
        served.limit().keep(PgTransactionManager::begin(served.connection, None)).await?;
        Ok(open)
    }
}

fn pool_options(connections: u32, patience: Patience, trust: &Arc<Trust>) -> PgPoolOptions {
    let tested = Arc::clone(trust);
    PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(patience.connection)
        .test_before_acquire(false)
        .before_acquire(move |connection, about| {
            let trust = Arc::clone(&tested);
            Box::pin(async move { Ok(trust.still(connection, about.idle_for, patience.ping).await) })
        })
        .after_connect(move |connection, _| Box::pin(limit(connection, patience)))
}

/// Sets the limits of a new connection. Not with the options of the connection, which poolers refuse.
async fn limit(connection: &mut PgConnection, patience: Patience) -> sqlx::Result<()> {
    let Patience { statement, lock, answer, .. } = patience;
    // A server that acknowledges commits before they are on disk is asked not to: a revocation must survive a power cut.
    let limits = format!(
        "SET statement_timeout = {}; SET lock_timeout = {}; SET idle_in_transaction_session_timeout = {}; \
         SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'",
        statement.as_millis(),
        lock.as_millis(),
        answer.as_millis()
    );
    sqlx::raw_sql(AssertSqlSafe(limits)).execute(&mut *connection).await?;
    // Not every system knows these. So a server notices that this node is gone while it has something to send, or nothing.
    let network = format!(
        "SELECT set_config('tcp_user_timeout', '{}', false), set_config('tcp_keepalives_idle', '10', false), \
         set_config('tcp_keepalives_interval', '3', false), set_config('tcp_keepalives_count', '3', false)",
        answer.as_millis()
    );
    drop(sqlx::raw_sql(AssertSqlSafe(network)).execute(connection).await);
    Ok(())
}

/// When a connection was last found silent. Others of before are not worth the time of asking them.
#[derive(Debug, Default)]
pub struct Trust(Mutex<Option<Instant>>);

impl Trust {
    fn lose(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    fn lost_within(&self, time: Duration) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some_and(|lost| lost.elapsed() < time)
    }

    /// Whether an idle connection can be used.
    async fn still(&self, connection: &mut PgConnection, idle: Duration, ping: Duration) -> bool {
        if self.lost_within(idle) {
            return false;
        }
        idle < LATELY || self.answers(ping, connection.ping()).await
    }

    async fn answers(&self, limit: Duration, ping: impl Future<Output = sqlx::Result<()>>) -> bool {
        let Ok(answered) = tokio::time::timeout(limit, ping).await else {
            self.lose();
            return false;
        };
        answered.is_ok()
    }
}

/// A connection, borrowed from the pool.
pub struct Lent {
    connection: PoolConnection<Postgres>,
    answer: Duration,
    pool: Pool,
    _holding: Holding,
}

impl Lent {
    /// The connection, to ask something.
    pub(super) fn served(&mut self) -> Served<'_> {
        Served { connection: &mut self.connection, limit: Limit { answer: self.answer, trust: &self.pool.trust } }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        // The pool asks a connection that returns whether it is still there, and first waits for what is under way on it. When that takes
        // too long, the connection is closed instead.
        let returning = self.connection.return_to_pool();
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(tokio::time::timeout(self.pool.patience.ping, returning));
        }
    }
}

/// A connection and how long its answers may take.
pub struct Served<'c> {
    /// The connection.
    pub connection: &'c mut PgConnection,
    limit: Limit<'c>,
}

impl<'c> Served<'c> {
    /// Its limit.
    pub const fn limit(&self) -> Limit<'c> {
        self.limit
    }
}

impl Deref for Served<'_> {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        self.connection
    }
}

impl DerefMut for Served<'_> {
    fn deref_mut(&mut self) -> &mut PgConnection {
        self.connection
    }
}

/// How long an answer may take.
#[derive(Clone, Copy, Debug)]
pub struct Limit<'c> {
    answer: Duration,
    trust: &'c Trust,
}

impl Limit<'_> {
    /// The answer, or an error when there is none in time.
    pub async fn keep<T>(self, asked: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
        let mut silent = true;
        let answered = within(self.answer, async {
            let answered = asked.await;
            silent = false;
            answered
        })
        .await;
        if silent {
            self.trust.lose();
        }
        answered
    }
}

/// A writing transaction. It is rolled back unless it is committed.
pub struct Open {
    lent: Lent,
    ended: bool,
}

impl Open {
    /// The connection inside the transaction.
    pub(super) fn served(&mut self) -> Served<'_> {
        self.lent.served()
    }

    /// Lets its statements take much longer.
    pub(super) async fn take_time(&mut self) -> sqlx::Result<()> {
        let most = Patience::UNHURRIED.as_millis();
        let longer = format!(
            "SET LOCAL statement_timeout = {most}; SET LOCAL lock_timeout = 60000; \
             SET LOCAL idle_in_transaction_session_timeout = 60000"
        );
        let served = self.lent.served();
        let limit = served.limit();
        limit.keep(sqlx::raw_sql(AssertSqlSafe(longer)).execute(served.connection)).await?;
        self.lent.answer = Patience::UNHURRIED;
        Ok(())
    }

    /// Commits it.
    pub(super) async fn commit(mut self) -> sqlx::Result<()> {
        let served = self.lent.served();
        served.limit().keep(PgTransactionManager::commit(served.connection)).await?;
        self.ended = true;
        Ok(())
    }

    /// Rolls it back.
    pub(super) async fn roll_back(mut self) -> sqlx::Result<()> {
        let served = self.lent.served();
        served.limit().keep(PgTransactionManager::rollback(served.connection)).await?;
        self.ended = true;
        Ok(())
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if !self.ended {
            PgTransactionManager::start_rollback(&mut self.lent.connection);
        }
    }
}
