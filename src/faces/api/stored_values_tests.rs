//! Values that a store cannot hold, or does not read back as they were sent, at every endpoint and on both stores.

use crate::{
    faces::docs::DOCUMENT,
    on,
    testing::{
        ACME, World,
        endpoints::{Takes, endpoints},
        on_both_stores,
    },
};
use axum::{
    body::Body,
    http::{Method, Request},
};
use serde_json::{Map, Value, json};
use sqlx::ConnectOptions;
use sqlx_sqlite::{SqliteConnectOptions, SqliteConnection};
use uuid::Uuid;

/// Every method and path of the description, with ids of nothing, and whether it takes a body.
fn operations() -> Vec<(Method, String, bool)> {
    let mut found = Vec::new();
    for (template, item) in DOCUMENT["paths"].as_object().expect("paths") {
        let ids =
            template.split('/').map(|part| if part.starts_with('{') { Uuid::now_v7().to_string() } else { part.to_owned() });
        let path = ids.collect::<Vec<_>>().join("/");
        for (method, operation) in item.as_object().expect("operations") {
            let Ok(method) = method.to_uppercase().parse::<Method>() else { continue };
            if path.starts_with("/v1/api/") || path.starts_with("/v2/api/") {
                found.push((method, path.clone(), operation.get("requestBody").is_some()));
            }
        }
    }
    assert!(found.len() > 35, "{found:?}");
    found
}

/// Numbers and texts at the ends of what JSON can say. The first one reads back from PostgreSQL only if it is parsed exactly.
fn extremes() -> Map<String, Value> {
    let values = json!({
        "most": f64::MAX, "least": f64::MIN, "smallest": f64::MIN_POSITIVE, "tiny": 5e-324, "zero": -0.0,
        "long": 0.123_456_789_012_345_67, "odd": 9.007_199_254_740_993e22, "drifts": 2.718_281_828_459_045e-27,
        "i64": i64::MIN, "u64": u64::MAX, "list": [1.5e300, [null, {"deep": [true]}]],
        "text": "é 😀 \u{1} \u{7f} \u{200b} \u{fffe} \\u0000 ' \" % _", "": "empty key", "😀": "key",
        "wide": "x".repeat(100_000),
    });
    values.as_object().expect("an object").clone()
}

/// A chain of arrays in an object, as deep as the body may still be around it.
fn deep(world: &World) -> Value {
    (0..world.app.settings.limits.max_json_depth - 4).fold(json!(1), |inner, _| json!([inner]))
}

/// A value with the fields of its objects in order: PostgreSQL keeps its own.
fn sorted(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let mut told: Vec<String> = fields.iter().map(|(name, field)| format!("{name}:{}", sorted(field))).collect();
            told.sort_unstable();
            told.join(",")
        }
        Value::Array(items) => items.iter().map(sorted).collect::<Vec<_>>().join(";"),
        value => value.to_string(),
    }
}

/// The texts of a body and its objects, each by its pointer and by the path that a host is told.
fn places(value: &Value, pointer: String, path: String) -> Vec<(String, String)> {
    let inside: Vec<(String, String, &Value)> = match value {
        Value::Object(fields) => {
            let dot = if path.is_empty() { "" } else { "." };
            fields.iter().map(|(name, field)| (format!("{pointer}/{name}"), format!("{path}{dot}{name}"), field)).collect()
        }
        Value::Array(items) => {
            let place = |(at, item)| (format!("{pointer}/{at}"), format!("{path}[{at}]"), item);
            items.iter().enumerate().map(place).collect()
        }
        _ => Vec::new(),
    };
    let mut found: Vec<_> = inside.into_iter().flat_map(|(pointer, path, inner)| places(inner, pointer, path)).collect();
    if value.is_string() || value.is_object() {
        found.push((pointer, if path.is_empty() { "body".to_owned() } else { path }));
    }
    found
}

async fn audit_count(world: &World) -> i64 {
    let mut lease = world.app.db.read().await.expect("a connection");
    on!(&mut lease.conn(), |c| sqlx::query_scalar("SELECT COUNT(*) FROM audit_events").fetch_one(c).await).expect("read")
}

