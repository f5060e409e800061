//! Results: rows, values, types, filters, limits. On both databases.

use crate::databases::{Database, SCHEMA, catalog, filter, query, viewer};
use inlay_contract::data::ColumnType;
use inlay_query::{Freshness, Limits, Query};
use serde_json::{Value, json};

#[tokio::test]
async fn each_company_gets_its_own_rows_whatever_its_name() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        for (company, ids) in [
            ("acme", json!([[1], [2], [3], [4]])),
            ("globex", json!([[11], [12]])),
            ("O'Brien \"& Sons\" \\ 50% -- ; é", json!([[21]])),
            ("' OR '1'='1", json!([[31]])),
            ("null", json!([[42]])),
            ("", json!([])),
            ("ACME", json!([])),
        ] {
            for sql in
                ["select id from orders order by id", "select id from orders where 1 = 1 or company_id <> 'x' order by id"]
            {
                assert_eq!(json!(database.rows(company, sql).await), ids, "{company}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn values_and_types_are_the_databases() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        let sql = "select id, region, amount, placed, count(*) over () as n, id > 1 as later from orders order by id";
        let answer = database.ask(&viewer("acme"), &query(sql)).await.expect("an answer");
        let names: Vec<_> = answer.columns.iter().map(|column| &*column.name).collect();
        assert_eq!(names, ["id", "region", "amount", "placed", "n", "later"]);
        let kinds: Vec<_> = answer.columns.iter().map(|column| column.kind).collect();
        use ColumnType::{Boolean, Date, Number, Text};
        let truth = if database.is_postgres() { Boolean } else { Number };
        assert_eq!(kinds, [Number, Text, Number, Date, Number, truth]);
        let (no, yes) = if database.is_postgres() { (json!(false), json!(true)) } else { (json!(0), json!(1)) };
        assert_eq!(
            json!(answer.rows),
            json!([
                [1, "north", 10.5, "2024-01-15", 4, no],
                [2, "north", 20, "2024-02-01", 4, yes],
                [3, "south", null, "2024-02-27", 4, yes],
                [4, null, 40, "2024-02-28", 4, yes]
            ])
        );
        assert!(!answer.truncated && !answer.cached);
    })
    .await;
}

#[tokio::test]
async fn an_empty_answer_has_its_columns() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        let answer =
            database.ask(&viewer("nobody"), &query("select id, region as r, placed from orders")).await.expect("an answer");
        assert!(answer.rows.is_empty());
        let columns: Vec<_> = answer.columns.iter().map(|column| (&*column.name, column.kind)).collect();
        assert_eq!(columns, [("id", ColumnType::Number), ("r", ColumnType::Text), ("placed", ColumnType::Date)]);
    })
    .await;
}

#[tokio::test]
async fn columns_of_one_name_are_all_kept() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        let sql = "select o.id, r.id, 'x' as id from orders o cross join rates r where o.id = 1 order by 2";
        assert_eq!(json!(database.rows("acme", sql).await), json!([[1, 1, "x"], [1, 2, "x"]]));
    })
    .await;
}

#[tokio::test]
async fn filters_narrow() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        let all = "select id from orders order by id";
        for (column, value, ids) in [
            ("region", json!("north"), json!([1, 2])),
            ("region", json!(["south", "none"]), json!([3])),
            ("region", json!([]), json!([])),
            ("company_id", json!("globex"), json!([])),
            ("amount", json!(20), json!([2])),
            ("amount", json!("20"), json!([2])),
            ("amount", json!([10.5, 40]), json!([1, 4])),
            ("amount", json!("abc"), json!([])),
            ("amount", json!(["abc", 20]), json!([2])),
            ("amount", json!({"from": 20}), json!([2, 4])),
            ("amount", json!({"from": 10, "to": 20}), json!([1])),
            ("id", json!(2.5), json!([])),
            ("id", json!({"from": 1.5, "to": 3.5}), json!([2, 3])),
            ("placed", json!("2024-02-01"), json!([2])),
            ("placed", json!({"from": "2024-02-01", "to": "2024-02-28"}), json!([2, 3])),
            ("placed", json!({"to": "2024-02-01"}), json!([1])),
            ("placed", json!({"from": "9999-01-01"}), json!([])),
            ("placed", json!({"relative": "last_7_days"}), json!([3, 4])),
            ("placed", json!({"relative": "yesterday"}), json!([3])),
            ("placed", json!({"relative": "previous_month"}), json!([1])),
        ] {
            let kept = database.filtered(all, vec![filter("orders", column, value.clone())]).await;
            assert_eq!(json!(kept), ids, "{} {column} {value}", database.source.kind);
        }
        let two = vec![filter("orders", "region", json!("north")), filter("orders", "placed", json!({"from": "2024-02-01"}))];
        assert_eq!(json!(database.filtered(all, two).await), json!([2]));
        let other = vec![filter("orders", "region", json!("north")), filter("nowhere", "x", json!(1))];
        assert_eq!(json!(database.filtered("select count(*) from rates", other).await), json!([2]));
        let aggregate = vec![filter("orders", "region", json!("north"))];
        assert_eq!(json!(database.filtered("select count(*) from orders", aggregate).await), json!([2]));
    })
    .await;
}

