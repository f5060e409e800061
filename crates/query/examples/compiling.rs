//! The time for compiling queries of the semantic model, and for the door's checks of their SQL: the demo's charts, and those
//! questions of TPC-H that the model can say. Microseconds as JSON: mean and 95th percentile of each query and of all.
//! `INLAY_BENCH_ROUNDS` says how often each is compiled; default: 2,000.
#![expect(clippy::print_stdout, reason = "the measurement is what this program is for")]
// The futures of the database drivers lie deep in one another.
#![recursion_limit = "256"]

use chrono::NaiveDate;
use inlay_contract::{ids::ConnectionId, model::ModelQuery};
use inlay_query::{
    Catalog, Engine, Limits, Model, ModelTable, Query, Reference, RowAccess, SecurityContext, Source, SourceKind, Table,
    compile, reading,
};
use serde_json::{Map, Value, json};
use sqlx::{AssertSqlSafe, Connection, Executor};
use sqlx_sqlite::SqliteConnection;
use std::{collections::BTreeMap, error::Error, time::Instant};

const FLIGHTS: &str = "create table flights (date text, delay integer, distance integer, origin text, destination text);
    create table airports (iata text, name text, city text, state text, country text, latitude real, longitude real);";

/// A model and queries of it.
struct Asked {
    model: Model,
    schema: &'static str,
    rule: &'static str,
    queries: Vec<(String, ModelQuery)>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let rounds = std::env::var("INLAY_BENCH_ROUNDS").map_or(Ok(2_000), |rounds| rounds.parse())?;
    let mut figures = Vec::new();
    for asked in [flights()?, tpch()?] {
        figures.extend(measured(&asked, rounds).await?);
    }
    let of_all = |part: usize| {
        let mut times: Vec<f64> = figures.iter().flat_map(|(_, times)| times[part].iter().copied()).collect();
        told(&mut times)
    };
    let all = json!({"compiling": of_all(0), "checking": of_all(1), "rewriting": of_all(2)});
    let each = figures.clone().into_iter().map(|(name, [mut compiling, mut checking, mut rewriting])| {
        json!({"query": name, "compiling": told(&mut compiling), "checking": told(&mut checking), "rewriting": told(&mut rewriting)})
    });
    println!("{}", json!({"rounds": rounds, "all": all, "each": each.collect::<Vec<_>>()}));
    Ok(())
}

/// Mean and 95th percentile.
fn told(times: &mut [f64]) -> Value {
    times.sort_by(f64::total_cmp);
    let rounded = |time: f64| (time * 10.0).round() / 10.0;
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    json!({"mean": rounded(mean), "p95": rounded(times.get(times.len() * 95 / 100).copied().unwrap_or_default())})
}

/// The microseconds of each round: compiling; reading and checking the SQL, which the engine remembers; wrapping and verifying it
/// for one viewer.
async fn measured(asked: &Asked, rounds: usize) -> Result<Vec<(String, [Vec<f64>; 3])>, Box<dyn Error>> {
    let (kind, today) = (SourceKind::Sqlite, NaiveDate::from_ymd_opt(2001, 7, 1).ok_or("a day")?);
    let folder = tempfile::tempdir()?;
    let url = format!("sqlite:{}", folder.path().join("bench.db").display());
    SqliteConnection::connect(&format!("{url}?mode=rwc")).await?.execute(AssertSqlSafe(asked.schema.to_owned())).await?;
    let (engine, source) = (Engine::new(Limits::default()), Source::new(ConnectionId::generate(), "bench", kind, url));
    let rows = || RowAccess::Rule(asked.rule.to_owned());
    let tables = asked.model.tables.keys().map(|name| Table {
        name: name.clone(),
        rows: if name == "airports" { RowAccess::All } else { rows() },
        hidden: [].into(),
    });
    let catalog = Catalog::new(tables.collect());
    let viewer = SecurityContext {
        organization: json!({"airport": "ATL", "company": "acme"}).as_object().cloned(),
        user: Some(Map::new()),
        database_auth_token: None,
        share: 0,
    };
    let mut figures = Vec::new();
    for (name, query) in &asked.queries {
        let compiled = compile(kind, &asked.model, query, today)?;
        let written = Query::new(&*compiled.sql, today);
        engine.explain(&source, &catalog, &viewer, &written).await?;
        let mut times = [const { Vec::new() }; 3];
        for _ in 0..rounds {
            let start = Instant::now();
            compile(kind, &asked.model, query, today)?;
            let compiled_at = Instant::now();
            reading(kind, &compiled.sql, &catalog)?;
            let checked_at = Instant::now();
            engine.explain(&source, &catalog, &viewer, &written).await?;
            for (times, (from, to)) in
                times.iter_mut().zip([(start, compiled_at), (compiled_at, checked_at), (checked_at, Instant::now())])
            {
                times.push((to - from).as_secs_f64() * 1e6);
            }
        }
        figures.push((name.clone(), times));
    }
    Ok(figures)
}

