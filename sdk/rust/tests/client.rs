//! Tests of the client with a server whose responses each test defines.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use axum::{
    Router,
    body::Bytes,
    http::{HeaderMap, Method, StatusCode, Uri, header::RETRY_AFTER},
    response::{IntoResponse, Response},
};
use inlay_client::{Customer, Error, Inlay, RoleOfUser, SignIn, User};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use uuid::Uuid;

const PROJECT: Uuid = Uuid::from_u128(0x0190_aaaa_0000_7000_8000_0000_0000_0000);

type Heard = Arc<Mutex<Vec<(Method, Uri, HeaderMap, Value)>>>;

/// A server that sends these responses, one after another.
async fn answering(mut answers: Vec<Response>) -> (String, Heard) {
    answers.reverse();
    let (left, heard) = (Arc::new(Mutex::new(answers)), Heard::default());
    let noted = Arc::clone(&heard);
    let app = Router::new().fallback(move |method: Method, uri: Uri, headers: HeaderMap, body: Bytes| {
        noted.lock().unwrap().push((method, uri, headers, serde_json::from_slice(&body).unwrap_or_default()));
        std::future::ready(left.lock().unwrap().pop().unwrap())
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await });
    (base, heard)
}

fn granted() -> Response {
    let data = json!({
        "token": "a.b.c", "expiresAt": "2026-01-01T00:00:00.000Z", "projectUserId": PROJECT, "projectOrganizationId": PROJECT,
        "userCreated": true, "organizationCreated": false,
    });
    json_answer(StatusCode::OK, &json!({ "status": "success", "data": data }))
}

fn refusal(status: StatusCode, code: &str) -> Response {
    json_answer(
        status,
        &json!({ "status": "error", "error": { "message": "No.", "code": code, "details": { "user": "is missing" } } }),
    )
}

fn json_answer(status: StatusCode, body: &Value) -> Response {
    (status, [("content-type", "application/json"), ("x-request-id", "r1")], body.to_string()).into_response()
}

fn busy(seconds: &str) -> Response {
    let mut answer = refusal(StatusCode::TOO_MANY_REQUESTS, "RATE_LIMITED");
    answer.headers_mut().insert(RETRY_AFTER, seconds.parse().unwrap());
    answer
}

fn part(names: &[&str], next: Option<&str>) -> Response {
    let applications: Vec<_> = names
        .iter()
        .map(|name| json!({ "applicationId": PROJECT, "legacyWorkspaceId": null, "defaultDashboardId": null, "name": name }))
        .collect();
    let mut data = json!({ "applications": applications });
    if let Some(next) = next {
        data["next"] = json!(next);
    }
    json_answer(StatusCode::OK, &json!({ "status": "success", "data": data }))
}

#[tokio::test]
async fn the_model_is_asked_by_measures() {
    let column = json!({"name": "revenue", "type": "number", "role": "measure", "label": "Revenue"});
    let data = json!({"columns": [column], "rows": [[30.5]], "totals": [30.5], "sentence": "Revenue.", "truncated": false,
        "cached": false, "durationMs": 2});
    let (base, heard) = answering(vec![json_answer(StatusCode::OK, &json!({"status": "success", "data": data}))]).await;
    let query = json!({"measures": ["revenue"], "totals": true});
    let answer = Inlay::new(&base, "a.b.c").unwrap().query_model(PROJECT, &query).await.unwrap();
    assert_eq!((answer.rows, answer.totals), (vec![vec![json!(30.5)]], Some(vec![json!(30.5)])));
    assert_eq!((answer.columns[0].label.as_str(), answer.sentence.as_str()), ("Revenue", "Revenue."));
    let (method, uri, headers, body) = heard.lock().unwrap()[0].clone();
    assert_eq!((method, uri.path()), (Method::POST, format!("/v2/api/projects/{PROJECT}/query").as_str()));
    assert_eq!((&headers["authorization"], body), (&"Bearer a.b.c".parse().unwrap(), query));
}

#[tokio::test]
async fn a_list_is_read_part_by_part_to_its_end() {
    let parts = vec![part(&["One", "Two"], Some("a-B_1")), part(&[], Some("c")), part(&["Three"], None)];
    let (base, heard) = answering(parts).await;
    let inlay = Inlay::new(&base, "inlay_id_secret").unwrap().organization(PROJECT);
    let names: Vec<String> = inlay.applications().await.unwrap().into_iter().map(|one| one.name).collect();
    assert_eq!(names, ["One", "Two", "Three"]);
    let asked: Vec<String> = heard.lock().unwrap().iter().map(|(_, uri, ..)| uri.to_string()).collect();
    let path = "/v2/api/applications?";
    let organization = format!("organizationId={PROJECT}");
    assert_eq!(
        asked,
        [format!("{path}{organization}"), format!("{path}after=a-B_1&{organization}"), format!("{path}after=c&{organization}")]
    );
    let (base, heard) = answering(vec![part(&["One"], Some("x"))]).await;
    let inlay = Inlay::new(&base, "inlay_id_secret").unwrap();
    let mut list = inlay.list::<Value>("v2/api/applications?limit=1", "applications");
    assert_eq!(list.next().await.unwrap().unwrap()["name"], "One");
    assert_eq!(heard.lock().unwrap().len(), 1, "no part is asked for before it is wanted");
}

