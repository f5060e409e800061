//! Filter values of another type than their dimension: the same rows as by a page's filter on the column, on every database.

use super::{asking::model_of, limits};
use crate::databases::{Database, query, rule, table, viewer};
use chrono::NaiveDate;
use inlay_contract::filter::FilterValue;
use inlay_query::{Catalog, Filter, Model, Query, SourceKind, compile};
use serde_json::{Value, json};

const SCRIPT: &str = "create table things (company_id varchar(20), id integer, name varchar(20), price decimal(10, 2), weight double precision,
    made date, sold timestamp, fine boolean);
    insert into things values
    ('acme', 0, 'abc', 0, 0.5, '2024-01-31', '2024-01-31 00:00:00', true), ('acme', 1, '1', 1.00, 1, '2024-02-01', '2024-02-01 09:30:00', false),
    ('acme', 5, '5', 5.50, 5.5, '2024-02-02', '2024-02-02 00:00:00', true), ('acme', null, null, null, null, null, null, null),
    ('acme', 9, '2024-02-01', 9, 9, '2024-02-03', '2024-02-03 12:00:00', false), ('globex', 5, '5', 5.5, 5.5, '2024-02-02', '2024-02-02 00:00:00', true);";

const COLUMNS: [&str; 7] = ["id", "name", "price", "weight", "made", "sold", "fine"];

fn model() -> Model {
    let dimensions = json!({"size": {"sql": "case when id >= 5 then 'large' else 'small' end"}, "double": {"sql": "id * 2"},
        "called": {"sql": "coalesce(name, 'nothing')"}, "shown": {"sql": "name"}});
    let things = json!({"key": "id", "time": "sold", "dimensions": dimensions, "measures": {"things": {"aggregate": "count"}}});
    model_of([("things", "id name price weight made sold fine", things)], json!({}))
}

/// Values of each type, and lists and ranges of several.
fn values() -> Vec<Value> {
    let mut values = vec![
        json!("abc"),
        json!("5"),
        json!("5.5"),
        json!(""),
        json!("5 or 1 = 1"),
        json!("2024-02-01"),
        json!("2024-02-02T00:00:00"),
        json!("2024-02-30"),
        json!("yesterday"),
        json!("infinity"),
        json!("true"),
        json!("9c6f2f0e-5d7c-4f0e-9c39-3f6f4a4b8f11"),
        json!(0),
        json!(1),
        json!(5),
        json!(5.5),
        json!(-5),
        json!(1e300),
        json!([]),
        json!(["abc", 5, "2024-02-01", "5.5"]),
        json!({"from": "abc"}),
        json!({"to": "zzz"}),
        json!({"from": 1, "to": "6"}),
        json!({"from": "1", "to": "abc"}),
        json!({"from": "2024-02-01"}),
        json!({"from": "2024-02-01", "to": 5}),
        json!({"from": "2024-02-01", "to": "2024-02-03"}),
        json!({"to": "2024-02-30"}),
        json!({"relative": "this_year"}),
    ];
    values.extend([json!(true), json!(false), json!({"from": true})]);
    values
}

fn catalog() -> Catalog {
    Catalog::new(vec![table("things", rule("company_id = {{organization.company}}"), &[])])
}

async fn count(database: &Database, asked: &Query) -> Result<i64, String> {
    let answer = database.engine.run(&database.source, &catalog(), &viewer("acme"), asked).await;
    let rows = answer.map_err(|problem| format!("{}: {}", problem.detail(), asked.sql))?.rows;
    Ok(rows[0][0].as_i64().expect("a count"))
}

/// The count under a filter of the query.
async fn kept(database: &Database, dimension: &str, value: &Value, not: bool) -> Result<i64, String> {
    let filter = json!({"dimension": format!("things.{dimension}"), "value": value, "not": not});
    let asked = serde_json::from_value(json!({"measures": ["things"], "filters": [filter]})).expect("a query");
    let today = NaiveDate::from_ymd_opt(2024, 3, 1).expect("a day");
    let sql = compile(database.source.kind, &model(), &asked, today).map_err(|problem| problem.to_string())?.sql;
    count(database, &Query { today, ..Query::compiled(sql, today) }).await
}

