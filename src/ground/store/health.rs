//! What the store says of itself, for `inlay doctor`.

use super::Db;
use crate::ground::{error::Result, time::Timestamp};
use std::time::{Duration, Instant};

/// The state of the store.
#[derive(Clone, Debug)]
pub struct Health {
    /// The database and its version, for people.
    pub version: String,
    /// The number of its version, as PostgreSQL counts: 15.4 is 150004. `None` for the embedded store, which is part of Inlay.
    pub number: Option<i64>,
    /// The store's clock.
    pub clock: Timestamp,
    /// How long one statement took, there and back.
    pub latency: Duration,
    /// Settings by which an acknowledged change may be lost in a power cut: `fsync = off`.
    pub unsafe_settings: Vec<String>,
    /// It only answers reads.
    pub is_standby: bool,
    /// How many connections its server takes, of all its users.
    pub connections: Option<i64>,
    /// Its size in bytes.
    pub bytes: i64,
}

#[derive(sqlx::FromRow)]
struct Told {
    version: String,
    number: i64,
    clock: i64,
    is_standby: bool,
    fsync: String,
    full_page_writes: String,
    synchronous_commit: String,
    connections: i64,
    bytes: i64,
}

impl Db {
    /// Asks the store about itself.
    ///
    /// # Errors
    /// It does not answer.
    pub async fn health(&self) -> Result<Health> {
        match self {
            Self::Sqlite { writer, .. } => {
                let mut conn = writer.acquire().await?;
                let asked = Instant::now();
                let version: String = sqlx::query_scalar("SELECT sqlite_version()").fetch_one(&mut *conn).await?;
                let latency = asked.elapsed();
                let synchronous: i64 = sqlx::query_scalar("PRAGMA synchronous").fetch_one(&mut *conn).await?;
                let pages: i64 = sqlx::query_scalar("PRAGMA page_count").fetch_one(&mut *conn).await?;
                let size: i64 = sqlx::query_scalar("PRAGMA page_size").fetch_one(&mut *conn).await?;
                Ok(Health {
                    version: format!("SQLite {version}"),
                    number: None,
                    clock: Timestamp::now(),
                    latency,
                    unsafe_settings: (synchronous < 2).then(|| format!("synchronous = {synchronous}")).into_iter().collect(),
                    is_standby: false,
                    connections: None,
                    bytes: pages * size,
                })
            }
            Self::Postgres(pool) => {
                const SQL: &str = "SELECT current_setting('server_version') AS version, \
                    current_setting('server_version_num')::bigint AS number, \
                    (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS clock, pg_is_in_recovery() AS is_standby, \
                    current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes, \
                    current_setting('synchronous_commit') AS synchronous_commit, \
                    current_setting('max_connections')::bigint AS connections, pg_database_size(current_database()) AS bytes";
                let mut conn = pool.acquire().await?;
                let asked = Instant::now();
                let told: Told = sqlx::query_as(SQL).fetch_one(&mut *conn).await?;
                let latency = asked.elapsed();
                let settings = [
                    ("fsync", &told.fsync),
                    ("full_page_writes", &told.full_page_writes),
                    ("synchronous_commit", &told.synchronous_commit),
                ];
                let off = settings.into_iter().filter(|(_, value)| *value == "off");
                Ok(Health {
                    unsafe_settings: off.map(|(name, value)| format!("{name} = {value}")).collect(),
                    version: format!("PostgreSQL {}", told.version),
                    number: Some(told.number),
                    clock: Timestamp(told.clock),
                    latency,
                    is_standby: told.is_standby,
                    connections: Some(told.connections),
                    bytes: told.bytes,
                })
            }
        }
    }
}
