//! Single sign-on against a provider on this machine, on both stores.

use super::{
    Browser,
    browser::{PASSWORD, member, target},
};
use crate::{
    concepts::{
        organizations::{self, MemberRole},
        single_sign_on as sso,
        tokens::keyring,
    },
    testing::{StoreKind, World},
};
use axum::{
    Json, Router,
    extract::State,
    http::{HeaderMap, StatusCode},
    routing::{get, post},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};
use url::Url;

/// A provider that issues one code with the claims of a test.
#[derive(Clone)]
pub(super) struct Provider(Arc<Inner>);

struct Inner {
    issuer: String,
    key: EncodingKey,
    public: String,
    challenge: Mutex<String>,
    claims: Mutex<Value>,
    /// Whether it announces the `iss` parameter beside each code.
    names_itself: bool,
    /// How many tokens were requested.
    asked: AtomicUsize,
}

async fn describe(State(provider): State<Provider>) -> Json<Value> {
    let at = |path: &str| format!("{}/{path}", provider.0.issuer);
    Json(json!({
        "issuer": provider.0.issuer, "authorization_endpoint": at("authorize"), "token_endpoint": at("token"), "jwks_uri": at("keys"),
        "authorization_response_iss_parameter_supported": provider.0.names_itself,
    }))
}

async fn keys(State(provider): State<Provider>) -> Json<Value> {
    Json(
        json!({"keys": [{"kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig", "kid": "one", "x": provider.0.public}]}),
    )
}

/// Exchanges the code for a token, after checking the client's credentials and the browser's verifier.
async fn token(State(provider): State<Provider>, headers: HeaderMap, body: String) -> Result<Json<Value>, StatusCode> {
    provider.0.asked.fetch_add(1, Ordering::SeqCst);
    let form: HashMap<String, String> = url::form_urlencoded::parse(body.as_bytes()).into_owned().collect();
    let proof = headers.get("authorization").and_then(|proof| proof.to_str().ok()).unwrap_or_default();
    let verifier = URL_SAFE_NO_PAD.encode(Sha256::digest(form.get("code_verifier").map_or("", String::as_str)));
    let right = proof == "Basic Y29uc29sZTpzM2NyZXQ=" && form.get("code").map(String::as_str) == Some("the-code");
    if !right || verifier != *provider.0.challenge.lock().expect("a lock") {
        return Err(StatusCode::BAD_REQUEST);
    }
    let claims = provider.0.claims.lock().expect("a lock").clone();
    let header = Header { kid: Some("one".to_owned()), ..Header::new(Algorithm::EdDSA) };
    let token = jsonwebtoken::encode(&header, &claims, &provider.0.key).expect("signed");
    Ok(Json(json!({"id_token": token, "access_token": "unused", "token_type": "Bearer"})))
}

impl Provider {
    pub(super) async fn start() -> Self {
        Self::start_as(false).await
    }

    async fn start_as(names_itself: bool) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let issuer = format!("http://{}", listener.local_addr().expect("an address"));
        let pair = keyring::generate().expect("a key");
        let (key, public) = (EncodingKey::from_ed_der(&pair.private), URL_SAFE_NO_PAD.encode(&pair.public));
        let (challenge, claims, asked) = (Mutex::default(), Mutex::default(), AtomicUsize::new(0));
        let inner = Inner { issuer, key, public, challenge, claims, names_itself, asked };
        let provider = Self(Arc::new(inner));
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(describe))
            .route("/keys", get(keys))
            .route("/token", post(token))
            .with_state(provider.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        provider
    }

    /// Consents at the provider. Returns the query of the redirect back.
    fn agree(&self, sent: &Url, claims: Value) -> String {
        let asked: HashMap<_, _> = sent.query_pairs().into_owned().collect();
        assert_eq!((asked["response_type"].as_str(), asked["code_challenge_method"].as_str()), ("code", "S256"));
        *self.0.challenge.lock().expect("a lock") = asked["code_challenge"].clone();
        let now = chrono::Utc::now().timestamp();
        let mut all = json!({"iss": self.0.issuer, "aud": "console", "sub": "1", "iat": now, "exp": now + 60, "nonce": asked["nonce"], "email_verified": true});
        all.as_object_mut().expect("claims").extend(claims.as_object().cloned().expect("claims"));
        *self.0.claims.lock().expect("a lock") = all;
        let redirect: Url = asked["redirect_uri"].parse().expect("an address");
        format!("{}?code=the-code&state={}", redirect.path(), asked["state"])
    }
}

