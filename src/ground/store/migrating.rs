//! Migrations, and which versions of Inlay may use a store.
//!
//! A store says which is the oldest build that can work with it. So nodes of two versions can use it at the same time, and a node of the
//! older version can start again on a store that a newer one has migrated (docs/development.md, "Change the store").

use super::{Db, connect::StoreProblem};
use sqlx::{ConnectOptions, Connection, migrate::Migrator};
use sqlx_postgres::PgConnection;
use sqlx_sqlite::SqliteConnection;
use std::{borrow::Cow, collections::BTreeSet, time::Duration};

static SQLITE: Migrator = sqlx::migrate!("migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("migrations/postgres");

/// How long a process waits for another one that migrates the same file.
const TURN: Duration = Duration::from_secs(60);

/// How a store stands to this build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nothing is in it.
    Empty,
    /// Migrations are missing.
    Older,
    /// This build can use it.
    Fitting,
}

/// What a store says of itself.
#[derive(Debug, Default)]
struct Told {
    applied: BTreeSet<i64>,
    oldest_build: Option<i64>,
}

impl Told {
    fn standing(&self) -> Result<Standing, StoreProblem> {
        let known: BTreeSet<i64> = POSTGRES.iter().map(|migration| migration.version).collect();
        if self.applied.difference(&known).next().is_some() && self.oldest_build.is_none_or(|oldest| oldest > newest()) {
            return Err(StoreProblem::Newer);
        }
        Ok(match () {
            () if self.applied.is_empty() => Standing::Empty,
            () if known.is_subset(&self.applied) => Standing::Fitting,
            () => Standing::Older,
        })
    }
}

/// The newest migration that this build knows.
pub fn newest() -> i64 {
    POSTGRES.iter().map(|migration| migration.version).max().unwrap_or_default()
}

const APPLIED: &str = "SELECT version FROM _sqlx_migrations";
const OLDEST: &str = "SELECT oldest_build FROM store_state WHERE id = 1";

/// The tables that a store says it by, where they are there.
const TABLES_OF_SQLITE: &str =
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('_sqlx_migrations', 'store_state')";
const TABLES_OF_POSTGRES: &str = "SELECT name FROM (VALUES ('_sqlx_migrations'), ('store_state')) AS known (name) \
    WHERE to_regclass(name) IS NOT NULL";

/// Reads what a store says of itself, over a connection of either database.
macro_rules! told {
    ($conn:expr, $tables:expr) => {{
        let conn = $conn;
        let tables: Vec<String> = sqlx::query_scalar($tables).fetch_all(&mut *conn).await?;
        let has = |table: &str| tables.iter().any(|name| name == table);
        let mut told = Told::default();
        if has("_sqlx_migrations") {
            told.applied = sqlx::query_scalar(APPLIED).fetch_all(&mut *conn).await?.into_iter().collect();
        }
        if has("store_state") {
            told.oldest_build = sqlx::query_scalar(OLDEST).fetch_optional(&mut *conn).await?;
        }
        told
    }};
}

/// The migrator of a store that may hold migrations of a newer build, up to a migration.
fn migrator(all: &Migrator, last: i64) -> Migrator {
    let some = all.iter().filter(|migration| migration.version <= last).cloned().collect();
    Migrator { migrations: Cow::Owned(some), ignore_missing: true, ..Migrator::DEFAULT }
}

/// Applies what is missing up to a migration, in the caller's transaction or each in its own.
pub(super) async fn migrate_sqlite(conn: &mut SqliteConnection, last: i64) -> Result<(), StoreProblem> {
    let done = migrator(&SQLITE, last).run_direct(None, conn, false).await;
    done.map_err(|problem| StoreProblem::Migration(problem.to_string()))
}

/// The same for PostgreSQL. Other processes wait for their turn.
pub(super) async fn migrate_postgres(conn: &mut PgConnection, last: i64) -> Result<(), StoreProblem> {
    let done = migrator(&POSTGRES, last).run_direct(None, conn, false).await;
    done.map_err(|problem| StoreProblem::Migration(problem.to_string()))
}

impl Db {
    /// Whether this build can use the store.
    ///
    /// # Errors
    /// A newer version wrote it that this build cannot work with, or it cannot be read.
    pub async fn standing(&self) -> Result<Standing, StoreProblem> {
        let told = match self {
            Self::Sqlite { writer, .. } => told!(&mut *writer.acquire().await?, TABLES_OF_SQLITE),
            Self::Postgres(pool) => told!(&mut *pool.acquire().await?, TABLES_OF_POSTGRES),
        };
        told.standing()
    }

    /// Applies the missing migrations. They are not bound by the limits of requests.
    ///
    /// # Errors
    /// A newer version wrote the store that this build cannot work with, or a migration failed.
    pub async fn migrate(&self) -> Result<(), StoreProblem> {
        match self {
            Self::Sqlite { writer, .. } => {
                let options = writer.connect_options().as_ref().clone().busy_timeout(TURN);
                let mut conn = options.connect().await?;
                // The transaction around all of them, so that two processes do not apply the same one.
                let mut turn = conn.begin_with("BEGIN IMMEDIATE").await?;
                told!(&mut *turn, TABLES_OF_SQLITE).standing()?;
                migrate_sqlite(&mut turn, newest()).await?;
                turn.commit().await?;
                conn.close().await?;
            }
            Self::Postgres(pool) => {
                let mut conn = pool.connect_options().connect().await?;
                told!(&mut conn, TABLES_OF_POSTGRES).standing()?;
                migrate_postgres(&mut conn, newest()).await?;
                conn.close().await?;
            }
        }
        Ok(())
    }
}
