//! The time for rewriting a query: average microseconds over the queries of some dashboards, as a line of JSON.
#![expect(clippy::print_stdout, reason = "the measurement is what this program is for")]

use chrono::NaiveDate;
use inlay_contract::{filter::FilterValue, ids::ConnectionId};
use inlay_query::{Catalog, Engine, Filter, Limits, Query, RowAccess, SecurityContext, Source, SourceKind, Table};
use serde_json::{Map, json};
use sqlx::{Connection, Executor};
use sqlx_sqlite::SqliteConnection;
use std::{error::Error, time::Instant};

const ROUNDS: u32 = 2_000;
const QUERIES: [&str; 4] = [
    "select date(date) as day, count(*) as flights from flights group by 1 order by 1",
    "select a.city, avg(f.delay) as delay from flights f join airports a on a.iata = f.destination group by a.city order by 2 desc limit 10",
    "with late as (select * from flights where delay > 15) select destination, count(*) * 1.0 / (select count(*) from flights) as share \
     from late group by destination",
    "select strftime('%H', date) as hour, sum(case when delay > 15 then 1 else 0 end) as late, row_number() over (order by count(*)) as r \
     from flights where destination in (select iata from airports where state = 'GA') group by 1",
];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let url = format!("sqlite:{}", folder.path().join("flights.db").display());
    let mut connection = SqliteConnection::connect(&format!("{url}?mode=rwc")).await?;
    connection
        .execute(
            "create table flights (date text, delay integer, distance integer, origin text, destination text);
             create table airports (iata text, name text, city text, state text)",
        )
        .await?;
    let rule = RowAccess::Rule("origin = {{organization.airport}}".to_owned());
    let table = |name: &str, rows| Table { name: name.to_owned(), rows, hidden: [].into() };
    let catalog = Catalog::new(vec![table("flights", rule), table("airports", RowAccess::All)]);
    let source = Source::new(ConnectionId::generate(), "bench", SourceKind::Sqlite, url);
    let viewer = SecurityContext {
        organization: json!({"airport": "ATL"}).as_object().cloned(),
        user: Some(Map::new()),
        database_auth_token: None,
        share: 0,
    };
    let value = FilterValue::from_json(json!({"relative": "last_7_days"}))?;
    let filters = vec![Filter { table: "flights".to_owned(), column: "date".to_owned(), value }];
    let today = NaiveDate::from_ymd_opt(2001, 2, 28).ok_or("a day")?;
    let queries = QUERIES.map(|sql| Query { filters: filters.clone(), ..Query::new(sql, today) });
    let engine = Engine::new(Limits::default());
    for query in &queries {
        engine.explain(&source, &catalog, &viewer, query).await?;
    }
    let start = Instant::now();
    for _ in 0..ROUNDS {
        for query in &queries {
            engine.explain(&source, &catalog, &viewer, query).await?;
        }
    }
    let mean = start.elapsed().as_secs_f64() * 1e6 / f64::from(ROUNDS) / 4.0;
    let rounded = (mean * 10.0).round() / 10.0;
    println!("{}", json!({"rewritingMicroseconds": rounded, "queries": ROUNDS * 4}));
    Ok(())
}
