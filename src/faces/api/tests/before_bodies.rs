//! What is decided before a body is read, or although it cannot be read (docs/spec/contract.md, sections 2 and 12: D3, D7).

use crate::{
    concepts::identity_providers::tests::trusted,
    flows::v1_migration,
    ground::{audit::Actor, memory::Memory},
    testing::{
        Reply, StoreKind, World,
        endpoints::{Endpoint, Takes, endpoints},
        on_both_stores,
    },
};
use axum::{
    body::{Body, Bytes},
    http::Request,
};
use futures::{StreamExt, stream};
use serde_json::json;
use std::{convert::Infallible, time::Duration};

/// A body that begins and never ends.
fn endless() -> Body {
    Body::from_stream(stream::iter([Ok::<_, Infallible>(Bytes::from_static(b"{"))]).chain(stream::pending()))
}

/// Sends a body that never ends. The answer has to come all the same.
async fn unfinished(world: &World, one: &Endpoint, authorization: Option<&str>, length: Option<u64>) -> Reply {
    let mut request = Request::builder().method(one.method.clone()).uri(&one.path).header("content-type", "application/json");
    if let Some(value) = authorization {
        request = request.header("authorization", value);
    }
    if let Some(length) = length {
        request = request.header("content-length", length);
    }
    let sent = world.send(request.body(endless()).expect("a request"));
    tokio::time::timeout(Duration::from_secs(5), sent).await.unwrap_or_else(|_| panic!("{}: no answer", one.path))
}

on_both_stores! {
    async fn a_wrong_credential_beside_the_body_is_refused_before_the_body_is_read(world) {
        let (all, _) = endpoints(&world).await;
        let mistyped = format!("Bearer {}", &world.key[..world.key.len() - 1]);
        for one in all.iter().filter(|one| one.has_body()) {
            // Endpoints for users alone describe no such key.
            let odd = (one.takes != Takes::Viewer).then_some("Bearer a b");
            for header in [mistyped.as_str(), "Bearer a.b.c", "Bearer undefined"].into_iter().chain(odd) {
                assert_eq!(unfinished(&world, one, Some(header), None).await.status, 401, "{} {header}", one.path);
            }
            if !one.key_in_body {
                assert_eq!(unfinished(&world, one, None, None).await.status, 401, "{}", one.path);
            }
        }
        assert_eq!(world.app.part::<Memory>().strangers.used(), 0);
    }

    async fn a_body_that_announces_too_much_is_refused_at_once(world) {
        let (all, token) = endpoints(&world).await;
        for one in all.iter().filter(|one| one.has_body()) {
            let header = format!("Bearer {}", if one.takes == Takes::Viewer { &token } else { &world.key });
            unfinished(&world, one, Some(&header), Some(10 << 30)).await.refused(413, "BODY_TOO_LARGE");
            if one.key_in_body {
                unfinished(&world, one, None, Some(10 << 30)).await.refused(413, "BODY_TOO_LARGE");
            }
        }
    }

    async fn a_token_of_no_identity_provider_is_refused_before_its_organization(world) {
        let (all, _) = endpoints(&world).await;
        let provider = trusted(&world).await;
        let elsewhere = format!("Bearer {}", provider.token(&json!({"iss": "https://other.example", "email": "ada@example.test"})));
        let expired = format!("Bearer {}", provider.token(&json!({"exp": 1_000_000, "email": "ada@example.test"})));
        let good = format!("Bearer {}", provider.token(&json!({"email": "ada@example.test"})));
        for one in all.iter().filter(|one| matches!(one.takes, Takes::Host | Takes::HostOrTenant)) {
            for organization in [json!("acme"), json!([5]), json!(null), json!(world.organization)] {
                let (path, body) = one.with("organizationId", &organization);
                let body = body.to_string();
                one.send(&world, &path, &[&elsewhere], &body).await.refused(401, "INVALID_TOKEN");
                one.send(&world, &path, &[&expired], &body).await.refused(401, "TOKEN_EXPIRED");
            }
            let (path, body) = one.with("organizationId", &json!("acme"));
            one.send(&world, &path, &[&good], &body.to_string()).await.refused(400, "VALIDATION_FAILED");
        }
    }

    async fn after_finalize_a_write_of_v1_is_gone_whatever_its_body_is(world) {
        let (all, _) = endpoints(&world).await;
        let writes: Vec<_> = all.iter().filter(|one| one.path.starts_with("/v1/api/dashboard/") && one.has_body()).collect();
        assert_eq!(writes.len(), 5);
        let header = format!("Bearer {}", world.key);
        let unread = ["{", "[]", "", "{\"name\": \"a\u{0}\"}", &"[".repeat(1_000)];
        for one in &writes {
            for body in unread {
                one.send(&world, &one.path, &[&header], body).await.refused(400, "VALIDATION_FAILED");
            }
        }
        v1_migration::map_tenants(&world.app.db, &Actor::operator(world.organization)).await.expect("mapped");
        v1_migration::finalize(&world.app.db, &Actor::operator(world.organization)).await.expect("finalized");
        world.app.refresh().await.expect("refreshed");
        for one in &writes {
            for body in unread {
                let error = one.send(&world, &one.path, &[&header], body).await.refused(410, "MIGRATED_TO_V2");
                assert!(error["details"]["endpoint"].as_str().expect("an endpoint").contains(" /v2/api/applications"), "{error}");
                one.send(&world, &one.path, &[], body).await.refused(400, "VALIDATION_FAILED");
                one.send(&world, &one.path, &["Bearer inlay_x_y"], body).await.refused(401, "INVALID_API_KEY");
            }
            unfinished(&world, one, Some(&header), Some(10 << 30)).await.refused(410, "MIGRATED_TO_V2");
        }
    }
}

#[tokio::test]
async fn strangers_bodies_leave_room_for_those_of_callers() {
    let world = World::new(StoreKind::Sqlite).await;
    let (memory, path) = (world.app.part::<Memory>(), format!("/v1/api/projects/{}/user-roles", world.applied.project_id));
    let taken = memory.strangers.try_take(memory.strangers.total()).expect("all of it");
    let body = || json!({"name": uuid::Uuid::now_v7(), "permissions": {"addChart": true}, "apiKey": world.key});
    let refused = world.post(&path, "", &body()).await;
    refused.refused(503, "UNAVAILABLE");
    assert_eq!(refused.headers["retry-after"], "2");
    world.post(&path, &world.key, &body()).await.data();
    drop(taken);
    world.post(&path, "", &body()).await.data();
}