#[tokio::test]
async fn days_with_a_time_are_filtered_by_day() {
    let script = "create table orders (id integer, company_id text, region text, at timestamp, written text);
        insert into orders values (1, 'acme', 'x', '2024-02-27 23:59:59', '2024-02-27 23:59:59'),
            (2, 'acme', 'x', '2024-02-28 00:00:00', '2024-02-28 00:00:00'), (3, 'acme', 'x', '2024-02-28 23:00:00', '2024-02-28'),
            (4, 'acme', 'x', '2024-02-29 00:00:00', '2024-02-29');";
    Database::each(script, Limits::default(), async |database| {
        for column in ["at", "written"] {
            for value in [json!({"relative": "today"}), json!({"from": "2024-02-28", "to": "2024-02-29"})] {
                let kept = database.filtered("select id from orders order by id", vec![filter("orders", column, value)]).await;
                assert_eq!(json!(kept), json!([2, 3]), "{} {column}", database.source.kind);
            }
        }
        let answer = database.ask(&viewer("acme"), &query("select at from orders where id = 1")).await.expect("an answer");
        assert_eq!(answer.columns[0].kind, ColumnType::Timestamp);
        let separator = if database.is_sqlite() { " " } else { "T" };
        assert_eq!(json!(answer.rows), json!([[format!("2024-02-27{separator}23:59:59")]]));
    })
    .await;
}

#[tokio::test]
async fn a_large_result_has_all_its_rows_in_order() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        let text = "x".repeat(200);
        let sql = format!("with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000) select i, '{text}' as t from n order by i");
        let answer = database.ask(&viewer("acme"), &query(&sql)).await.expect("an answer");
        let wrong = answer.rows.iter().zip(1..).find(|(row, number)| json!(row) != json!([number, text]));
        assert_eq!((answer.rows.len(), answer.truncated, wrong), (5_000, false, None));
    })
    .await;
}

#[tokio::test]
async fn too_many_rows_and_bytes_are_cut_and_said_so() {
    let limits = Limits { rows: 3, ..Limits::default() };
    Database::each(SCHEMA, limits, async |database| {
        let answer = database.ask(&viewer("acme"), &query("select id from orders order by id")).await.expect("an answer");
        assert_eq!((json!(answer.rows), answer.truncated), (json!([[1], [2], [3]]), true));
        // A table has all its columns, however low the row limit is.
        assert_eq!(database.engine.describe(&database.source, "orders").await.expect("columns").len(), 6);
        let answer = database.ask(&viewer("acme"), &query("select id from orders where id < 4")).await.expect("an answer");
        assert_eq!((answer.rows.len(), answer.truncated), (3, false));
    })
    .await;
    let limits = Limits { bytes: 100, ..Limits::default() };
    Database::each(SCHEMA, limits, async |database| {
        let wide = "select id, replace('aaaaaaaaaa', 'a', 'bbbbb') as b from orders order by id";
        let answer = database.ask(&viewer("acme"), &query(wide)).await.expect("an answer");
        assert_eq!((answer.rows.len(), answer.truncated), (1, true));
        let one = "select replace(replace('aaaaaaaaaa', 'a', 'bbbbb'), 'b', 'ccccc') as c from orders";
        let answer = database.ask(&viewer("acme"), &query(one)).await.expect("an answer");
        assert_eq!((answer.rows.len(), answer.truncated), (0, true));
    })
    .await;
}

#[tokio::test]
async fn choices_are_the_viewers_own() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        let choices = async |company: &str, column: &str, filters: &[_]| {
            let Database { engine, source, .. } = database;
            let day = crate::databases::today();
            engine.choices(source, &catalog(), &viewer(company), "orders", column, filters, day, 10).await
        };
        let found = async |company: &str, filters: &[_]| {
            let found = choices(company, "region", filters).await.expect("choices");
            found.into_iter().map(|choice| json!([choice.value, choice.count])).collect::<Value>()
        };
        assert_eq!(found("acme", &[]).await, json!([["north", 2], ["south", 1]]));
        assert_eq!(found("globex", &[]).await, json!([["MARK", 1], ["north", 1]]));
        let narrow = [filter("orders", "placed", json!({"from": "2024-02-01"}))];
        assert_eq!(found("acme", &narrow).await, json!([["north", 1], ["south", 1]]));
        for column in ["margin", "MARGIN", "nothing", "region\" from unlisted --"] {
            assert_eq!(
                choices("acme", column, &[]).await.map_err(|problem| problem.code().as_str()),
                Err("QUERY_FAILED"),
                "{column}"
            );
        }
    })
    .await;
}

