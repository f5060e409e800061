//! The document describes exactly what the router serves. Every other API test checks that its responses match it (`testing::described`).

use super::{DOCUMENT, PAGE, codes::codes, page};
use crate::{
    faces::router,
    ground::error::{Code, Kind},
    testing::{StoreKind, World},
};
use axum::{Router, http::Method};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn operations() -> Vec<(String, String, &'static Value)> {
    let paths = DOCUMENT["paths"].as_object().expect("paths").iter();
    let each = paths.flat_map(|(path, item)| {
        let operations = item.as_object().expect("operations").iter();
        operations.map(move |(method, operation)| (path.clone(), method.to_uppercase(), operation))
    });
    each.collect()
}

/// Every quoted text that is a path of the API. A router shows its routes only through `Debug`.
fn routes_of(router: &Router<crate::ground::state::App>) -> BTreeSet<String> {
    let shown = format!("{router:?}");
    let quoted = shown.split('"').filter(|text| text.starts_with("/v1/api/") || text.starts_with("/v2/api/"));
    quoted.map(str::to_owned).collect()
}

#[test]
fn router_and_document_hold_the_same_paths() {
    let described: BTreeSet<String> = operations().into_iter().map(|(path, ..)| path).collect();
    assert_eq!(routes_of(&Router::from(crate::faces::api::routes())), described);
    assert_eq!((described.len(), operations().len()), (37, 45));
}

#[tokio::test]
async fn each_path_takes_the_described_methods_alone() {
    let world = World::new(StoreKind::Sqlite).await;
    let described: BTreeSet<(String, String)> = operations().into_iter().map(|(path, method, _)| (path, method)).collect();
    let paths: BTreeSet<&String> = described.iter().map(|(path, _)| path).collect();
    assert!(routes_of(&router::router(world.app.clone()).with_state(())).iter().eq(paths.iter().copied()));
    for path in paths {
        let filled =
            path.split('/').map(|part| if part.starts_with('{') { "01890000-0000-7000-8000-000000000000" } else { part });
        let filled = filled.collect::<Vec<_>>().join("/");
        for method in [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            let reply = world.call(method.clone(), &filled, "", Some(&json!({}))).await;
            let served = reply.status != 405;
            assert_eq!(served, described.contains(&(path.clone(), method.to_string())), "{method} {path}: {}", reply.text);
        }
    }
}

#[test]
fn the_document_is_of_the_documented_version() {
    assert_eq!((&DOCUMENT["openapi"], &DOCUMENT["info"]["version"]), (&json!("3.1.0"), &json!("1.5.0")));
}

#[test]
fn each_operation_is_told_in_full() {
    let mut ids = BTreeSet::new();
    let tags: Vec<_> = DOCUMENT["tags"].as_array().expect("tags").iter().map(|tag| &tag["name"]).collect();
    for (path, method, operation) in operations() {
        assert!(ids.insert(operation["operationId"].as_str()), "{method} {path}: another operation has its id");
        assert!(tags.contains(&&operation["tags"][0]), "{method} {path}");
        assert!(operation["summary"].as_str().is_some_and(|summary| summary.ends_with('.')), "{method} {path}");
        assert!(operation["security"].as_array().is_some_and(|security| !security.is_empty()), "{method} {path}");
        assert_eq!(
            operation["requestBody"].is_object(),
            ["POST", "PUT", "PATCH"].contains(&method.as_str()),
            "{method} {path}"
        );
    }
}

#[test]
fn each_field_is_told() {
    for (name, schema) in DOCUMENT["components"]["schemas"].as_object().expect("schemas") {
        let properties = schema["properties"].as_object().into_iter().flatten();
        for (field, property) in properties.filter(|_| name.contains("Body") || name == "Permissions") {
            let told = std::iter::once(property).chain(property["oneOf"].as_array().into_iter().flatten());
            assert!(told.into_iter().any(|schema| schema["description"].is_string()), "{name}.{field}");
        }
    }
    assert_eq!(DOCUMENT["components"]["schemas"]["Permissions"]["properties"].as_object().map(serde_json::Map::len), Some(20));
}

#[test]
fn each_code_is_answered_somewhere_with_its_status() {
    let operations = operations();
    // Codes that no described path returns: 405 is for methods that a path does not have.
    for code in codes().filter(|code| code.kind() != Kind::MethodNotAllowed) {
        assert!(operations.iter().any(|(_, _, operation)| page::answers(operation, code)), "{code}");
    }
    // Codes of pages and the console are not the API's.
    assert_eq!(codes().count(), 37);
}

#[test]
fn the_page_shows_everything_and_asks_nobody() {
    for (path, _, operation) in operations() {
        let id = operation["operationId"].as_str().expect("an id");
        assert!(PAGE.html.contains(&format!("<section id=\"{id}\">")) && PAGE.html.contains(&path), "{path}");
    }
    for code in codes() {
        assert!(PAGE.html.contains(code.as_str()), "{code}");
    }
    for foreign in ["http://", "https://", "<script", " src=\"", " style=\""] {
        assert!(!PAGE.html.contains(foreign), "{foreign}");
    }
    assert!(PAGE.policy.starts_with("default-src 'none'; style-src 'sha256-"));
}

#[tokio::test]
async fn both_are_served() {
    let world = World::new(StoreKind::Sqlite).await;
    let document = world.get("/openapi.json", "").await;
    assert_eq!(document.json()["info"]["title"], "Inlay");
    assert_eq!(document.headers["content-type"], "application/json");
    let page = world.get("/docs", "").await;
    assert_eq!(page.text, PAGE.html);
    assert_eq!(page.headers["content-security-policy"], PAGE.policy.as_str());
    let guide = world.get("/docs/quick-start", "").await;
    assert_eq!(guide.headers["content-type"], "text/html; charset=utf-8");
    assert!(guide.text.contains("<h1 id=\"quick-start\">Quick start</h1>"));
    assert!(page.text.contains("href=\"/docs/quick-start\""));
    assert_eq!(world.get("/docs/console/usage", "").await.status, 200);
    for absent in ["/docs/status", "/docs/spec/service", "/docs/console/nothing"] {
        assert_eq!(world.get(absent, "").await.status, 404, "{absent}");
    }
}

/// Page calls return the same errors, as JSON and with the same status.
#[test]
fn pages_refuse_with_the_codes_own_status() {
    for code in Code::ALL {
        assert_eq!(inlay_app::calls::Refusal::new(*code, "").status(), code.status(), "{code}");
    }
}

/// `scripts/build-sdks --refresh` stores the new document.
#[test]
fn the_clients_are_made_of_this_document() {
    let stored: Value = serde_json::from_str(include_str!("../../../sdk/openapi.json")).expect("JSON");
    for part in ["/paths", "/components/schemas"] {
        let of = |document: &Value| document.pointer(part).and_then(Value::as_object).cloned().expect("an object");
        let stored = of(&stored);
        for (name, told) in of(&DOCUMENT) {
            assert_eq!(Some(&told), stored.get(&name), "{part}/{name}");
        }
    }
    assert!(*DOCUMENT == stored, "the rest of the document");
}
