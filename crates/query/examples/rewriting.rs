//! The time for rewriting a query: average microseconds over the queries of some dashboards, as a line of JSON. Beside it, the
//! time for compiling a query of the semantic model.
#![expect(clippy::print_stdout, reason = "the measurement is what this program is for")]

use chrono::NaiveDate;
use inlay_contract::{filter::FilterValue, ids::ConnectionId, model::ModelQuery};
use inlay_query::{
    Catalog, Engine, Filter, Limits, Model, ModelTable, Query, Reference, RowAccess, SecurityContext, Source, SourceKind,
    Table, compile,
};
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
    let compiling = compiling(today)?;
    let rounded = |mean: f64| (mean * 10.0).round() / 10.0;
    println!(
        "{}",
        json!({
            "rewritingMicroseconds": rounded(mean),
            "compilingMicroseconds": rounded(compiling),
            "queries": ROUNDS * 4
        })
    );
    Ok(())
}

/// The mean time for compiling queries of a model, in microseconds.
fn compiling(today: NaiveDate) -> Result<f64, Box<dyn Error>> {
    let model = model()?;
    let queries: Vec<ModelQuery> = [
        json!({"measures": ["flights"], "dimensions": [{"name": "time", "grain": "day"}]}),
        json!({"measures": ["flights", "lateness"], "dimensions": [{"name": "airports.city"}], "sort": [{"by": "lateness", "descending": true}],
            "limit": 10}),
        json!({"measures": ["lateness"], "filters": [{"dimension": "time", "value": {"relative": "last_30_days"}}], "compare": "previous"}),
        json!({"measures": ["typical_delay", "flights"], "dimensions": [{"name": "airports.state"}, {"name": "time", "grain": "month"}],
            "filters": [{"dimension": "airports.state", "value": ["GA", "FL"]}], "totals": true}),
    ]
    .into_iter()
    .map(serde_json::from_value)
    .collect::<Result<_, _>>()?;
    let start = Instant::now();
    for _ in 0..ROUNDS {
        for query in &queries {
            compile(SourceKind::Sqlite, &model, query, today)?;
        }
    }
    Ok(start.elapsed().as_secs_f64() * 1e6 / f64::from(ROUNDS) / 4.0)
}

fn model() -> Result<Model, Box<dyn Error>> {
    let table = |columns: &[&str], model| -> Result<ModelTable, serde_json::Error> {
        let columns = columns.iter().map(|&column| (column.to_owned(), None)).collect();
        Ok(ModelTable { columns, model: serde_json::from_value(model)?, ..ModelTable::default() })
    };
    let mut flights = table(
        &["date", "delay", "destination"],
        json!({"time": "date", "measures": {"flights": {"aggregate": "count"}, "late": {"aggregate": "count", "where": "delay >= 15"},
            "typical_delay": {"aggregate": "median", "of": "delay"}}}),
    )?;
    let reference = Reference { table: "airports".to_owned(), column: "iata".to_owned() };
    flights.references.insert("destination".to_owned(), reference);
    let airports = table(&["iata", "city", "state"], json!({"key": "iata"}))?;
    let lateness = serde_json::from_value(json!({"ratio": ["late", "flights"]}))?;
    Ok(Model {
        tables: [("flights".to_owned(), flights), ("airports".to_owned(), airports)].into(),
        metrics: [("lateness".to_owned(), lateness)].into(),
    })
}
