//! Files through the page's server functions, on both stores: what they are, and for whom.

use crate::testing::{ACME, World, on_both_stores};
use serde_json::{Value, json};

fn scope(world: &World) -> Value {
    json!({ "application": world.applied.applications["Orders"].id, "timezone": "UTC", "locale": "en" })
}

fn dashboard(world: &World) -> Value {
    json!({ "request": { "scope": scope(world), "dashboard": world.applied.dashboards["Orders/Overview"].id, "filters": {} } })
}

fn chart(world: &World, name: &str) -> Value {
    let overview = &world.applied.dashboards["Orders/Overview"];
    json!({ "request": { "scope": scope(world), "dashboard": overview.id, "chart": overview.charts[name], "filters": {} } })
}

on_both_stores! {
    async fn a_dashboard_is_a_pdf_and_a_chart_a_workbook(world) {
        let token = world.token(ACME).await;
        let pdf = world.post("/share/fn/dashboard-file", &token, &dashboard(&world)).await.json();
        assert!(pdf.as_str().is_some_and(|file| file.starts_with("JVBERi0") && file.len() > 5_000), "a PDF in base64: {pdf}");
        let book = world.post("/share/fn/chart-file", &token, &chart(&world, "Orders")).await.json();
        assert!(book.as_str().is_some_and(|file| file.starts_with("UEsDB")), "a workbook in base64: {book}");
    }

    async fn a_chart_that_is_html_is_a_picture_of_what_its_viewer_sees(world) {
        let token = world.token(ACME).await;
        let rows = world.post("/share/fn/tile-data", &token, &chart(&world, "Count")).await.json();
        let count = rows["content"]["ready"]["data"]["rows"][0][0].to_string();
        let request = |name: &str| json!({ "request": { "tile": chart(&world, name)["request"], "size": [720, 720] } });
        let picture = world.post("/share/fn/tile-picture", &token, &request("Count")).await.json();
        let picture = picture.as_str().expect("a picture");
        assert!(picture.starts_with("<svg") && picture.contains("width=\"360\""), "{picture}");
        assert!(picture.contains(">Count</text>") && picture.contains(&format!(">{count}</text>")), "{picture}");
        let closed = world.post("/share/fn/tile-picture", &token, &request("Notes")).await;
        assert_eq!((closed.status.as_u16(), &closed.json()["code"]), (422, &json!("ROW_RULE_UNRESOLVED")));
    }

    async fn files_are_for_those_who_may_and_of_what_they_see(world) {
        let refused = world.post("/share/fn/dashboard-file", "", &dashboard(&world)).await;
        assert_eq!(refused.status.as_u16(), 401);
        let closed = world.post("/share/fn/chart-file", &world.token(ACME).await, &chart(&world, "Notes")).await;
        assert_eq!((closed.status.as_u16(), &closed.json()["code"]), (422, &json!("ROW_RULE_UNRESOLVED")));
        let path = format!("/v1/api/projects/{}/user-roles", world.applied.project_id);
        let role = json!({"name": "No downloads", "permissions": {"hideDownloadButton": true}});
        let role = world.post(&path, &world.key, &role).await.data()["userRole"]["id"].clone();
        let mut body = world.sign_in_body(ACME, "nobody");
        body["user"]["userRoleId"] = role;
        let signed = world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
        let token = signed["token"].as_str().expect("a token").to_owned();
        let refused = world.post("/share/fn/dashboard-file", &token, &dashboard(&world)).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (403, &json!("PERMISSION_DENIED")));
    }
}
