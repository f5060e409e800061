//! Opens the store.

use super::{Db, patience::Patience, postgres::Pool, readers::readers};
use sqlx::{ConnectOptions, Connection};
use sqlx_postgres::PgConnectOptions;
use sqlx_sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use std::{path::Path, str::FromStr, thread, time::Duration};

/// Readers of the embedded store on a machine with few processors.
const LEAST_READERS: usize = 4;

/// Connections of a node to PostgreSQL.
const POSTGRES_CONNECTIONS: u32 = 16;

/// How often, and how long from one time to the next, a file that another process is just creating is tried.
const TRIES: u32 = 100;
const BETWEEN_TRIES: Duration = Duration::from_millis(50);

/// Why the store cannot be used. Each text is a whole sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum StoreProblem {
    /// The URL is invalid.
    #[error("INLAY_DATABASE_URL is not an address of SQLite (sqlite:PATH) or PostgreSQL (postgres://…)")]
    Address,
    /// The folder or the file cannot be opened.
    #[error("the store in {path} cannot be opened: {reason}. Check that it is a store of Inlay in a writable folder")]
    File {
        /// The file's path.
        path: String,
        /// The operating system's or database's error.
        reason: String,
    },
    /// The database server cannot be reached.
    #[error("the PostgreSQL store cannot be reached: {0}. Check INLAY_DATABASE_URL and that the server is running")]
    Server(String),
    /// A newer binary wrote the store, and this one cannot use it.
    #[error(
        "the store was written by a newer version of Inlay that this one cannot work with. Run that version, or restore a backup of before"
    )]
    Newer,
    /// An older binary wrote the store, and this command does not migrate it.
    #[error(
        "the store was written by an older version of Inlay. Start the service with this version, or run `inlay migrate`, then repeat the command"
    )]
    Older,
    /// The migration failed.
    #[error("the store could not be migrated: {0}")]
    Migration(String),
    /// The store failed while it was looked at.
    #[error("the store cannot be read: {0}. Check that it is a store of Inlay, and try again")]
    Unread(#[from] sqlx::Error),
}

/// How the store is opened.
#[derive(Clone, Copy, Debug, Default)]
pub struct Opening {
    /// Connections of this node to PostgreSQL, or readers of the embedded store. By default 16, or one for each processor and at least 4.
    pub connections: Option<u32>,
    /// How long it may take.
    pub patience: Patience,
}

/// Opens the store at a URL. `sqlite:PATH` creates a missing file.
pub async fn open(address: &str, opening: Opening) -> Result<Db, StoreProblem> {
    if address.starts_with("postgres://") || address.starts_with("postgresql://") {
        let options = PgConnectOptions::from_str(address).map_err(|_| StoreProblem::Address)?;
        let connections = opening.connections.unwrap_or(POSTGRES_CONNECTIONS);
        let pool = Pool::open(options, connections, opening.patience).await;
        return pool.map(Db::Postgres).map_err(|fault| StoreProblem::Server(fault.to_string()));
    }
    let path = address.strip_prefix("sqlite:").ok_or(StoreProblem::Address)?;
    let path = path.strip_prefix("//").unwrap_or(path);
    open_file(Path::new(path), opening).await
}

async fn open_file(path: &Path, opening: Opening) -> Result<Db, StoreProblem> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        // A commit is on disk before it is acknowledged, so that a revocation survives a power cut.
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .disable_statement_logging()
        .statement_cache_capacity(256)
        .busy_timeout(opening.patience.connection);
    let writer = writer(&options, opening.patience.connection).await;
    let writer = writer.map_err(|fault| StoreProblem::File { path: path.display().to_string(), reason: fault.to_string() })?;
    let processors = thread::available_parallelism().map_or(LEAST_READERS, usize::from).max(LEAST_READERS);
    let connections = opening.connections.and_then(|given| usize::try_from(given).ok()).unwrap_or(processors);
    Ok(Db::Sqlite { readers: readers(options, connections, opening.patience.connection), writer })
}

