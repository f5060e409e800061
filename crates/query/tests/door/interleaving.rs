//! Two tenants alternating on one connection, 1,000 times, with some queries cancelled.

use crate::databases::{Database, SCHEMA, query, viewer};
use inlay_query::Limits;
use serde_json::json;
use std::time::Duration;

#[tokio::test]
async fn two_tenants_on_one_connection_never_meet() {
    // Nothing is cached: every query goes to the source.
    let limits = Limits { connections: 1, cache_ttl: Duration::ZERO, ..Limits::default() };
    Database::each(SCHEMA, limits, async |database| {
        // A server needs a new connection after each cancelled query, which takes time.
        let leaver = if database.is_sqlite() { 7 } else { 35 };
        let ask = |number: usize| {
            let (company, ids) =
                if number.is_multiple_of(2) { ("acme", json!([1, 2, 3, 4])) } else { ("globex", json!([11, 12])) };
            async move {
                let question = query(&format!("select id, {number} as n from orders order by id"));
                let viewer = viewer(company);
                let run = database.ask(&viewer, &question);
                if number.is_multiple_of(leaver) {
                    drop(tokio::time::timeout(Duration::from_micros(50 * number as u64), run).await);
                    return;
                }
                let rows = run.await.unwrap_or_else(|problem| panic!("{}: {problem:?}", database.source.kind)).rows;
                let asked: Vec<_> = rows.iter().map(|row| row[0].clone()).collect();
                assert_eq!(json!(asked), ids, "{} {number}", database.source.kind);
                assert!(rows.iter().all(|row| row[1] == json!(number)), "another's question was answered");
            }
        };
        // 25 at a time, so that on a busy machine, too, none waits longer than the limit.
        for first in (0..1_000).step_by(25) {
            futures::future::join_all((first..first + 25).map(ask)).await;
        }
    })
    .await;
}
