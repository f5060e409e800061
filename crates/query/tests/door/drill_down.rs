//! The rows behind a mark, on every database: exactly those, whatever the query reads.

use crate::databases::{Database, SCHEMA, catalog, query, viewer};
use inlay_contract::{data::ColumnType, filter::FilterValue, model::ModelOrder};
use inlay_query::{Limits, Listing, Query, SourceKind, shape};
use serde_json::{Value, json};

/// The ids of the rows behind the mark of a value, for a viewer of acme. `None`: rows without a value.
async fn behind(database: &Database, sql: &str, value: Value) -> Vec<i64> {
    let shape = shape(database.source.kind, sql, &catalog()).expect("it runs").unwrap_or_else(|| panic!("no shape: {sql}"));
    let answered = match &value {
        Value::Number(_) => ColumnType::Number,
        _ => ColumnType::Text,
    };
    let value = (!value.is_null()).then(|| FilterValue::from_json(value).expect("a value"));
    let rows = if shape.table().is_some() { shape.rows(&["id".to_owned()], 50) } else { shape.all(50) };
    let question = Query { behind: vec![shape.groups[0].condition(value, answered)], ..query(&rows) };
    let answer = database.ask(&viewer("acme"), &question).await.unwrap_or_else(|problem| panic!("{sql}: {problem:?}"));
    let id = answer.columns.iter().position(|column| column.name == "id").expect("an id");
    let mut ids: Vec<i64> = answer.rows.iter().filter_map(|row| row[id].as_i64()).collect();
    ids.sort_unstable();
    ids
}

#[tokio::test]
async fn a_mark_keeps_its_own_rows() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        for (sql, value, wanted) in [
            ("select region, count(*) as n from orders group by region", json!("north"), vec![1, 2]),
            ("select region, count(*) as n from orders group by region", Value::Null, vec![4]),
            ("select amount, count(*) as n from orders group by amount", json!(10.5), vec![1]),
            ("select placed, count(*) as n from orders group by placed", json!("2024-02-27"), vec![3]),
            // A filter of the table would also narrow its other uses.
            (
                "select x.region, count(*) as n from orders x join orders y on y.id = x.id + 1 group by x.region",
                json!("south"),
                vec![3],
            ),
            (
                "select region, count(*) as n from orders where amount < (select max(amount) from orders) group by region",
                json!("north"),
                vec![1, 2],
            ),
            (
                "with mine as (select * from orders where amount > 11) select region, count(*) as n from mine group by region",
                json!("north"),
                vec![2],
            ),
            (
                "select l.loud, count(*) as n from (select id, upper(region) as loud from orders) l group by l.loud",
                json!("NORTH"),
                vec![1, 2],
            ),
            (
                "with l as (select id, amount * 2 as twice from orders) select twice, count(*) as n from l group by twice",
                json!(21),
                vec![1],
            ),
        ] {
            assert_eq!(behind(database, sql, value).await, wanted, "{:?}: {sql}", database.source.kind);
        }
    })
    .await;
}

#[tokio::test]
async fn a_period_keeps_its_own_days() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        let month = match database.source.kind {
            SourceKind::Sqlite => "strftime('%Y-%m-01', placed)",
            SourceKind::Mysql => "date_format(placed, '%Y-%m-01')",
            _ => "date_trunc('month', placed)",
        };
        let period = json!({"from": "2024-02-01", "to": "2024-03-01"});
        for sql in [
            format!("select {month} as month, count(*) as n from orders group by 1"),
            format!("with d as (select id, placed from orders) select {month} as month, count(*) as n from d group by 1"),
        ] {
            assert_eq!(behind(database, &sql, period.clone()).await, [2, 3, 4], "{:?}: {sql}", database.source.kind);
        }
    })
    .await;
}

#[tokio::test]
async fn values_are_bound_whatever_they_hold() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        for value in ["' OR '1'='1", "north' --", "x\"; drop table orders", "\\' or 1=1 #"] {
            let sql = "select region, count(*) as n from orders group by region";
            assert_eq!(behind(database, sql, json!(value)).await, Vec::<i64>::new(), "{value}");
            let made =
                "with l as (select id, upper(region) as loud from orders) select loud, count(*) as n from l group by loud";
            assert_eq!(behind(database, made, json!(value)).await, Vec::<i64>::new(), "{value}");
        }
    })
    .await;
}

#[tokio::test]
async fn lists_are_ordered_and_counted_by_the_database() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        let kind = database.source.kind;
        let shape = shape(kind, "select count(*) as n, sum(amount) as total from orders", &catalog()).expect("it runs");
        let shape = shape.expect("a shape");
        let ask = async |sql: String| {
            database.ask(&viewer("acme"), &query(&sql)).await.unwrap_or_else(|problem| panic!("{kind:?} {sql}: {problem:?}"))
        };
        let order = |by: &str, descending| ModelOrder { by: by.to_owned(), descending };
        let columns = ["id".to_owned(), "region".to_owned()];
        let listing = Listing::Rows(&columns);
        for descending in [false, true] {
            let first = ask(shape.list(listing, Some(&order("id", descending)), &[], 2)).await;
            let ids: Vec<i64> = first.rows.iter().filter_map(|row| row[0].as_i64()).collect();
            assert_eq!(ids, if descending { [4, 3] } else { [1, 2] }, "{kind:?}");
            let last = ask(shape.list(listing, Some(&order("region", descending)), &[], 50)).await;
            assert_eq!(last.rows.last().map(|row| row[0].clone()), Some(json!(4)), "{kind:?}: no region comes last");
        }
        let counted = async |listing: Listing<'_>| match &ask(shape.count(listing)).await.rows[0][0] {
            Value::String(text) => text.parse().expect("a number"),
            number => number.as_u64().expect("a number"),
        };
        assert_eq!(
            [counted(listing).await, counted(Listing::All).await, counted(Listing::By("region")).await],
            [4, 4, 3],
            "{kind:?}"
        );
        let values = ask(shape.list(Listing::By("region"), Some(&order("n", true)), &[], 1)).await;
        assert_eq!(values.rows[0][0], json!("north"), "{kind:?}");
    })
    .await;
}
