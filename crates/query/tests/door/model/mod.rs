//! The semantic model beside a reference that works its answers out row by row: made-up models and queries, on every database.

mod asking;
mod forms;
mod made;
mod making;
mod meaning;
mod metrics;
mod moments;
mod narrowed;
mod ordered;
mod own;
mod periods;
mod reference;
mod rows;
mod sorting;
mod types;
mod world;

use crate::databases::{Database, in_mysql, query, viewer};
use chrono::NaiveDate;
use inlay_contract::{
    data::ChartData,
    model::{Aggregate, Measure, ModelQuery, Take},
};
use inlay_query::{Limits, Model, Query, compile};
use making::made_up;
use metrics::{metric, name_of};
use reference::{Answer, Case, Cell};
use serde_json::Value as Json;
use world::{Dice, FACTS, World};

/// The number of models, or `INLAY_ORACLE_CASES` for a long run.
fn many(cases: u64) -> u64 {
    let asked = std::env::var("INLAY_ORACLE_CASES").ok();
    asked.map_or(cases, |asked| asked.parse().expect("INLAY_ORACLE_CASES is a number"))
}

fn day() -> NaiveDate {
    NaiveDate::from_ymd_opt(2025, 2, 11).expect("a day")
}

/// The model of a case, as its project would declare it.
fn declared(case: &Case<'_>) -> Model {
    let mut model = world::model();
    for (fact, _) in FACTS {
        let table = model.tables.get_mut(fact).expect("a table");
        table.model.fiscal_year_start = Some(u8::try_from(case.year + 1).expect("a month"));
    }
    for (at, made) in case.measures.iter().enumerate().filter(|(_, made)| made.own.is_none() && made.only.is_none()) {
        let measure = Measure {
            condition: made.condition.map(|condition| condition.sql().to_owned()),
            fraction: (made.aggregate == Aggregate::Percentile).then_some(made.fraction),
            take: made.take.as_ref().map(|(edge, per)| Take {
                edge: *edge,
                over: None,
                per: per.iter().map(|column| (*column).to_owned()).collect(),
            }),
            ..Measure::new(made.aggregate, made.of.sql())
        };
        let table = model.tables.get_mut(made.table).expect("a table");
        table.model.measures.insert(format!("measure_{at}"), measure);
    }
    for (at, how) in case.asked.iter().enumerate() {
        if !case.query.metrics.contains_key(&name_of(at, how)) {
            model.metrics.extend(metric(at, how, &case.measures, &case.query));
        }
    }
    model
}

fn cells(answer: &ChartData) -> Answer {
    let cell = |value: &Json| match value {
        Json::Null => None,
        Json::Number(number) => Some(Cell::Number(number.as_f64().expect("a number"))),
        Json::String(text) => Some(text.parse().map_or_else(|_| Cell::Text(text.clone()), Cell::Number)),
        other => panic!("a value of no known kind: {other}"),
    };
    answer.rows.iter().map(|row| row.iter().map(cell).collect()).collect()
}

/// Numbers may differ by what rounding does to them.
fn are_equal(one: &Answer, other: &Answer) -> bool {
    let same = |a: &Option<Cell>, b: &Option<Cell>| match (a, b) {
        (Some(Cell::Number(a)), Some(Cell::Number(b))) => (a - b).abs() <= 1e-6 * a.abs().max(b.abs()).max(1.0),
        (a, b) => a == b,
    };
    let rows = |a: &[Option<Cell>], b: &[Option<Cell>]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b));
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| rows(a, b))
}

/// The query of compiled SQL.
fn compiled_query(sql: &str) -> Query {
    Query { compiled: true, ..query(sql) }
}

async fn agrees(database: &Database, case: &Case<'_>, seed: u64) {
    let model = declared(case);
    let asked = serde_json::to_string(&case.query).expect("JSON");
    let compiled = compile(database.source.kind, &model, &case.query, case.today)
        .unwrap_or_else(|problem| panic!("{seed}: {problem}\n{asked}\n{:#?}", case.measures));
    let answer = |sql: String| async move {
        let catalog = world::catalog();
        let answer = database.engine.run(&database.source, &catalog, &viewer("acme"), &compiled_query(&sql)).await;
        cells(&answer.unwrap_or_else(|problem| panic!("{seed}: {}\n{sql}", problem.detail())))
    };
    let (found, expected) = (answer(compiled.sql.clone()).await, case.answer());
    assert!(
        are_equal(&found, &expected),
        "{seed}: {asked}\n{:#?}\n{}\nfound    {found:?}\nexpected {expected:?}",
        case.measures,
        compiled.sql
    );
    if let Some(totals) = compiled.totals {
        let (found, expected) = (answer(totals.clone()).await, totals_of(case).answer());
        assert!(are_equal(&found, &expected), "{seed}, totals: {asked}\n{totals}\nfound    {found:?}\nexpected {expected:?}");
    }
}

fn totals_of<'a>(case: &Case<'a>) -> Case<'a> {
    let query = ModelQuery {
        dimensions: Vec::new(),
        having: Vec::new(),
        sort: Vec::new(),
        top: None,
        limit: None,
        totals: false,
        ..case.query.clone()
    };
    Case { query, measures: case.measures.clone(), asked: case.asked.clone(), ..*case }
}

/// So many made-up models over a few worlds.
async fn all_agree(open: impl AsyncFn(&str) -> Database, cases: u64) {
    let cases = many(cases);
    let worlds = 1 + cases / 250;
    for world in 0..worlds {
        let of = World::of(world + 1);
        let database = open(&of.script()).await;
        for seed in (world * cases / worlds)..((world + 1) * cases / worlds) {
            let case = made_up(&mut Dice::new(seed * 7919 + 1), &of);
            agrees(&database, &case, seed).await;
            narrowed::agrees(&database, &case, seed).await;
        }
        database.remove().await;
    }
}

fn limits() -> Limits {
    Limits { rows: 1_000_000, bytes: 1 << 30, ..Limits::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_answers_as_the_rows_say() {
    all_agree(async |script| Database::sqlite(script, limits()).await, 500).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_answers_as_the_rows_say() {
    all_agree(async |script| Database::postgres(script, limits()).await, 500).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn mariadb_answers_as_the_rows_say() {
    all_agree(async |script| Database::mysql(&in_mysql(script), limits()).await, 500).await;
}

#[cfg(feature = "duckdb")]
#[tokio::test(flavor = "multi_thread")]
async fn duckdb_answers_as_the_rows_say() {
    all_agree(async |script| Database::duckdb(script, limits()), 500).await;
}
