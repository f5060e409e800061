//! The filters that a dashboard opens with where the viewer has a default view, on both stores.

use super::{
    editing_tests::{analyst, saved, scope, shared, sign_in},
    views_tests::{names, put},
};
use crate::testing::{World, on_both_stores};
use serde_json::{Value, json};

/// The world's project with a default of a filter: `region` is `south`.
async fn with_default(world: &World) {
    let filter = "column: warehouse.orders.region, control: select";
    let file = World::project_file().replace(filter, &format!("{filter}, default: south"));
    assert_ne!(file, World::project_file());
    world.apply(&file).await.unwrap_or_else(|problem| panic!("{problem}"));
}

fn default(filters: Value) -> Value {
    json!({ "name": "Mine", "filters": filters, "isDefault": true })
}

/// The content of the first page, with the rest of its address.
async fn page(world: &World, token: &str, rest: &str) -> Value {
    let path = format!("/share/application/{}?jwt={token}{rest}", world.applied.applications["Orders"].id);
    let html = world.get(&path, "").await.text;
    let start = html.find("id=\"inlay-page\">").expect("a block") + "id=\"inlay-page\">".len();
    let end = html[start..].find("</script>").expect("its end") + start;
    serde_json::from_str::<Value>(&html[start..end]).expect("JSON")["content"].clone()
}

/// The filters of the first page.
async fn filters_of_page(world: &World, token: &str, rest: &str) -> Value {
    page(world, token, rest).await["parameters"]["filters"].clone()
}

/// The dashboard that a call opens, and its filters.
async fn opened(world: &World, token: &str, kept: &Value) -> Value {
    let request = json!({ "request": { "scope": scope(world), "dashboard": shared(world), "filters": kept } });
    saved(&world.post("/share/fn/open-dashboard", token, &request).await)["content"].clone()
}

on_both_stores! {
    async fn a_default_view_takes_the_place_of_the_dashboard_s_defaults(world) {
        with_default(&world).await;
        let ann = analyst(&world, "ann").await;
        let south = json!({"filter_region": "south"});
        assert_eq!((filters_of_page(&world, &ann, "").await, &opened(&world, &ann, &json!({})).await["filters"]), (south.clone(), &south));

        let north = json!({"filter_region": "north", "f_warehouse.orders.amount": {"from": 5}});
        saved(&put(&world, &ann, &shared(&world), &default(north.clone())).await);
        let shown = page(&world, &ann, "").await;
        assert_eq!(shown["parameters"]["filters"], north);
        let dashboard = &shown["content"]["application"]["dashboard"];
        assert_eq!((names(&dashboard["views"]), &dashboard["filters"][0]["default"]), (vec!["Mine"], &json!("south")));
        let rows = dashboard["tiles"][0]["content"]["ready"]["data"]["rows"].as_array().expect("rows");
        assert!(!rows.is_empty() && rows.iter().all(|row| row[1] == "north"), "the charts follow: {rows:?}");
        assert_eq!(opened(&world, &ann, &json!({})).await["filters"], north);

        let bob = analyst(&world, "bob").await;
        assert_eq!(filters_of_page(&world, &bob, "").await, south, "another user's view");
    }

    async fn a_filter_that_the_default_view_leaves_empty_opens_empty(world) {
        with_default(&world).await;
        let ann = analyst(&world, "ann").await;
        saved(&put(&world, &ann, &shared(&world), &default(json!({}))).await);
        assert_eq!(filters_of_page(&world, &ann, "").await, json!({}));
        assert_eq!(opened(&world, &ann, &json!({})).await["filters"], json!({}));
        let mut plain = default(json!({}));
        plain["isDefault"] = json!(false);
        saved(&put(&world, &ann, &shared(&world), &plain).await);
        assert_eq!(filters_of_page(&world, &ann, "").await, json!({"filter_region": "south"}), "it is no default now");
    }

    async fn what_the_host_and_the_page_say_wins(world) {
        let ann = analyst(&world, "ann").await;
        let today = json!({"relative": "today"});
        saved(&put(&world, &ann, &shared(&world), &default(json!({"filter_region": "north", "filter_period": today}))).await);
        let south = json!({"filter_region": "south", "filter_period": today});
        assert_eq!(filters_of_page(&world, &ann, "&filter_region=%22south%22").await, south);
        assert_eq!(opened(&world, &ann, &json!({"filter_region": "south"})).await["filters"], south);

        // A page that starts again where it was keeps what it had, also what was cleared.
        let path = format!("/share/application/{}", world.applied.applications["Orders"].id);
        let address = json!({ "path": path, "search": "?filter_region=%22south%22" });
        let request = json!({ "address": address, "place": shared(&world) });
        let again = saved(&world.post("/share/fn/open-page", &ann, &request).await);
        let text = again.to_string();
        assert!(text.contains("\"filters\":{\"filter_region\":\"south\"}"), "{text}");
    }

    async fn a_default_view_of_a_column_that_nobody_has_is_left_out(world) {
        let ann = analyst(&world, "ann").await;
        let view = default(json!({"filter_region": "north", "f_warehouse.orders.gone": 1}));
        saved(&put(&world, &ann, &shared(&world), &view).await);
        let shown = page(&world, &ann, "").await["parameters"].clone();
        assert_eq!((&shown["filters"], &shown["refused"]), (&json!({"filter_region": "north"}), &Value::Null));
    }

    async fn a_role_that_hides_the_filters_opens_without_views(world) {
        with_default(&world).await;
        let user = sign_in(&world, "hid", &json!({"hideFilters": true})).await;
        saved(&put(&world, &user, &shared(&world), &default(json!({"filter_region": "north"}))).await);
        let shown = opened(&world, &user, &json!({})).await;
        assert_eq!((&shown["filters"], &shown["dashboard"]["views"]), (&json!({"filter_region": "south"}), &Value::Null));
        assert_eq!(filters_of_page(&world, &user, "").await, json!({"filter_region": "south"}));
    }
}
