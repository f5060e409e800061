//! Webhooks through the API on both stores, received by a server on loopback.

use super::{EventKind, signing};
use crate::{
    concepts::tokens::{self, revocation::SubjectKind},
    faces::background,
    on,
    testing::{ACME, Reply, StoreKind, World, bad_fields, on_both_stores, refusals},
};
use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, Method, StatusCode},
    routing::post,
};
use serde_json::{Value, json};
use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};
use tokio::net::TcpListener;

/// The requests that a host's server received, and its next responses; then 200.
#[derive(Clone, Default)]
pub(super) struct Host {
    heard: Arc<Mutex<Vec<(HeaderMap, String)>>>,
    pub(super) answers: Arc<Mutex<VecDeque<u16>>>,
}

impl Host {
    pub(super) async fn start(&self) -> String {
        async fn hear(
            State(host): State<Host>,
            headers: HeaderMap,
            body: Bytes,
        ) -> (StatusCode, [(&'static str, &'static str); 1]) {
            let text = String::from_utf8(body.to_vec()).expect("text");
            host.heard.lock().expect("a lock").push((headers, text));
            let status = host.answers.lock().expect("a lock").pop_front().unwrap_or(200);
            (StatusCode::from_u16(status).expect("a status"), [("location", "/elsewhere")])
        }
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let router = Router::new().route("/hooks", post(hear)).route("/elsewhere", post(hear)).with_state(self.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        format!("http://{address}/hooks")
    }

    pub(super) fn heard(&self) -> Vec<(HeaderMap, Value)> {
        let heard = self.heard.lock().expect("a lock").clone();
        heard.into_iter().map(|(headers, text)| (headers, serde_json::from_str(&text).expect("JSON"))).collect()
    }
}

fn path(world: &World) -> String {
    format!("/v2/api/projects/{}/webhooks", world.applied.project_id)
}

/// Creates a webhook for every event. Returns its id and its secret.
pub(super) async fn made(world: &World, url: &str) -> (String, String) {
    let body = json!({ "url": url, "events": EventKind::CHOICES.map(EventKind::name) });
    let made = world.post(&path(world), &world.key, &body).await.data();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    (text(&made["webhook"]["id"]), text(&made["secret"]))
}

pub(super) async fn work(world: &World) {
    background::worker(world.app.clone()).work_off().await.expect("worked off");
}

pub(super) async fn deliveries(world: &World, id: &str) -> Vec<Value> {
    let listed = world.get(&format!("{}/{id}/deliveries", path(world)), &world.key).await.data();
    listed["deliveries"].as_array().expect("a list").clone()
}

pub(super) async fn tried(world: &World, id: &str) -> Reply {
    world.post(&format!("{}/{id}/test", path(world)), &world.key, &json!({})).await
}

pub(super) async fn open_world(kind: StoreKind) -> World {
    World::with(kind, &["--allow-private-webhooks", "127.0.0.1"]).await
}

async fn a_saved_dashboard_is_told_signed_and_once(world: World) {
    let host = Host::default();
    let (id, secret) = made(&world, &host.start().await).await;
    let application = world.applied.applications["Orders"].id;
    let path = format!("/v2/api/applications/{application}/dashboards");
    let dashboard = world.post(&path, &world.key, &json!({ "name": "Told" })).await.data();
    work(&world).await;
    work(&world).await;
    let [(headers, body)] = &host.heard()[..] else { panic!("one message: {:?}", host.heard()) };
    assert_eq!((body["type"].as_str(), &body["data"]["dashboardId"]), (Some("dashboard.saved"), &dashboard["dashboardId"]));
    assert_eq!((body["data"]["action"].as_str(), body["data"]["name"].as_str()), (Some("dashboard.created"), Some("Told")));
    let header = |name: &str| headers[name].to_str().expect("text").to_owned();
    let seconds: i64 = header("webhook-timestamp").parse().expect("seconds");
    assert!((seconds - crate::ground::time::Timestamp::now().seconds()).abs() < 60);
    let text = host.heard.lock().expect("a lock")[0].1.clone();
    let signed = signing::sign(&secret, &header("webhook-id"), seconds, &text).expect("signed");
    assert_eq!(header("webhook-signature"), signed);
    let told = deliveries(&world, &id).await;
    assert_eq!((told.len(), &told[0]["state"], &told[0]["status"]), (1, &json!("delivered"), &json!(200)));
    assert_eq!(told[0]["id"], json!(header("webhook-id")));
}

async fn failures_are_sent_again_and_gone_switches_off(world: World) {
    let host = Host::default();
    let (id, _) = made(&world, &host.start().await).await;
    // Redirects are not followed: they count as failures.
    host.answers.lock().expect("a lock").extend([500, 307, 200, 410]);
    tried(&world, &id).await.data();
    for state in ["waiting", "waiting", "delivered"] {
        work(&world).await;
        assert_eq!(deliveries(&world, &id).await[0]["state"], json!(state));
        work(&world).await;
        world.make_jobs_due().await;
    }
    let ids: Vec<String> =
        host.heard().iter().map(|(headers, _)| headers["webhook-id"].to_str().expect("text").to_owned()).collect();
    assert!(ids.len() == 3 && ids.iter().all(|id| *id == ids[0]), "one message, sent three times: {ids:?}");
    assert_eq!(deliveries(&world, &id).await[0]["attempts"], json!(3));
    tried(&world, &id).await.data();
    work(&world).await;
    let listed = world.get(&path(&world), &world.key).await.data();
    assert_eq!(listed["webhooks"][0]["active"], json!(false), "410 ends it");
    assert_eq!(deliveries(&world, &id).await[0]["state"], json!("failed"));
}

async fn a_refused_token_is_told_once_in_a_while(world: World) {
    let host = Host::default();
    made(&world, &host.start().await).await;
    let signed = world.sign_in_as(ACME, "ada", None).await;
    let (token, user) = (signed["token"].as_str().expect("a token"), signed["projectUserId"].clone());
    let mut tx = world.app.db.write().await.expect("a transaction");
    let id = user.as_str().expect("an id").parse().expect("an id");
    tokens::cut_off(&mut tx.conn(), SubjectKind::User, id, &[]).await.expect("revoked");
    tx.commit().await.expect("committed");
    world.app.refresh().await.expect("refreshed");
    for _ in 0..3 {
        world.get("/v2/api/applications", token).await.refused(401, "TOKEN_REVOKED");
    }
    world.get("/v2/api/applications", "a.b.c").await.refused(401, "INVALID_TOKEN");
    work(&world).await;
    let [(_, body)] = &host.heard()[..] else { panic!("one message: {:?}", host.heard()) };
    assert_eq!((&body["type"], &body["data"]["projectUserId"]), (&json!("token.refused"), &user));
    assert_eq!(body["data"]["reason"], json!("TOKEN_REVOKED"));
    assert!(!body.to_string().contains(token));
}

macro_rules! with_a_host_on_loopback {
    ($($name:ident)+) => {
        mod heard_on_sqlite {
            $(#[tokio::test] async fn $name() { super::$name(super::open_world(super::StoreKind::Sqlite).await).await; })+
        }
        mod heard_on_postgres {
            $(#[tokio::test] async fn $name() { super::$name(super::open_world(super::StoreKind::Postgres).await).await; })+
        }
    };
}
with_a_host_on_loopback!(
    a_saved_dashboard_is_told_signed_and_once failures_are_sent_again_and_gone_switches_off a_refused_token_is_told_once_in_a_while
);

on_both_stores! {
    async fn webhooks_are_made_changed_and_removed(world) {
        let (id, secret) = made(&world, "https://hooks.example.com/a?k=v").await;
        let listed = world.get(&path(&world), &world.key).await.data();
        assert_eq!((&listed["webhooks"][0]["id"], &listed["webhooks"][0]["active"]), (&json!(id), &json!(true)));
        assert!(!listed.to_string().contains(&secret), "the secret is shown once");
        let one = format!("{}/{id}", path(&world));
        let change = json!({ "events": ["report.sent"], "active": false });
        let changed = world.call(Method::PATCH, &one, &world.key, Some(&change)).await.data();
        assert_eq!(changed["webhook"]["events"], json!(["report.sent"]));
        assert_eq!(changed["webhook"]["url"], json!("https://hooks.example.com/a?k=v"));
        world.call(Method::DELETE, &one, &world.key, None).await.data();
        world.call(Method::DELETE, &one, &world.key, None).await.refused(404, "NOT_FOUND");
    }

    async fn only_the_project_s_own_host_manages_them(world) {
        let body = json!({ "url": "https://hooks.example.com", "events": ["report.sent"] });
        refusals(&world, &Method::POST, &path(&world), &body, true).await;
        bad_fields(&world, &Method::POST, &path(&world), &body, &[("url!", json!(5)), ("events!", json!("x"))]).await;
        for (field, wrong) in [
            ("url", json!("http://hooks.example.com")),
            ("url", json!("https://u:p@hooks.example.com")),
            ("events", json!([])),
            ("events", json!(["nothing.happened"])),
            ("events", json!(["webhook.test"])),
        ] {
            let mut body = body.clone();
            body[field] = wrong;
            let error = world.post(&path(&world), &world.key, &body).await.refused(400, "VALIDATION_FAILED");
            assert!(error["details"][field].is_string(), "{error}");
        }
        let (id, _) = made(&world, "https://hooks.example.com").await;
        let (theirs, their_key) = world.neighbour().await;
        let foreign = format!("/v2/api/projects/{}/webhooks/{id}", theirs.project_id);
        world.call(Method::DELETE, &foreign, &their_key, None).await.refused(404, "NOT_FOUND");
        world.get(&format!("{foreign}/deliveries"), &their_key).await.refused(404, "NOT_FOUND");
    }

    async fn a_private_address_is_never_connected_to(world) {
        let host = Host::default();
        let url = host.start().await.replace("http://127.0.0.1", "https://localhost");
        let (id, _) = made(&world, &url).await;
        tried(&world, &id).await.data();
        work(&world).await;
        let told = deliveries(&world, &id).await;
        let problem = told[0]["problem"].as_str().unwrap_or_default();
        assert!(problem.contains("private network") && host.heard().is_empty(), "{problem}");
    }

    async fn there_are_twenty_at_most_and_addresses_rest_sealed(world) {
        for _ in 0..20 {
            made(&world, "https://hooks.example.com/very-private-path").await;
        }
        let body = json!({ "url": "https://hooks.example.com", "events": ["report.sent"] });
        world.post(&path(&world), &world.key, &body).await.refused(409, "WEBHOOK_LIMIT");
        let mut lease = world.app.db.read().await.expect("a connection");
        let stored: Vec<Vec<u8>> =
            on!(&mut lease.conn(), |c| sqlx::query_scalar("SELECT sealed_url FROM webhooks").fetch_all(c).await).expect("read");
        assert!(stored.iter().all(|sealed| !String::from_utf8_lossy(sealed).contains("very-private-path")));
    }
}
