use super::*;
use axum::{
    body::{Body, to_bytes},
    http::{HeaderMap, Request},
};
use serde_json::Value;
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::net::TcpListener;
use tower::ServiceExt;

const KEY: &str = "inlay_0190_very-secret-key";

/// The requests that the stub received.
type Heard = Arc<Mutex<Vec<(HeaderMap, Value)>>>;

/// A stub of the API that gives the same response to every sign-in.
async fn api(status: StatusCode, answer: Value, delay: Duration) -> (Url, Heard) {
    let heard = Heard::default();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = Url::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
    let recorded = heard.clone();
    let sign_in = move |headers: HeaderMap, Json(body): Json<Value>| async move {
        recorded.lock().unwrap().push((headers, body));
        tokio::time::sleep(delay).await;
        (status, Json(answer))
    };
    let router = Router::new().route("/v1/api/projects/embed-token", post(sign_in));
    tokio::spawn(async move { axum::serve(listener, router).await });
    (url, heard)
}

fn granted() -> Value {
    json!({ "status": "success", "data": {
        "token": "header.claims.signature", "expiresAt": "2026-11-20T12:00:00.000Z", "projectUserId": "u", "projectOrganizationId": "o",
        "userCreated": true, "organizationCreated": true,
    } })
}

fn refused(code: &str) -> Value {
    json!({ "status": "error", "error": { "message": format!("no: {KEY}"), "code": code } })
}

fn host(api_url: Url) -> Router {
    router(&settings(api_url, KEY)).unwrap()
}

fn settings(api_url: Url, key: &str) -> HostSettings {
    let roles = ["Analyst", "Manager", "Viewer"].map(|name| (name.to_owned(), format!("id-of-{name}")));
    let embedded = PRODUCTS.map(|product| Embedded {
        product,
        project_id: format!("project-of-{}", product.id),
        application_id: format!("application-of-{}", product.id),
        workspace_id: format!("workspace-of-{}", product.id),
        roles: roles.clone().into(),
    });
    let embed_url = Url::parse("http://embed.test:3000/").unwrap();
    HostSettings { api_url, embed_url, api_key: key.to_owned(), embedded: embedded.into() }
}

async fn ask(host: Router, request: Request<Body>) -> (StatusCode, HeaderMap, String) {
    let (parts, body) = host.oneshot(request).await.unwrap().into_parts();
    let body = to_bytes(body, 1 << 20).await.unwrap();
    (parts.status, parts.headers, String::from_utf8_lossy(&body).into_owned())
}

async fn sign_in(host: Router, body: Value) -> (StatusCode, HeaderMap, Value) {
    sign_in_at("/session", host, body).await
}

async fn sign_in_at(path: &str, host: Router, body: Value) -> (StatusCode, HeaderMap, Value) {
    let request = Request::post(path).header("content-type", "application/json").body(Body::from(body.to_string())).unwrap();
    let (status, headers, body) = ask(host, request).await;
    assert!(!body.contains(KEY), "{body}");
    (status, headers, serde_json::from_str(&body).unwrap_or(Value::Null))
}

fn maya() -> Value {
    json!({ "airport": "ATL", "user": "analyst" })
}

#[tokio::test]
async fn a_session_is_one_call_with_customer_user_and_role() {
    let (api, heard) = api(StatusCode::OK, granted(), Duration::ZERO).await;
    let (status, headers, body) = sign_in(host(api), maya()).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(headers["cache-control"], "no-store");
    let expected = json!({
        "token": "header.claims.signature", "expiresAt": "2026-11-20T12:00:00.000Z",
        "embedUrl": "http://embed.test:3000/share/application/application-of-skyport",
        "askUrl": "http://embed.test:3000/share/workspace/project-of-skyport/workspace-of-skyport",
    });
    assert_eq!(body, expected);

    let heard = heard.lock().unwrap();
    let [(headers, body)] = &heard[..] else { panic!("{} calls", heard.len()) };
    assert_eq!(headers["authorization"], format!("Bearer {KEY}"));
    let expected = json!({
        "projectId": "project-of-skyport",
        "organization": { "externalId": "ATL", "name": "Hartsfield Atlanta", "properties": { "airport": "ATL" } },
        "user": { "externalId": "analyst", "name": "Maya Bennett", "userRoleId": "id-of-Analyst" },
        "expiration": "1h",
    });
    assert_eq!(body, &expected);
}

