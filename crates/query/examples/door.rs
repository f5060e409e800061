//! The cost of the query engine on 3,000,000 flights in PostgreSQL: its time compared with the same query by hand, its time for
//! a cached result, and the source's load from 64 viewers of one dashboard. Prints a line of JSON.
//!
//!     scripts/with-postgres target/release/examples/door flights.csv
// An answer is many nested async calls.
#![recursion_limit = "256"]
#![expect(clippy::print_stdout, reason = "the measurement is what this program is for")]

use chrono::NaiveDate;
use inlay_contract::ids::ConnectionId;
use inlay_query::{
    Addresses, Catalog, Engine, EngineOptions, Limits, Query, RowAccess, SecurityContext, Source, SourceKind, Table,
};
use serde_json::{Map, Value, json};
use sqlx::{AssertSqlSafe, Connection, Executor};
use sqlx_postgres::{PgConnection, PgPool, PgPoolOptions};
use std::{
    env,
    error::Error,
    time::{Duration, Instant},
};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// The queries of a dashboard. In SQL by hand, the rule is at `{where}` or `{and}`.
const QUERIES: [(&str, &str); 8] = [
    ("flights", "select count(*) as flights from flights {where}"),
    ("punctuality", "select avg(case when delay <= 15 then 1.0 else 0 end) as on_time from flights {where}"),
    ("per day", "select date_trunc('day', date) as day, count(*) as flights from flights {where} group by 1 order by 1"),
    (
        "delay by month",
        "select date_trunc('month', date) as month, avg(delay) as delay from flights {where} group by 1 order by 1",
    ),
    (
        "busiest destinations",
        "select destination, count(*) as flights from flights {where} group by destination order by flights desc, destination limit 10",
    ),
    (
        "late flights",
        "select destination, count(*) as late from flights where delay > 60 {and} group by destination order by late desc, destination limit 10",
    ),
    (
        "weekday and hour",
        "select extract(dow from date) as weekday, extract(hour from date) as hour, avg(delay) as delay from flights {where} group by 1, 2 order by 1, 2",
    ),
    (
        "share of destinations",
        "with own as (select destination, count(*) as n from flights {where} group by destination) \
         select destination, n, n * 100.0 / (select sum(n) from own) as share from own order by n desc, destination limit 20",
    ),
];
const AIRPORTS: [&str; 4] = ["ATL", "ORD", "DFW", "LAX"];
const ROUNDS: usize = 31;
const REMEMBERED: usize = 2_000;
const VIEWERS: usize = 64;

#[tokio::main]
async fn main() -> Outcome<()> {
    let file = env::args().nth(1).ok_or("name the file of flights, as CSV")?;
    let server = env::var("INLAY_TEST_POSTGRES").map_err(|_| "run this by scripts/with-postgres")?;
    let url = database(&server).await?;
    load(&url, &file).await?;
    let source = Source::new(ConnectionId::generate(), "warehouse", SourceKind::Postgres, url.clone());
    let queries = beside(&url, &source).await?;
    let cached = remembered(&source).await?;
    let viewers = viewers(&url, &source).await?;
    println!("{}", json!({ "queries": queries, "cached": cached, "viewers": viewers }));
    Ok(())
}

async fn database(server: &str) -> Outcome<String> {
    let mut admin = PgConnection::connect(server).await?;
    admin.execute("create database inlay_bench").await?;
    let mut url: url::Url = server.parse()?;
    url.set_path("inlay_bench");
    Ok(url.into())
}

async fn load(url: &str, file: &str) -> Outcome<()> {
    let mut connection = PgConnection::connect(url).await?;
    connection
        .execute("create table flights (date timestamp, delay integer, distance integer, origin text, destination text)")
        .await?;
    let mut copy = connection.copy_in_raw("copy flights from stdin with (format csv, header true)").await?;
    copy.read_from(tokio::fs::File::open(file).await?).await?;
    copy.finish().await?;
    for statement in ["create index flights_by_origin on flights (origin, date)", "vacuum analyze flights"] {
        connection.execute(statement).await?;
    }
    Ok(())
}

fn engine(cache_ttl: Duration) -> Outcome<Engine> {
    let addresses = Addresses::default().with_private("127.0.0.1".parse()?);
    let limits = Limits { cache_ttl, ..Limits::default() };
    Ok(Engine::open(EngineOptions { limits, addresses, ..EngineOptions::default() }))
}

fn catalog() -> Catalog {
    let rows = RowAccess::Rule("origin = {{organization.airport}}".to_owned());
    Catalog::new(vec![Table { name: "flights".to_owned(), rows, hidden: [].into() }])
}

fn viewer(airport: &str) -> SecurityContext {
    SecurityContext {
        organization: json!({ "airport": airport }).as_object().cloned(),
        user: Some(Map::new()),
        database_auth_token: None,
        share: 0,
    }
}

