//! `DuckDB`: a file, and a folder of Parquet and CSV files.

use crate::{
    databases::{Database, SCHEMA, catalog, engine, query, rule, table, viewer},
    marks,
};
use duckdb::Connection;
use inlay_contract::{
    data::{Column, ColumnType},
    ids::ConnectionId,
};
use inlay_query::{Catalog, Limits, RowAccess, Source, SourceKind};
use serde_json::{Value, json};
use std::{
    path::Path,
    time::{Duration, Instant},
};

fn source(path: &Path) -> Source {
    Source::new(ConnectionId::generate(), "lake", SourceKind::Duckdb, format!("duckdb:{}", path.display()))
}

fn file(script: &str) -> (tempfile::TempDir, Source) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data.duckdb");
    let connection = Connection::open(&path).expect("a new database");
    connection.execute_batch(script).expect("the script runs");
    connection.close().expect("it closes");
    let source = source(&path);
    (folder, source)
}

async fn ask(source: &Source, catalog: &Catalog, company: &str, sql: &str) -> Result<Value, String> {
    let answer = engine(Limits::default()).run(source, catalog, &viewer(company), &query(sql)).await;
    answer.map(|answer| json!(answer.rows)).map_err(|problem| format!("{} {}", problem.code().as_str(), problem.detail()))
}

#[tokio::test]
async fn each_company_gets_its_own_rows() {
    let (_folder, source) = file(SCHEMA);
    for (company, ids) in [
        ("acme", json!([[1], [2], [3], [4]])),
        ("O'Brien \"& Sons\" \\ 50% -- ; é", json!([[21]])),
        ("' OR '1'='1", json!([[31]])),
        ("ACME", json!([])),
    ] {
        let sql = "select id from ORDERS o where 1 = 1 or company_id <> 'x' order by id";
        assert_eq!(ask(&source, &catalog(), company, sql).await, Ok(ids), "{company}");
    }
    let sql = "select o.id, r.id, region, amount, placed, id > 1 as later from orders o cross join rates r where o.id = 1 and r.id = 2";
    let expected = json!([[1, 2, "north", 10.5, "2024-01-15", false]]);
    assert_eq!(ask(&source, &catalog(), "acme", &sql.replace("id > 1", "o.id > 1")).await, Ok(expected));
    for sql in [
        "select margin from orders",
        "select * from unlisted",
        "select * from 'x.csv'",
        "select * from read_csv('/etc/passwd')",
        "select * from duckdb_settings()",
        "select * from information_schema.tables",
        "select getenv('HOME') from orders",
        "select current_setting('memory_limit') from orders",
        "from orders",
        "attach 'x.db'",
        "copy orders to 'x.csv'",
        "select * exclude (id) from orders",
        "select columns('.*') from orders",
        "select list_transform([1], x -> x) from orders",
        "delete from orders",
        "set lock_configuration = false",
    ] {
        let answer = ask(&source, &catalog(), "acme", sql).await;
        assert!(answer.as_ref().is_err_and(|problem| problem.starts_with("QUERY_FAILED")), "{sql}: {answer:?}");
    }
}

#[tokio::test]
async fn an_expression_of_the_query_never_meets_a_foreign_row() {
    let (_folder, source) = file(SCHEMA);
    let explode = "cast(case when region = 'MARK' then region else '1' end as integer)";
    for sql in [
        format!("select count(*) from orders where {explode} = 1"),
        format!("select count(*) from (select * from orders) o where {explode} = 1"),
        format!("select count(*) from rates r left join orders o on {explode} = r.id"),
    ] {
        let answer = ask(&source, &catalog(), "acme", &sql).await;
        assert!(answer.is_ok(), "{sql}: {answer:?}");
        let own = ask(&source, &catalog(), "globex", &sql).await;
        assert!(own.as_ref().is_err_and(|problem| !problem.contains("MARK")), "{sql}: {own:?}");
    }
}

