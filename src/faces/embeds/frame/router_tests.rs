//! The frame of both kinds of pages through the router, on both stores: which tokens a page accepts, and a page above the rate limit.

use crate::testing::{ACME, Reply, StoreKind, World, on_both_stores};
use axum::{
    body::{Body, to_bytes},
    http::Request,
};
use futures::future::join_all;
use serde_json::{Value, json};
use std::io::Read;
use tower::ServiceExt;
use uuid::Uuid;

const ELSEWHERE: &str = "The token is for another project than this page, or the page does not exist. Check the page's address and the projectId of embed-token.";

/// One kind of page: its path, and its calls that open it and that check a token.
struct Kind {
    path: String,
    open: &'static str,
    check: &'static str,
    name: &'static str,
}

/// The three kinds of pages of a world's project.
fn kinds(world: &World) -> [Kind; 3] {
    let applied = &world.applied;
    let (open, check) = ("/share/fn/open-page", "/share/fn/check-token");
    [
        Kind { path: format!("/share/application/{}", applied.applications["Orders"].id), open, check, name: "Overview" },
        Kind { path: format!("/share/dashboard/{}", applied.dashboards["Orders/Overview"].id), open, check, name: "Overview" },
        Kind {
            path: format!("/share/workspace/{}/{}", applied.project_id, applied.workspaces["Ask"]),
            open: "/share/fn/workspace/open",
            check: "/share/fn/workspace/check-token",
            name: "Ask",
        },
    ]
}

async fn call(world: &World, function: &str, token: &str, path: &str, search: &str) -> Reply {
    world.post(function, token, &json!({ "address": { "path": path, "search": search } })).await
}

/// A token of a user of the same company in another project.
async fn token_elsewhere(world: &World) -> String {
    let (neighbour, key) = world.neighbour().await;
    let mut body = world.sign_in_body(ACME, "viewer");
    body["projectId"] = json!(neighbour.project_id);
    let data = world.post("/v1/api/projects/embed-token", &key, &body).await.data();
    data["token"].as_str().expect("a token").to_owned()
}

/// A page's encoding, what it varies by, and its bytes.
async fn page(world: &World, address: &str, encodings: &str) -> (String, String, Vec<u8>) {
    let request = Request::builder().uri(address).header("accept-encoding", encodings).body(Body::empty()).expect("a request");
    let reply = world.router.clone().oneshot(request).await.expect("a reply");
    let header = |name: &str| reply.headers().get(name).map_or("", |value| value.to_str().expect("text")).to_owned();
    (header("content-encoding"), header("vary"), to_bytes(reply.into_body(), usize::MAX).await.expect("a body").to_vec())
}

/// A page without what differs between two views of one viewer: nonces, and how its rows were come by.
fn without_own(html: &str) -> String {
    let mut kept = html.to_owned();
    for (begin, end) in [("nonce=\"", '"'), ("\"cached\":", ','), ("\"durationMs\":", '}')] {
        let mut parts = kept.split(begin);
        let first = parts.next().unwrap_or_default().to_owned();
        kept = parts.fold(first, |kept, part| kept + begin + part.split_once(end).map_or(part, |(_, rest)| rest));
    }
    kept
}

/// Checks that a call refuses the token because of its project.
#[track_caller]
fn refused(reply: &Reply, what: &str) {
    assert_eq!((reply.status.as_u16(), &reply.json()["code"]), (404, &json!("NOT_FOUND")), "{what}: {}", reply.text);
    assert_eq!(reply.json()["message"], ELSEWHERE, "{what}");
}

/// The message that an opened page shows.
fn message(opened: &Value) -> &Value {
    match &opened["page"]["content"] {
        // A dashboard's page is drawn, a workspace's is not.
        content if content["parameters"].is_object() => &content["content"]["message"]["message"],
        content => &content["message"],
    }
}