/// A world whose organization has the provider, and the address where members begin.
pub(super) async fn joined(kind: StoreKind) -> (World, Provider, String) {
    let world = World::with(kind, &["--allow-loopback-identity-providers"]).await;
    let provider = Provider::start().await;
    let begin = register(&world, &provider).await;
    (world, provider, begin)
}

/// Registers a provider as an owner. Returns the address where members begin.
pub(super) async fn register(world: &World, provider: &Provider) -> String {
    register_with(world, provider, &[]).await
}

/// The same, with more fields of the form.
async fn register_with(world: &World, provider: &Provider, more: &[(&str, &str)]) -> String {
    let mut owner = Browser::signed_in(world, MemberRole::Owner).await;
    let developer = format!("/console/organizations/{}/developer", world.organization);
    let form = [("ssoIssuer", provider.0.issuer.as_str()), ("client", "console"), ("secret", "s3cret")];
    let form = [&form[..], more].concat();
    let added = owner.submit(&format!("{developer}/sign-in-providers"), &form).await;
    assert_eq!(target(&added), developer, "{}", added.text);
    let page = owner.get(&developer).await.text;
    assert!(!page.contains("s3cret"), "a secret is never shown");
    // The newest is the last.
    let id = page.split("/console/sso/").skip(1).filter_map(|rest| rest.split('"').next()).filter(|id| id.len() == 36);
    let id = id.last().expect("an address");
    assert!(page.contains(&format!("/console/sso/{id}/callback")), "{page}");
    format!("/console/sso/{id}")
}

const KINDS: [StoreKind; 2] = [StoreKind::Sqlite, StoreKind::Postgres];

/// Goes to the provider and consents there. Returns where the browser is sent back.
async fn leave(browser: &mut Browser<'_>, provider: &Provider, begin: &str, claims: Value) -> String {
    let sent: Url = target(&browser.get(begin).await).parse().expect("an address");
    provider.agree(&sent, claims)
}

/// Goes to the provider and returns with claims.
pub(super) async fn come_by(
    browser: &mut Browser<'_>,
    provider: &Provider,
    begin: &str,
    claims: Value,
) -> crate::testing::Reply {
    let back = leave(browser, provider, begin, claims).await;
    browser.get(&back).await
}

#[tokio::test]
async fn a_member_comes_in_through_their_organizations_provider_and_opens_nothing_else() {
    for kind in KINDS {
        let (world, provider, begin) = joined(kind).await;
        member(&world, "ada@example.test", MemberRole::Owner).await;
        let elsewhere = {
            let mut tx = world.app.db.write().await.expect("a transaction");
            let elsewhere = organizations::create(&mut tx.conn(), "Elsewhere").await.expect("an organization");
            organizations::put_member(&mut tx.conn(), elsewhere, "ada@example.test", MemberRole::Owner, None)
                .await
                .expect("a member");
            tx.commit().await.expect("committed");
            elsewhere
        };
        let projects = format!("/console/organizations/{}/projects", world.organization);
        let mut browser = Browser::new(&world);
        let came =
            come_by(&mut browser, &provider, &format!("{begin}?next={projects}"), json!({"email": "Ada@Example.test"})).await;
        assert_eq!(target(&came), projects);
        assert_eq!(browser.get(&projects).await.status, 200);
        let other = format!("/console/organizations/{elsewhere}/projects");
        assert_eq!(browser.get(&other).await.status, 404, "the provider speaks for its own organization alone");
        let password = [("old", PASSWORD), ("password", "another long password")];
        assert_eq!(browser.submit("/console/account/password", &password).await.status, 403);
        let keys = format!("/console/organizations/{}/developer/keys", world.organization);
        assert_eq!(browser.submit(&keys, &[("label", "Wide"), ("kind", "user")]).await.status, 403);
        assert_eq!(browser.submit(&keys, &[("label", "Bound"), ("kind", "organization")]).await.status, 200);
        let mut owner = Browser::signed_in(&world, MemberRole::Owner).await;
        let id = begin.rsplit('/').next().expect("an id");
        let remove = format!("/console/organizations/{}/developer/sign-in-providers/{id}/remove", world.organization);
        assert_eq!(owner.submit(&remove, &[]).await.status, 303);
        assert_eq!(browser.get(&projects).await.status, 303, "whoever came by it is signed out");
        assert_eq!(owner.get(&projects).await.status, 200);
    }
}