/// Whether a range has an end that is no day.
fn ends_with_no_day(value: &Value) -> bool {
    let is_day = |end: &Value| end.as_str().is_some_and(|text| text.parse::<NaiveDate>().is_ok());
    ["from", "to"].iter().filter_map(|end| value.get(end)).any(|end| !is_day(end))
}

async fn agree(database: &Database) {
    let kind = database.source.kind;
    let mut differing = Vec::new();
    for value in values() {
        for column in COLUMNS {
            let filter = Filter {
                table: "things".to_owned(),
                column: column.to_owned(),
                value: FilterValue::from_json(value.clone()).expect("a value"),
            };
            let today = NaiveDate::from_ymd_opt(2024, 3, 1).expect("a day");
            let by_page = Query { filters: vec![filter], today, ..query("select count(*) from things") };
            let expected = match count(database, &by_page).await {
                // A page compares SQLite's days as the texts that they are.
                Ok(_) if kind == SourceKind::Sqlite && ["made", "sold"].contains(&column) && ends_with_no_day(&value) => Ok(0),
                expected => expected,
            };
            let found = kept(database, column, &value, false).await;
            let others = kept(database, column, &value, true).await;
            if found != expected || others != expected.as_ref().map(|count| 5 - count).map_err(Clone::clone) {
                differing.push(format!("{kind}: {column} {value}: {found:?}, not {others:?}, by a page's filter {expected:?}"));
            }
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    for (dimension, value, expected) in [
        ("size", json!("large"), 2),
        ("size", json!(5), 0),
        ("size", json!({"from": "m"}), 3),
        ("double", json!("10"), 1),
        ("double", json!("ten"), 0),
        ("called", json!(5), 1),
        ("shown", json!(5), 1),
        ("called", json!("nothing"), 1),
    ] {
        assert_eq!(kept(database, dimension, &value, false).await, Ok(expected), "{kind}: {dimension} {value}");
        assert_eq!(kept(database, dimension, &value, true).await, Ok(5 - expected), "{kind}: {dimension} {value}");
    }
}

#[tokio::test]
async fn values_of_another_type_keep_the_rows_of_a_pages_filter() {
    Database::each(SCRIPT, limits(), async |database| agree(database).await).await;
}

#[cfg(feature = "duckdb")]
#[tokio::test]
async fn values_of_another_type_keep_the_rows_of_a_pages_filter_on_duckdb() {
    agree(&Database::duckdb(SCRIPT, limits())).await;
}

/// Parts of a week or day are texts and numbers by themselves.
#[tokio::test]
async fn values_that_are_no_part_of_a_day_keep_no_row() {
    Database::each(SCRIPT, limits(), async |database| {
        for (cycle, value, expected) in [
            ("hour", json!("noon"), 0),
            ("hour", json!("12"), 1),
            ("hour", json!({"from": "noon"}), 0),
            ("weekday", json!(5), 0),
            ("weekday", json!(["Wed", 5]), 1),
            ("partOfWeek", json!(true), 0),
        ] {
            let filter = json!({"dimension": "time", "cycle": cycle, "value": value});
            let asked = serde_json::from_value(json!({"measures": ["things"], "filters": [filter]})).expect("a query");
            let today = NaiveDate::from_ymd_opt(2024, 3, 1).expect("a day");
            let sql = compile(database.source.kind, &model(), &asked, today).expect("a meaning").sql;
            let found = count(database, &Query::compiled(&*sql, today)).await;
            assert_eq!(found, Ok(expected), "{}: {cycle} {value}\n{sql}", database.source.kind);
        }
    })
    .await;
}
