//! The 22 queries of TPC-H with a row rule on each table: on the data of two tenants, one tenant gets the same result as
//! without rules on only its data.

mod data;
mod meaning;

use crate::databases::{Database, query, rule, table, viewer};
use inlay_query::{Catalog, Limits, RowAccess, SourceKind};
use serde_json::Value;

/// SQLite's replacements, since it has no dates and intervals.
const IN_SQLITE: &[(&str, &str)] = &[
    ("date '1998-12-01' - interval '90' day", "date('1998-12-01', '-90 days')"),
    ("date '1993-07-01' + interval '3' month", "date('1993-07-01', '+3 months')"),
    ("date '1993-10-01' + interval '3' month", "date('1993-10-01', '+3 months')"),
    ("date '1996-01-01' + interval '3' month", "date('1996-01-01', '+3 months')"),
    ("date '1995-09-01' + interval '1' month", "date('1995-09-01', '+1 month')"),
    ("date '1994-01-01' + interval '1' year", "date('1994-01-01', '+1 year')"),
    ("date '", "'"),
    ("extract(year from l_shipdate)", "cast(strftime('%Y', l_shipdate) as integer)"),
    ("extract(year from o_orderdate)", "cast(strftime('%Y', o_orderdate) as integer)"),
    ("substring(c_phone from 1 for 2)", "substr(c_phone, 1, 2)"),
];

/// Replacements for databases that cannot name a subquery's columns from outside.
const NAMED_INSIDE: &[(&str, &str)] = &[
    ("select c_custkey, count(o_orderkey)\n", "select c_custkey, count(o_orderkey) as c_count\n"),
    ("as c_orders (c_custkey, c_count)", "as c_orders"),
];

fn queries(kind: SourceKind) -> Vec<String> {
    let replaced = match kind {
        SourceKind::Sqlite => [IN_SQLITE, NAMED_INSIDE].concat(),
        SourceKind::Mysql => NAMED_INSIDE.to_vec(),
        _ => Vec::new(),
    };
    let file = include_str!("queries.sql");
    let begins = |line: &str| line.strip_prefix("-- ").is_some_and(|number| number.parse::<u32>().is_ok());
    let mut queries: Vec<String> = Vec::new();
    for line in file.lines() {
        match queries.last_mut() {
            _ if begins(line) => queries.push(String::new()),
            Some(query) => *query = format!("{query}{line}\n"),
            None => {}
        }
    }
    let written = |query: String| replaced.iter().fold(query, |query, (from, to)| query.replace(from, to));
    queries.into_iter().map(written).collect()
}

fn catalog(rows: &RowAccess) -> Catalog {
    Catalog::new(data::TABLES.map(|name| table(name, rows.clone(), &[])).to_vec())
}

/// A result's rows as a set. Sums of floats depend on the order of addition.
async fn rows(database: &Database, access: &RowAccess, sql: &str) -> Vec<String> {
    let answer = database.engine.run(&database.source, &catalog(access), &viewer("acme"), &query(sql)).await;
    let answer = answer.unwrap_or_else(|problem| panic!("{}: {}\n{sql}", database.source.kind, problem.detail()));
    let plain = |value: &Value| match value.as_f64() {
        Some(number) => format!("{number:.6e}"),
        None => match value.as_str().and_then(|text| text.parse::<f64>().ok()) {
            Some(number) => format!("{number:.6e}"),
            None => value.to_string(),
        },
    };
    let mut rows: Vec<_> = answer.rows.iter().map(|row| row.iter().map(plain).collect::<Vec<_>>().join(" | ")).collect();
    rows.sort();
    rows
}

async fn agree(whole: Database, part: Database) {
    let own = rule("tenant = {{organization.company}}");
    let queries = queries(whole.source.kind);
    assert_eq!(queries.len(), 22);
    let (mut differing, mut empty) = (Vec::new(), Vec::new());
    for (number, sql) in (1..).zip(&queries) {
        let (ruled, alone) = (rows(&whole, &own, sql).await, rows(&part, &RowAccess::All, sql).await);
        if ruled != alone {
            differing.push(format!("{number}: {sql}\n{ruled:#?}\n{alone:#?}"));
        }
        if alone.iter().all(|row| row == "null") {
            empty.push(number);
        }
        // Without the rule the result differs: the two tenants' rows do mix.
        assert_ne!(rows(&whole, &RowAccess::All, sql).await, alone, "query {number} tells nothing apart");
    }
    assert!(differing.is_empty(), "{} {}", whole.source.kind, differing.join("\n"));
    assert!(empty.is_empty(), "queries without rows prove nothing: {empty:?}");
    whole.remove().await;
    part.remove().await;
}

fn scripts() -> (String, String) {
    let (acme, globex) = (data::rows("acme", 1), data::rows("globex", 2));
    (format!("{}\n{acme}{globex}", data::SCHEMA), format!("{}\n{acme}", data::SCHEMA))
}

#[tokio::test]
async fn sqlite_answers_tpch_by_the_rules() {
    let (whole, part) = scripts();
    agree(Database::sqlite(&whole, Limits::default()).await, Database::sqlite(&part, Limits::default()).await).await;
}

#[tokio::test]
async fn postgres_answers_tpch_by_the_rules() {
    let (whole, part) = scripts();
    agree(Database::postgres(&whole, Limits::default()).await, Database::postgres(&part, Limits::default()).await).await;
}

#[tokio::test]
async fn mariadb_answers_tpch_by_the_rules() {
    let (whole, part) = scripts();
    agree(Database::mysql(&whole, Limits::default()).await, Database::mysql(&part, Limits::default()).await).await;
}
