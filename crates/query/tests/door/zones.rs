//! Days begin in the viewer's time zone. A rule's days do not depend on it.

use crate::databases::{Database, filter, query, rule, table, viewer};
use chrono_tz::Tz;
use inlay_query::{Catalog, Limits, Query, RowAccess};
use serde_json::{Value, json};

/// Four moments around midnight in Berlin, which is 23:00 UTC in winter and 22:00 in summer.
const MOMENTS: &str =
    "(1, '2024-02-27 22:59:59'), (2, '2024-02-27 23:00:00'), (3, '2024-02-28 22:59:59'), (4, '2024-02-28 23:00:00')";

async fn databases() -> [Database; 2] {
    let postgres = format!(
        "create table moments (id int, at timestamptz, local timestamp); set timezone = 'UTC'; insert into moments values {MOMENTS};
        update moments set local = at"
    );
    let mysql = format!(
        "create table moments (id int, at timestamp null, local datetime); set time_zone = '+00:00';
        insert into moments (id, at) values {MOMENTS}; update moments set local = at"
    );
    [Database::postgres(&postgres, Limits::default()).await, Database::mysql(&mysql, Limits::default()).await]
}

async fn ask(database: &Database, rows: RowAccess, question: &Query) -> Value {
    let catalog = Catalog::new(vec![table("moments", rows, &[])]);
    let answer = database.engine.run(&database.source, &catalog, &viewer("2024-02-28"), question).await;
    json!(answer.unwrap_or_else(|problem| panic!("{} {question:?}\n{}", database.source.kind, problem.detail())).rows)
}

#[tokio::test]
async fn filters_of_moments_count_the_viewers_days() {
    for database in databases().await {
        for (zone, value, ids) in [
            (Tz::UTC, json!({"relative": "today"}), json!([[3], [4]])),
            (Tz::Europe__Berlin, json!({"relative": "today"}), json!([[2], [3]])),
            (Tz::Europe__Berlin, json!({"from": "2024-02-28T00:00:00", "to": "2024-02-29"}), json!([[2], [3]])),
            (Tz::Europe__Berlin, json!({"from": "2024-02-28T00:00:00Z"}), json!([[3], [4]])),
            (Tz::America__New_York, json!({"to": "2024-02-28"}), json!([[1], [2]])),
        ] {
            let filters = vec![filter("moments", "at", value.clone())];
            let question = Query { filters, zone, ..query("select id from moments order by id") };
            assert_eq!(ask(&database, RowAccess::All, &question).await, ids, "{} {zone} {value}", database.source.kind);
        }
        // Values without a zone have the same days for everyone.
        let filters = vec![filter("moments", "local", json!({"relative": "today"}))];
        let question = Query { filters, zone: Tz::Europe__Berlin, ..query("select id from moments order by id") };
        assert_eq!(ask(&database, RowAccess::All, &question).await, json!([[3], [4]]));
        database.remove().await;
    }
}

#[tokio::test]
async fn charts_group_moments_by_the_viewers_days_and_show_its_clock() {
    for database in databases().await {
        let sql = if database.is_postgres() {
            "select date_trunc('day', at)::date as day, count(*), min(at) from moments group by 1 order by 1"
        } else {
            "select date(at) as day, count(*), min(at) from moments group by 1 order by 1"
        };
        let berlin = Query { zone: Tz::Europe__Berlin, ..query(sql) };
        let expected = json!([
            ["2024-02-27", 1, "2024-02-27T23:59:59+01:00"],
            ["2024-02-28", 2, "2024-02-28T00:00:00+01:00"],
            ["2024-02-29", 1, "2024-02-29T00:00:00+01:00"]
        ]);
        assert_eq!(ask(&database, RowAccess::All, &berlin).await, expected, "{}", database.source.kind);
        // In another zone the query is another one, and the connection uses UTC again.
        let expected = json!([["2024-02-27", 2, "2024-02-27T22:59:59Z"], ["2024-02-28", 2, "2024-02-28T22:59:59Z"]]);
        assert_eq!(ask(&database, RowAccess::All, &query(sql)).await, expected, "{}", database.source.kind);
        database.remove().await;
    }
}

#[tokio::test]
async fn no_choice_of_a_zone_moves_a_rule() {
    for database in databases().await {
        let day = if database.is_postgres() { "cast(at as date)" } else { "date(at)" };
        for text in [
            format!("{day} = {{{{organization.company}}}}"),
            "at >= {{organization.company}}".to_owned(),
            "at >= '2024-02-28' and at < {{organization.company}} or at >= '2024-02-28'".to_owned(),
        ] {
            for zone in [Tz::UTC, Tz::Europe__Berlin, Tz::Pacific__Kiritimati, Tz::America__Los_Angeles] {
                let question = Query { zone, ..query("select id from moments order by id") };
                let ids = ask(&database, rule(&text), &question).await;
                assert_eq!(ids, json!([[3], [4]]), "{} {text} {zone}", database.source.kind);
            }
        }
        database.remove().await;
    }
}

#[tokio::test]
async fn a_zone_that_the_server_has_no_table_of_leaves_utc() {
    // The test's MariaDB only knows Berlin.
    let [postgres, database] = databases().await;
    let question =
        Query { zone: Tz::Asia__Tokyo, ..query("select date(at) as day, count(*) from moments group by 1 order by 1") };
    assert_eq!(ask(&database, RowAccess::All, &question).await, json!([["2024-02-27", 2], ["2024-02-28", 2]]));
    postgres.remove().await;
    database.remove().await;
}
