//! Saved views through the page's calls, on both stores: what is stored, its limits, and who reaches it.

use super::{
    dashboard_assistant_tests::viewing,
    editing_tests::{analyst, open, refused, save, saved, scope, shared, sign_in, unchanged},
};
use crate::{
    concepts::{dashboards, saved_views::MOST_VIEWS},
    on,
    testing::{ACME, GLOBEX, Reply, Statements, StoreKind, World, on_both_stores},
};
use serde_json::{Value, json};

/// A view of a dashboard to save.
pub(super) fn view(name: &str, filters: Value) -> Value {
    json!({ "name": name, "filters": filters, "isDefault": false })
}

/// Saves a view.
pub(super) async fn put(world: &World, token: &str, dashboard: &Value, view: &Value) -> Reply {
    let mut request = view.clone();
    request["target"] = json!({ "scope": scope(world), "dashboard": dashboard });
    world.post("/share/fn/save-view", token, &json!({ "request": request })).await
}

async fn drop_view(world: &World, token: &str, dashboard: &Value, view: &Value) -> Reply {
    let target = json!({ "scope": scope(world), "dashboard": dashboard });
    world.post("/share/fn/delete-view", token, &json!({ "request": { "target": target, "view": view } })).await
}

/// The names of views, in order.
pub(super) fn names(views: &Value) -> Vec<&str> {
    views.as_array().into_iter().flatten().filter_map(|view| view["name"].as_str()).collect()
}

/// The names of those that are the default.
fn defaults(views: &Value) -> Vec<&str> {
    let all = views.as_array().expect("views").iter();
    all.filter(|view| view["isDefault"] == true).filter_map(|view| view["name"].as_str()).collect()
}

/// A user's views as the dashboard opens.
async fn listed(world: &World, token: &str, dashboard: &Value) -> Value {
    open(world, token, dashboard).await["views"].clone()
}

fn more(world: &World) -> Value {
    json!(world.applied.dashboards["Orders/More"].id)
}

async fn stored(world: &World) -> i64 {
    let mut lease = world.app.db.read().await.expect("a connection");
    let count = "SELECT COUNT(*) FROM saved_views";
    on!(&mut lease.conn(), |c| sqlx::query_scalar(count).fetch_one(c).await).expect("counted")
}

/// A user's copy of the shared dashboard.
async fn copy(world: &World, token: &str) -> Value {
    let edit = unchanged(&open(world, token, &shared(world)).await);
    saved(&save(world, token, &shared(world), &edit).await)["dashboard"].clone()
}

