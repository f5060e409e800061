//! Page calls over HTTP, on both stores: bodies, errors, and the server's version.

use super::assets;
use crate::testing::{ACME, Reply, World, on_both_stores};
use inlay_app::calls::build;
use serde_json::{Value, json};

fn tile(world: &World) -> Value {
    let dashboard = &world.applied.dashboards["Orders/Overview"];
    json!({ "scope": scope(world), "dashboard": dashboard.id, "chart": dashboard.charts["Orders"], "filters": {} })
}

fn scope(world: &World) -> Value {
    json!({ "application": world.applied.applications["Orders"].id, "timezone": "UTC", "locale": "en" })
}

/// Checks a refused call and its version header. Returns its problem.
#[track_caller]
fn refused(reply: &Reply, status: u16, code: &str) -> Value {
    assert_eq!((reply.status.as_u16(), reply.json()["code"].as_str()), (status, Some(code)), "{}", reply.text);
    assert_eq!(build_of(reply), own_build());
    reply.json()
}

fn build_of(reply: &Reply) -> String {
    reply.headers[build::HEADER].to_str().expect("a build").to_owned()
}

fn own_build() -> String {
    build::of_script(&format!("{}/inlay.js", assets::base("https://inlay.example.com"))).expect("a build").to_owned()
}

on_both_stores! {
    async fn a_call_of_a_newer_page_with_a_field_too_many_is_answered(world) {
        let mut request = tile(&world);
        request["ofANewerPage"] = json!(true);
        request["scope"]["ofANewerPage"] = json!(true);
        let token = world.token(ACME).await;
        let answer = world.post("/share/fn/tile-data", &token, &json!({ "request": request, "ofANewerPage": true })).await;
        assert_eq!(answer.status.as_u16(), 200, "{}", answer.text);
        assert!(answer.json()["content"]["ready"].is_object(), "{}", answer.text);
        assert_eq!(build_of(&answer), own_build());
    }

    async fn a_body_that_is_no_request_is_refused_as_a_whole(world) {
        let token = world.token(ACME).await;
        let mut request = tile(&world);
        request["chart"] = json!("no id");
        for body in [json!({}), json!({ "request": request })] {
            let problem = refused(&world.post("/share/fn/tile-data", &token, &body).await, 400, "VALIDATION_FAILED");
            assert_eq!(problem["message"], "The request could not be read.");
            assert!(problem["details"]["body"].is_string(), "{problem}");
        }
        let problem = refused(&world.post("/share/chat", &token, &json!({ "message": "Orders?" })).await, 400, "VALIDATION_FAILED");
        assert!(problem["details"]["body"].is_string(), "{problem}");
        let unknown = world.post("/share/fn/no-such-call", &token, &json!({})).await;
        assert_eq!((unknown.status.as_u16(), build_of(&unknown)), (400, own_build()));
    }

    async fn a_refusal_says_which_argument_is_at_fault(world) {
        let token = world.sign_in_as(ACME, "ann", Some("Analyst")).await["token"].as_str().expect("a token").to_owned();
        let body = json!({ "scope": scope(&world), "name": "  " });
        let problem = refused(&world.post("/share/fn/create-dashboard", &token, &body).await, 400, "VALIDATION_FAILED");
        assert!(problem["details"]["name"].is_string(), "{problem}");
    }
}
