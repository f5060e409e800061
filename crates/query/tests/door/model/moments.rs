//! Moments with hours, and periods that count from the newest row, on real databases.

use super::{asking::model_of, compiled_query, limits};
use crate::databases::{Database, rule, table, viewer};
use chrono::NaiveDate;
use inlay_contract::filter::FilterValue;
use inlay_query::{Catalog, ComparedPeriod, Model, Narrowing, SourceKind, compile_narrowed};
use serde_json::{Value, json};

/// Newer rows of another company would move the period, and would show.
const SCRIPT: &str = "create table events (company_id varchar(20), moment timestamp, pieces integer);
    insert into events values
    ('acme', '2024-03-08 09:15:00', 1), ('acme', '2024-03-09 23:59:59', 2), ('acme', '2024-03-10 00:00:00', 4),
    ('acme', '2024-03-11 18:30:00', 8), ('acme', '2024-03-12 09:45:00', 16), ('acme', null, 32), ('globex', '2024-03-20 09:00:00', 1000);";

fn model() -> Model {
    let events = json!({"time": "moment", "measures": {"pieces": {"aggregate": "sum", "of": "pieces"}}});
    model_of([("events", "moment pieces company_id", events)], json!({}))
}

async fn rows(database: &Database, asked: Value, period: Option<Value>) -> Vec<Vec<Value>> {
    let period = period.map(|period| FilterValue::from_json(period).expect("a value"));
    rows_under(database, asked, Narrowing { period, ..Narrowing::default() }).await
}

