//! How much users may store, on both stores.

use crate::{
    on,
    testing::{ACME, Reply, StoreKind, World},
};
use serde_json::{Value, json};

async fn token(world: &World, user: &str) -> String {
    world.sign_in_as(ACME, user, Some("Analyst")).await["token"].as_str().expect("a token").to_owned()
}

async fn thumbnails(world: &World) -> i64 {
    let mut lease = world.app.db.read().await.expect("a connection");
    let sql = "SELECT COUNT(thumbnail) FROM charts";
    on!(&mut lease.conn(), |c| sqlx::query_scalar(sql).fetch_one(c).await).expect("counted")
}

async fn save(world: &World, token: &str, picture: &str) -> Reply {
    let config = json!({"title": "Saved", "type": "bar", "sqlOverride": "select name, rate from rates"});
    let body = json!({"workspaceId": world.applied.workspaces["Ask"], "chartConfig": config, "thumbnail": picture});
    world.post("/v1/api/chart/save-from-chat", token, &body).await
}

#[track_caller]
fn refused(reply: &Reply, field: &str) {
    let error = reply.refused(400, "VALIDATION_FAILED");
    let told = error["details"][field].as_str().unwrap_or_default();
    assert!(told.contains("limit of"), "{error}");
}

#[tokio::test]
async fn charts_from_chats_have_a_number_for_each_user() {
    for kind in [StoreKind::Sqlite, StoreKind::Postgres] {
        let world = World::with(kind, &["--saved-charts-of-user", "3"]).await;
        let (ann, bob) = (token(&world, "ann").await, token(&world, "bob").await);
        for _ in 0..3 {
            save(&world, &ann, "").await.data();
        }
        refused(&save(&world, &ann, "").await, "chartConfig");
        save(&world, &bob, "").await.data();
        for _ in 0..5 {
            save(&world, &world.key, "").await.data();
        }
    }
}

#[tokio::test]
async fn pictures_beyond_the_bytes_are_dropped_and_the_charts_saved() {
    for kind in [StoreKind::Sqlite, StoreKind::Postgres] {
        let world = World::with(kind, &["--thumbnail-bytes-of-user", "250"]).await;
        let ann = token(&world, "ann").await;
        let before = thumbnails(&world).await;
        let picture = format!("data:image/png;base64,{}", "A".repeat(78));
        for _ in 0..4 {
            save(&world, &ann, &picture).await.data();
        }
        assert_eq!(thumbnails(&world).await - before, 2);
    }
}

#[tokio::test]
async fn chats_have_a_number_for_each_user() {
    for kind in [StoreKind::Sqlite, StoreKind::Postgres] {
        let world = World::with(kind, &["--chats-of-user", "2"]).await;
        let (ann, bob) = (token(&world, "ann").await, token(&world, "bob").await);
        let path = format!("/v2/api/workspaces/{}/chat", world.applied.workspaces["Ask"]);
        let ask = async |token: &str, thread: &Value| {
            world.post(&path, token, &json!({"message": "orders by region", "threadId": thread})).await
        };
        let first = ask(&ann, &Value::Null).await.events()[0]["threadId"].clone();
        ask(&ann, &Value::Null).await.events();
        refused(&ask(&ann, &Value::Null).await, "threadId");
        assert_eq!(ask(&ann, &first).await.status.as_u16(), 200, "a chat goes on");
        assert_eq!(ask(&bob, &Value::Null).await.status.as_u16(), 200);
    }
}

#[tokio::test]
async fn own_dashboards_have_a_number_for_each_user() {
    for kind in [StoreKind::Sqlite, StoreKind::Postgres] {
        let world = World::with(kind, &["--dashboards-of-user", "2"]).await;
        let (ann, bob) = (token(&world, "ann").await, token(&world, "bob").await);
        let path = format!("/v2/api/applications/{}/dashboards", world.applied.applications["Orders"].id);
        let create = async |token: &str, name: &str| world.post(&path, token, &json!({"name": name})).await;
        for name in ["one", "two"] {
            create(&ann, name).await.data();
        }
        refused(&create(&ann, "three").await, "name");
        create(&bob, "one").await.data();
        for name in ["three", "four", "five"] {
            create(&world.key, name).await.data();
        }
    }
}

#[tokio::test]
async fn the_metrics_require_their_token_where_there_is_one() {
    crate::faces::operations::collect();
    let world = World::with(StoreKind::Sqlite, &["--metrics-token", "a token for Prometheus"]).await;
    for wrong in ["", "another", "a token for Prometheus "] {
        assert_eq!(world.get("/metrics", wrong).await.status.as_u16(), 401, "{wrong:?}");
    }
    assert_eq!(world.get("/metrics", "a token for Prometheus").await.status.as_u16(), 200);
    assert_eq!(world.get("/healthz", "").await.status.as_u16(), 200);
}
