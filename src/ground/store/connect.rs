//! Opens the store and migrates it.

use super::{Db, readers::readers};
use sqlx::{
    ConnectOptions, Connection,
    migrate::{MigrateError, Migrator},
};
use sqlx_postgres::{PgConnectOptions, PgPoolOptions};
use sqlx_sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use std::{path::Path, str::FromStr, time::Duration};

static SQLITE: Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("migrations/postgres");

const READERS: usize = 4;
const POSTGRES_CONNECTIONS: u32 = 16;
const WAIT: Duration = Duration::from_secs(5);

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
    /// A newer binary wrote the store.
    #[error("the store was written by a newer version of Inlay. Run that version, or restore an older copy of the store")]
    Newer,
    /// The migration failed.
    #[error("the store could not be migrated: {0}")]
    Migration(String),
}

/// Opens the store at a URL. `sqlite:PATH` creates a missing file.
pub async fn open(address: &str) -> Result<Db, StoreProblem> {
    if address.starts_with("postgres://") || address.starts_with("postgresql://") {
        let options = PgConnectOptions::from_str(address).map_err(|_| StoreProblem::Address)?;
        let pool = PgPoolOptions::new().max_connections(POSTGRES_CONNECTIONS).acquire_timeout(WAIT).connect_with(options).await;
        return pool.map(Db::Postgres).map_err(|fault| StoreProblem::Server(fault.to_string()));
    }
    let path = address.strip_prefix("sqlite:").ok_or(StoreProblem::Address)?;
    let path = path.strip_prefix("//").unwrap_or(path);
    open_file(Path::new(path)).await
}

async fn open_file(path: &Path) -> Result<Db, StoreProblem> {
    let problem = |reason: String| StoreProblem::File { path: path.display().to_string(), reason };
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Normal)
        .foreign_keys(true)
        .disable_statement_logging()
        .statement_cache_capacity(256)
        .busy_timeout(WAIT);
    // After a full disk SQLite has rolled back by itself, and the driver still believes in a transaction: such a connection would refuse
    // every later one.
    let pool = SqlitePoolOptions::new()
        .max_connections(1)
        .acquire_timeout(WAIT)
        .before_acquire(|connection, _| Box::pin(async move { Ok(!connection.is_in_transaction()) }));
    let writer = pool.connect_with(options.clone()).await.map_err(|fault| problem(fault.to_string()))?;
    Ok(Db::Sqlite { readers: readers(options, READERS, WAIT), writer })
}

impl Db {
    /// Applies the missing migrations.
    ///
    /// # Errors
    /// A newer version wrote the store, or a migration failed.
    pub async fn migrate(&self) -> Result<(), StoreProblem> {
        match self {
            Self::Sqlite { writer, .. } => SQLITE.run(writer).await,
            Self::Postgres(pool) => POSTGRES.run(pool).await,
        }
        .map_err(|problem| match problem {
            MigrateError::VersionMissing(_) | MigrateError::VersionTooNew(..) | MigrateError::VersionTooOld(..) => {
                StoreProblem::Newer
            }
            other => StoreProblem::Migration(other.to_string()),
        })
    }
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
        let db = open(&format!("sqlite:{}", path.display())).await?;
        db.migrate().await?;
        Ok(db)
    }

    #[tokio::test]
    async fn a_store_of_a_newer_version_is_refused() -> Result<()> {
        const NEWER: &str =
            "UPDATE _sqlx_migrations SET version = 99999 WHERE version = (SELECT MAX(version) FROM _sqlx_migrations)";
        let path = place();
        let db = opened(&path).await.expect("a fresh store");
        let mut tx = db.write().await?;
        on!(&mut tx.conn(), |c| sqlx::query(NEWER).execute(c).await.map(drop))?;
        tx.commit().await?;
        db.close().await;
        assert!(matches!(opened(&path).await, Err(StoreProblem::Newer)));
        fs::remove_file(path).ok();
        Ok(())
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

    #[tokio::test]
    async fn what_is_no_store_is_refused_in_one_sentence() {
        let path = place();
        fs::write(&path, "no database, but long enough to be looked at as one".repeat(40)).expect("written");
        let told = opened(&path).await.expect_err("refused").to_string();
        assert!(told.contains(&path.display().to_string()) && told.contains("is not a database"), "{told}");
        fs::remove_file(path).ok();
        assert!(matches!(open("mysql://x").await, Err(StoreProblem::Address)));
    }
}
