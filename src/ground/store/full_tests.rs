//! A store without room: what has to write is refused, what reads goes on, and when there is room everything works again.

use super::Db;
use crate::testing::{ACME, StoreKind, World};
use axum::http::StatusCode;
use serde_json::json;
use sqlx_sqlite::SqlitePool;
use std::time::Duration;

fn writer(world: &World) -> &SqlitePool {
    let Db::Sqlite { writer, .. } = &world.app.db else { panic!("the embedded store") };
    writer
}

/// Lets the file hold this many pages. `None`: as many as it has.
async fn limit_pages(world: &World, most: Option<i64>) {
    let writer = writer(world);
    let mut conn = writer.acquire().await.expect("the writer");
    let pages: i64 = sqlx::query_scalar("PRAGMA page_count").fetch_one(&mut *conn).await.expect("a count");
    let most = most.unwrap_or(pages);
    let options = writer.connect_options().as_ref().clone();
    // For this connection, and for one that takes its place.
    writer.set_connect_options(options.pragma("max_page_count", most.to_string()));
    sqlx::query(sqlx::AssertSqlSafe(format!("PRAGMA max_page_count = {most}"))).execute(&mut *conn).await.expect("set");
}

#[tokio::test]
async fn a_full_disk_stops_what_writes_and_nothing_else_until_there_is_room() {
    let world = World::new(StoreKind::Sqlite).await;
    let token = world.token(ACME).await;
    world.get("/readyz", "").await;
    limit_pages(&world, None).await;

    let mut refused = 0;
    for user in 0..400 {
        let body = world.sign_in_body(ACME, &format!("new-{user}-{}", "x".repeat(200)));
        let reply = world.post("/v1/api/projects/embed-token", &world.key, &body).await;
        if reply.status != StatusCode::OK {
            reply.refused(503, "STORE_UNAVAILABLE");
            assert!(reply.headers.contains_key("retry-after"));
            refused += 1;
            if refused == 40 {
                break;
            }
        }
    }
    assert_eq!(refused, 40, "the store is full");

    world.post("/v1/api/projects/embed-token", &world.key, &world.sign_in_body(ACME, "viewer")).await.data();
    world.post(&world.chart_path("Orders"), &token, &json!({})).await.data();
    tokio::time::sleep(Duration::from_secs(6)).await;
    assert_eq!(world.get("/readyz", "").await.status, StatusCode::SERVICE_UNAVAILABLE);

    limit_pages(&world, Some(1_000_000)).await;
    world.sign_in_as(ACME, "after it all", None).await;
    assert_eq!(world.get("/readyz", "").await.status, StatusCode::OK);
}
