use super::*;
use axum::{
    body::{Body, to_bytes},
    http::{HeaderMap, Request},
};
use serde_json::Value;
use std::{sync::Mutex, time::Duration};
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
    let roles = ["Analyst", "Manager", "Viewer"].map(|name| (name.to_owned(), format!("id-of-{name}")));
    router(HostSettings {
        api_url,
        embed_url: Url::parse("http://embed.test:3000/").unwrap(),
        api_key: KEY.to_owned(),
        project_id: "the-project".to_owned(),
        application_id: "the-application".to_owned(),
        workspace_id: "the-workspace".to_owned(),
        roles: roles.into(),
    })
    .unwrap()
}

async fn ask(host: Router, request: Request<Body>) -> (StatusCode, HeaderMap, String) {
    let (parts, body) = host.oneshot(request).await.unwrap().into_parts();
    let body = to_bytes(body, 1 << 20).await.unwrap();
    (parts.status, parts.headers, String::from_utf8_lossy(&body).into_owned())
}

async fn sign_in(host: Router, body: Value) -> (StatusCode, HeaderMap, Value) {
    let request =
        Request::post("/session").header("content-type", "application/json").body(Body::from(body.to_string())).unwrap();
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
        "embedUrl": "http://embed.test:3000/share/application/the-application",
        "askUrl": "http://embed.test:3000/share/workspace/the-project/the-workspace",
    });
    assert_eq!(body, expected);

    let heard = heard.lock().unwrap();
    let [(headers, body)] = &heard[..] else { panic!("{} calls", heard.len()) };
    assert_eq!(headers["authorization"], format!("Bearer {KEY}"));
    let expected = json!({
        "projectId": "the-project",
        "organization": { "externalId": "ATL", "name": "Hartsfield Atlanta", "properties": { "airport": "ATL" } },
        "user": { "externalId": "analyst", "name": "Maya Bennett", "userRoleId": "id-of-Analyst" },
        "expiration": "1h",
    });
    assert_eq!(body, &expected);
}

#[tokio::test]
async fn an_unknown_airport_or_user_never_reaches_the_api() {
    let (api, heard) = api(StatusCode::OK, granted(), Duration::ZERO).await;
    for body in [json!({ "airport": "ZZZ", "user": "analyst" }), json!({ "airport": "ATL", "user": "root" })] {
        let (status, _, body) = sign_in(host(api.clone()), body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
        assert_eq!(body["error"]["message"], "Skyport does not know this airport or user.");
    }
    assert!(heard.lock().unwrap().is_empty());
}

#[tokio::test]
async fn refusals_are_told_in_plain_words() {
    for (status, code, expected, words) in [
        (401, "INVALID_API_KEY", 502, "key for analytics is not valid"),
        (403, "KEY_OWNER_NOT_PERMITTED", 502, "key for analytics is not valid"),
        (404, "USER_ROLE_NOT_FOUND", 502, "not set up for your airport"),
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
        "/assets/skyport.css",
        "/assets/stage.css",
        "/assets/how.css",
        "/assets/embed.js",
        "/assets/inter.woff2",
        "/assets/icon.svg",
    ] {
        let (status, headers, body) = ask(host.clone(), Request::get(path).body(Body::empty()).unwrap()).await;
        assert_eq!(status, StatusCode::OK, "{path}");
        assert!(!body.contains(KEY), "{path}");
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("frame-src http://embed.test:3000;"), "{policy}");
        for place in ["{{rail}}", "{{portal}}", "{{api}}", "{{embed}}", "{{application}}", "{{title}}", "{{address}}"] {
            assert!(!body.contains(place), "{path} keeps {place}");
        }
    }
    let (status, ..) = ask(host, Request::get("/assets/../project.yaml").body(Body::empty()).unwrap()).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_page_that_is_open_is_marked_in_the_navigation() {
    let host = host(Url::parse("http://api.test").unwrap());
    for path in ["/", "/ask", "/compare", "/how"] {
        let (_, _, body) = ask(host.clone(), Request::get(path).body(Body::empty()).unwrap()).await;
        assert!(body.contains(&format!("href=\"{path}\" aria-current=\"page\"")), "{path}");
        assert_eq!(body.matches("aria-current").count(), 1, "{path}");
    }
}

#[test]
fn settings_do_not_print_the_key() {
    let settings = HostSettings {
        api_url: Url::parse("http://api.test").unwrap(),
        embed_url: Url::parse("http://embed.test").unwrap(),
        api_key: KEY.to_owned(),
        project_id: String::new(),
        application_id: String::new(),
        workspace_id: String::new(),
        roles: BTreeMap::new(),
    };
    assert!(!format!("{settings:?}").contains(KEY));
}

#[tokio::test]
async fn a_key_that_no_header_takes_is_refused_at_the_start() {
    let settings = HostSettings {
        api_url: Url::parse("http://api.test").unwrap(),
        embed_url: Url::parse("http://embed.test").unwrap(),
        api_key: "line\nbreak".to_owned(),
        project_id: String::new(),
        application_id: String::new(),
        workspace_id: String::new(),
        roles: BTreeMap::new(),
    };
    assert!(matches!(router(settings), Err(HostError::Key)));
}