/// The one connection for writing. While another process creates the file, nobody can open it.
async fn writer(options: &SqliteConnectOptions, wait: Duration) -> sqlx::Result<SqlitePool> {
    let mut tries = 0;
    loop {
        // After a full disk SQLite has rolled back by itself, and the driver still believes in a transaction: such a connection
        // would refuse every later one.
        let pool = SqlitePoolOptions::new()
            .max_connections(1)
            .acquire_timeout(wait)
            .before_acquire(|connection, _| Box::pin(async move { Ok(!connection.is_in_transaction()) }));
        match pool.connect_with(options.clone()).await {
            Err(fault) if is_busy(&fault) && tries < TRIES => tries += 1,
            outcome => return outcome,
        }
        tokio::time::sleep(BETWEEN_TRIES).await;
    }
}

/// Whether another process holds the file: SQLite's BUSY and LOCKED.
fn is_busy(fault: &sqlx::Error) -> bool {
    let code = fault.as_database_error().and_then(|fault| fault.code()?.parse::<u32>().ok());
    code.is_some_and(|code| matches!(code & 0xff, 5 | 6))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        ground::error::{Code, Error, Result},
        on,
    };
    use std::{env, fs, path::PathBuf};
    use uuid::Uuid;

    fn place() -> PathBuf {
        env::temp_dir().join(format!("inlay-store-{}.db", Uuid::now_v7().simple()))
    }

    async fn opened(path: &Path) -> Result<Db, StoreProblem> {
        let db = open(&format!("sqlite:{}", path.display()), Opening::default()).await?;
        db.migrate().await?;
        Ok(db)
    }

    #[tokio::test]
    async fn a_full_disk_is_told_as_passing() -> Result<()> {
        const FILL: &str = "CREATE TABLE filling AS SELECT zeroblob(10000000) AS zeros";
        let path = place();
        let db = opened(&path).await.expect("a fresh store");
        let mut tx = db.write().await?;
        on!(&mut tx.conn(), |c| sqlx::query("PRAGMA max_page_count = 1").execute(c).await.map(drop))?;
        let full = on!(&mut tx.conn(), |c| sqlx::query(FILL).execute(c).await.map(drop)).expect_err("no room");
        let told = Error::from(full);
        assert_eq!((told.code, told.retry_seconds()), (Code::StoreUnavailable, Some(1)), "{:?}", told.context);
        drop(tx);
        db.close().await;
        fs::remove_file(path).ok();
        Ok(())
    }

    /// As SQLite does by itself after some failures: the driver does not learn of it.
    #[tokio::test]
    async fn the_store_writes_again_after_sqlite_has_rolled_back_by_itself() -> Result<()> {
        let path = place();
        let db = opened(&path).await.expect("a fresh store");
        let mut tx = db.write().await?;
        on!(&mut tx.conn(), |c| sqlx::query("ROLLBACK").execute(c).await.map(drop))?;
        drop(tx);
        let mut tx = db.write().await?;
        on!(&mut tx.conn(), |c| sqlx::query("CREATE TABLE again (id integer)").execute(c).await.map(drop))?;
        tx.commit().await?;
        db.close().await;
        fs::remove_file(path).ok();
        Ok(())
    }

    /// With a bound LIMIT, SQLite would otherwise parse a statement anew each time (`.cargo/config.toml`).
    #[tokio::test]
    async fn sqlite_keeps_the_plans_of_statements() -> Result<()> {
        let path = place();
        let db = opened(&path).await.expect("a fresh store");
        let kept: i64 = on!(&mut db.read().await?.conn(), |c| {
            sqlx::query_scalar("SELECT sqlite_compileoption_used('ENABLE_QPSG')").fetch_one(c).await
        })?;
        assert_eq!(kept, 1);
        db.close().await;
        fs::remove_file(path).ok();
        Ok(())
    }

    #[tokio::test]
    async fn what_is_no_store_is_refused_in_one_sentence() {
        let path = place();
        fs::write(&path, "no database, but long enough to be looked at as one".repeat(40)).expect("written");
        let told = opened(&path).await.expect_err("refused").to_string();
        assert!(told.contains(&path.display().to_string()) && told.contains("is not a database"), "{told}");
        fs::remove_file(path).ok();
        assert!(matches!(open("mysql://x", Opening::default()).await, Err(StoreProblem::Address)));
    }
}
