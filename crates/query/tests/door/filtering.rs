//! A page's filters affect the tables that a chart reads, anywhere in its query, and leave every other chart alone.

use crate::databases::{Database, SCHEMA, catalog, filter, query, rule, table, viewer};
use inlay_query::{Catalog, Filter, Limits, Query, RowAccess, tables_read};
use serde_json::json;

fn north() -> Filter {
    filter("orders", "region", json!("north"))
}

#[tokio::test]
async fn a_filter_narrows_a_table_wherever_it_stands() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        for (sql, expected) in [
            ("select count(*) from orders", json!([2])),
            ("with c as (select * from orders) select count(*) from c", json!([2])),
            ("with c as (select * from orders), d as (select * from c) select count(*) from d", json!([2])),
            ("with orders as (select * from orders) select count(*) from orders", json!([2])),
            ("select count(*) from (select * from (select * from orders) a) b", json!([2])),
            ("select (select count(*) from orders)", json!([2])),
            ("select count(*) from rates where exists (select 1 from orders)", json!([2])),
            ("select count(*) from rates where id in (select id from orders)", json!([2])),
            ("select count(*) from orders a join orders b on a.id = b.id", json!([2])),
            ("select count(*) from (select id from orders union select id from orders) u", json!([2])),
            ("select count(*) from (select id from orders except select id from orders) u", json!([0])),
            ("select max(n) from (select count(*) over () as n from orders) w", json!([2])),
            (
                "with recursive w(n) as (select count(*) from orders union all select n + 1 from w where n < 3) select max(n) from w",
                json!([3]),
            ),
        ] {
            assert_eq!(json!(database.filtered(sql, vec![north()]).await), expected, "{} {sql}", database.source.kind);
        }
    })
    .await;
}

#[tokio::test]
async fn a_chart_that_does_not_read_the_filters_table_is_left_alone() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        for sql in [
            "select count(*) from rates",
            // The names are those of parts of WITH, not of the table.
            "with orders as (select * from rates) select count(*) from orders",
            "with orders as (select name as region, id from rates) select count(*) from orders where region <> 'x'",
            "with orders(id, region) as (select 1, 'south' union all select 2, 'west') select count(*) from orders",
            "select count(*) from rates as orders",
            "select count(*) from (select name as region from rates) as orders",
        ] {
            assert_eq!(json!(database.filtered(sql, vec![north()]).await), json!([2]), "{} {sql}", database.source.kind);
            let read = tables_read(database.source.kind, sql, &catalog()).expect("it is read");
            assert!(!read.contains("orders"), "{sql}: {read:?}");
        }
        // It is not requested again: the query is the same with and without the filter.
        let plain = query("select count(*), 'same' from rates");
        database.ask(&viewer("acme"), &plain).await.expect("an answer");
        let filtered = Query { filters: vec![north()], ..plain };
        assert!(database.ask(&viewer("acme"), &filtered).await.expect("an answer").cached);
    })
    .await;
}

#[tokio::test]
async fn a_part_of_with_shields_its_name_only_where_it_is_in_scope() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        let sql = "select (with orders as (select 1 as id) select count(*) from orders), (select count(*) from orders)";
        let answer = database.ask(&viewer("acme"), &Query { filters: vec![north()], ..query(sql) }).await.expect("an answer");
        assert_eq!(json!(answer.rows), json!([[1, 2]]));
    })
    .await;
}

#[tokio::test]
async fn views_are_tables_of_their_own() {
    let script = format!("{SCHEMA}; create view by_region as select region, count(*) as n from orders group by region");
    Database::each(&script, Limits::default(), async |database| {
        let catalog = Catalog::new(vec![
            table("orders", rule("company_id = {{organization.company}}"), &[]),
            table("by_region", RowAccess::All, &[]),
        ]);
        let ask = async |filters: Vec<Filter>| {
            let question = Query { filters, ..query("select n from by_region where region = 'MARK'") };
            let answer = database.engine.run(&database.source, &catalog, &viewer("acme"), &question).await;
            json!(answer.expect("an answer").rows)
        };
        // A view's content belongs to the database's owner: a filter on the underlying table does not affect it.
        assert_eq!(ask(vec![north()]).await, json!([[3]]));
        assert_eq!(ask(vec![filter("by_region", "region", json!("north"))]).await, json!([]));
    })
    .await;
}

#[tokio::test]
async fn several_filters_narrow_together_and_each_only_its_own_table() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        let sql = "select count(*) from orders o cross join rates r";
        let filters =
            [north(), filter("rates", "name", json!(["EUR", "x' or 1=1 --"])), filter("orders", "id", json!({"to": 2}))];
        for (taken, expected) in [(1, 4), (2, 2), (3, 1)] {
            assert_eq!(json!(database.filtered(sql, filters[..taken].to_vec()).await), json!([expected]), "{taken}");
        }
    })
    .await;
}