on_both_stores! {
    async fn a_token_of_the_project_opens_each_page_and_one_of_another_none(world) {
        let (own, other) = (world.token(ACME).await, token_elsewhere(&world).await);
        for Kind { path, open, check, name } in kinds(&world) {
            let opened = call(&world, open, &own, &path, "").await;
            assert!(opened.status.as_u16() == 200 && opened.json()["title"] == name, "{path}: {}", opened.text);
            assert!(call(&world, check, &own, &path, "").await.json()["viewer"].is_string(), "{path}");
            for function in [open, check] {
                refused(&call(&world, function, &other, &path, "").await, &format!("{function} {path}"));
                let invalid = call(&world, function, "a.b.c", &path, "").await;
                assert_eq!((invalid.status.as_u16(), &invalid.json()["code"]), (401, &json!("INVALID_TOKEN")), "{function} {path}");
            }
        }
    }

    async fn a_page_is_the_same_in_each_encoding(world) {
        let token = world.token(ACME).await;
        for Kind { path, .. } in kinds(&world) {
            for address in [format!("{path}?jwt={token}"), path.clone(), format!("{path}?jwt=a.b.c")] {
                let (_, _, plain) = page(&world, &address, "identity").await;
                let plain = String::from_utf8(plain).expect("HTML");
                // The second time from memory.
                for asked in ["gzip, deflate, br, zstd", "br;q=0.5", "br"] {
                    let (encoding, vary, packed) = page(&world, &address, asked).await;
                    assert_eq!((encoding.as_str(), vary.as_str()), ("br", "accept-encoding"), "{address} {asked}");
                    let mut html = String::new();
                    brotli::Decompressor::new(&packed[..], 4096).read_to_string(&mut html).expect("brotli");
                    assert_eq!(without_own(&html), without_own(&plain), "{address} {asked}");
                }
                for (asked, given) in [("gzip", "gzip"), ("br;q=0, gzip", "gzip"), ("identity", ""), ("brotli", "")] {
                    let (encoding, vary, _) = page(&world, &address, asked).await;
                    assert_eq!((encoding.as_str(), vary.as_str()), (given, "accept-encoding"), "{address} {asked}");
                }
            }
        }
    }

    async fn what_is_missing_within_the_project_is_no_fault_of_the_token(world) {
        let own = world.token(ACME).await;
        let [application, _, workspace] = kinds(&world);
        let nowhere = format!("?dashboardId={}", Uuid::now_v7());
        let opened = call(&world, application.open, &own, &application.path, &nowhere).await.json();
        assert_eq!(message(&opened), "dashboardNotFound", "{opened}");
        assert_eq!(call(&world, application.check, &own, &application.path, &nowhere).await.status.as_u16(), 200);
        let missing = format!("/share/workspace/{}/{}", world.applied.project_id, Uuid::now_v7());
        assert_eq!(message(&call(&world, workspace.open, &own, &missing, "").await.json()), "workspaceNotFound");
        assert_eq!(call(&world, workspace.check, &own, &missing, "").await.status.as_u16(), 200);
        world.apply(&World::project_file().replace("publish: true", "publish: false")).await.expect("applied");
        let opened = call(&world, workspace.open, &own, &workspace.path, "").await.json();
        assert_eq!(message(&opened), "workspaceNotPublished", "{opened}");
        assert_eq!(call(&world, workspace.check, &own, &workspace.path, "").await.status.as_u16(), 200);
    }

    async fn a_dashboard_out_of_sight_is_refused_like_one_that_does_not_exist(world) {
        let editor = world.sign_in_as(ACME, "one", Some("Analyst")).await["token"].as_str().expect("a token").to_owned();
        let path = format!("/v2/api/applications/{}/dashboards", world.applied.applications["Orders"].id);
        let own = world.post(&path, &editor, &json!({ "name": "Own" })).await.data()["dashboardId"].as_str().expect("an id").to_owned();
        let [_, page, _] = kinds(&world);
        let stranger = world.token(crate::testing::GLOBEX).await;
        for id in [own.clone(), Uuid::now_v7().to_string(), "x".to_owned()] {
            for function in [page.open, page.check] {
                refused(&call(&world, function, &stranger, &format!("/share/dashboard/{id}"), "").await, &id);
            }
        }
        assert_eq!(call(&world, page.check, &editor, &format!("/share/dashboard/{own}"), "").await.status.as_u16(), 200);
    }

    async fn a_page_opens_again_with_what_was_open(world) {
        let own = world.token(ACME).await;
        let [application, ..] = kinds(&world);
        let more = world.applied.dashboards["Orders/More"].id;
        let open = async |place: Value| {
            let body = json!({ "address": { "path": application.path, "search": "" }, "place": place });
            world.post(application.open, &own, &body).await.json()["title"].clone()
        };
        assert_eq!(open(json!(more)).await, "More");
        assert_eq!(open(Value::Null).await, "Overview");
        assert_eq!(open(json!(Uuid::now_v7())).await, "Overview", "it is gone");
        assert_eq!(open(json!(world.applied.dashboards["Office/Desk"].id)).await, "Overview", "it is another application's");
    }
}

async fn a_page_above_the_rate_limit_says_when_to_come_back(kind: StoreKind) {
    let world = World::with(kind, &["--user-requests-per-second", "1", "--user-burst", "1"]).await;
    for Kind { path, .. } in kinds(&world) {
        let user = world.sign_in_as(ACME, &format!("user of {path}"), None).await;
        let address = format!("{path}?jwt={}", user["token"].as_str().expect("a token"));
        // All at once: a slow machine would be given the next request before it asks.
        let replies = join_all((0..8).map(|_| world.get(&address, ""))).await;
        let statuses: Vec<u16> = replies.iter().map(|reply| reply.status.as_u16()).collect();
        assert!(statuses.contains(&200) && statuses.iter().all(|status| [200, 429].contains(status)), "{path}: {statuses:?}");
        let limited = replies.into_iter().find(|reply| reply.status.as_u16() == 429).expect("one above the limit");
        let wait: u64 = limited.headers["retry-after"].to_str().expect("text").parse().expect("seconds");
        assert!((1..=2).contains(&wait) && limited.text.contains("Something went wrong"), "{path}: {wait}");
        assert!(limited.headers["content-security-policy"].to_str().is_ok_and(|policy| policy.contains("'nonce-")), "{path}");
    }
}

#[tokio::test]
async fn a_page_above_the_rate_limit_says_when_to_come_back_on_sqlite() {
    a_page_above_the_rate_limit_says_when_to_come_back(StoreKind::Sqlite).await;
}

#[tokio::test]
async fn a_page_above_the_rate_limit_says_when_to_come_back_on_postgres() {
    a_page_above_the_rate_limit_says_when_to_come_back(StoreKind::Postgres).await;
}

#[tokio::test]
async fn a_prompt_follows_the_limit_of_the_chat() {
    for (flags, longest) in [(&[][..], 8_000), (&["--chat-message-characters", "12"][..], 12)] {
        let world = World::with(StoreKind::Sqlite, flags).await;
        let [.., workspace] = kinds(&world);
        let own = world.token(ACME).await;
        let read = async |length: usize| {
            let search = format!("?prompt={}", "ü".repeat(length));
            let opened = call(&world, workspace.open, &own, &workspace.path, &search).await.json();
            let parameters = opened["page"]["parameters"].clone();
            (parameters["prompt"].as_str().map_or(0, |prompt| prompt.chars().count()), parameters["refused"].clone())
        };
        assert_eq!(read(longest).await, (longest, Value::Null));
        assert_eq!(read(longest + 1).await, (0, json!(["prompt"])));
    }
}