fn sign_in(user: User) -> SignIn {
    SignIn::new(Customer::new("ATL").property("airport", "ATL").property("old", Value::Null), user)
}

#[tokio::test]
async fn sign_in_is_one_call_with_the_key_in_its_header() {
    let (base, heard) = answering(vec![granted()]).await;
    let signed_in =
        Inlay::new(&base, "inlay_id_secret").unwrap().embed_token(PROJECT, &sign_in(User::new("maya"))).await.unwrap();
    assert_eq!(signed_in.token, "a.b.c");
    let (method, uri, headers, body) = heard.lock().unwrap().pop().unwrap();
    assert_eq!((method, uri.path()), (Method::POST, "/v1/api/projects/embed-token"));
    assert_eq!(headers["authorization"], "Bearer inlay_id_secret");
    let customer = json!({ "externalId": "ATL", "properties": { "airport": "ATL", "old": null } });
    assert_eq!(body, json!({ "projectId": PROJECT, "organization": customer, "user": { "externalId": "maya" } }));
}

#[tokio::test]
async fn role_is_kept_removed_or_set() {
    let (base, heard) = answering(vec![granted(), granted()]).await;
    let inlay = Inlay::new(&base, "inlay_id_secret").unwrap();
    for role in [RoleOfUser::Remove, RoleOfUser::Set(PROJECT)] {
        inlay.embed_token(PROJECT, &sign_in(User::new("maya").role(role))).await.unwrap();
    }
    let users: Vec<_> = heard.lock().unwrap().iter().map(|(.., body)| body["user"].clone()).collect();
    let maya = |role: Value| json!({ "externalId": "maya", "userRoleId": role });
    assert_eq!(users, [maya(Value::Null), maya(json!(PROJECT))]);
}

#[tokio::test]
async fn organization_of_a_user_scoped_key_goes_where_each_method_wants_it() {
    let none = json_answer(StatusCode::OK, &json!({ "status": "success", "data": { "userRoles": [] } }));
    let (base, heard) = answering(vec![granted(), none]).await;
    let inlay = Inlay::new(&base, "inlay_id_secret").unwrap().organization(PROJECT);
    inlay.embed_token(PROJECT, &sign_in(User::new("maya"))).await.unwrap();
    assert!(inlay.roles(PROJECT).await.unwrap().is_empty());
    let heard = heard.lock().unwrap();
    assert_eq!(heard[0].3["organizationId"], json!(PROJECT));
    assert_eq!(heard[1].1.query(), Some(format!("organizationId={PROJECT}").as_str()));
}

#[tokio::test]
async fn refusal_is_told_with_the_services_code() {
    let (base, heard) = answering(vec![refusal(StatusCode::BAD_REQUEST, "VALIDATION_FAILED")]).await;
    let refused = Inlay::new(&base, "inlay_id_secret").unwrap().embed_token(PROJECT, &sign_in(User::new(""))).await;
    let Err(Error::Refused(refusal)) = refused.map(|_| ()) else { panic!("it was not refused") };
    assert_eq!((refusal.status, refusal.code.as_str(), refusal.request_id.as_deref()), (400, "VALIDATION_FAILED", Some("r1")));
    assert_eq!(refusal.details["user"], "is missing");
    assert_eq!(heard.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn page_of_something_before_the_service_is_a_refusal_too() {
    let (base, _) = answering(vec![(StatusCode::FORBIDDEN, "<html>no</html>").into_response()]).await;
    let refused = Inlay::new(&base, "inlay_id_secret").unwrap().applications().await;
    assert!(matches!(refused, Err(Error::Refused(refusal)) if refusal.code == "NO_ANSWER"));
}

#[tokio::test]
async fn service_that_is_away_or_busy_is_asked_again() {
    let away = refusal(StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE");
    let (base, heard) = answering(vec![away, busy("0"), granted(), busy("60")]).await;
    let inlay = Inlay::new(&base, "inlay_id_secret").unwrap();
    inlay.embed_token(PROJECT, &sign_in(User::new("maya"))).await.unwrap();
    assert_eq!(heard.lock().unwrap().len(), 3);
    assert!(inlay.applications().await.is_err(), "a minute is the caller's");
    assert_eq!(heard.lock().unwrap().len(), 4);
}

#[tokio::test]
async fn what_makes_something_is_not_made_twice() {
    let (base, heard) = answering(vec![refusal(StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE")]).await;
    let inlay = Inlay::new(&base, "inlay_id_secret").unwrap();
    let path = format!("/v1/api/projects/{PROJECT}/user-roles");
    let made = inlay.call::<Value>(Method::POST, &path, json!({ "name": "Analyst", "permissions": {} })).await;
    assert!(made.is_err());
    assert_eq!(heard.lock().unwrap().len(), 1);
}
