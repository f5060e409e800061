//! Several nodes on one store: clocks that differ, keys that change, revocations under load.

use super::{Claims, known, revocation::SubjectKind, store, verify};
use crate::{
    faces::router::router,
    ground::{
        error::{Code, Error},
        state::App,
        store::version,
        time::Timestamp,
    },
    on,
    testing::{ACME, World, on_both_stores},
};
use axum::{
    Router,
    body::{Body, to_bytes},
    http::Request,
};
use serde_json::{Value, json};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};
use tower::ServiceExt;
use uuid::Uuid;

/// A node of several, as callers see it.
struct Node {
    app: App,
    router: Router,
}

impl Node {
    async fn new(world: &World) -> Self {
        let app = world.another_node().await;
        Self { router: router(app.clone()), app }
    }

    async fn post(&self, path: &str, credential: &str, body: &Value) -> (u16, Value) {
        let request = Request::post(path).header("authorization", format!("Bearer {credential}"));
        let request = request.header("content-type", "application/json").body(Body::from(body.to_string())).expect("a request");
        let reply = self.router.clone().oneshot(request).await.expect("a reply");
        let status = reply.status().as_u16();
        let text = to_bytes(reply.into_body(), usize::MAX).await.expect("a body");
        (status, serde_json::from_slice(&text).unwrap_or_default())
    }

    async fn sign_in(&self, world: &World) -> Value {
        let (status, reply) = self.post("/v1/api/projects/embed-token", &world.key, &world.sign_in_body(ACME, "ada")).await;
        assert_eq!(status, 200, "{reply}");
        reply["data"].clone()
    }

    async fn status(&self, world: &World, token: &str) -> u16 {
        self.post(&world.chart_path("Rates"), token, &json!({})).await.0
    }
}

fn token(data: &Value) -> &str {
    data["token"].as_str().expect("a token")
}

fn claims(app: &App, token: &str) -> Claims {
    verify(&known(app).keyring, &app.base_url, token, app.now()).expect("valid")
}

async fn revoke(world: &World, user: &Value) {
    let mut tx = world.app.db.write().await.expect("a transaction");
    let user: Uuid = serde_json::from_value(user.clone()).expect("an id");
    store::cut_off(&mut tx.conn(), SubjectKind::User, user, &[]).await.expect("revoked");
    tx.commit().await.expect("committed");
}

async fn add_key(world: &World) {
    let mut tx = world.app.db.write().await.expect("a transaction");
    store::add_key(&mut tx.conn(), &world.app.sealer).await.expect("a key");
    tx.commit().await.expect("committed");
}