#[tokio::test]
async fn types_come_out_without_loss() {
    let script = "create type mood as enum ('sad', 'ok');
        create table rates (i tinyint, l bigint, u ubigint, h hugeint, n decimal(10, 2), huge decimal(30, 2), f double, g float, b boolean,
            d date, ts timestamp, tz timestamptz, t varchar, uu uuid, e mood, y blob, a integer[], s struct(k integer), nan double, n0 integer);
        insert into rates values (-1, 9223372036854775807, 18446744073709551615, 170141183460469231731687303715884105727, 10.50,
            12345678901234567890.12, 0.1, 0.1, true, '2001-01-31', '2001-01-31 12:30:00.25', '2001-01-31 12:30:00+02', 'x\"\\ é',
            '0190a0a0-0000-7000-8000-000000000000', 'ok', '\\x00\\xFF'::blob, [1, 2], {'k': 1}, 'nan', null)";
    let (_folder, source) = file(script);
    let answer = engine(Limits::default()).run(&source, &catalog(), &viewer("acme"), &query("select * from rates")).await;
    let answer = answer.unwrap_or_else(|problem| panic!("{}", problem.detail()));
    let row = json!([
        -1, i64::MAX, "18446744073709551615", "170141183460469231731687303715884105727", 10.5, "12345678901234567890.12", 0.1, 0.1, true,
        "2001-01-31", "2001-01-31T12:30:00.25", "2001-01-31T10:30:00Z", "x\"\\ é", "0190a0a0-0000-7000-8000-000000000000", "ok", "AP8=",
        [1, 2], {"k": 1}, null, null
    ]);
    assert_eq!(json!(answer.rows[0]).to_string(), row.to_string());
    use ColumnType::{Boolean, Date, Json, Number, Text, Timestamp};
    assert_eq!(
        answer.columns.iter().map(|column| column.kind).collect::<Vec<_>>(),
        [
            Number, Number, Number, Number, Number, Number, Number, Number, Boolean, Date, Timestamp, Timestamp, Text, Text,
            Text, Text, Json, Json, Number, Number
        ]
    );
}

#[tokio::test]
async fn rules_compare_with_every_type() {
    let script = "create type mood as enum ('sad', 'ok');
        create table things (id int, i int, u ubigint, n decimal(30, 10), f double, g float, t varchar, uu uuid, b boolean, d date, ts timestamp,
            tz timestamptz, e mood);
        insert into things values (1, 5, 18446744073709551615, 12345678901234567890.1, 0.1, 0.1, 'x', '0190a0a0-0000-7000-8000-000000000000',
            true, '2001-01-31', '2001-01-31', '2001-01-31 00:00:00+00', 'ok');
        insert into things (id) values (2)";
    let (_folder, source) = file(script);
    for (column, value, count) in [
        ("i", json!(5), 1),
        ("i", json!("5"), 1),
        ("i", json!(5.5), 0),
        ("u", json!("18446744073709551615"), 1),
        ("n", json!("12345678901234567890.1"), 1),
        ("n", json!("12345678901234567890.2"), 0),
        ("f", json!(0.1), 1),
        ("g", json!(0.1), 1),
        ("t", json!("x"), 1),
        ("t", json!("X"), 0),
        ("uu", json!("0190A0A0-0000-7000-8000-000000000000"), 1),
        ("b", json!("true"), 1),
        ("d", json!("2001-01-31"), 1),
        ("ts", json!("2001-01-31T00:00:00"), 1),
        ("tz", json!("2001-01-31T02:00:00+02:00"), 1),
        ("e", json!("ok"), 1),
        ("e", json!("none"), 0),
    ] {
        let catalog = Catalog::new(vec![table("things", rule(&format!("{column} = {{{{organization.company}}}}")), &[])]);
        let answer =
            engine(Limits::default()).run(&source, &catalog, &viewer(value.clone()), &query("select id from things")).await;
        let found = answer.map(|answer| answer.rows.len()).map_err(|problem| problem.detail().to_owned());
        assert_eq!(found, Ok(count), "{column} {value}");
    }
}

