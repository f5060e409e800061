//! Results under way share their memory, and all who get one read the same rows.

use crate::databases::{Database, query, table, viewer};
use inlay_query::{Budget, Catalog, Limits, QueryError, RowAccess};
use std::{sync::Arc, time::Duration};

const SCHEMA: &str = "create table numbers (n integer); insert into numbers \
    with recursive up(n) as (select 1 union all select n + 1 from up where n < 20000) select n from up";

fn numbers() -> Catalog {
    Catalog::new(vec![table("numbers", RowAccess::All, &[])])
}

fn limits(memory: &Budget) -> Limits {
    Limits { memory: memory.clone(), ..Limits::default() }
}

#[tokio::test]
async fn a_result_takes_room_until_the_last_who_asked_has_it() {
    let memory = Budget::new("test", 64 << 20);
    let database = Database::sqlite(SCHEMA, limits(&memory)).await;
    let (catalog, acme, all) = (numbers(), viewer("acme"), query("select n from numbers"));
    let ask = || database.engine.answer(&database.source, &catalog, &acme, &all);
    let first = ask().await.expect("an answer");
    assert!(memory.used() >= first.size(), "{} of {}", memory.used(), first.size());
    let second = ask().await.expect("a remembered answer");
    assert_eq!((first.cached(), second.cached(), first.table().rows.len()), (false, true, 20_000));
    assert!(Arc::ptr_eq(&first.json().0, &second.json().0), "nobody has a copy");
    drop(first);
    assert_eq!(memory.used(), 0, "the cache has a size of its own");
}

#[tokio::test]
async fn a_result_without_room_is_refused_and_a_small_one_is_not() {
    let memory = Budget::new("test", 256 << 10);
    let database = Database::sqlite(SCHEMA, limits(&memory)).await;
    let (catalog, acme) = (numbers(), viewer("acme"));
    let ask = async |sql: &str| database.engine.answer(&database.source, &catalog, &acme, &query(sql)).await;
    let refused = ask("select n from numbers").await.expect_err("no room");
    assert!(matches!(refused, QueryError::Busy(_)), "{refused:?}");
    assert_eq!((memory.used(), refused.code().status()), (0, 503));
    assert_eq!(ask("select n from numbers limit 100").await.expect("an answer").table().rows.len(), 100);
    assert_eq!(memory.used(), 0);
}

#[tokio::test]
async fn a_result_that_outgrows_the_free_room_waits_for_it() {
    let memory = Budget::new("test", 12 << 20);
    let database = Database::sqlite(SCHEMA, limits(&memory)).await;
    let (catalog, acme, all) = (numbers(), viewer("acme"), query("select n from numbers"));
    let held = memory.try_take(11 << 20).expect("room");
    let (answer, ()) = tokio::join!(database.engine.answer(&database.source, &catalog, &acme, &all), async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        drop(held);
    });
    assert_eq!(answer.expect("an answer").table().rows.len(), 20_000);
    assert_eq!(memory.used(), 0);
}
