//! SQLite's peculiarities.

use crate::databases::{Database, SCHEMA, catalog, query, rule, table, viewer};
use inlay_contract::data::ColumnType;
use inlay_query::{Catalog, DatabaseAuth, Limits, Source};
use serde_json::json;

#[tokio::test]
async fn storage_classes_come_as_they_are() {
    let script = "create table rates (whole integer, half real, mixed, flag boolean, bytes blob, big integer);
        insert into rates values (1, 1.0, 'x', 1, x'00ff', 9223372036854775807), (2, 2.5, 3, 0, null, -1)";
    let database = Database::sqlite(script, Limits::default()).await;
    let answer = database.ask(&viewer("acme"), &query("select * from rates order by whole")).await.expect("an answer");
    let rows = json!([[1, 1.0, "x", true, "AP8=", i64::MAX], [2, 2.5, 3, false, null, -1]]);
    assert_eq!(json!(answer.rows).to_string(), rows.to_string());
    use ColumnType::{Boolean, Number, Text};
    assert_eq!(
        answer.columns.iter().map(|column| column.kind).collect::<Vec<_>>(),
        [Number, Number, Text, Boolean, Text, Number]
    );
    database.remove().await;
}

#[tokio::test]
async fn a_name_that_is_not_there_may_be_text_but_never_a_hidden_value() {
    let database = Database::sqlite(SCHEMA, Limits::default()).await;
    let rows = database.rows("acme", r#"select distinct "margin" from orders"#).await;
    assert_eq!(json!(rows), json!([["margin"]]));
    database.remove().await;
}

#[tokio::test]
async fn rules_compare_by_the_declared_type() {
    let script = "create table levels (id integer, level integer, tag text, loose);
        insert into levels values (1, 1, '1', 1), (2, 5, '5', 5), (3, 10, '10', '10'), (4, null, null, null)";
    let database = Database::sqlite(script, Limits::default()).await;
    let ask = async |text: &str, value: serde_json::Value| {
        let catalog = Catalog::new(vec![table("levels", rule(text), &[])]);
        let answer =
            database.engine.run(&database.source, &catalog, &viewer(value), &query("select id from levels order by id")).await;
        answer.map(|answer| json!(answer.rows)).map_err(|problem| problem.code().as_str())
    };
    let unresolved = Err("ROW_RULE_UNRESOLVED");
    for value in [json!(5), json!("5"), json!(5.0)] {
        assert_eq!(ask("level <= {{organization.company}}", value.clone()).await, Ok(json!([[1], [2]])), "{value}");
        assert_eq!(ask("tag = {{organization.company}}", value).await, Ok(json!([[2]])));
    }
    // In SQLite itself every number is less than any text.
    assert_eq!(ask("level <= {{organization.company}}", json!("high")).await, unresolved);
    assert_eq!(ask("not (level > {{organization.company}})", json!("high")).await, unresolved);
    assert_eq!(ask("loose <= {{organization.company}}", json!(5)).await, unresolved);
    assert_eq!(ask("cast(loose as text) = {{organization.company}}", json!(10)).await, Ok(json!([[3]])));
    assert_eq!(ask("level in ({{organization.company}})", json!([1, "10", 7])).await, Ok(json!([[1], [3]])));
    assert_eq!(ask("level in ({{organization.company}})", json!([])).await, Ok(json!([])));
    assert_eq!(ask("level not in ({{organization.company}})", json!([])).await, Ok(json!([])));
    assert_eq!(ask("level in ({{organization.company}})", json!([1, "x"])).await, unresolved);
    database.remove().await;
}

#[tokio::test]
async fn views_and_odd_names_are_wrapped_too() {
    let script = "create table \"my table\" (\"the 'id'\" integer, company_id text, \"from\" text);
        insert into \"my table\" values (1, 'acme', 'x'), (2, 'globex', 'y');
        create view overview as select company_id, count(*) as n from \"my table\" group by company_id";
    let database = Database::sqlite(script, Limits::default()).await;
    let own = rule("company_id = {{organization.company}}");
    let catalog = Catalog::new(vec![table("my table", own.clone(), &[]), table("overview", own, &[])]);
    for (sql, rows) in [
        ("select * from \"My Table\"", json!([[1, "acme", "x"]])),
        ("select \"the 'id'\", [from] from [my table] as `t`", json!([[1, "x"]])),
        ("select * from overview", json!([["acme", 1]])),
    ] {
        let answer = database.engine.run(&database.source, &catalog, &viewer("acme"), &query(sql)).await;
        assert_eq!(answer.map(|answer| json!(answer.rows)).map_err(|problem| problem.detail().to_owned()), Ok(rows), "{sql}");
    }
    database.remove().await;
}

#[tokio::test]
async fn a_column_whose_name_would_end_the_wrapper_is_left_out() {
    // The parser leaves a quote alone that stands behind a backslash, so this name would end the select list and comment out the rule.
    let script = r#"create table t ("id" integer, "customer" text, "x\" integer, "x\"" FROM main.t AS inlay_row --" integer,
            "a`b" integer);
        insert into t values (1, 'acme', 1, 1, 1), (2, 'globex', 2, 2, 2)"#;
    let database = Database::sqlite(script, Limits::default()).await;
    let catalog = Catalog::new(vec![table("t", rule("customer = 'acme'"), &[])]);
    for (sql, rows) in [("select id from t", json!([[1]])), ("select * from t", json!([[1, "acme"]]))] {
        let answer = database.engine.run(&database.source, &catalog, &viewer("acme"), &query(sql)).await;
        assert_eq!(answer.map(|answer| json!(answer.rows)).map_err(|problem| problem.detail().to_owned()), Ok(rows), "{sql}");
    }
    let tables = database.engine.tables(&database.source).await.expect("listed");
    let names: Vec<_> = tables[0].columns.iter().map(|column| &*column.name).collect();
    assert_eq!(names, ["id", "customer"]);
    database.remove().await;
}