#[tokio::test]
async fn what_does_not_fit_lets_nobody_in() {
    let (world, provider, begin) = joined(StoreKind::Sqlite).await;
    member(&world, "ada@example.test", MemberRole::Owner).await;
    let wrong = [
        (json!({"email": "eve@example.test"}), 403),
        (json!({"email": "ada@example.test", "email_verified": false}), 403),
        (json!({"email": "ada@example.test", "email_verified": null}), 403),
        (json!({"email": "ada@example.test", "sub": ""}), 401),
        (json!({"email": "ada@example.test", "sub": "x".repeat(256)}), 401),
        (json!({}), 403),
        (json!({"email": "ada@example.test", "aud": "another"}), 401),
        (json!({"email": "ada@example.test", "iss": "https://another.example"}), 401),
        (json!({"email": "ada@example.test", "nonce": "another"}), 401),
        (json!({"email": "ada@example.test", "azp": "another"}), 401),
        (json!({"email": "ada@example.test", "exp": 1}), 401),
    ];
    for (claims, status) in wrong {
        let mut browser = Browser::new(&world);
        let refused = come_by(&mut browser, &provider, &begin, claims.clone()).await;
        assert_eq!((refused.status.as_u16(), browser.session()), (status, None), "{claims}: {}", refused.text);
    }
    let ada = || json!({"email": "ada@example.test"});
    let mut left = Browser::new(&world);
    let sent: Url = target(&left.get(&begin).await).parse().expect("an address");
    let back = provider.agree(&sent, ada());
    let mut another = Browser::new(&world);
    assert_eq!(another.get(&back).await.status, 401, "a browser that did not leave does not arrive");
    assert_eq!(left.get(&back.replace("state=", "state=x")).await.status, 401);
    assert_eq!(left.get(&back.replace("the-code", "another")).await.status, 401);
    assert_eq!(left.get(&back).await.status, 303, "and the right one does");
    assert_eq!(left.get(&format!("/console/sso/{}", uuid::Uuid::now_v7())).await.status, 404);
}

#[tokio::test]
async fn whoever_gets_a_members_address_later_is_not_that_member() {
    for kind in KINDS {
        let (world, provider, begin) = joined(kind).await;
        for email in ["ada@example.test", "ben@example.test"] {
            member(&world, email, MemberRole::Admin).await;
        }
        let come = async |email: &str, subject: &str| {
            let mut browser = Browser::new(&world);
            let came = come_by(&mut browser, &provider, &begin, json!({"email": email, "sub": subject})).await;
            (came.status.as_u16(), browser.session().is_some())
        };
        assert_eq!(come("ada@example.test", "1").await, (303, true));
        assert_eq!(come("ada@example.test", "1").await, (303, true));
        assert_eq!(come("ada@example.test", "2").await, (403, false), "another person by her address");
        assert_eq!(come("ben@example.test", "1").await, (403, false), "her by another's address");
        assert_eq!(come("ben@example.test", "2").await, (303, true));
    }
}

#[tokio::test]
async fn an_owner_may_trust_a_provider_that_says_nothing_of_addresses() {
    for kind in KINDS {
        let (world, provider, begin) = joined(kind).await;
        let trusted = register_with(&world, &provider, &[("trustsAddresses", "on")]).await;
        member(&world, "ada@example.test", MemberRole::Admin).await;
        let come = async |begin: &str, verified: Value| {
            let claims = json!({"email": "ada@example.test", "email_verified": verified});
            come_by(&mut Browser::new(&world), &provider, begin, claims).await.status.as_u16()
        };
        assert_eq!((come(&begin, Value::Null).await, come(&begin, json!(true)).await), (403, 303));
        assert_eq!((come(&trusted, Value::Null).await, come(&trusted, json!(false)).await), (303, 403));
    }
}