async fn rows_under(database: &Database, asked: Value, narrowing: Narrowing) -> Vec<Vec<Value>> {
    let asked = serde_json::from_value(asked).expect("a query");
    let today = NaiveDate::from_ymd_opt(2025, 2, 11).expect("a day");
    let compiled = compile_narrowed(database.source.kind, &model(), &asked, narrowing, today).expect("a meaning");
    let catalog = Catalog::new(vec![table("events", rule("company_id = {{organization.company}}"), &[])]);
    let answer = database.engine.run(&database.source, &catalog, &viewer("acme"), &compiled_query(&compiled.sql)).await;
    // Sums are texts where the database says so.
    let plain = |value: Value| match value.as_str().map(str::parse::<i64>) {
        Some(Ok(number)) => json!(number),
        _ => value,
    };
    let answer = answer.unwrap_or_else(|problem| panic!("{}\n{}", problem.detail(), compiled.sql));
    answer.rows.into_iter().map(|row| row.into_iter().map(plain).collect()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn hours_and_days_of_the_week_are_read_of_moments() {
    Database::each(SCRIPT, limits(), async |database| {
        let by = |cycle: &str| json!({"measures": ["pieces"], "dimensions": [{"name": "time", "cycle": cycle}]});
        let found = rows(database, by("hour"), None).await;
        assert_eq!(json!(found), json!([[0, 4], [9, 17], [18, 8], [23, 2], [null, 32]]), "{}", database.source.kind);
        let found = rows(database, by("weekday"), None).await;
        assert_eq!(json!(found), json!([["Mon", 8], ["Tue", 16], ["Fri", 1], ["Sat", 2], ["Sun", 4], [null, 32]]));
        let found = rows(database, by("partOfWeek"), None).await;
        assert_eq!(json!(found), json!([["Weekday", 25], ["Weekend", 6], [null, 32]]));
        let office = json!({"measures": ["pieces"], "filters": [{"dimension": "time", "cycle": "hour", "value": {"from": 9, "to": 18}}]});
        assert_eq!(json!(rows(database, office, None).await), json!([[17]]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_period_counts_from_the_newest_row_that_the_viewer_may_see() {
    Database::each(SCRIPT, limits(), async |database| {
        let last = |period: &str| {
            json!({"measures": ["pieces"], "filters": [{"dimension": "time", "value": {"relative": period}, "newest": true}]})
        };
        for (period, pieces) in [
            ("today", 16),
            ("yesterday", 8),
            ("last_2_days", 24),
            ("last_1_weeks", 31),
            ("last_1_months", 31),
            ("this_week", 24),
            ("previous_week", 7),
            ("this_month", 31),
            ("this_year", 31),
        ] {
            assert_eq!(json!(rows(database, last(period), None).await), json!([[pieces]]), "{} {period}", database.source.kind);
        }
        let none = rows(database, last("previous_month"), None).await;
        assert_eq!(json!(none), json!([[null]]));
        // A filter leaves fewer rows, and another newest one.
        let mut before = last("last_2_days");
        before["filters"].as_array_mut().expect("filters").push(json!({"dimension": "time", "value": {"to": "2024-03-11"}}));
        assert_eq!(json!(rows(database, before, None).await), json!([[6]]));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_period_from_outside_with_one_end_moves_the_newest_row_or_cuts_both_periods() {
    Database::each(SCRIPT, limits(), async |database| {
        let asked = || {
            json!({"measures": ["pieces"], "compare": "previous",
                "filters": [{"dimension": "time", "value": {"relative": "last_2_days"}, "newest": true}]})
        };
        for (period, pieces) in [
            (None, json!([[24, 6]])),
            (Some(json!({"to": "2024-03-12"})), json!([[12, 3]])),
            (Some(json!({"from": "2024-03-12"})), json!([[16, 4]])),
            (Some(json!({"from": "2024-03-01"})), json!([[24, 6]])),
            // With both ends it takes the period's place.
            (Some(json!({"from": "2024-03-10", "to": "2024-03-11"})), json!([[4, 2]])),
        ] {
            assert_eq!(json!(rows(database, asked(), period.clone()).await), pieces, "{} {period:?}", database.source.kind);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_earlier_period_has_as_many_days_as_those_with_data() {
    Database::each(SCRIPT, limits(), async |database| {
        let period = json!({"from": "2024-03-10", "to": "2024-03-14"});
        let asked = json!({"measures": ["pieces"], "compare": "previous", "filters": [{"dimension": "time", "value": period}]});
        let found = async |elapsed| rows_under(database, asked.clone(), Narrowing { elapsed, ..Narrowing::default() }).await;
        assert_eq!(json!(found(None).await), json!([[28, 3]]), "{}", database.source.kind);
        assert_eq!(json!(found(Some(3)).await), json!([[28, 1]]), "the 9th has no counterpart yet: {}", database.source.kind);
        assert_eq!(json!(found(Some(9)).await), json!([[28, 3]]), "never more than the period");
        assert_eq!(json!(found(Some(0)).await), json!([[28, null]]), "{}", database.source.kind);
    })
    .await;
}

#[test]
fn the_period_that_is_compared_is_known_unless_it_counts_from_the_newest_row() {
    let day = |text: &str| text.parse::<NaiveDate>().expect("a day");
    let today = day("2024-03-14");
    let compared = |more: Value| {
        let mut asked =
            json!({"measures": ["pieces"], "filters": [{"dimension": "time", "value": {"relative": "last_7_days"}}]});
        more.as_object().expect("fields").iter().for_each(|(field, value)| asked[field] = value.clone());
        let asked = serde_json::from_value(asked).expect("a query");
        ComparedPeriod::of(SourceKind::Sqlite, &model(), &asked, today).expect("a meaning")
    };
    assert!(compared(json!({})).is_none(), "it compares nothing");
    let week = compared(json!({"compare": "previous"})).expect("a period");
    assert_eq!(week.times, [("events".to_owned(), "moment".to_owned())]);
    let outside = |period: Value| {
        let period = Some(FilterValue::from_json(period).expect("a value"));
        Narrowing { period, ..Narrowing::default() }
    };
    assert_eq!(week.days(&Narrowing::default(), today), Some((day("2024-03-08"), day("2024-03-15"))));
    let month = outside(json!({"relative": "this_month"}));
    assert_eq!(week.days(&month, today), Some((day("2024-03-01"), day("2024-04-01"))), "that of a filter of the page counts");
    assert_eq!(week.earlier_days(&Narrowing::default(), today, 6), Some(6));
    let march = [1, 14, 29, 30].map(|elapsed| week.earlier_days(&month, today, elapsed));
    assert_eq!(march, [Some(1), Some(14), Some(29), Some(29)], "February has 29 days");
    let newest = json!([{"dimension": "time", "value": {"relative": "last_7_days"}, "newest": true}]);
    let newest = compared(json!({"compare": "previous", "filters": newest})).expect("a period");
    assert_eq!(newest.days(&Narrowing::default(), today), None);
    assert_eq!(newest.days(&outside(json!({"from": "2024-03-01"})), today), None);
    assert_eq!(newest.days(&month, today), Some((day("2024-03-01"), day("2024-04-01"))));
}