/// The demo's model, and its charts that ask it.
fn flights() -> Result<Asked, Box<dyn Error>> {
    let project: Value = serde_saphyr::from_str(include_str!("../../../demo/project.yaml"))?;
    let mut tables = BTreeMap::new();
    for table in project["tables"].as_array().ok_or("tables")? {
        let mut made = ModelTable::default();
        for (name, about) in table["columns"].as_object().into_iter().flatten() {
            made.columns.insert(name.clone(), about["label"].as_str().map(str::to_owned));
            let reference = about["references"].as_str().and_then(Reference::read);
            made.references.extend(reference.map(|to| (name.clone(), to)));
        }
        let parts = ["key", "time", "drill", "dimensions", "measures"];
        let model: Map<String, Value> =
            parts.iter().filter_map(|part| Some(((*part).to_owned(), table.get(*part)?.clone()))).collect();
        made.model = serde_json::from_value(Value::Object(model))?;
        tables.insert(table["table"].as_str().ok_or("a table's name")?.to_owned(), made);
    }
    let metrics = serde_json::from_value(project["metrics"].clone())?;
    let charts = project["charts"].as_array().ok_or("charts")?.iter().filter(|chart| chart["query"].is_object());
    let queries = charts.map(|chart| Ok((chart["name"].to_string(), serde_json::from_value(chart["query"].clone())?)));
    let queries = queries.collect::<Result<_, serde_json::Error>>()?;
    Ok(Asked { model: Model { tables, metrics }, schema: FLIGHTS, rule: "origin = {{organization.airport}}", queries })
}

fn tpch() -> Result<Asked, Box<dyn Error>> {
    // SQLite has no `extract`.
    let said = include_str!("../tests/door/tpch/meaning.json").replace("extract(year from ", "strftime('%Y', ");
    let said: Value = serde_json::from_str(&said)?;
    let mut tables = BTreeMap::new();
    for (name, table) in said["tables"].as_object().ok_or("tables")? {
        let mut made = ModelTable { model: serde_json::from_value(table["model"].clone())?, ..ModelTable::default() };
        for column in table["columns"].as_str().ok_or("columns")?.split(' ') {
            let (column, to) = column.split_once('>').unwrap_or((column, ""));
            made.columns.insert(column.to_owned(), None);
            made.references.extend(Reference::read(to).map(|to| (column.to_owned(), to)));
        }
        tables.insert(name.clone(), made);
    }
    let questions = said["questions"].as_array().ok_or("questions")?.iter();
    let queries = questions.map(|question| {
        let query = serde_json::from_value(question["query"].clone())?;
        Ok((format!("TPC-H {}", question["number"]), query))
    });
    let queries = queries.collect::<Result<_, serde_json::Error>>()?;
    let schema = include_str!("../tests/door/tpch/schema.sql");
    Ok(Asked { model: Model { tables, ..Model::default() }, schema, rule: "tenant = {{organization.company}}", queries })
}
