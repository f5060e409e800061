//! The demo's data sources: SQLite files that the program fills at the first start of a day. The newest day in them is yesterday, so
//! that `last 30 days` is full, as in a host product's own data.

pub mod flights;
pub mod shop;

use chrono::{Datelike, NaiveDate};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};
use sqlx_sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::Instant,
};

/// Why the demo's data could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The folder or the file cannot be written.
    #[error("cannot write {path}: {source}")]
    Io {
        /// The path.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// The database returned an error.
    #[error("cannot fill the demo's database: {0}")]
    Database(#[from] sqlx::Error),
    /// The embedded data cannot be read.
    #[error("the demo's data is damaged: {0}")]
    Data(#[from] csv::Error),
    /// Rows cannot be written as JSON.
    #[error("the demo's rows cannot be written: {0}")]
    Rows(#[from] serde_json::Error),
}

/// Loads both data sources into `folder`, with `newest` as their last day.
///
/// # Errors
/// A file cannot be written, or the embedded data is damaged.
pub async fn load(folder: &Path, newest: NaiveDate) -> Result<(), LoadError> {
    tokio::try_join!(flights::load(folder, newest), shop::load(folder, newest)).map(|_| ())
}

/// A data source.
struct Source {
    /// The file's name.
    file: &'static str,
    /// The statements that create its tables.
    tables: &'static str,
    /// The statements after its rows are in.
    indexes: &'static str,
}

/// Creates the source's database in `folder` and returns its path, unless the database is there with `newest` as its last day. `fill`
/// inserts the rows. An interrupted start leaves no incomplete database, and of two concurrent starts the second waits.
async fn fill_once(
    source: &Source,
    folder: &Path,
    newest: NaiveDate,
    fill: impl AsyncFnOnce(&mut SqliteConnection) -> Result<(), LoadError>,
) -> Result<PathBuf, LoadError> {
    let path = folder.join(source.file);
    if newest_day(&path).await == Some(newest) {
        return Ok(path);
    }
    let _turn = wait_for_turn(folder, source.file).await?;
    if newest_day(&path).await == Some(newest) {
        return Ok(path);
    }
    let (started, part) = (Instant::now(), folder.join(format!("{}.part", source.file)));
    tracing::info!(path = %path.display(), "loading the demo's data");
    remove_leftover(&part)?;
    let mut connection = create(&part).await?;
    sqlx::raw_sql(source.tables).execute(&mut connection).await?;
    let mut transaction = connection.begin().await?;
    fill(&mut *transaction).await?;
    transaction.commit().await?;
    sqlx::raw_sql(source.indexes).execute(&mut connection).await?;
    let version = newest.num_days_from_ce();
    sqlx::raw_sql(AssertSqlSafe(format!("PRAGMA user_version = {version}"))).execute(&mut connection).await?;
    connection.close().await?;
    File::open(&part).and_then(|file| file.sync_all()).map_err(writing(&part))?;
    fs::rename(&part, &path).map_err(writing(&path))?;
    tracing::info!(path = %path.display(), seconds = started.elapsed().as_secs_f32(), "the demo's data is loaded");
    Ok(path)
}

/// The last day of a database that was completed. It is kept in the file's `user_version`. `None` if there is no such file, or one
/// without that day.
async fn newest_day(path: &Path) -> Option<NaiveDate> {
    let mut connection: SqliteConnection = SqliteConnectOptions::new().filename(path).read_only(true).connect().await.ok()?;
    let version: i32 = sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut connection).await.ok()?;
    connection.close().await.ok()?;
    NaiveDate::from_num_days_from_ce_opt(version).filter(|_| version > 0)
}

/// Holds the file's lock until the returned file is dropped.
async fn wait_for_turn(folder: &Path, file: &str) -> Result<File, LoadError> {
    let path = folder.join(format!("{file}.lock"));
    fs::create_dir_all(folder).map_err(writing(folder))?;
    let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(writing(&path))?;
    let locked = tokio::task::spawn_blocking(move || file.lock().map(|()| file)).await.map_err(io::Error::other);
    locked.and_then(|locked| locked).map_err(writing(&path))
}

fn remove_leftover(part: &Path) -> Result<(), LoadError> {
    match fs::remove_file(part) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(writing(part)(error)),
        _ => Ok(()),
    }
}

fn writing(path: &Path) -> impl FnOnce(io::Error) -> LoadError {
    let path = path.to_owned();
    |source| LoadError::Io { path, source }
}

/// A new database without a journal: an incomplete file is deleted, never repaired.
async fn create(part: &Path) -> Result<SqliteConnection, LoadError> {
    let options = SqliteConnectOptions::new()
        .filename(part)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Off)
        .synchronous(SqliteSynchronous::Off);
    Ok(options.connect().await?)
}
