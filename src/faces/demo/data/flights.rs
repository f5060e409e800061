//! Some 250,000 flights and the airports. The days of the flights are moved so that the newest is yesterday.

use super::{LoadError, Source};
use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use flate2::read::GzDecoder;
use serde::{Deserialize, de::DeserializeOwned};
use sqlx::QueryBuilder;
use sqlx_sqlite::SqliteConnection;
use std::{
    io::Read,
    path::{Path, PathBuf},
};

const FLIGHTS: &[u8] = include_bytes!("../../../../demo/data/flights-250k.csv.gz");
const AIRPORTS: &[u8] = include_bytes!("../../../../demo/data/airports.csv");

/// The last day of the recorded flights.
pub const RECORDED_TO: NaiveDate = NaiveDate::from_ymd_opt(2001, 6, 30).unwrap();
/// How a departure is written, in the file and in the database.
const WRITTEN: &str = "%Y-%m-%d %H:%M:%S";

/// Rows of one INSERT: five or seven values each, well below SQLite's 32,766 parameters.
const BATCH: usize = 1_000;
/// Rows between two progress messages.
const PROGRESS: usize = 50_000;

/// The database. Times are text, as is usual in SQLite: `YYYY-MM-DD HH:MM:SS`. Delays are minutes, distances miles. Every customer's
/// query reads one origin, mostly by date: the index holds all columns, so that the table is not read.
const SOURCE: Source = Source {
    file: "flights.db",
    tables: "
        CREATE TABLE airports (
            iata TEXT PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL, state TEXT NOT NULL, country TEXT NOT NULL,
            latitude REAL NOT NULL, longitude REAL NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE flights (
            date TEXT NOT NULL, delay INTEGER NOT NULL, distance INTEGER NOT NULL, origin TEXT NOT NULL, destination TEXT NOT NULL
        );",
    indexes: "
        CREATE INDEX flights_by_origin ON flights (origin, date, destination, delay, distance);
        ANALYZE;",
};

#[derive(Deserialize)]
struct Flight {
    date: String,
    delay: i64,
    distance: i64,
    origin: String,
    destination: String,
}

#[derive(Deserialize)]
struct Airport {
    iata: String,
    name: String,
    city: String,
    state: String,
    country: String,
    latitude: f64,
    longitude: f64,
}

/// Creates the database in `folder`, with `newest` as its flights' last day, and returns its path. It takes a few seconds unless the
/// database is there with that day.
///
/// # Errors
/// The file cannot be written, or the embedded data is damaged.
pub async fn load(folder: &Path, newest: NaiveDate) -> Result<PathBuf, LoadError> {
    super::fill_once(&SOURCE, folder, newest, async |connection| {
        insert_airports(connection).await?;
        insert_flights(connection, newest).await
    })
    .await
}

async fn insert_airports(connection: &mut SqliteConnection) -> Result<(), LoadError> {
    for batch in batches::<Airport>(AIRPORTS) {
        QueryBuilder::new("INSERT INTO airports (iata, name, city, state, country, latitude, longitude) ")
            .push_values(batch?, |mut row, airport| {
                row.push_bind(airport.iata).push_bind(airport.name).push_bind(airport.city).push_bind(airport.state);
                row.push_bind(airport.country).push_bind(airport.latitude).push_bind(airport.longitude);
            })
            .build()
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

async fn insert_flights(connection: &mut SqliteConnection, newest: NaiveDate) -> Result<(), LoadError> {
    let by = moved_by(newest);
    let mut loaded = 0;
    for batch in batches::<Flight>(GzDecoder::new(FLIGHTS)) {
        let flights = batch?;
        loaded += flights.len();
        let batch: Vec<Flight> = flights.into_iter().filter_map(|flight| moved(flight, by, newest)).collect();
        if batch.is_empty() {
            continue;
        }
        QueryBuilder::new("INSERT INTO flights (date, delay, distance, origin, destination) ")
            .push_values(batch, |mut row, flight| {
                row.push_bind(flight.date).push_bind(flight.delay).push_bind(flight.distance);
                row.push_bind(flight.origin).push_bind(flight.destination);
            })
            .build()
            .execute(&mut *connection)
            .await?;
        if loaded % PROGRESS == 0 {
            tracing::info!(loaded, "loading the demo's flights");
        }
    }
    Ok(())
}

/// How far the flights are moved: by whole weeks, so that each keeps its day of the week, until the last of them is on `newest` or up to
/// six days later. What comes after `newest` is left out.
fn moved_by(newest: NaiveDate) -> TimeDelta {
    let days = (newest - RECORDED_TO).num_days().max(0);
    TimeDelta::weeks((days + 6) / 7)
}

/// The flight on its new day. `None` if that comes after `newest`.
fn moved(flight: Flight, by: TimeDelta, newest: NaiveDate) -> Option<Flight> {
    let departure = NaiveDateTime::parse_from_str(&flight.date, WRITTEN).ok()? + by;
    (departure.date() <= newest).then(|| Flight { date: departure.format(WRITTEN).to_string(), ..flight })
}

/// The records of a CSV text, in batches of at most [`BATCH`].
fn batches<Row: DeserializeOwned>(csv: impl Read) -> impl Iterator<Item = Result<Vec<Row>, csv::Error>> {
    let mut rows = csv::Reader::from_reader(csv).into_deserialize();
    std::iter::from_fn(move || {
        let batch: Result<Vec<Row>, _> = rows.by_ref().take(BATCH).collect();
        (!matches!(&batch, Ok(rows) if rows.is_empty())).then_some(batch)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sqlx::{ConnectOptions, Row};
    use sqlx_sqlite::SqliteConnectOptions;
    use std::{fs, time::Instant};

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("inlay-demo-{name}-{}", uuid::Uuid::now_v7()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    async fn open(path: &Path) -> SqliteConnection {
        SqliteConnectOptions::new().filename(path).read_only(true).connect().await.unwrap()
    }

    #[tokio::test]
    async fn every_row_is_loaded_once_and_the_second_start_is_instant() {
        let folder = folder("load");
        let path = load(&folder, RECORDED_TO).await.unwrap();
        let written = fs::metadata(&path).unwrap().modified().unwrap();
        let mut database = open(&path).await;
        let counts = "SELECT (SELECT count(*) FROM flights), (SELECT count(*) FROM airports), (SELECT min(date) FROM flights), (SELECT max(date) FROM flights)";
        let row = sqlx::query(counts).fetch_one(&mut database).await.unwrap();
        assert_eq!((row.get(0), row.get(1)), (250_000_i64, 3_376_i64));
        assert_eq!((row.get(2), row.get(3)), ("2001-01-01 00:01:00", "2001-06-30 23:59:00"));
        let strangers = "SELECT count(*) FROM flights WHERE destination NOT IN (SELECT iata FROM airports)";
        assert_eq!(sqlx::query_scalar::<_, i64>(strangers).fetch_one(&mut database).await.unwrap(), 0);

        let started = Instant::now();
        assert_eq!(load(&folder, RECORDED_TO).await.unwrap(), path);
        assert!(started.elapsed().as_millis() < 100, "{:?}", started.elapsed());
        assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), written);
        fs::remove_dir_all(folder).unwrap();
    }

    /// The newest day is a Wednesday, so the last three days of the last recorded week are to come.
    #[tokio::test]
    async fn flights_are_moved_to_the_newest_day_and_keep_their_day_of_the_week() {
        let (folder, newest) = (folder("moved"), NaiveDate::from_ymd_opt(2026, 11, 25).unwrap());
        let before = load(&folder, RECORDED_TO).await.unwrap();
        let of_day = async |path: &Path, day: NaiveDate| -> i64 {
            let count = sqlx::query_scalar("SELECT count(*) FROM flights WHERE date(date) = ?").bind(day.to_string());
            count.fetch_one(&mut open(path).await).await.unwrap()
        };
        let monday = NaiveDate::from_ymd_opt(2001, 3, 5).unwrap();
        let recorded = of_day(&before, monday).await;
        let path = load(&folder, newest).await.unwrap();
        let mut database = open(&path).await;
        let span = "SELECT min(date), max(date), count(DISTINCT date(date)) FROM flights";
        let row = sqlx::query(span).fetch_one(&mut database).await.unwrap();
        assert_eq!((row.get(0), row.get(1)), ("2026-06-01 00:01:00", "2026-11-25 23:53:00"));
        assert_eq!(row.get::<i64, _>(2), 178, "no day is left out");
        assert_eq!(moved_by(newest).num_days() % 7, 0);
        assert_eq!(of_day(&path, monday + moved_by(newest)).await, recorded);
        let left: i64 = sqlx::query_scalar("SELECT count(*) FROM flights").fetch_one(&mut database).await.unwrap();
        assert!((241_000..250_000).contains(&left), "{left}");

        let next = load(&folder, newest + TimeDelta::days(1)).await.unwrap();
        let newer: String =
            sqlx::query_scalar("SELECT max(date) FROM flights").fetch_one(&mut open(&next).await).await.unwrap();
        assert_eq!(&newer[..10], "2026-11-26");
        fs::remove_dir_all(folder).unwrap();
    }

    #[tokio::test]
    async fn an_interrupted_start_is_made_good_and_two_starts_at_once_load_once() {
        let folder = folder("leftover");
        fs::write(folder.join("flights.db.part"), b"half a database").unwrap();
        let (first, second) = tokio::join!(load(&folder, RECORDED_TO), load(&folder, RECORDED_TO));
        assert_eq!(first.unwrap(), second.unwrap());
        let mut database = open(&folder.join(SOURCE.file)).await;
        let count = sqlx::query_scalar::<_, i64>("SELECT count(*) FROM flights").fetch_one(&mut database).await.unwrap();
        assert_eq!(count, 250_000);
        assert!(!folder.join("flights.db.part").exists());
        fs::remove_dir_all(folder).unwrap();
    }

    #[tokio::test]
    async fn a_folder_that_cannot_be_made_is_named_in_the_error() {
        let folder = folder("blocked");
        fs::write(folder.join("file"), b"").unwrap();
        let error = load(&folder.join("file/inside"), RECORDED_TO).await.unwrap_err();
        assert!(error.to_string().contains("file/inside"), "{error}");
        fs::remove_dir_all(folder).unwrap();
    }
}