on_both_stores! {
    async fn no_endpoint_takes_the_character_that_no_store_can_hold(world) {
        // Some endpoints take a key and others a token; a wrong credential is told before any content.
        let credentials = [world.key.clone(), world.token(ACME).await];
        let send = async |method: &Method, path: &str, body: Option<&str>| {
            let mut told = Vec::new();
            for credential in &credentials {
                let request = Request::builder().method(method).uri(path).header("authorization", format!("Bearer {credential}"));
                let request = request.header("content-type", "application/json");
                let request = request.body(body.map_or_else(Body::empty, |body| Body::from(body.to_owned())));
                let reply = world.send(request.expect("a request")).await;
                told.push((reply.status.as_u16(), reply.text.contains("must not contain the character U+0000")));
            }
            told
        };
        for (method, path, takes_body) in operations() {
            let bad = match takes_body {
                true => vec![(path.clone(), Some(r#"{"a":"\u0000"}"#)), (path.clone(), Some(r#"{"a":[{"\u0000":1}]}"#))],
                false => vec![(format!("{path}?a=%00"), None), (format!("{path}?%00=1"), None)],
            };
            for (path, body) in bad {
                let told = send(&method, &path, body).await;
                assert!(told.contains(&(400, true)), "{method} {path} {body:?}: {told:?}");
                assert!(told.iter().all(|answer| matches!(answer, (400, true) | (401, false))), "{method} {path} {body:?}: {told:?}");
            }
            // A backslash is a letter like any other.
            let told = match takes_body {
                true => send(&method, &path, Some(r#"{"a":"\\u0000"}"#)).await,
                false => send(&method, &format!("{path}?a=%5Cu0000"), None).await,
            };
            assert!(told.iter().all(|(status, refused)| *status < 500 && !refused), "{method} {path}: {told:?}");
        }
    }

    async fn properties_are_read_back_as_they_were_sent(world) {
        let project = world.applied.project_id;
        let mut sent = extremes();
        sent.insert("deep".to_owned(), deep(&world));
        let mut body = world.sign_in_body(ACME, "ada");
        body["user"]["properties"] = Value::Object(sent.clone());
        body["organization"]["properties"] = json!({"company": ACME, "all": sent});
        let user = world.post("/v1/api/projects/embed-token", &world.key, &body).await.data()["projectUserId"].clone();
        let path = format!("/v1/api/projects/{project}/users/{}", user.as_str().expect("an id"));
        let put = async |body: Value| world.call(Method::PUT, &path, &world.key, Some(&body)).await.data()["projectUser"].clone();
        let stored = put(json!({})).await;
        assert_eq!(stored["properties"], Value::Object(sent.clone()));
        // The same again changes nothing: what was read equals what was sent.
        let before = audit_count(&world).await;
        world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
        assert_eq!(put(json!({"properties": sent})).await["updatedAt"], stored["updatedAt"]);
        assert_eq!(audit_count(&world).await, before);
        for (path, mut body) in [
            ("/v1/api/projects/register-organization", json!({"projectId": project, "name": "Other"})),
            ("/v1/api/projects/register-user", json!({"projectId": project, "name": "Other"})),
        ] {
            body["properties"] = Value::Object(extremes());
            world.post(path, &world.key, &body).await.data();
        }
    }

    async fn registrations_are_read_back_as_they_were_sent(world) {
        let body = json!({
            "projectId": world.applied.project_id, "displayName": "Initech", "prefilters": extremes(), "customMetadata": extremes(),
        });
        let register = async || world.post("/v1/api/tenant/register-tenant", &world.key, &body).await.data()["tenantId"].clone();
        let first = register().await;
        let before = audit_count(&world).await;
        assert_eq!(register().await, first);
        assert_eq!(audit_count(&world).await, before, "the same again changes nothing");
    }

    /// PostgreSQL gives `1e17` back as an integer and `-0.0` as `0.0`. A host sees the same on both stores.
    async fn a_number_is_the_same_on_both_stores(world) {
        let sent = json!({"big": 1e17, "less": -1.5e18, "most": 1e19, "zero": -0.0, "list": [{"big": 2e16}], "small": 1e15});
        let kept = r#"{"big":100000000000000000,"less":-1500000000000000000,"most":10000000000000000000,"zero":0.0,"list":[{"big":20000000000000000}],"small":1000000000000000.0}"#;
        let mut body = world.sign_in_body(ACME, "ada");
        body["user"]["properties"] = json!({"all": sent});
        let user = world.post("/v1/api/projects/embed-token", &world.key, &body).await.data()["projectUserId"].clone();
        let path = format!("/v1/api/projects/{}/users/{}", world.applied.project_id, user.as_str().expect("an id"));
        let put = async |properties: Value| {
            let reply = world.call(Method::PUT, &path, &world.key, Some(&json!({"properties": properties}))).await;
            (reply.data()["projectUser"]["updatedAt"].clone(), sorted(&reply.data()["projectUser"]["properties"]["all"]))
        };
        let stored = put(json!({})).await;
        assert_eq!(stored.1, sorted(&serde_json::from_str(kept).expect("JSON")));
        let tenant = json!({"projectId": world.applied.project_id, "displayName": "Initech", "prefilters": sent, "customMetadata": sent});
        world.post("/v1/api/tenant/register-tenant", &world.key, &tenant).await.data();
        let before = audit_count(&world).await;
        world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
        world.post("/v1/api/tenant/register-tenant", &world.key, &tenant).await.data();
        assert_eq!(put(json!({"all": sent})).await, stored);
        assert_eq!(audit_count(&world).await, before, "the same again changes nothing");
    }

    /// A rule compares a number with a text by its digits.
    async fn a_rule_reads_the_same_number_on_both_stores(world) {
        let options = SqliteConnectOptions::new().filename(world.folder().join("warehouse.db"));
        let mut source: SqliteConnection = options.connect().await.expect("the source");
        let row = "insert into orders values (99, '100000000000000000', 'north', 1, '2024-01-01')";
        sqlx::raw_sql(row).execute(&mut source).await.expect("a row");
        let mut body = world.sign_in_body(ACME, "ada");
        body["organization"]["properties"]["company"] = json!(1e17);
        let token = world.post("/v1/api/projects/embed-token", &world.key, &body).await.data()["token"].clone();
        let data = world.post(&world.chart_path("Orders"), token.as_str().expect("a token"), &json!({})).await.data();
        assert_eq!(data["rows"][0][0], json!(99), "{data}");
    }

    async fn every_text_of_every_endpoint_refuses_the_character_by_its_path(world) {
        let (all, token) = endpoints(&world).await;
        for one in all.iter().filter(|one| one.has_body()) {
            let header = format!("Bearer {}", if one.takes == Takes::Viewer { &token } else { &world.key });
            let places = places(&one.body, String::new(), String::new());
            assert!(!places.is_empty(), "{}", one.path);
            for (pointer, path) in &places {
                let mut body = one.fresh();
                match body.pointer_mut(pointer).expect("a place") {
                    Value::Object(fields) => drop(fields.insert("a\u{0}b".to_owned(), json!(1))),
                    text => *text = json!("a\u{0}b"),
                }
                let told = json!({ path: "must not contain the character U+0000" });
                let error = one.send(&world, &one.path, &[&header], &body.to_string()).await.refused(400, "VALIDATION_FAILED");
                assert_eq!(error["details"], told, "{} {body}", one.path);
                if one.key_in_body {
                    // The key inside is judged first.
                    body["apiKey"] = json!(world.key);
                    let error = one.send(&world, &one.path, &[], &body.to_string()).await.refused(400, "VALIDATION_FAILED");
                    assert_eq!(error["details"], told, "{} {body}", one.path);
                    body["apiKey"] = json!("inlay_x_y");
                    one.send(&world, &one.path, &[], &body.to_string()).await.refused(401, "INVALID_API_KEY");
                }
            }
        }
    }

    async fn charts_hold_every_number(world) {
        let config = json!({"type": "number", "title": "All", "encoding": {"value": "n"}, "options": extremes()});
        let body = json!({"chartConfig": config, "sql": "select 1 as n", "connectionId": world.applied.connections["warehouse"]});
        let chart = world.post("/v1/api/chart/save-from-chat", &world.key, &body).await.data();
        let application = world.applied.applications["Orders"].id;
        let token = world.sign_in_as(ACME, "ada", Some("Analyst")).await["token"].as_str().expect("a token").to_owned();
        let dashboards = format!("/v2/api/applications/{application}/dashboards");
        let made = world.post(&dashboards, &token, &json!({"name": "Own"})).await.data();
        let made = made["dashboardId"].as_str().or(made["id"].as_str()).expect("an id").to_owned();
        let chart = chart["chartId"].clone();
        world.post(&format!("{dashboards}/{made}/charts"), &world.key, &json!({"charts": [{"chartId": chart}]})).await;
    }

    async fn names_as_long_as_they_may_be_fit_into_every_index(world) {
        // Four bytes for each character, in no pattern that an index could compress.
        let name: String = (0..512_u32).map(|at| char::from_u32(0x2_0000 + at * 7919 % 40_000).expect("a character")).collect();
        let project = world.applied.project_id;
        let mut body = world.sign_in_body(&name, &name);
        body["organization"]["name"] = json!(name);
        world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
        let tenant = json!({"projectId": project, "displayName": name, "prefilters": {}});
        world.post("/v1/api/tenant/register-tenant", &world.key, &tenant).await.data();
        let role = json!({"name": name, "permissions": {}});
        world.post(&format!("/v1/api/projects/{project}/user-roles"), &world.key, &role).await;
        let longer = json!({"projectId": project, "displayName": format!("{name}x"), "prefilters": {}});
        world.post("/v1/api/tenant/register-tenant", &world.key, &longer).await.refused(400, "VALIDATION_FAILED");
    }
}

/// Tests enable the feature through one of their own dependencies, so that only this notices when the server loses it.
#[test]
fn the_server_itself_parses_numbers_exactly() {
    let manifest = include_str!("../../../Cargo.toml");
    let own = manifest.lines().find(|line| line.starts_with("serde_json = { workspace = true"));
    assert!(own.is_some_and(|line| line.contains("\"float_roundtrip\"")), "{own:?}");
}
