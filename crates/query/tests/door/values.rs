//! Values and functions of SQLite that no time limit interrupts: they are short enough to end by themselves.

use crate::databases::{Database, SCHEMA, query, viewer};
use inlay_query::Limits;
use serde_json::json;
use std::time::{Duration, Instant};

/// One connection, one second.
async fn database() -> Database {
    let limits = Limits { connections: 1, timeout: Duration::from_secs(1), ..Limits::default() };
    Database::sqlite(SCHEMA, limits).await
}

async fn told(database: &Database, sql: &str) -> Result<String, String> {
    let answer = database.ask(&viewer("acme"), &query(sql)).await;
    answer
        .map(|answer| json!(answer.rows).to_string())
        .map_err(|problem| format!("{} {}", problem.code().as_str(), problem.detail()))
}

#[tokio::test]
async fn a_function_that_nothing_interrupts_ends_by_itself() {
    let database = database().await;
    let (thousand, half) = ("a".repeat(1_000), "a".repeat(500));
    let long = format!("replace('{thousand}', 'a', '{thousand}')");
    let slow = format!("select length(replace({long}, replace('{thousand}', 'a', '{half}') || 'b', '')) as x");
    let begun = Instant::now();
    let first = told(&database, &slow).await;
    assert!(first.as_ref().is_err_and(|told| told.starts_with("QUERY_TIMEOUT")), "{first:?}");
    assert!(begun.elapsed() < Duration::from_secs(5), "the caller does not wait: {:?}", begun.elapsed());
    // The source's only connection comes back.
    let mut last = Err("not asked".to_owned());
    while last.is_err() && begun.elapsed() < Duration::from_secs(60) {
        tokio::time::sleep(Duration::from_millis(200)).await;
        last = told(&database, "select count(*) from orders").await;
    }
    assert_eq!(last.as_deref(), Ok("[[4]]"), "after {:?}", begun.elapsed());
    // A hundred times as long, it would take days.
    let longer = format!("select length(replace(replace({long}, 'a', '{}'), 'b', '')) as x", "a".repeat(100));
    let begun = Instant::now();
    assert!(told(&database, &longer).await.is_err_and(|told| told.starts_with("QUERY_FAILED") && told.contains("above 1 MiB")));
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    assert_eq!(told(&database, "select count(*) from rates").await.as_deref(), Ok("[[2]]"));
    database.remove().await;
}

#[tokio::test]
async fn a_short_query_makes_no_long_value() {
    let database = database().await;
    let (many, more) = ("b".repeat(1_000), "c".repeat(900));
    for long in [
        format!("select replace(replace('{}', 'a', '{many}'), 'b', '{more}') as x", "a".repeat(1_000)),
        format!(
            "with recursive n(i, t) as (select 1, '{many}' union all select i + 1, t || t from n where i < 30) select length(max(t)) from n"
        ),
        format!(
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000) select length(group_concat('{many}')) from n"
        ),
        format!(
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000) select length(json_group_array('{many}')) from n"
        ),
    ] {
        let begun = Instant::now();
        let told = told(&database, &long).await;
        assert!(told.as_ref().is_err_and(|told| told.contains("above 1 MiB")), "{long}: {told:?}");
        assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    }
    // What is in the file is read, as long as it is below the limit.
    let own = format!("select length(replace('{many}', 'b', '{more}')) as x");
    assert_eq!(told(&database, &own).await.as_deref(), Ok("[[900000]]"));
    database.remove().await;
}

#[tokio::test]
async fn patterns_and_letters_to_trim_are_short() {
    let database = database().await;
    let pattern = format!("select count(*) from orders where region like '%{}'", "a%".repeat(300));
    assert!(told(&database, &pattern).await.is_err_and(|told| told.contains("too complex")));
    for refused in [
        "select trim(region, company_id) from orders",
        "select ltrim(region, region) from orders",
        "select rtrim(region, 'x' || region) from orders",
        "select trim(region, replace('x', 'x', 'y')) from orders",
    ] {
        assert!(told(&database, refused).await.is_err_and(|told| told.starts_with("QUERY_FAILED")), "{refused}");
    }
    let plain = "select trim('  x '), trim('xyx', 'x'), ltrim('xyx', 'x'), rtrim('xyx', 'x') from orders where id = 1";
    assert_eq!(told(&database, plain).await.as_deref(), Ok(r#"[["x","y","yx","xy"]]"#));
    database.remove().await;
}
