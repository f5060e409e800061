//! The Usage page of a project.

use super::Browser;
use crate::{
    concepts::organizations::MemberRole,
    testing::{ACME, World, on_both_stores},
};
use axum::{body::Body, http::Request};
use serde_json::json;

fn usage(world: &World, days: u64) -> String {
    format!("/console/projects/{}/usage?days={days}", world.applied.project_id)
}

on_both_stores! {
    async fn before_the_first_use_one_sentence_says_what_will_stand_here(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Viewer).await;
        let page = browser.get(&usage(&world, 7)).await.text;
        assert_eq!(page.matches("class=\"empty\"").count(), 1, "{page}");
        assert!(page.contains("No usage yet.") && page.contains("Embed this project"), "{page}");
        assert!(!page.contains("class=\"figure") && !page.contains("<h2"), "no empty cards and parts: {page}");
    }

    async fn a_chart_that_fails_leads_to_the_customers_for_whom_it_did(world) {
        let mut body = world.sign_in_body(ACME, "eve");
        body["organization"]["properties"] = json!({"company": null});
        let lacking = world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
        let (token, customer) = (lacking["token"].as_str().expect("a token"), lacking["projectOrganizationId"].as_str().expect("an id"));
        world.post(&world.chart_path("Orders"), token, &json!({})).await.refused(422, "ROW_RULE_UNRESOLVED");
        let mut browser = Browser::signed_in(&world, MemberRole::Viewer).await;
        let page = browser.get(&usage(&world, 7)).await.text;
        let (_, charts) = page.split_once("Slow and failing queries").expect("the part");
        for told in ["1 customer", &format!("/customers/{customer}\">{ACME}</a>"), "× 1", "ROW_RULE_UNRESOLVED"] {
            assert!(charts.contains(told), "{told}: {charts}");
        }
        world.post(&world.chart_path("Orders"), &world.key, &json!({})).await.refused(422, "ROW_RULE_UNRESOLVED");
        let page = browser.get(&usage(&world, 7)).await.text;
        assert!(page.contains("Callers without a customer × 1"), "a host with its key: {page}");
    }

    async fn load_times_are_told_by_day_and_by_customer(world) {
        let token = world.token(ACME).await;
        let dashboard = world.applied.dashboards["Orders/Overview"].id;
        for milliseconds in [400, 800] {
            let told = Body::from(format!("{milliseconds} {dashboard} {token}"));
            let request = Request::post("/share/loaded").header("content-type", "text/plain;charset=UTF-8").body(told);
            assert_eq!(world.send(request.expect("a request")).await.status, 204);
        }
        let page = Browser::signed_in(&world, MemberRole::Viewer).await.get(&usage(&world, 7)).await.text;
        let (_, loads) = page.split_once(">Load times<").expect("the part");
        for told in ["<h3>Average</h3><p class=\"number\">600 ms</p>", "Average load time by day", ": 600 ms</title>", ": no view</title>"] {
            assert!(loads.contains(told), "{told}: {loads}");
        }
        let (_, customers) = page.split_once(">Customers</h2>").expect("the part");
        assert!(customers.contains("600 ms"), "{customers}");
    }
}
