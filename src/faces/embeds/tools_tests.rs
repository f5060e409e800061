//! What the page offers to whom, through the router, on both stores.

use crate::testing::{ACME, World, on_both_stores};
use serde_json::{Value, json};

/// A user with a role of exactly these permissions.
async fn sign_in(world: &World, user: &str, permissions: &Value) -> String {
    let path = format!("/v1/api/projects/{}/user-roles", world.applied.project_id);
    let role = json!({"name": format!("Role of {user}"), "permissions": permissions});
    let role = world.post(&path, &world.key, &role).await.data();
    let mut body = world.sign_in_body(ACME, user);
    body["user"]["userRoleId"] = role["userRole"]["id"].clone();
    let data = world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
    data["token"].as_str().expect("a token").to_owned()
}

fn scope(world: &World) -> Value {
    json!({ "application": world.applied.applications["Orders"].id, "timezone": "UTC", "locale": "en" })
}

fn target(world: &World, dashboard: &Value) -> Value {
    json!({ "scope": scope(world), "dashboard": dashboard })
}

/// The first HTML of an application's page.
async fn page(world: &World, token: &str, parameters: &str) -> String {
    let application = world.applied.applications["Orders"].id;
    let reply = world.get(&format!("/share/application/{application}?jwt={token}{parameters}"), "").await;
    assert_eq!(reply.status.as_u16(), 200, "{}", reply.text);
    reply.text
}

/// Which of these texts the page shows as labels.
fn shown<'a>(page: &str, labels: &[&'a str]) -> Vec<&'a str> {
    let label =
        |label: &&&str| page.contains(&format!("<span>{label}</span>")) || page.contains(&format!("aria-label=\"{label}\""));
    labels.iter().filter(label).copied().collect()
}

const TOOLS: [&str; 9] =
    ["Add", "Actions", "Chart from library", "Dashboard", "Undo", "Rename", "Duplicate", "Remove", "Set as default"];

on_both_stores! {
    async fn a_view_only_user_sets_the_dashboard_that_opens_first(world) {
        let ann = sign_in(&world, "ann", &json!({"addDashboard": true})).await;
        let made = world.post("/share/fn/create-dashboard", &ann, &json!({"scope": scope(&world), "name": "Second"})).await.json();
        // Permissions are judged as they are now: from here on, the user only views.
        let signed = world.post("/v1/api/projects/embed-token", &world.key, &world.sign_in_body(ACME, "ann")).await.data();
        let user = format!("/v1/api/projects/{}/users/{}", world.applied.project_id, signed["projectUserId"].as_str().expect("an id"));
        world.call(axum::http::Method::PUT, &user, &world.key, Some(&json!({"userRoleId": null}))).await.data();
        let token = world.post("/v1/api/projects/embed-token", &world.key, &world.sign_in_body(ACME, "ann")).await.data();
        let token = token["token"].as_str().expect("a token").to_owned();
        let before = page(&world, &token, "").await;
        assert!(before.contains("<h1>Overview</h1>"), "{before}");
        assert_eq!(shown(&before, &TOOLS), ["Set as default"]);
        let reply = world.post("/share/fn/default-dashboard", &token, &json!({"target": target(&world, &made)})).await;
        assert_eq!(reply.status.as_u16(), 200, "{}", reply.text);
        assert!(page(&world, &token, "").await.contains("<h1>Second</h1>"));
        let without = sign_in(&world, "bob", &json!({"canSetDefaultDashboard": false})).await;
        assert_eq!(shown(&page(&world, &without, "").await, &TOOLS), Vec::<&str>::new());
    }

    async fn a_colleague_s_dashboard_can_be_duplicated(world) {
        let everything = json!({"addChart": true, "editCharts": true, "removeChart": true});
        let ann = sign_in(&world, "ann", &everything).await;
        let made = world.post("/share/fn/create-dashboard", &ann, &json!({"scope": scope(&world), "name": "Of Ann"})).await.json();
        let one = format!("&dashboardId={}", made.as_str().expect("an id"));
        let bob = sign_in(&world, "bob", &everything).await;
        let seen = page(&world, &bob, &one).await;
        assert!(seen.contains("<h1>Of Ann</h1>"), "{seen}");
        assert_eq!(shown(&seen, &TOOLS), ["Add", "Actions", "Dashboard", "Duplicate", "Set as default"]);
        let request = json!({"target": target(&world, &made), "name": "Of Bob"});
        let copy = world.post("/share/fn/duplicate-dashboard", &bob, &request).await;
        assert_eq!(copy.status.as_u16(), 200, "{}", copy.text);
        let own = page(&world, &bob, &format!("&dashboardId={}", copy.json().as_str().expect("an id"))).await;
        assert!(own.contains("<h1>Of Bob</h1>"), "{own}");
        assert_eq!(shown(&own, &["Undo", "Rename", "Duplicate", "Dashboard"]), ["Undo", "Rename", "Duplicate", "Dashboard"]);
        // Neither flag, neither tool.
        let plain = json!({"addChart": true, "canDuplicateDashboard": false, "addDashboard": false, "canSetDefaultDashboard": false});
        let plain = sign_in(&world, "cleo", &plain).await;
        assert_eq!(shown(&page(&world, &plain, &one).await, &TOOLS), Vec::<&str>::new());
    }

    async fn an_application_without_dashboards_offers_the_first(world) {
        let file = World::project_file();
        let (before, _) = file.split_once("    dashboards:").expect("dashboards");
        world.apply(&format!("{before}    dashboards: []\n")).await.expect("applied");
        for (user, permissions, offered) in [
            ("ann", json!({"addDashboard": true}), vec!["Add", "Dashboard"]),
            ("bob", json!({"addDashboard": true, "hideHeader": true}), vec!["Add", "Dashboard"]),
            ("cleo", json!({"addChart": true, "addDashboard": false}), vec![]),
            ("dan", json!({}), vec![]),
        ] {
            let token = sign_in(&world, user, &permissions).await;
            let text = page(&world, &token, "").await;
            assert!(text.contains("No dashboards yet."), "{user}: {text}");
            assert_eq!(shown(&text, &TOOLS), offered, "{user}");
        }
    }
}