#[tokio::test]
async fn each_product_signs_in_its_own_customers_to_its_own_project() {
    let (api, heard) = api(StatusCode::OK, granted(), Duration::ZERO).await;
    let who = json!({ "shop": "harbor", "user": "manager" });
    let (status, _, body) = sign_in_at("/shops/session", host(api.clone()), who.clone()).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(body["embedUrl"], "http://embed.test:3000/share/application/application-of-basket");
    {
        let heard = heard.lock().unwrap();
        let [(_, body)] = &heard[..] else { panic!("{} calls", heard.len()) };
        assert_eq!(body["projectId"], "project-of-basket");
        let expected = json!({ "externalId": "harbor", "name": "Harbor Coffee", "properties": { "shop": "harbor" } });
        assert_eq!(body["organization"], expected);
    }
    for (path, who) in [("/session", who), ("/shops/session", maya())] {
        let (status, ..) = sign_in_at(path, host(api.clone()), who).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{path}");
    }
    assert_eq!(heard.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn an_unknown_airport_or_user_never_reaches_the_api() {
    let (api, heard) = api(StatusCode::OK, granted(), Duration::ZERO).await;
    for body in [json!({ "airport": "ZZZ", "user": "analyst" }), json!({ "airport": "ATL", "user": "root" })] {
        let (status, _, body) = sign_in(host(api.clone()), body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
        assert_eq!(body["error"]["message"], "This customer or user is not known.");
    }
    assert!(heard.lock().unwrap().is_empty());
}

#[tokio::test]
async fn refusals_are_told_in_plain_words() {
    for (status, code, expected, words) in [
        (401, "INVALID_API_KEY", 502, "key for analytics is not valid"),
        (403, "KEY_OWNER_NOT_PERMITTED", 502, "key for analytics is not valid"),
        (404, "USER_ROLE_NOT_FOUND", 502, "not set up here"),
        (429, "RATE_LIMITED", 503, "busy"),
        (500, "INTERNAL", 502, "answered with an error"),
    ] {
        let (api, _) = api(StatusCode::from_u16(status).unwrap(), refused(code), Duration::ZERO).await;
        let (got, _, body) = sign_in(host(api), maya()).await;
        assert_eq!(got.as_u16(), expected, "{code}");
        let message = body["error"]["message"].as_str().unwrap();
        assert!(message.contains(words), "{message}");
    }
}

#[tokio::test]
async fn an_answer_that_is_not_the_api_s_is_an_error() {
    let (api, _) = api(StatusCode::OK, json!({ "hello": "world" }), Duration::ZERO).await;
    let (status, _, body) = sign_in(host(api), maya()).await;
    assert_eq!(status, StatusCode::BAD_GATEWAY);
    assert_eq!(body["error"]["message"], "Analytics answered with an error. Please try again in a moment.");
}

#[tokio::test]
async fn an_api_that_is_down_or_slow_is_told_apart() {
    let closed = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = Url::parse(&format!("http://{}", closed.local_addr().unwrap())).unwrap();
    drop(closed);
    let (status, _, body) = sign_in(host(address), maya()).await;
    assert_eq!(status, StatusCode::BAD_GATEWAY);
    assert!(body["error"]["message"].as_str().unwrap().starts_with("Analytics are not reachable"));

    let (slow, _) = api(StatusCode::OK, granted(), Duration::from_secs(30)).await;
    let (status, _, body) = sign_in(host(slow), maya()).await;
    assert_eq!(status, StatusCode::GATEWAY_TIMEOUT);
    assert!(body["error"]["message"].as_str().unwrap().starts_with("Analytics took too long"));
}

#[tokio::test]
async fn pages_and_assets_are_served_without_the_key_and_with_a_policy() {
    let host = host(Url::parse("http://api.test").unwrap());
    for path in [
        "/",
        "/ask",
        "/compare",
        "/how",
        "/shops",
        "/shops/ask",
        "/shops/compare",
        "/shops/how",
        "/assets/host.css",
        "/assets/skyport.css",
        "/assets/basket.css",
        "/assets/stage.css",
        "/assets/how.css",
        "/assets/embed.js",
        "/assets/inter.woff2",
        "/assets/skyport.svg",
        "/assets/basket.svg",
    ] {
        let (status, headers, body) = ask(host.clone(), Request::get(path).body(Body::empty()).unwrap()).await;
        assert_eq!(status, StatusCode::OK, "{path}");
        assert!(!body.contains(KEY), "{path}");
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("frame-src http://embed.test:3000;"), "{policy}");
        // The page for developers shows a row rule and a template, which have placeholders of their own.
        let own = ["{{organization.airport}}", "{{organization.shop}}", "{{token}}"];
        let body = own.iter().fold(body, |body, place| body.replace(place, ""));
        let is_text = !path.ends_with(".woff2");
        assert!(!(is_text && body.contains("{{")), "{path} keeps a placeholder");
    }
    let (status, ..) = ask(host, Request::get("/assets/../project.yaml").body(Body::empty()).unwrap()).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn page_and_product_that_are_open_are_marked_in_the_navigation() {
    let host = host(Url::parse("http://api.test").unwrap());
    for (base, name, other) in [("", "Skyport", "/shops"), ("/shops", "Basket", "/")] {
        for page in ["", "/ask", "/compare", "/how"] {
            let path = format!("{base}{page}");
            let path = if path.is_empty() { "/" } else { &path };
            let (_, _, body) = ask(host.clone(), Request::get(path).body(Body::empty()).unwrap()).await;
            assert!(body.contains(&format!("href=\"{path}\" aria-current=\"page\"")), "{path}");
            assert_eq!(body.matches("aria-current=\"page\"").count(), 1, "{path}");
            assert_eq!(body.matches("aria-current=\"true\"").count(), 1, "{path}");
            assert!(body.contains(&format!("<a href=\"{other}\"><img")), "{path} leads to the other product");
            assert!(body.contains(&format!("<nav class=\"rail\" aria-label=\"{name}\">")), "{path}");
            let at_base = if base.is_empty() { !body.contains("href=\"/shops/") } else { !body.contains("href=\"/ask") };
            assert!(at_base, "{path} leads to its own product's pages");
        }
    }
}

#[test]
fn settings_do_not_print_the_key() {
    let settings = settings(Url::parse("http://api.test").unwrap(), KEY);
    assert!(!format!("{settings:?}").contains(KEY));
}

#[tokio::test]
async fn a_key_that_no_header_takes_is_refused_at_the_start() {
    let settings = settings(Url::parse("http://api.test").unwrap(), "line\nbreak");
    assert!(matches!(router(&settings), Err(HostError::Key)));
}
