//! Ways back on the page, on both stores: charts that a save changed or took off, and a copy that its owner gives up.

use super::editing_tests::{analyst, chart, open, refused, save, saved, scope, shared, sign_in, unchanged};
use crate::testing::{ACME, GLOBEX, Reply, World, on_both_stores};
use serde_json::{Value, json};

/// The titles of a dashboard's charts, in reading order.
fn titles(view: &Value) -> Vec<&str> {
    view["tiles"].as_array().expect("tiles").iter().filter_map(|tile| tile["face"]["title"].as_str()).collect()
}

/// The version that a chart had before a save.
fn version_before(saved: &Value, chart: &Value) -> Value {
    let known = saved["before"].as_array().expect("versions").iter().find(|known| known[0] == *chart);
    known.unwrap_or_else(|| panic!("{chart} in {saved}"))[1].clone()
}

async fn leave(world: &World, token: &str, dashboard: &Value) -> Reply {
    let body = json!({ "target": { "scope": scope(world), "dashboard": dashboard } });
    world.post("/share/fn/leave-copy", token, &body).await
}

/// A user's copy of a shared dashboard, with another name.
async fn copy(world: &World, token: &str, shared: &Value) -> Value {
    let mut edit = unchanged(&open(world, token, shared).await);
    edit["name"] = json!("Mine");
    saved(&save(world, token, shared, &edit).await)["dashboard"].clone()
}