#[tokio::test]
async fn the_ends_of_a_range_are_the_viewers_own() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        let Database { engine, source, .. } = database;
        let ends = async |company: &str, column: &str| {
            engine
                .ends(source, &catalog(), &viewer(company), "orders", column, (crate::databases::today(), Freshness::default()))
                .await
        };
        let days = async |company: &str| {
            let (least, greatest) = ends(company, "placed").await.expect("ends");
            [least, greatest].map(|day| day.as_str().map(|day| day[..10].to_owned()))
        };
        let all = "select min(placed) as a, max(placed) as b from orders";
        for company in ["acme", "globex"] {
            let rows = database.ask(&viewer(company), &query(all)).await.expect("an answer").rows;
            let day = |at: usize| rows[0][at].as_str().map(|day| day[..10].to_owned());
            assert_eq!(days(company).await, [day(0), day(1)], "{company}");
        }
        // Their days are the same, their orders are not.
        let (acme, globex) = (ends("acme", "id").await.expect("ends"), ends("globex", "id").await.expect("ends"));
        assert_ne!(acme, globex);
        assert_eq!(days("nobody").await, [None, None]);
        for column in ["margin", "MARGIN", "nothing", "placed\" from unlisted --"] {
            let refused = ends("acme", column).await.map_err(|problem| problem.code().as_str());
            assert_eq!(refused.err(), Some("QUERY_FAILED"), "{column}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_source_tells_its_columns_and_whether_it_answers() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        let Database { engine, source, .. } = database;
        engine.check(source).await.expect("it answers");
        let columns = engine.describe(source, "orders").await.expect("columns");
        let columns: Vec<_> = columns.iter().map(|column| (&*column.name, column.kind)).collect();
        use ColumnType::{Date, Number, Text};
        let all =
            [("id", Number), ("company_id", Text), ("region", Text), ("amount", Number), ("placed", Date), ("margin", Number)];
        assert_eq!(columns, all);
        for missing in ["nothing", "other.orders", "a.b.c", "", "orders\0"] {
            assert_eq!(
                engine.describe(source, missing).await.map_err(|problem| problem.code().as_str()),
                Err("QUERY_FAILED"),
                "{missing}"
            );
        }
        database.execute("alter table rates add column note text").await;
        assert_eq!(engine.describe(source, "rates").await.expect("columns").len(), 4);
    })
    .await;
}

#[tokio::test]
async fn explaining_shows_no_value() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        let Database { engine, source, .. } = database;
        let query =
            Query { filters: vec![filter("orders", "region", json!("secret-region"))], ..query("select id from orders") };
        let sql = engine.explain(source, &catalog(), &viewer("secret-company"), &query).await.expect("SQL");
        assert!(sql.contains("$2") && !sql.contains("secret"), "{sql}");
    })
    .await;
}

#[tokio::test]
async fn an_operator_sees_every_table_with_its_columns_and_first_rows() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        let Database { engine, source, .. } = database;
        let tables = engine.tables(source).await.expect("tables");
        let named = |name: &str| tables.iter().find(|table| table.name == name);
        assert_eq!(named("orders").expect("orders").columns, engine.describe(source, "orders").await.expect("columns"));
        assert!(named("unlisted").is_some(), "what the catalogue does not list is there to be chosen: {tables:?}");
        let own = |name: &str| ["sqlite_", "pg_", "information_schema"].iter().any(|own| name.contains(own));
        assert!(tables.iter().all(|table| !own(&table.name)), "the database's own tables are left out: {tables:?}");
        let sample = engine.sample(source, "unlisted", 1).await.expect("rows");
        assert_eq!((sample.rows.len(), sample.columns.len()), (1, named("unlisted").map_or(0, |table| table.columns.len())));
        for missing in ["nothing", "orders; drop table orders", "", "a.b.c"] {
            let refused = engine.sample(source, missing, 1).await.map_err(|problem| problem.code().as_str()).err();
            assert_eq!(refused, Some("QUERY_FAILED"), "{missing}");
        }
    })
    .await;
}