fn question(sql: &str, refresh: bool) -> Query {
    let sql = sql.replace("{where}", "").replace("{and}", "");
    Query { refresh, ..Query::new(sql, NaiveDate::default()) }
}

/// Runs each query by hand and through the engine, alternately.
async fn beside(url: &str, source: &Source) -> Outcome<Vec<Value>> {
    let (engine, catalog, viewer) = (engine(Duration::from_secs(60))?, catalog(), viewer("ATL"));
    let pool = PgPoolOptions::new().max_connections(8).connect(url).await?;
    let mut table = Vec::new();
    for (name, sql) in QUERIES {
        let (mut bare, mut door) = (Vec::new(), Vec::new());
        let query = question(sql, true);
        for round in 0..ROUNDS + 3 {
            let by_hand = ask_by_hand(&pool, sql, "ATL").await?;
            let start = Instant::now();
            let answer = engine.run(source, &catalog, &viewer, &query).await?;
            let through = start.elapsed();
            assert!(!answer.cached && !answer.rows.is_empty(), "the source is asked each time");
            // The first rounds fill the database's cache.
            if round >= 3 {
                bare.push(by_hand);
                door.push(through);
            }
        }
        // Other load slows down both of a pair, so the difference is taken within each pair.
        let mut added: Vec<_> = door.iter().zip(&bare).map(|(door, bare)| door.as_secs_f64() - bare.as_secs_f64()).collect();
        added.sort_by(f64::total_cmp);
        let added = (added[added.len() / 2] * 1e6).round() / 1e3;
        let (bare, door) = (milliseconds(median(bare)), milliseconds(median(door)));
        table.push(json!({ "name": name, "bareMs": bare, "doorMs": door, "addedMs": added }));
    }
    Ok(table)
}

async fn ask_by_hand(pool: &PgPool, sql: &str, airport: &str) -> Outcome<Duration> {
    let sql = sql.replace("{where}", "where origin = $1").replace("{and}", "and origin = $1");
    let start = Instant::now();
    let rows = sqlx::query(AssertSqlSafe(sql)).bind(airport).fetch_all(pool).await?;
    assert!(!rows.is_empty(), "there are flights");
    Ok(start.elapsed())
}

/// The time for a cached result.
async fn remembered(source: &Source) -> Outcome<Value> {
    let (engine, catalog, viewer) = (engine(Duration::from_secs(600))?, catalog(), viewer("ATL"));
    let queries = QUERIES.map(|(_, sql)| question(sql, false));
    for query in &queries {
        engine.run(source, &catalog, &viewer, query).await?;
    }
    let mut times = Vec::new();
    for number in 0..REMEMBERED {
        let start = Instant::now();
        let answer = engine.run(source, &catalog, &viewer, &queries[number % queries.len()]).await?;
        times.push(start.elapsed());
        assert!(answer.cached, "nothing is asked");
    }
    times.sort();
    Ok(json!({ "p50Ms": milliseconds(times[REMEMBERED / 2]), "p99Ms": milliseconds(times[REMEMBERED * 99 / 100]) }))
}

/// The number of transactions in the source for 64 viewers of one dashboard, a quarter of them per airport.
async fn viewers(url: &str, source: &Source) -> Outcome<Value> {
    let before = rolled_back(url).await?;
    let engine = engine(Duration::from_secs(600))?;
    let ask = |number: usize| {
        let (engine, source) = (engine.clone(), source.clone());
        let viewer = viewer(AIRPORTS[number % AIRPORTS.len()]);
        tokio::spawn(async move {
            let catalog = catalog();
            let queries = QUERIES.map(|(_, sql)| question(sql, false));
            let answers = queries.iter().map(|query| engine.run(&source, &catalog, &viewer, query));
            futures::future::try_join_all(answers).await.map(|answers| answers.len())
        })
    };
    let start = Instant::now();
    let asked: Vec<_> = (0..VIEWERS).map(ask).collect();
    let mut answers = 0;
    for viewer in asked {
        answers += viewer.await??;
    }
    let seconds = start.elapsed().as_secs_f64();
    drop(engine);
    let runs = rolled_back(url).await? - before;
    Ok(json!({ "viewers": VIEWERS, "contexts": AIRPORTS.len(), "queries": QUERIES.len(), "answers": answers, "runs": runs,
        "seconds": (seconds * 100.0).round() / 100.0 }))
}

/// Every query runs in its own transaction, which is rolled back. The server's counter is delayed by a moment.
async fn rolled_back(url: &str) -> Outcome<i64> {
    const SQL: &str = "select xact_rollback from pg_stat_database where datname = current_database()";
    let mut known = -1;
    loop {
        tokio::time::sleep(Duration::from_secs(2)).await;
        let mut connection = PgConnection::connect(url).await?;
        let counted: i64 = sqlx::query_scalar(SQL).fetch_one(&mut connection).await?;
        connection.close().await?;
        if counted == known {
            return Ok(counted);
        }
        known = counted;
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}
