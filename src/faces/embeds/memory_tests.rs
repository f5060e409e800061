//! Pages and their calls while their share of the memory is used up.

use crate::{
    ground::memory::Memory,
    testing::{ACME, Reply, StoreKind, World},
};
use serde_json::{Value, json};

fn chart(world: &World, name: &str) -> Value {
    let overview = &world.applied.dashboards["Orders/Overview"];
    let scope = json!({ "application": world.applied.applications["Orders"].id, "timezone": "UTC", "locale": "en" });
    json!({ "request": { "scope": scope, "dashboard": overview.id, "chart": overview.charts[name], "filters": {} } })
}

#[track_caller]
fn is_busy(reply: &Reply) {
    assert_eq!((reply.status.as_u16(), reply.json()["code"].as_str()), (503, Some("UNAVAILABLE")), "{}", reply.text);
    assert_eq!((&reply.headers["retry-after"], &reply.json()["retryAfter"]), (&"2".parse().expect("a header"), &json!(2)));
}

#[tokio::test]
async fn a_page_without_room_opens_and_asks_for_its_charts() {
    let world = World::new(StoreKind::Sqlite).await;
    let token = world.token(ACME).await;
    let address = format!("/share/application/{}?jwt={token}", world.applied.applications["Orders"].id);
    let ready = |page: &Reply| page.text.matches("\"content\":{\"ready\":").count();
    let memory = world.app.part::<Memory>();
    let taken = memory.pages.try_take(memory.pages.total()).expect("all of it");
    let page = world.get(&address, "").await;
    assert_eq!((page.status.as_u16(), ready(&page)), (200, 0), "{}", page.text);
    assert!(page.text.contains("\"content\":\"loading\""), "{}", page.text);
    is_busy(&world.post("/share/fn/tile-data", &token, &chart(&world, "Orders")).await);
    drop(taken);
    let page = world.get(&address, "").await;
    assert_eq!((page.status.as_u16(), ready(&page)), (200, 3));
    assert!(world.post("/share/fn/tile-data", &token, &chart(&world, "Orders")).await.json()["content"]["ready"].is_object());
    assert_eq!(memory.pages.used(), 0, "what was sent takes no room");
}

#[tokio::test]
async fn a_file_without_room_is_refused() {
    let world = World::new(StoreKind::Sqlite).await;
    let (token, memory) = (world.token(ACME).await, world.app.part::<Memory>());
    let taken = memory.files.try_take(memory.files.total()).expect("all of it");
    is_busy(&world.post("/share/fn/chart-file", &token, &chart(&world, "Orders")).await);
    drop(taken);
    assert_eq!(world.post("/share/fn/chart-file", &token, &chart(&world, "Orders")).await.status.as_u16(), 200);
    assert_eq!(memory.files.used(), 0);
}

#[tokio::test]
async fn a_node_without_memory_for_results_tells_when_to_come_again() {
    let world = World::with(StoreKind::Sqlite, &["--memory-mb", "256"]).await;
    let path = world.chart_path("Rates");
    let memory = &world.app.engine.limits().memory;
    let taken = memory.try_take(memory.total()).expect("all of it");
    let refused = world.post(&path, &world.token(ACME).await, &json!({})).await;
    refused.refused(503, "UNAVAILABLE");
    assert_eq!(refused.headers["retry-after"], "2");
    drop(taken);
    world.post(&path, &world.token(ACME).await, &json!({})).await.data();
    assert_eq!(memory.used(), 0);
}
