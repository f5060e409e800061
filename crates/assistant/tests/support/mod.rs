//! The demo's flights in SQLite.

use async_trait::async_trait;
use flate2::read::GzDecoder;
use inlay_assistant::{Data, Problem};
use inlay_contract::data::{ChartData, Column, ColumnType};
use serde_json::Value;
use sqlx::{
    AssertSqlSafe, Column as _, Row, SqlitePool, TypeInfo, ValueRef,
    sqlite::{SqlitePoolOptions, SqliteRow},
};
use std::collections::HashMap;
use tokio::sync::Mutex;

/// The flights and airports of the demo, with answers remembered as the service does.
pub struct Flights {
    pool: SqlitePool,
    answers: Mutex<HashMap<String, ChartData>>,
}

/// Loads the demo's data, as the whole network or as one airport sees it.
pub async fn flights_of(origin: Option<&str>) -> Flights {
    let pool = SqlitePoolOptions::new().max_connections(1).connect("sqlite::memory:").await.expect("a database");
    sqlx::raw_sql(
        "create table airports (iata text primary key, name text, city text, state text, country text, latitude real, longitude real);
         create table flights (date text, delay integer, distance integer, origin text, destination text);
         create index flights_by_origin on flights (origin, date, destination, delay, distance);",
    )
    .execute(&pool)
    .await
    .expect("tables");
    let airports = include_bytes!("../../../../demo/data/airports.csv");
    insert(&pool, "insert into airports values ($1, $2, $3, $4, $5, cast($6 as real), cast($7 as real))", &airports[..]).await;
    let flights = include_bytes!("../../../../demo/data/flights-250k.csv.gz");
    insert(
        &pool,
        "insert into flights values ($1, cast($2 as integer), cast($3 as integer), $4, $5)",
        GzDecoder::new(&flights[..]),
    )
    .await;
    if let Some(origin) = origin {
        sqlx::query("delete from flights where origin <> $1").bind(origin).execute(&pool).await.expect("one airport's rows");
    }
    Flights { pool, answers: Mutex::default() }
}

async fn insert(pool: &SqlitePool, sql: &'static str, text: impl std::io::Read) {
    let mut transaction = pool.begin().await.expect("a transaction");
    for record in csv::Reader::from_reader(text).into_records() {
        let record = record.expect("a record");
        let query = record.iter().fold(sqlx::query(sql), |query, cell| query.bind(cell));
        query.execute(&mut *transaction).await.expect("a row");
    }
    transaction.commit().await.expect("the rows");
}

#[async_trait]
impl Data for Flights {
    async fn query(&self, sql: &str) -> Result<ChartData, Problem> {
        if let Some(known) = self.answers.lock().await.get(sql) {
            return Ok(known.clone());
        }
        let rows = sqlx::query(AssertSqlSafe(sql.to_owned())).fetch_all(&self.pool).await;
        let rows = rows.map_err(|error| Problem::new("QUERY_FAILED", error.to_string()))?;
        let names: Vec<String> =
            rows.first().map(|row| row.columns().iter().map(|column| column.name().to_owned()).collect()).unwrap_or_default();
        let rows: Vec<Vec<Value>> = rows.iter().map(cells).collect();
        let columns = names
            .into_iter()
            .enumerate()
            .map(|(at, name)| Column { name, kind: kind(rows.iter().map(|row| &row[at])) })
            .collect();
        let answer = ChartData { columns, rows, truncated: false, cached: false, duration_ms: 0 };
        self.answers.lock().await.insert(sql.to_owned(), answer.clone());
        Ok(answer)
    }

    async fn values(&self, table: &str, column: &str) -> Result<Vec<Value>, Problem> {
        let sql = format!("select \"{column}\" from \"{table}\" group by 1 order by count(*) desc, 1 limit 200");
        Ok(self.query(&sql).await?.rows.into_iter().flatten().collect())
    }
}

fn cells(row: &SqliteRow) -> Vec<Value> {
    let cell = |at: usize| {
        let raw = row.try_get_raw(at).expect("a cell");
        match raw.type_info().name() {
            "NULL" => Value::Null,
            "INTEGER" => row.get::<i64, _>(at).into(),
            "REAL" => row.get::<f64, _>(at).into(),
            _ => row.get::<String, _>(at).into(),
        }
    };
    (0..row.len()).map(cell).collect()
}

fn kind<'a>(values: impl Iterator<Item = &'a Value> + Clone) -> ColumnType {
    let is_day =
        |value: &Value| value.as_str().is_some_and(|text| text.len() >= 10 && text[..10].parse::<chrono::NaiveDate>().is_ok());
    if values.clone().all(Value::is_number) {
        ColumnType::Number
    } else if values.clone().all(is_day) {
        ColumnType::Timestamp
    } else {
        ColumnType::Text
    }
}
