//! Answers are remembered for whoever asks the same with the same rights, and for nobody else.

use crate::databases::{Database, SCHEMA, filter, query, viewer};
use inlay_query::{Limits, Query};
use serde_json::json;
use std::time::Duration;

#[tokio::test]
async fn an_answer_is_remembered_for_the_same_rights_only() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        let all = query("select id from orders order by id");
        let first = database.ask(&viewer("acme"), &all).await.expect("an answer");
        let again = database.ask(&viewer("acme"), &all).await.expect("an answer");
        assert!(!first.cached && again.cached && again.duration_ms == 0);
        assert_eq!(first.rows, again.rows);
        let other = database.ask(&viewer("globex"), &all).await.expect("an answer");
        assert!(!other.cached && other.rows != first.rows);
        let narrow = Query { filters: vec![filter("orders", "region", json!("north"))], ..all.clone() };
        assert_eq!(database.ask(&viewer("acme"), &narrow).await.expect("an answer").rows.len(), 2);
        // Text and number are different questions even where they print alike.
        for value in [json!("1"), json!(1)] {
            let filters = vec![filter("orders", "id", value)];
            assert_eq!(
                database.ask(&viewer("acme"), &Query { filters, ..all.clone() }).await.expect("an answer").rows.len(),
                1
            );
        }
    })
    .await;
}

#[tokio::test]
async fn changed_data_shows_when_the_answer_is_old() {
    let limits = Limits { cache_ttl: Duration::from_millis(200), ..Limits::default() };
    Database::each(SCHEMA, limits, async |database| {
        let count = "select count(*) from orders";
        assert_eq!(json!(database.rows("acme", count).await), json!([[4]]));
        database.execute("delete from orders where id = 1").await;
        tokio::time::sleep(Duration::from_millis(400)).await;
        assert_eq!(json!(database.rows("acme", count).await), json!([[3]]));
    })
    .await;
}

#[tokio::test]
async fn equal_questions_at_once_are_asked_once() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        let slow = query(
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < 300000) select count(*) from n, rates",
        );
        let acme = viewer("acme");
        let answers = futures::future::join_all((0..8).map(|_| database.ask(&acme, &slow))).await;
        let fresh = answers.iter().filter(|answer| !answer.as_ref().expect("an answer").cached).count();
        assert_eq!(fresh, 1);
    })
    .await;
}

#[tokio::test]
async fn errors_are_not_remembered() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        let sql = "select sum(extra) from rates";
        assert!(database.ask(&viewer("acme"), &query(sql)).await.is_err());
        database.execute("alter table rates add column extra integer").await;
        assert_eq!(json!(database.rows("acme", sql).await), json!([[null]]));
    })
    .await;
}

#[tokio::test]
async fn another_address_is_another_source() {
    let one = Database::sqlite(SCHEMA, Limits::default()).await;
    let two = Database::sqlite(&SCHEMA.replace("'acme', 'north', 10.5", "'acme', 'north', 99"), Limits::default()).await;
    let sql = query("select amount from orders where id = 1");
    let moved = inlay_query::Source { url: two.source.url.clone(), ..one.source.clone() };
    let catalog = crate::databases::catalog();
    let before = one.engine.run(&one.source, &catalog, &viewer("acme"), &sql).await.expect("an answer");
    let after = one.engine.run(&moved, &catalog, &viewer("acme"), &sql).await.expect("an answer");
    assert_eq!((json!(before.rows), json!(after.rows), after.cached), (json!([[10.5]]), json!([[99]]), false));
    one.remove().await;
    two.remove().await;
}