on_both_stores! {
    async fn a_node_whose_clock_is_off_lets_no_revoked_token_through_and_refuses_no_fresh_one(world) {
        for shift in [-5_000, 5_000] {
            let off = Node::new(&world).await;
            off.app.clock.shift(shift);
            let right = Node::new(&world).await;
            // Before it has learned of its clock, and afterwards.
            for learned in [false, true] {
                if learned {
                    off.app.refresh().await.expect("refreshed");
                    assert!((off.app.clock.ahead() + shift).abs() < 500, "{}", off.app.clock.ahead());
                }
                let (by_off, by_right) = (off.sign_in(&world).await, right.sign_in(&world).await);
                for node in [&off, &right] {
                    assert_eq!(node.status(&world, token(&by_off)).await, 200);
                    assert_eq!(node.status(&world, token(&by_right)).await, 200);
                }
                revoke(&world, &by_off["projectUserId"]).await;
                // On nodes that have not noticed the revocation yet.
                let fresh = [off.sign_in(&world).await, right.sign_in(&world).await];
                for node in [&off, &right] {
                    node.app.refresh().await.expect("refreshed");
                    for old in [&by_off, &by_right] {
                        assert_eq!(node.status(&world, token(old)).await, 401, "{shift} {learned}");
                    }
                    for fresh in &fresh {
                        assert_eq!(node.status(&world, token(fresh)).await, 200, "{shift} {learned}");
                    }
                }
            }
            let late = claims(&right.app, token(&off.sign_in(&world).await)).issued_at().0 - Timestamp::now().0;
            assert!(late.abs() < 1_000, "tokens tell the store's time, not the node's: {late}");
        }
    }

    async fn readyz_tells_of_a_clock_that_is_off(world) {
        let node = Node::new(&world).await;
        let ready = async || {
            node.app.refresh().await.expect("refreshed");
            let request = Request::get("/readyz").body(Body::empty()).expect("a request");
            let reply = node.router.clone().oneshot(request).await.expect("a reply");
            assert_eq!(reply.status(), 200);
            String::from_utf8(to_bytes(reply.into_body(), 1_000).await.expect("a body").to_vec()).expect("text")
        };
        assert_eq!(ready().await, "ready");
        node.app.clock.shift(5_000);
        let told = ready().await;
        assert!(told.contains("s ahead of the store's") && told.contains(" 5.0 s") || told.contains(" 4.9 s"), "{told}");
        node.app.clock.shift(-5_000);
        assert!(ready().await.contains("s behind the store's"));
    }

    async fn six_rotations_under_load_refuse_no_fresh_token(world) {
        let world = Arc::new(world);
        let (one, other) = (Arc::new(Node::new(&world).await), Arc::new(Node::new(&world).await));
        let (_stop, stopped) = tokio::sync::watch::channel(false);
        for node in [&one, &other] {
            tokio::spawn(crate::ground::periodic::repeat(node.app.clone(), Vec::new(), stopped.clone()));
        }
        let over = Arc::new(AtomicBool::new(false));
        let load = [(&one, &other), (&other, &one)].map(|(signs, reads)| {
            let (world, signs, reads, over) = (Arc::clone(&world), Arc::clone(signs), Arc::clone(reads), Arc::clone(&over));
            tokio::spawn(async move {
                let mut kids = std::collections::BTreeSet::new();
                while !over.load(Ordering::SeqCst) {
                    let signed = signs.sign_in(&world).await;
                    assert_eq!(reads.status(&world, token(&signed)).await, 200, "a fresh token");
                    kids.insert(jsonwebtoken::decode_header(token(&signed)).expect("a header").kid);
                    // The user has 50 requests a second.
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                kids.len()
            })
        });
        for _ in 0..6 {
            add_key(&world).await;
            tokio::time::sleep(Duration::from_millis(400)).await;
        }
        one.app.refresh().await.expect("refreshed");
        assert_eq!(known(&one.app).keyring.keys().len(), 7, "published");
        tokio::time::sleep(store::PUBLISHED_BEFORE).await;
        over.store(true, Ordering::SeqCst);
        for load in load {
            assert!(load.await.expect("no fresh token is refused") > 1, "the key changed meanwhile");
        }
    }

    async fn the_key_rotates_once_an_hour(world) {
        let rotate = async || -> Result<Uuid, Error> {
            let mut tx = world.app.db.write().await?;
            let id = super::rotate(&mut tx.conn(), &world.app.sealer).await?;
            tx.commit().await?;
            Ok(id)
        };
        let age = async |hours: i64| {
            let mut tx = world.app.db.write().await.expect("a transaction");
            let sql = "UPDATE signing_keys SET retired_at = retired_at - $1";
            on!(&mut tx.conn(), |c| sqlx::query(sql).bind(hours * 3_600_000).execute(c).await.map(drop)).expect("aged");
            tx.commit().await.expect("committed");
        };
        rotate().await.expect("the first key is no rotation");
        let refused = rotate().await.expect_err("too early");
        assert_eq!(refused.code, Code::RateLimited);
        assert!(refused.retry_after.is_some_and(|wait| wait > Duration::from_secs(3_500)));
        for _ in 0..8 {
            age(2).await;
            rotate().await.expect("two hours later");
        }
        age(2).await;
        let full = rotate().await.expect_err("ten keys are valid");
        assert!(full.retry_after.is_some_and(|wait| wait > Duration::from_secs(6 * 24 * 3_600)), "{full:?}");
        age(8 * 24).await;
        rotate().await.expect("the others have run out");
    }

    async fn an_unnumbered_revocation_of_an_older_node_is_noticed_and_held_against_times(world) {
        let ada = world.sign_in_as(ACME, "ada", None).await;
        revoke(&world, &ada["projectUserId"]).await;
        world.app.refresh().await.expect("refreshed");
        tokio::time::sleep(Duration::from_millis(2)).await;
        let again = world.sign_in_as(ACME, "ada", None).await;
        let path = world.chart_path("Rates");
        world.post(&path, token(&again), &json!({})).await.data();
        // As a node of the version before writes it.
        let mut tx = world.app.db.write().await.expect("a transaction");
        let user: Uuid = serde_json::from_value(ada["projectUserId"].clone()).expect("an id");
        let cut = "UPDATE revocations SET cutoff = $2 WHERE subject_id = $1";
        on!(&mut tx.conn(), |c| sqlx::query(cut).bind(user).bind(Timestamp::now().0 + 1).execute(c).await.map(drop)).expect("cut off");
        let bump = "UPDATE configuration_version SET number = number + 1";
        on!(&mut tx.conn(), |c| sqlx::query(bump).execute(c).await.map(drop)).expect("raised");
        tx.commit().await.expect("committed");
        world.app.refresh().await.expect("refreshed");
        world.post(&path, token(&again), &json!({})).await.refused(401, "TOKEN_REVOKED");
    }

    async fn a_user_of_a_tenant_s_id_cuts_no_tenant_off(world) {
        let body = json!({"projectId": world.applied.project_id, "displayName": "t", "prefilters": {"company": ACME}});
        let tenant = world.post("/v1/api/tenant/register-tenant", &world.key, &body).await.data();
        let refused = async || {
            world.app.refresh().await.expect("refreshed");
            known(&world.app).revocations.check(&claims(&world.app, token(&tenant))).is_err()
        };
        revoke(&world, &tenant["tenantId"]).await;
        assert!(!refused().await, "another organization's user of this id");
        let mut tx = world.app.db.write().await.expect("a transaction");
        let id: Uuid = serde_json::from_value(tenant["tenantId"].clone()).expect("an id");
        store::cut_off(&mut tx.conn(), SubjectKind::Tenant, id, &[]).await.expect("revoked");
        tx.commit().await.expect("committed");
        assert!(refused().await);
    }

    async fn a_revocation_counts_within_a_second_while_every_connection_is_taken(world) {
        let ada = world.sign_in_as(ACME, "ada", None).await;
        let (_stop, stopped) = tokio::sync::watch::channel(false);
        let other = Node::new(&world).await;
        tokio::spawn(crate::ground::periodic::repeat(other.app.clone(), Vec::new(), stopped));
        assert_eq!(other.status(&world, token(&ada)).await, 200);
        // Taken from the pool that callers use, all but the one that the revocation needs on PostgreSQL.
        let mut taken = Vec::new();
        let mut tx = world.app.db.write().await.expect("a transaction");
        while let Ok(Ok(lease)) = tokio::time::timeout(Duration::from_millis(100), world.app.db.read()).await {
            taken.push(lease);
        }
        let user: Uuid = serde_json::from_value(ada["projectUserId"].clone()).expect("an id");
        store::cut_off(&mut tx.conn(), SubjectKind::User, user, &[]).await.expect("revoked");
        tx.commit().await.expect("committed");
        let revoked = Instant::now();
        while known(&other.app).revocations.check(&claims(&world.app, token(&ada))).is_ok() {
            assert!(revoked.elapsed() < Duration::from_secs(1), "the token still works");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        drop(taken);
        assert!(version::current(&world.app.db).await.expect("a version") > 0);
    }
}
