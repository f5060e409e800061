//! Limits of bodies and rate limits through the router, on both stores.

use crate::testing::{ACME, GLOBEX, Reply, StoreKind, World, on_both_stores};
use axum::{
    body::Body,
    http::{Method, Request},
};
use serde_json::{Value, json};

const EMBED: &str = "/v1/api/projects/embed-token";

fn nested(depth: usize) -> Value {
    (0..depth).fold(json!(1), |inner, _| json!([inner]))
}

on_both_stores! {
    async fn bodies_over_the_limit_are_refused(world) {
        let mut body = world.sign_in_body(ACME, "ada");
        body["user"]["properties"] = json!({"text": "x".repeat(1024 * 1024)});
        world.post(EMBED, &world.key, &body).await.refused(413, "BODY_TOO_LARGE");
        body["user"]["properties"] = json!({"text": "x".repeat(1000 * 1000)});
        world.post(EMBED, &world.key, &body).await.data();
    }

    async fn nesting_over_the_limit_is_refused(world) {
        let mut body = world.sign_in_body(ACME, "ada");
        body["user"]["properties"] = json!({"deep": nested(61)});
        world.post(EMBED, &world.key, &body).await.data();
        body["user"]["properties"] = json!({"deep": nested(62)});
        let error = world.post(EMBED, &world.key, &body).await.refused(400, "VALIDATION_FAILED");
        assert!(error["message"].as_str().expect("a message").contains("64"));
    }

    async fn a_hundred_thousand_brackets_do_no_harm(world) {
        let raw = "[".repeat(100_000);
        let request = Request::builder().method(Method::POST).uri(EMBED).header("content-type", "application/json")
            .header("authorization", format!("Bearer {}", world.key));
        world.send(request.body(Body::from(raw)).expect("a request")).await.refused(400, "VALIDATION_FAILED");
    }
}

#[tokio::test]
async fn methods_that_callers_make_up_are_measured_as_one() {
    crate::faces::operations::collect();
    let world = World::new(StoreKind::Sqlite).await;
    for number in 0..1_000 {
        let method = Method::from_bytes(format!("ODD{number}").as_bytes()).expect("a method");
        world.call(method, "/nothing", "", None).await;
    }
    let measures = world.get("/metrics", "").await.text;
    let of_odd = "inlay_request_seconds_count{method=\"other\",route=\"unmatched\"";
    assert_eq!(measures.lines().filter(|line| line.starts_with(of_odd)).count(), 1, "{measures}");
    assert!(!measures.contains("ODD"), "{measures}");
}

/// The refusal of a caller who has nothing left. On a busy machine a second may pass, and give them another request.
async fn beyond(call: impl AsyncFn() -> Reply) -> Reply {
    for _ in 0..20 {
        let reply = call().await;
        if reply.status != 200 {
            reply.refused(429, "RATE_LIMITED");
            return reply;
        }
    }
    panic!("20 requests within a second are beyond the limit of 1");
}

#[tokio::test]
async fn each_credential_has_its_own_share() {
    for kind in [StoreKind::Sqlite, StoreKind::Postgres] {
        let flags =
            ["--user-requests-per-second", "1", "--user-burst", "3", "--key-requests-per-second", "1", "--key-burst", "6"];
        let world = World::with(kind, &flags).await;
        let (acme, globex) = (world.token(ACME).await, world.token(GLOBEX).await);
        let path = world.chart_path("Rates");
        let call = async |token: &str| world.post(&path, token, &json!({})).await;
        for _ in 0..3 {
            call(&acme).await.data();
        }
        let refused = beyond(async || call(&acme).await).await;
        let wait: u64 = refused.headers["retry-after"].to_str().expect("text").parse().expect("seconds");
        assert!((1..=2).contains(&wait), "{wait}");
        call(&globex).await.data();
        let mistyped = format!("{}x", world.key);
        for _ in 0..20 {
            world.post(EMBED, &mistyped, &json!({})).await.refused(401, "INVALID_API_KEY");
        }
        let body = world.sign_in_body(ACME, "ada");
        for _ in 0..4 {
            world.post(EMBED, &world.key, &body).await.data();
        }
        beyond(async || world.post(EMBED, &world.key, &body).await).await;
        let other = world.member_key(crate::concepts::organizations::MemberRole::Member, false).await;
        world.post(EMBED, &other, &body).await.data();
    }
}