#[tokio::test]
async fn a_folder_is_its_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let outside = tempfile::tempdir().expect("another folder");
    let at = |name: &str| folder.path().join(name).display().to_string().replace('\'', "''");
    std::fs::create_dir(folder.path().join("parts")).expect("a folder");
    let make = Connection::open_in_memory().expect("a database");
    make.execute_batch(&format!(
        "create table flights as select i as id, case when i % 2 = 0 then 'acme' else 'globex' end as company_id from range(10) t(i);
        copy flights to '{}' (format parquet); copy (select * from flights where id < 4) to '{}' (format parquet);
        copy (select * from flights where id >= 4) to '{}' (format parquet);
        copy (select 1 as id, 'acme' as company_id) to '{}' (header)",
        at("flights.parquet"), at("parts/1.parquet"), at("parts/2.parquet"), at("the airports.csv")
    ))
    .expect("files");
    std::fs::write(outside.path().join("secret.csv"), "id,company_id\n1,acme\n").expect("a file");
    std::os::unix::fs::symlink(outside.path().join("secret.csv"), folder.path().join("linked.csv")).expect("a link");
    let source = source(folder.path());
    let own = || rule("company_id = {{organization.company}}");
    let tables = ["flights", "parts", "the airports", "linked"];
    let catalog = Catalog::new(tables.map(|name| table(name, own(), &[])).into());
    for (sql, expected) in [
        ("select count(*), max(id) from flights", json!([[5, 8]])),
        ("select count(*), max(id) from parts", json!([[5, 8]])),
        ("select * from \"The Airports\"", json!([[1, "acme"]])),
    ] {
        assert_eq!(ask(&source, &catalog, "acme", sql).await, Ok(expected), "{sql}");
    }
    assert!(ask(&source, &catalog, "acme", "select * from linked").await.is_err());
    // Even without the checks, the database itself reads nothing else.
    let open = Catalog::new(vec![table(&format!("{}", outside.path().join("secret").display()), RowAccess::All, &[])]);
    assert!(ask(&source, &open, "acme", "select * from secret").await.is_err());
}

#[tokio::test]
async fn what_nobody_waits_for_is_interrupted() {
    let (_folder, source) = file(SCHEMA);
    let engine = engine(Limits { timeout: Duration::from_millis(300), ..Limits::default() });
    let long = query(
        "with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000) select count(*) from n a, n b, n c, n d",
    );
    let start = Instant::now();
    let answer = engine.run(&source, &catalog(), &viewer("acme"), &long).await;
    let elapsed = start.elapsed();
    assert!(answer.as_ref().is_err_and(|problem| problem.code().as_str() == "QUERY_TIMEOUT"), "{answer:?}");
    assert!(elapsed < Duration::from_secs(3), "{elapsed:?}");
    let start = Instant::now();
    let count = query("select count(*) from orders");
    while engine.run(&source, &catalog(), &viewer("acme"), &count).await.is_err() {
        assert!(start.elapsed() < Duration::from_secs(5), "the work goes on");
    }
}

/// Each table as an operator sees it.
async fn listed(source: &Source) -> Vec<(String, Vec<(String, ColumnType)>)> {
    let tables = engine(Limits::default()).tables(source).await.unwrap_or_else(|problem| panic!("{}", problem.detail()));
    let columns = |columns: Vec<Column>| columns.into_iter().map(|column| (column.name, column.kind)).collect();
    tables.into_iter().map(|table| (table.name, columns(table.columns))).collect()
}

fn names(columns: &[(&str, ColumnType)]) -> Vec<(String, ColumnType)> {
    columns.iter().map(|(name, kind)| ((*name).to_owned(), *kind)).collect()
}