on_both_stores! {
    async fn a_chart_that_a_save_took_off_or_changed_is_brought_back(world) {
        let ann = analyst(&world, "ann").await;
        let view = open(&world, &ann, &shared(&world)).await;
        let mut edit = unchanged(&view);
        edit["tiles"].as_array_mut().expect("tiles").retain(|tile| tile["chart"]["kept"]["chart"] != chart(&world, "Rates"));
        let first = saved(&save(&world, &ann, &shared(&world), &edit).await);
        let mine = open(&world, &ann, &first["dashboard"]).await;
        assert!(!titles(&mine).contains(&"Rates"), "{mine}");

        let restored = |chart: &Value, version: Value| json!({"x": 0, "y": 40, "w": 6, "h": 4, "chart": {"restored": {"chart": chart, "version": version}}});
        let mut edit = unchanged(&mine);
        let rates = chart(&world, "Rates");
        edit["tiles"].as_array_mut().expect("tiles").push(restored(&rates, version_before(&first, &rates)));
        let second = saved(&save(&world, &ann, &first["dashboard"], &edit).await);
        let mine = open(&world, &ann, &first["dashboard"]).await;
        assert_eq!(titles(&mine).len(), titles(&view).len(), "{mine}");

        let own = mine["tiles"][0]["id"].clone();
        let title = titles(&mine)[0].to_owned();
        let mut edit = unchanged(&mine);
        edit["tiles"][0]["chart"] = json!({"changed": {"chart": own, "definition": {"title": "Renamed", "type": "table", "encoding": {}}}});
        let third = saved(&save(&world, &ann, &first["dashboard"], &edit).await);
        let mine = open(&world, &ann, &first["dashboard"]).await;
        assert_eq!((titles(&mine)[0], &third["charts"][0]), ("Renamed", &own));
        let mut edit = unchanged(&mine);
        let tile = edit["tiles"][0].clone();
        edit["tiles"][0] = json!({"x": tile["x"], "y": tile["y"], "w": tile["w"], "h": tile["h"],
            "chart": {"restored": {"chart": own, "version": version_before(&third, &own)}}});
        let fourth = saved(&save(&world, &ann, &first["dashboard"], &edit).await);
        let mine = open(&world, &ann, &first["dashboard"]).await;
        assert_eq!((titles(&mine)[0], &fourth["charts"][0]), (title.as_str(), &own), "the same chart, as it was");
        assert!(second["version"].as_i64() < fourth["version"].as_i64());
    }

    async fn what_is_brought_back_needs_the_flag_and_must_be_in_sight(world) {
        let remover = sign_in(&world, "rob", &json!({"removeChart": true, "addChart": false, "editCharts": false})).await;
        let mut edit = unchanged(&open(&world, &remover, &shared(&world)).await);
        let taken = edit["tiles"].as_array_mut().and_then(Vec::pop).expect("a tile")["chart"]["kept"]["chart"].clone();
        let first = saved(&save(&world, &remover, &shared(&world), &edit).await);
        let mut edit = unchanged(&open(&world, &remover, &first["dashboard"]).await);
        let back = json!({"restored": {"chart": taken, "version": version_before(&first, &taken)}});
        edit["tiles"].as_array_mut().expect("tiles").push(json!({"x": 0, "y": 40, "w": 6, "h": 4, "chart": back}));
        refused(&save(&world, &remover, &first["dashboard"], &edit).await, 403, "PERMISSION_DENIED");
        let mut edit = unchanged(&open(&world, &remover, &first["dashboard"]).await);
        let own = edit["tiles"][0]["chart"]["kept"]["chart"].clone();
        edit["tiles"][0]["chart"] = json!({"restored": {"chart": own, "version": 1}});
        refused(&save(&world, &remover, &first["dashboard"], &edit).await, 403, "PERMISSION_DENIED");

        let eve = world.sign_in_as(GLOBEX, "eve", Some("Analyst")).await["token"].as_str().expect("a token").to_owned();
        let foreign = copy(&world, &eve, &shared(&world)).await;
        let secret = open(&world, &eve, &foreign).await["tiles"][0]["id"].clone();
        let ann = analyst(&world, "ann").await;
        let mut edit = unchanged(&open(&world, &ann, &shared(&world)).await);
        edit["tiles"][0]["chart"] = json!({"restored": {"chart": secret, "version": 1}});
        refused(&save(&world, &ann, &shared(&world), &edit).await, 404, "NOT_FOUND");
        edit["tiles"][0]["chart"] = json!({"restored": {"chart": chart(&world, "Orders"), "version": 99}});
        refused(&save(&world, &ann, &shared(&world), &edit).await, 404, "NOT_FOUND");
    }

    async fn a_copy_is_given_up_for_the_shared_dashboard(world) {
        let more = json!(world.applied.dashboards["Orders/More"].id);
        let ann = analyst(&world, "ann").await;
        let before = open(&world, &ann, &more).await;
        assert_eq!(before["isCopy"], Value::Null);
        refused(&leave(&world, &ann, &more).await, 409, "SHARED_DASHBOARD_READ_ONLY");
        let mine = copy(&world, &ann, &more).await;
        assert_eq!(open(&world, &ann, &mine).await["isCopy"], true);
        let target = json!({ "target": { "scope": scope(&world), "dashboard": mine } });
        saved(&world.post("/share/fn/default-dashboard", &ann, &target).await);

        let bob = analyst(&world, "bob").await;
        assert_eq!(open(&world, &bob, &mine).await["isCopy"], Value::Null, "it is not Bob's");
        refused(&leave(&world, &bob, &mine).await, 403, "NOT_DASHBOARD_OWNER");
        let eve = world.sign_in_as(GLOBEX, "eve", Some("Analyst")).await["token"].as_str().expect("a token").to_owned();
        refused(&leave(&world, &eve, &mine).await, 404, "NOT_FOUND");

        assert_eq!(saved(&leave(&world, &ann, &mine).await), more);
        let after = open(&world, &ann, &more).await;
        assert_eq!((&after["id"], &after["name"], &after["isCopy"]), (&more, &json!("More"), &Value::Null));
        refused(&leave(&world, &ann, &mine).await, 404, "NOT_FOUND");
        let application = world.applied.applications["Orders"].id;
        let listed = world.get(&format!("/v2/api/applications/{application}/dashboards"), &ann).await.data();
        let listed = listed["dashboards"].as_array().expect("dashboards").clone();
        let default: Vec<&Value> = listed.iter().filter(|entry| entry["isDefault"] == true).map(|entry| &entry["id"]).collect();
        assert_eq!(default, [&more], "the default is the shared dashboard now: {listed:?}");
    }

    async fn a_dashboard_of_one_s_own_and_a_role_without_editing_leave_nothing(world) {
        let ann = analyst(&world, "ann").await;
        let body = json!({ "scope": scope(&world), "name": "Own" });
        let own = saved(&world.post("/share/fn/create-dashboard", &ann, &body).await);
        refused(&leave(&world, &ann, &own).await, 404, "NOT_FOUND");
        let cat = sign_in(&world, "cat", &json!({"editCharts": true})).await;
        let mine = copy(&world, &cat, &shared(&world)).await;
        let mut body = world.sign_in_body(ACME, "cat");
        body["user"]["userRoleId"] = Value::Null;
        world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
        refused(&leave(&world, &cat, &mine).await, 403, "VIEW_ONLY");
    }
}