on_both_stores! {
    async fn a_view_is_saved_replaced_and_deleted(world) {
        let ann = analyst(&world, "ann").await;
        assert_eq!(listed(&world, &ann, &shared(&world)).await, Value::Null);
        let west = view("  West ", json!({"filter_region": ["north", "west"], "f_warehouse.orders.amount": {"from": 5}}));
        saved(&put(&world, &ann, &shared(&world), &west).await);
        let both = saved(&put(&world, &ann, &shared(&world), &view("east", json!({}))).await);
        assert_eq!(names(&both), ["east", "West"], "by name, in any case");
        assert_eq!(both[1]["filters"], west["filters"]);
        assert_eq!(listed(&world, &ann, &shared(&world)).await, both);
        assert_eq!(listed(&world, &ann, &more(&world)).await, Value::Null, "of another dashboard");

        let replaced = saved(&put(&world, &ann, &shared(&world), &view("West", json!({"filter_region": "north"}))).await);
        assert_eq!((names(&replaced), &replaced[1]["id"]), (vec!["east", "West"], &both[1]["id"]));
        assert_eq!(replaced[1]["filters"], json!({"filter_region": "north"}));

        let left = saved(&drop_view(&world, &ann, &shared(&world), &both[0]["id"]).await);
        assert_eq!(left, json!([replaced[1]]));
        refused(&drop_view(&world, &ann, &shared(&world), &both[0]["id"]).await, 404, "NOT_FOUND");
        assert_eq!(listed(&world, &ann, &shared(&world)).await, left);
    }

    async fn one_view_is_the_default_at_most(world) {
        let ann = analyst(&world, "ann").await;
        let chosen = |name: &str| json!({ "name": name, "filters": {}, "isDefault": true });
        let views = saved(&put(&world, &ann, &shared(&world), &chosen("A")).await);
        assert_eq!(defaults(&views), ["A"]);
        let views = saved(&put(&world, &ann, &shared(&world), &chosen("B")).await);
        assert_eq!((names(&views), defaults(&views)), (vec!["A", "B"], vec!["B"]));
        saved(&put(&world, &ann, &more(&world), &chosen("C")).await);
        let views = saved(&put(&world, &ann, &shared(&world), &view("A", json!({}))).await);
        assert_eq!(defaults(&views), ["B"], "another dashboard and another view leave it");
        let views = saved(&put(&world, &ann, &shared(&world), &view("B", json!({}))).await);
        assert_eq!(defaults(&views), [""; 0]);

        let all = ["A", "B", "D", "E"].map(chosen);
        let at_once = all.iter().map(|view| async { put(&world, &ann, &shared(&world), view).await });
        futures::future::join_all(at_once).await.iter().for_each(|reply| drop(saved(reply)));
        let views = listed(&world, &ann, &shared(&world)).await;
        assert_eq!((names(&views).len(), defaults(&views).len()), (4, 1), "{views}");
    }

    async fn nobody_else_reaches_a_view(world) {
        let ann = analyst(&world, "ann").await;
        let hers = saved(&put(&world, &ann, &shared(&world), &view("Mine", json!({"filter_region": "north"}))).await);
        let unknown = drop_view(&world, &ann, &shared(&world), &more(&world)).await;
        refused(&unknown, 404, "NOT_FOUND");

        let bob = analyst(&world, "bob").await;
        let eve = world.sign_in_as(GLOBEX, "eve", Some("Analyst")).await["token"].as_str().expect("a token").to_owned();
        for other in [&bob, &eve] {
            assert_eq!(listed(&world, other, &shared(&world)).await, Value::Null);
            let refusal = drop_view(&world, other, &shared(&world), &hers[0]["id"]).await;
            assert_eq!((refusal.status, &refusal.text), (unknown.status, &unknown.text), "like one that does not exist");
            let own = saved(&put(&world, other, &shared(&world), &view("Mine", json!({}))).await);
            assert_eq!((names(&own), &own[0]["filters"]), (vec!["Mine"], &json!({})));
        }
        refused(&drop_view(&world, &ann, &more(&world), &hers[0]["id"]).await, 404, "NOT_FOUND");
        assert_eq!(listed(&world, &ann, &shared(&world)).await, hers);
    }

    async fn another_project_and_organization_reach_no_view(world) {
        let ann = analyst(&world, "ann").await;
        let hers = saved(&put(&world, &ann, &shared(&world), &view("Mine", json!({}))).await);
        let other = world.apply(&World::project_file().replace("name: Shop,", "name: Other,")).await.expect("applied");
        let (neighbour, key) = world.neighbour().await;
        for (applied, key) in [(&other, &world.key), (&neighbour, &key)] {
            let mut body = world.sign_in_body(ACME, "ann");
            body["projectId"] = json!(applied.project_id);
            let data = world.post("/v1/api/projects/embed-token", key, &body).await.data();
            let token = data["token"].as_str().expect("a token");
            refused(&put(&world, token, &shared(&world), &view("Mine", json!({}))).await, 404, "NOT_FOUND");
            refused(&drop_view(&world, token, &shared(&world), &hers[0]["id"]).await, 404, "NOT_FOUND");
            let own = json!({ "application": applied.applications["Orders"].id, "timezone": "UTC", "locale": "en" });
            for dashboard in [applied.dashboards["Orders/Overview"].id, world.applied.dashboards["Orders/Overview"].id] {
                let target = json!({ "scope": own, "dashboard": dashboard });
                let request = json!({ "request": { "target": target, "view": hers[0]["id"] } });
                refused(&world.post("/share/fn/delete-view", token, &request).await, 404, "NOT_FOUND");
            }
        }
        let desk = json!(world.applied.dashboards["Office/Desk"].id);
        refused(&put(&world, &ann, &desk, &view("Mine", json!({}))).await, 404, "NOT_FOUND");
        let unsigned = put(&world, &world.key, &shared(&world), &view("Mine", json!({}))).await;
        assert_eq!(unsigned.status.as_u16(), 401, "{}", unsigned.text);
        assert_eq!((listed(&world, &ann, &shared(&world)).await, stored(&world).await), (hers, 1));
    }

    async fn names_and_filters_that_are_not_valid_are_refused(world) {
        let ann = analyst(&world, "ann").await;
        let long = "x".repeat(17_000);
        for (field, given) in [
            ("name", view(" ", json!({}))),
            ("name", view(&"x".repeat(101), json!({}))),
            ("name", view("a\nb", json!({}))),
            ("filters.filter_nothing", view("A", json!({"filter_nothing": 1}))),
            ("filters.region", view("A", json!({"region": "north"}))),
            ("filters", view("A", json!({"filter_region": long}))),
            ("body", view("A", json!({"filter_region": {"like": "n%"}}))),
            ("body", view("A", json!({"filter_period": {"relative": "last_0_days"}}))),
        ] {
            let refusal = put(&world, &ann, &shared(&world), &given).await;
            refused(&refusal, 400, "VALIDATION_FAILED");
            assert!(refusal.json()["details"][field].is_string(), "{field}: {}", refusal.text);
        }
        assert_eq!(stored(&world).await, 0);
    }

    async fn a_user_has_up_to_50_views_of_a_dashboard(world) {
        let ann = analyst(&world, "ann").await;
        for number in 0..MOST_VIEWS {
            saved(&put(&world, &ann, &shared(&world), &view(&format!("View {number}"), json!({}))).await);
        }
        let refusal = put(&world, &ann, &shared(&world), &view("One more", json!({}))).await;
        refused(&refusal, 400, "VALIDATION_FAILED");
        assert!(refusal.json()["message"].as_str().is_some_and(|told| told.contains("Delete one")), "{}", refusal.text);
        let views = saved(&put(&world, &ann, &shared(&world), &view("View 7", json!({"filter_region": "north"}))).await);
        assert_eq!(names(&views).len(), 50);
        saved(&put(&world, &ann, &more(&world), &view("One more", json!({}))).await);
        saved(&drop_view(&world, &ann, &shared(&world), &views[0]["id"]).await);
        saved(&put(&world, &ann, &shared(&world), &view("One more", json!({}))).await);
    }

    async fn a_copy_and_its_shared_dashboard_have_the_same_views(world) {
        let (ann, bob) = (analyst(&world, "ann").await, analyst(&world, "bob").await);
        saved(&put(&world, &ann, &shared(&world), &view("Before", json!({"filter_region": "north"}))).await);
        let mine = copy(&world, &ann).await;
        assert_ne!(mine, shared(&world));
        assert_eq!(names(&listed(&world, &ann, &mine).await), ["Before"]);
        saved(&put(&world, &ann, &mine, &view("Meanwhile", json!({}))).await);
        assert_eq!(names(&listed(&world, &ann, &shared(&world)).await), ["Before", "Meanwhile"]);
        // A colleague can open the copy by its id, with views of their own.
        let his = saved(&put(&world, &bob, &mine, &view("Bob's", json!({}))).await);
        assert_eq!(names(&his), ["Bob's"]);
        assert_eq!(listed(&world, &bob, &shared(&world)).await, Value::Null);

        let target = json!({ "target": { "scope": scope(&world), "dashboard": mine } });
        saved(&world.post("/share/fn/leave-copy", &ann, &target).await);
        assert_eq!(names(&listed(&world, &ann, &shared(&world)).await), ["Before", "Meanwhile"]);
        assert_eq!(stored(&world).await, 2, "Bob's was of the copy");
    }

    async fn views_go_with_their_dashboard_but_stay_with_a_copy_of_it(world) {
        let (ann, bob) = (analyst(&world, "ann").await, analyst(&world, "bob").await);
        for token in [&ann, &bob] {
            saved(&put(&world, token, &shared(&world), &view("Mine", json!({}))).await);
        }
        let copy = copy(&world, &ann).await;
        let mut tx = world.app.db.write().await.expect("a transaction");
        dashboards::delete(&mut tx.conn(), world.applied.dashboards["Orders/Overview"].id).await.expect("deleted");
        tx.commit().await.expect("committed");
        assert_eq!(names(&listed(&world, &ann, &copy).await), ["Mine"]);
        assert_eq!(stored(&world).await, 1);
        saved(&put(&world, &ann, &copy, &view("Mine", json!({"filter_region": "north"}))).await);
        assert_eq!(stored(&world).await, 1, "it is found under its name");

        let mut tx = world.app.db.write().await.expect("a transaction");
        on!(&mut tx.conn(), |c| sqlx::query("DELETE FROM project_users").execute(c).await.map(drop)).expect("deleted");
        tx.commit().await.expect("committed");
        assert_eq!(stored(&world).await, 0);
    }

    async fn a_filter_that_the_dashboard_lost_is_left_out(world) {
        let ann = analyst(&world, "ann").await;
        let filters = json!({"filter_region": "north", "filter_period": {"relative": "today"}});
        saved(&put(&world, &ann, &shared(&world), &view("Both", filters)).await);
        let line = "          - { key: period, label: Period, column: warehouse.orders.day, control: date-range }\n";
        let file = World::project_file().replace(line, "");
        assert_ne!(file, World::project_file());
        world.apply(&file).await.unwrap_or_else(|problem| panic!("{problem}"));
        assert_eq!(listed(&world, &ann, &shared(&world)).await[0]["filters"], json!({"filter_region": "north"}));
    }

    async fn a_member_who_looks_sees_the_views_and_changes_none(world) {
        let ann = analyst(&world, "ann").await;
        let hers = saved(&put(&world, &ann, &shared(&world), &view("Mine", json!({}))).await);
        let member = viewing(&world, &ann).await;
        assert_eq!(listed(&world, &member, &shared(&world)).await, hers);
        refused(&put(&world, &member, &shared(&world), &view("Mine", json!({"filter_region": "north"}))).await, 403, "VIEWING_AS");
        refused(&drop_view(&world, &member, &shared(&world), &hers[0]["id"]).await, 403, "VIEWING_AS");
        assert_eq!(listed(&world, &ann, &shared(&world)).await, hers);
    }

    async fn a_role_without_any_permission_saves_views(world) {
        let cat = sign_in(&world, "cat", &json!({"readOnly": true})).await;
        assert_eq!(names(&saved(&put(&world, &cat, &shared(&world), &view("Mine", json!({}))).await)), ["Mine"]);
    }
}

#[tokio::test]
async fn opening_a_page_reads_the_views_once() {
    let world = World::new(StoreKind::Postgres).await;
    let ann = analyst(&world, "ann").await;
    saved(&put(&world, &ann, &shared(&world), &view("Mine", json!({}))).await);
    let address = format!("/share/application/{}?jwt={ann}", world.applied.applications["Orders"].id);
    world.get(&address, "").await;
    let statements = Statements::recorded();
    let page = world.get(&address, "").await;
    assert!(page.text.contains("\"name\":\"Mine\""), "{}", page.text);
    let reads: Vec<(String, Vec<u64>)> = statements.take().into_iter().filter(|(sql, _)| sql.contains("saved_views")).collect();
    assert_eq!(reads.iter().map(|(_, rows)| rows.len()).sum::<usize>(), 1, "{reads:?}");
}