#[tokio::test]
async fn an_operator_sees_every_table_with_its_columns_and_first_rows() {
    use ColumnType::{Boolean, Date, Json, Number, Text, Timestamp};
    let script = "create type mood as enum ('sad', 'it''s, ok');
        create table things (id integer, n decimal(10, 2), big hugeint, seen timestamptz, day date, ok boolean, note varchar, feels mood,
            tags integer[], s struct(k integer), \"odd \"\"name\" integer);
        insert into things (id, note) values (1, 'a'), (2, 'b');
        create schema archive; create table archive.\"old things\" (id integer, seen timestamp);
        insert into archive.\"old things\" values (7, '2024-01-15 12:00:00');
        create table archive.\"a.b\" (id integer); create view totals as select day, sum(n) as total from things group by day;
        create temp table passing (id integer)";
    let (_folder, source) = file(script);
    let things = names(&[
        ("id", Number),
        ("n", Number),
        ("big", Number),
        ("seen", Timestamp),
        ("day", Date),
        ("ok", Boolean),
        ("note", Text),
        ("feels", Text),
        ("tags", Json),
        ("s", Json),
        // A name with a quote is left out.
    ]);
    let wanted = [
        ("things".to_owned(), things),
        ("totals".to_owned(), names(&[("day", Date), ("total", Number)])),
        ("archive.old things".to_owned(), names(&[("id", Number), ("seen", Timestamp)])),
    ];
    assert_eq!(listed(&source).await, wanted);
    let engine = engine(Limits::default());
    for (table, columns) in &wanted {
        let described = engine.describe(&source, table).await.expect("columns");
        assert_eq!(described.into_iter().map(|column| (column.name, column.kind)).collect::<Vec<_>>(), *columns, "{table}");
    }
    let sample = engine.sample(&source, "things", 1).await.expect("rows");
    assert_eq!((sample.rows.len(), sample.columns.len()), (1, 10));
    let old = engine.sample(&source, "archive.old things", 5).await.expect("rows");
    assert_eq!(json!(old.rows), json!([[7, "2024-01-15T12:00:00"]]));
    for missing in ["nothing", "things; drop table things", "", "a.b.c", "information_schema.tables", "duckdb_settings()"] {
        let refused = engine.sample(&source, missing, 1).await.map_err(|problem| problem.code().as_str()).err();
        assert_eq!(refused, Some("QUERY_FAILED"), "{missing}");
    }
}

#[tokio::test]
async fn the_files_of_a_folder_are_listed_with_their_columns() {
    use ColumnType::{Date, Number, Text};
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("the airports.csv"), "iata,opened,gates\nATL,1926-09-15,192\n").expect("a file");
    std::fs::write(folder.path().join("read me.txt"), "no table").expect("a file");
    let parquet = folder.path().join("flights.parquet").display().to_string();
    let make = Connection::open_in_memory().expect("a database");
    make.execute_batch(&format!("copy (select 1 as id, 'ATL' as origin) to '{parquet}' (format parquet)")).expect("a file");
    let source = source(folder.path());
    let wanted = [
        ("flights".to_owned(), names(&[("id", Number), ("origin", Text)])),
        ("the airports".to_owned(), names(&[("iata", Text), ("opened", Date), ("gates", Number)])),
    ];
    assert_eq!(listed(&source).await, wanted);
    let sample = engine(Limits::default()).sample(&source, "the airports", 3).await.expect("rows");
    assert_eq!(json!(sample.rows), json!([["ATL", "1926-09-15", 192]]));
}

#[tokio::test]
async fn rows_behind_a_mark_add_up_to_it() {
    let database = Database::duckdb(&marks::script(), Limits::default());
    marks::add_up(&database).await;
    marks::do_not_mix(&database).await;
    database.remove().await;
}

#[tokio::test]
async fn a_query_that_needs_more_memory_fails_and_writes_no_files() {
    let database = Database::duckdb(SCHEMA, Limits::default());
    let long = "x".repeat(1_000);
    // 20 million rows of 1,000 letters, each different: 20 GB to sort.
    let sql = format!(
        "with recursive n(i) as (select 1 union all select i + 1 from n where i < 4500) \
         select count(*) from (select distinct '{long}' || a.i || '-' || b.i as t from n a, n b order by t) x"
    );
    let answer = database.ask(&viewer("acme"), &query(&sql)).await;
    assert!(answer.is_err(), "{answer:?}");
    assert_eq!(json!(database.rows("acme", "select count(*) from rates").await), json!([[2]]), "the source goes on");
    database.remove().await;
}