#[tokio::test]
async fn the_file_stays_as_it_was() {
    let database = Database::sqlite(SCHEMA, Limits::default()).await;
    let path = database.source.url.trim_start_matches("sqlite:").to_owned();
    let before = std::fs::read(&path).expect("the file");
    for sql in ["select * from orders", "delete from orders", "create table x (a)", "pragma user_version = 5"] {
        drop(database.ask(&viewer("acme"), &query(sql)).await);
    }
    // A URL with other options is still opened read-only.
    let writing = Source { url: format!("{}?mode=rwc", database.source.url), ..database.source.clone() };
    assert!(database.engine.run(&writing, &catalog(), &viewer("acme"), &query("select * from orders")).await.is_ok());
    assert_eq!(std::fs::read(&path).expect("the file"), before);
    database.remove().await;
}

#[tokio::test]
async fn a_declared_database_auth_that_sqlite_cannot_hold_is_refused() {
    let database = Database::sqlite(SCHEMA, Limits::default()).await;
    let auth = DatabaseAuth::VerifiedByDatabase { setting: "app.tenant_id".into() };
    let source = Source { database_auth: Some(auth), ..database.source.clone() };
    let answer = database.engine.run(&source, &catalog(), &viewer("acme"), &query("select * from rates")).await;
    assert_eq!(answer.map_err(|problem| problem.code().as_str()).err(), Some("QUERY_FAILED"));
    database.remove().await;
}

#[tokio::test]
async fn is_compares_with_anything_null_included() {
    let script = "create table pairs (id integer, company_id text, a text, b text, n integer);
        insert into pairs values (1, 'acme', 'x', 'x', 1), (2, 'acme', 'x', 'y', 0), (3, 'acme', 'x', null, null),
            (4, 'acme', null, null, 1), (5, 'globex', 'x', 'x', 1), (6, null, null, null, 1)";
    let database = Database::sqlite(script, Limits::default()).await;
    let catalog = Catalog::new(vec![table("pairs", rule("company_id = {{organization.company}}"), &[])]);
    for (condition, ids) in [
        ("a is b", json!([1, 4])),
        ("a is not b", json!([2, 3])),
        ("a IS 'x'", json!([1, 2, 3])),
        ("a is not 'x'", json!([4])),
        ("b is upper(null)", json!([3, 4])),
        ("a is lower(upper(b)) and n is not 0", json!([1, 4])),
        ("a is not coalesce(b, 'x')", json!([2, 4])),
        ("b is (select max(p.b) from pairs p where p.id > pairs.id)", json!([3, 4])),
        ("n is 1", json!([1, 4])),
        // From left to right, like `=`.
        ("a is b = 1", json!([1, 4])),
        ("n = 1 is null", json!([3])),
        ("n is true", json!([1, 4])),
        ("n is not false", json!([1, 3, 4])),
        ("n is not null", json!([1, 2, 4])),
        ("b is distinct from a", json!([2, 3])),
        ("b is not distinct from a = 1", json!([1, 4])),
    ] {
        let sql = format!("select id from pairs where {condition} order by id");
        let answer = database.engine.run(&database.source, &catalog, &viewer("acme"), &query(&sql)).await;
        let told = answer.map(|answer| json!(answer.rows)).map_err(|problem| problem.detail().to_owned());
        let rows: Vec<_> = ids.as_array().expect("ids").iter().map(|id| json!([id])).collect();
        assert_eq!(told, Ok(json!(rows)), "{condition}");
    }
    database.remove().await;
}
