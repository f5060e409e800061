//! Drill-down through the page's server function, on both stores: whose rows, which rows, and for whom.

use crate::testing::{ACME, GLOBEX, Reply, World, on_both_stores};
use serde_json::{Value, json};

/// A user of a company whose role has drill-down.
async fn driller(world: &World, company: &str) -> String {
    world.sign_in_as(company, "driller", Some("Analyst")).await["token"].as_str().expect("a token").to_owned()
}

/// Drills into a chart of the Overview.
async fn drill(world: &World, token: &str, chart: &str, mark: Value, by: Value) -> Reply {
    let dashboard = &world.applied.dashboards["Orders/Overview"];
    let scope = json!({ "application": world.applied.applications["Orders"].id, "timezone": "UTC", "locale": "en" });
    let tile = json!({ "scope": scope, "dashboard": dashboard.id, "chart": dashboard.charts[chart], "filters": {} });
    world.post("/share/fn/drill-down", token, &json!({ "request": { "tile": tile, "mark": mark, "by": by } })).await
}

/// The ids of the rows that came.
fn ids(reply: &Reply) -> Vec<i64> {
    assert_eq!(reply.status.as_u16(), 200, "{}", reply.text);
    let mut ids: Vec<i64> =
        reply.json()["data"]["rows"].as_array().expect("rows").iter().filter_map(|row| row[0].as_i64()).collect();
    ids.sort_unstable();
    ids
}

on_both_stores! {
    async fn the_rows_behind_a_number_are_the_viewer_s_own(world) {
        for (company, own) in [(ACME, vec![1, 2, 3]), (GLOBEX, vec![11, 12])] {
            let token = driller(&world, company).await;
            assert_eq!(ids(&drill(&world, &token, "Count", json!({}), Value::Null).await), own);
        }
    }

    async fn a_mark_keeps_its_own_rows_and_names_what_it_stands_for(world) {
        let token = driller(&world, ACME).await;
        let reply = drill(&world, &token, "Orders", json!({"row": 1}), Value::Null).await;
        assert_eq!(ids(&reply), [2]);
        assert_eq!(reply.json()["filters"]["f_warehouse.orders.region"], "south", "{}", reply.text);
        let by = drill(&world, &token, "Count", json!({}), json!("region")).await.json();
        assert_eq!(by["data"]["columns"][1]["name"], "n", "the chart's own number: {by}");
        assert_eq!(by["data"]["rows"].as_array().map(Vec::len), Some(3));
        let unknown = drill(&world, &token, "Count", json!({}), json!("x\" from orders --")).await;
        assert_eq!(ids(&unknown), [1, 2, 3], "a column that is not on offer is no column");
    }

    async fn drill_down_is_for_those_who_may(world) {
        let reply = drill(&world, &world.token(ACME).await, "Count", json!({}), Value::Null).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["code"]), (403, &json!("PERMISSION_DENIED")), "{}", reply.text);
        let token = driller(&world, ACME).await;
        let closed = drill(&world, &token, "Notes", json!({}), Value::Null).await;
        assert_eq!(closed.json()["code"], "ROW_RULE_UNRESOLVED", "{}", closed.text);
        // A row without a region: all rows instead of it would be the wrong ones.
        let without = drill(&world, &token, "Orders", json!({"row": 2}), Value::Null).await;
        assert_eq!((without.status.as_u16(), &without.json()["code"]), (422, &json!("DRILL_UNAVAILABLE")), "{}", without.text);
    }
}