/// Somebody who runs B redirects people from B to A, as if they had started at A: A's answer must not reach B.
#[tokio::test]
async fn a_code_of_one_provider_never_reaches_another() {
    for kind in KINDS {
        let (world, of_a, begin_at_a) = joined(kind).await;
        let of_b = Provider::start().await;
        let begin_at_b = register(&world, &of_b).await;
        member(&world, "ada@example.test", MemberRole::Owner).await;
        let mut browser = Browser::new(&world);
        let back = leave(&mut browser, &of_b, &begin_at_b, json!({"email": "ada@example.test"})).await;
        let mixed = back.replace(&begin_at_b, &begin_at_a);
        assert_ne!(mixed, back);
        assert_eq!(browser.get(&mixed).await.status, 401);
        let asked = |provider: &Provider| provider.0.asked.load(Ordering::SeqCst);
        assert_eq!((asked(&of_a), asked(&of_b), browser.session()), (0, 0, None));
        assert_eq!(browser.get(&back).await.status, 303, "and at its own address it counts");
        assert_eq!((asked(&of_a), asked(&of_b)), (0, 1));
    }
}

#[tokio::test]
async fn a_provider_that_names_itself_is_believed_by_its_name_alone() {
    let ada = || json!({"email": "ada@example.test"});
    let (world, silent, begin_at_silent) = joined(StoreKind::Sqlite).await;
    let provider = Provider::start_as(true).await;
    let begin = register(&world, &provider).await;
    member(&world, "ada@example.test", MemberRole::Owner).await;
    let mut browser = Browser::new(&world);
    let came = leave(&mut browser, &provider, &begin, ada()).await;
    let named = |came: &str, issuer: &str| format!("{came}&iss={issuer}");
    for wrong in [came.clone(), named(&came, ""), named(&came, "https://another.example"), named(&came, &silent.0.issuer)] {
        assert_eq!(browser.get(&wrong).await.status, 401, "{wrong}");
    }
    assert_eq!((provider.0.asked.load(Ordering::SeqCst), browser.session()), (0, None));
    assert_eq!(browser.get(&named(&came, &provider.0.issuer)).await.status, 303);
    let mut browser = Browser::new(&world);
    let came = leave(&mut browser, &silent, &begin_at_silent, ada()).await;
    assert_eq!(browser.get(&named(&came, &provider.0.issuer)).await.status, 401, "what is named has to be right");
    assert_eq!(browser.get(&came).await.status, 303);
}

#[tokio::test]
async fn by_https_no_neighbour_sets_what_a_browser_left_with() {
    let flags = ["--allow-loopback-identity-providers", "--base-url", "https://console.example"];
    let world = World::with(StoreKind::Sqlite, &flags).await;
    let provider = Provider::start().await;
    let new = sso::Provider {
        id: uuid::Uuid::now_v7(),
        organization: world.organization,
        issuer: provider.0.issuer.clone(),
        client: "console".to_owned(),
        secret: "s3cret".to_owned().into(),
        trusts_addresses: false,
    };
    let mut tx = world.app.db.write().await.expect("a transaction");
    sso::insert(&mut tx.conn(), &world.app.sealer, &new).await.expect("kept");
    tx.commit().await.expect("committed");
    let left = Browser::new(&world).get(&format!("/console/sso/{}", new.id)).await;
    let cookie = left.headers["set-cookie"].to_str().expect("text");
    assert!(cookie.starts_with("__Host-inlay_departure=") && cookie.contains("; Path=/;"), "{cookie}");
    assert!(cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Lax") && cookie.contains("; Secure"), "{cookie}");
}

#[tokio::test]
async fn a_provider_that_describes_another_is_not_registered() {
    let (world, provider, _) = joined(StoreKind::Sqlite).await;
    let mut owner = Browser::signed_in(&world, MemberRole::Owner).await;
    let path = format!("/console/organizations/{}/developer/sign-in-providers", world.organization);
    let slash = format!("{}/", provider.0.issuer);
    for issuer in [slash.as_str(), "http://127.0.0.1:9", "https://user:word@login.example", "nonsense", ""] {
        let refused = owner.submit(&path, &[("ssoIssuer", issuer), ("client", "console"), ("secret", "s3cret")]).await;
        assert!(refused.status == 400 && !refused.text.contains("s3cret"), "{issuer}: {}", refused.text);
    }
}
