//! Fetching keys from a local server with a provider's protocol.

use super::*;
use crate::concepts::identity_providers::{IdentityProvider, fetchable};
use axum::{
    Router,
    extract::State,
    http::{StatusCode, header::LOCATION},
    response::IntoResponse,
    routing::get,
};
use serde_json::json;
use std::sync::{
    Mutex as Plain,
    atomic::{AtomicUsize, Ordering},
};
use tokio::net::TcpListener;

const X: &str = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";

/// The provider's next response, and the number of its requests.
#[derive(Default)]
struct Script {
    body: Plain<String>,
    status: AtomicUsize,
    asked: AtomicUsize,
}

async fn answer(State(script): State<Arc<Script>>) -> impl IntoResponse {
    script.asked.fetch_add(1, Ordering::SeqCst);
    let status = u16::try_from(script.status.load(Ordering::SeqCst)).expect("a status");
    let body = script.body.lock().expect("unpoisoned").clone();
    (StatusCode::from_u16(status).expect("a status"), [(LOCATION, "/moved")], body)
}

fn trying() -> Allowed {
    Allowed::new(true, &inlay_query::PrivateSources::Refused)
}

fn set(kids: &[&str]) -> String {
    let keys: Vec<Value> = kids.iter().map(|kid| json!({"kty": "OKP", "crv": "Ed25519", "kid": kid, "x": X})).collect();
    json!({ "keys": keys }).to_string()
}

struct Scene {
    script: Arc<Script>,
    provider: IdentityProvider,
    keys: FetchedKeys,
}

impl Scene {
    async fn new(body: &str, pause: Duration) -> Self {
        let script = Arc::new(Script { status: AtomicUsize::new(200), ..Script::default() });
        let router = Router::new().route("/keys", get(answer)).route("/moved", get(|| async { set(&["a"]) }));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/keys", listener.local_addr().expect("an address")).parse().expect("an address");
        let service = router.with_state(Arc::clone(&script));
        tokio::spawn(async move { axum::serve(listener, service).await });
        let provider = IdentityProvider {
            id: IdentityProviderId::generate(),
            issuer: "https://login.example".to_owned(),
            audience: "analytics".to_owned(),
            keys: KeySource::Address(url),
            trusts_addresses: false,
        };
        let scene = Self { script, provider, keys: FetchedKeys::of(trying()).pausing(pause) };
        scene.answers(200, body);
        scene
    }

    fn answers(&self, status: usize, body: &str) {
        self.script.status.store(status, Ordering::SeqCst);
        body.clone_into(&mut self.script.body.lock().expect("unpoisoned"));
    }

    async fn knows(&self, kid: &str) -> Result<bool, &'static str> {
        self.keys.find(&self.provider, Some(kid)).await.map(|key| key.is_some()).map_err(|problem| problem.code.as_str())
    }

    fn asked(&self) -> usize {
        self.script.asked.load(Ordering::SeqCst)
    }
}

const LONG: Duration = Duration::from_secs(60);

#[tokio::test]
async fn keys_are_fetched_once_and_kept() {
    let scene = Scene::new(&set(&["a", "b"]), LONG).await;
    let many = futures::future::join_all((0..20).map(|_| scene.knows("a"))).await;
    assert!(many.into_iter().all(|known| known == Ok(true)));
    assert_eq!((scene.knows("b").await, scene.asked()), (Ok(true), 1));
}

#[tokio::test]
async fn an_unknown_key_is_looked_for_once_a_pause() {
    let scene = Scene::new(&set(&["a"]), Duration::from_millis(300)).await;
    assert_eq!(scene.knows("a").await, Ok(true));
    scene.answers(200, &set(&["b"]));
    for _ in 0..10 {
        assert_eq!(scene.knows("b").await, Ok(false));
    }
    assert_eq!(scene.asked(), 1, "not again within the pause");
    tokio::time::sleep(Duration::from_millis(350)).await;
    assert_eq!((scene.knows("b").await, scene.asked()), (Ok(true), 2));
    assert_eq!(scene.knows("a").await, Ok(false), "a key that the provider withdrew no longer counts");
}

#[tokio::test]
async fn a_provider_that_is_away_is_asked_once_a_pause() {
    let scene = Scene::new("", LONG).await;
    scene.answers(500, "");
    for _ in 0..5 {
        assert_eq!(scene.knows("a").await, Err("IDENTITY_PROVIDER_UNAVAILABLE"));
    }
    assert_eq!(scene.asked(), 1);
}

