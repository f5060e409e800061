//! The demo's flights, in SQLite and in PostgreSQL, for the whole network or for one airport.

use super::Rows;
use flate2::read::GzDecoder;
use inlay_contract::ids::ConnectionId;
use inlay_query::{Catalog, Model, RowAccess, SourceKind};
use sqlx::{AssertSqlSafe, Connection, Executor, QueryBuilder};
use sqlx_postgres::{PgConnection, PgPoolCopyExt};
use sqlx_sqlite::{Sqlite, SqliteConnectOptions, SqliteConnection};
use std::io::Read;

const AIRPORTS: &[u8] = include_bytes!("../../../../../demo/data/airports.csv");
const FLIGHTS: &[u8] = include_bytes!("../../../../../demo/data/flights-250k.csv.gz");

impl Rows {
    /// All flights in SQLite, which stores times as text.
    pub async fn sqlite() -> Self {
        Self::sqlite_after("select 1").await
    }

    /// All flights in SQLite, after a change of the rows.
    pub async fn sqlite_after(change: &'static str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("flights.db");
        let options = SqliteConnectOptions::new().filename(&path).create_if_missing(true);
        let mut database = SqliteConnection::connect_with(&options).await.expect("a database");
        database
            .execute(
                "create table airports (iata text primary key, name text, city text, state text, country text, latitude real, longitude real);
                 create table flights (date text not null, delay integer, distance integer, origin text, destination text);",
            )
            .await
            .expect("tables");
        let mut transaction = database.begin().await.expect("a transaction");
        for batch in batches(AIRPORTS) {
            let mut query = QueryBuilder::<Sqlite>::new("insert into airports ");
            query.push_values(batch, |mut row, cells| {
                for cell in cells.iter().take(5) {
                    row.push_bind(cell.to_owned());
                }
                for cell in cells.iter().skip(5) {
                    row.push_bind(cell.parse::<f64>().expect("a number"));
                }
            });
            query.build().execute(&mut *transaction).await.expect("airports");
        }
        for batch in batches(GzDecoder::new(FLIGHTS)) {
            let mut query = QueryBuilder::<Sqlite>::new("insert into flights ");
            query.push_values(batch, |mut row, cells| {
                let number = |at: usize| cells[at].parse::<i64>().expect("a number");
                row.push_bind(cells[0].to_owned()).push_bind(number(1)).push_bind(number(2));
                row.push_bind(cells[3].to_owned()).push_bind(cells[4].to_owned());
            });
            query.build().execute(&mut *transaction).await.expect("flights");
        }
        transaction.commit().await.expect("the rows");
        database
            .execute("create index by_origin on flights (origin, date, destination, delay, distance)")
            .await
            .expect("an index");
        database.execute(change).await.expect("the change");
        database.close().await.expect("it closes");
        Self::open(SourceKind::Sqlite, format!("sqlite:{}", path.display()), Some(folder))
    }

    /// All flights, in the PostgreSQL at `INLAY_TEST_POSTGRES`.
    pub async fn postgres() -> Self {
        let server = std::env::var("INLAY_TEST_POSTGRES")
            .expect("INLAY_TEST_POSTGRES is missing: run these tests by `scripts/with-postgres cargo test -p inlay-assistant`");
        let mut url: url::Url = server.parse().expect("an address");
        let name = format!("inlay_assistant_{}", ConnectionId::generate().0.simple());
        let mut connection = PgConnection::connect(url.as_str()).await.expect("the server");
        connection.execute(AssertSqlSafe(format!("create database {name}"))).await.expect("a database");
        url.set_path(&name);
        let pool = sqlx_postgres::PgPool::connect(url.as_str()).await.expect("the database");
        pool.execute(
            "create table airports (iata text primary key, name text, city text, state text, country text, latitude float8, longitude float8);
             create table flights (date timestamp not null, delay int, distance int, origin text, destination text);",
        )
        .await
        .expect("tables");
        let mut flights = Vec::new();
        GzDecoder::new(FLIGHTS).read_to_end(&mut flights).expect("the flights");
        for (table, rows) in [("airports", AIRPORTS), ("flights", flights.as_slice())] {
            let mut copy = pool.copy_in_raw(&format!("copy {table} from stdin (format csv, header)")).await.expect("a copy");
            copy.send(rows).await.expect("rows");
            copy.finish().await.expect("all rows");
        }
        pool.close().await;
        Self::open(SourceKind::Postgres, url.to_string(), None)
    }

    fn open(kind: SourceKind, url: String, folder: Option<tempfile::TempDir>) -> Self {
        Self::of(kind, url, folder, &["flights", "airports"], "2001-06-30".parse().expect("a day"), Model::default())
    }

    /// The same for one airport: its own departures.
    pub fn of_airport(mut self, code: &str) -> Self {
        let mut tables = self.catalog.into_tables();
        tables[0].rows = RowAccess::Rule("origin = {{organization.airport}}".to_owned());
        self.catalog = Catalog::new(tables);
        self.viewer.organization = serde_json::json!({"airport": code}).as_object().cloned();
        self
    }
}

/// The records of a CSV text, a thousand at a time.
fn batches(text: impl Read) -> impl Iterator<Item = Vec<csv::StringRecord>> {
    let mut records = csv::Reader::from_reader(text).into_records();
    std::iter::from_fn(move || {
        let batch: Vec<csv::StringRecord> = records.by_ref().take(1000).map(|record| record.expect("a record")).collect();
        (!batch.is_empty()).then_some(batch)
    })
}