#[tokio::test]
async fn known_keys_outlast_a_failure() {
    let scene = Scene::new(&set(&["a"]), Duration::from_millis(1)).await;
    assert_eq!(scene.knows("a").await, Ok(true));
    scene.answers(500, "");
    tokio::time::sleep(Duration::from_millis(5)).await;
    assert_eq!(scene.knows("b").await, Err("IDENTITY_PROVIDER_UNAVAILABLE"));
    assert_eq!(scene.knows("a").await, Ok(true));
}

#[tokio::test]
async fn odd_answers_are_no_keys() {
    for (status, body) in [
        (302, String::new()),
        (200, "<html>".to_owned()),
        (200, "[]".to_owned()),
        (200, r#"{"keys":[]}"#.to_owned()),
        (200, format!("{}{}", set(&["a"]), " ".repeat(MOST_BYTES))),
    ] {
        let scene = Scene::new("", LONG).await;
        scene.answers(status, &body);
        assert_eq!(scene.knows("a").await, Err("IDENTITY_PROVIDER_UNAVAILABLE"), "{status}");
    }
}

#[test]
fn addresses_that_are_never_asked() {
    let check = |text: &str, loopback| fetchable(&text.parse().expect("an address"), loopback).is_ok();
    assert!(
        check("https://login.example/keys", false)
            && check("http://127.0.0.1:8080/keys", true)
            && check("http://[::1]/k", true)
    );
    for bad in
        ["http://login.example/keys", "http://10.0.0.1/keys", "file:///etc/passwd", "https://user:secret@login.example/keys"]
    {
        assert!(!check(bad, true), "{bad}");
    }
    for local in ["http://127.0.0.1/keys", "http://localhost/keys", "https://localhost/keys", "https://[::1]/keys"] {
        assert!(!check(local, false), "{local}");
    }
}

#[test]
fn only_public_keys_for_signatures_count() {
    let rsa = |extra: Value| {
        let mut key = json!({"kty": "RSA", "kid": "r", "n": "sXchDaQebHnPiGvyDOAT4saGEUetSyo9MKLOoWFsueri23bOdgWp4Dy1WlUzewbgBHod5pcM9H95GQRV3JDXboIRROSBigeC5yjU1hGzHHyXss8UDprecbAYxknTcQkhslANGRUZmdTOQ5qTRsLAt6BTYuyvVRdhS8exSZEy_c4gs_7svlJJQ4H9_NxsiIoLwAEk7-Q3UXERGYw_75IDrGA84-lA_-Ct4eTlXHBIY2EaV7t7LjJaynVJCpkv4LKjTTAumiGUIuQhrNhZLuF_RJLqHpM2kgWFLU7-VTdL1VbC2tejvcI2BlMkEpk1BzBZI0KQB0GaDWFLN-aEAw3vRw", "e": "AQAB"});
        key.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
        key
    };
    let algorithm = |key: Value| signing_key(&key).map(|key| key.algorithm);
    assert_eq!(algorithm(rsa(json!({}))), Some(Algorithm::RS256));
    assert_eq!(algorithm(rsa(json!({"alg": "PS512", "use": "sig"}))), Some(Algorithm::PS512));
    for unusable in [
        json!({"use": "enc"}),
        json!({"alg": "HS256"}),
        json!({"alg": "ES256"}),
        json!({"alg": "RSA-OAEP"}),
        json!({"d": "private"}),
    ] {
        assert_eq!(algorithm(rsa(unusable.clone())), None, "{unusable}");
    }
    assert_eq!(algorithm(json!({"kty": "oct", "kid": "s", "k": "c2VjcmV0", "alg": "HS256"})), None);
    assert_eq!(algorithm(json!({"kty": "OKP", "crv": "Ed25519", "x": X})), Some(Algorithm::EdDSA));
    let mixed = KeySet::read(&json!({"keys": [rsa(json!({"use": "enc"})), rsa(json!({"kid": "good"})), {"kty": "unknown"}]}))
        .expect("one is good");
    assert!(mixed.find(Some("good")).is_some() && mixed.find(Some("r")).is_none());
    assert!(mixed.find(None).is_some(), "the only key of a set needs no name");
}
