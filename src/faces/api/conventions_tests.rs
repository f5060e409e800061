//! The conventions of every endpoint (docs/spec/contract.md, section 1), through the router and on both stores.

use crate::{
    ground::web::middleware,
    testing::{ACME, Reply, StoreKind, World, on_both_stores},
};
use axum::{body::to_bytes, http::Method};
use serde_json::{Value, json};
use uuid::{Uuid, Variant};

/// The keys of a response's object at a path.
fn keys(reply: &Reply, pointer: &str) -> Vec<String> {
    let json = reply.json();
    json.pointer(pointer).and_then(Value::as_object).expect("an object").keys().cloned().collect()
}

on_both_stores! {
    async fn success_and_error_have_their_envelope(world) {
        let roles = format!("/v1/api/projects/{}/user-roles", world.applied.project_id);
        let role = json!({ "name": "New", "permissions": {} });
        // A creation answers 200, too.
        for reply in [world.get(&roles, &world.key).await, world.post(&roles, &world.key, &role).await] {
            assert_eq!((reply.status.as_u16(), &reply.json()["status"], keys(&reply, "")), (200, &json!("success"), vec!["status".into(), "data".into()]));
        }
        let taken = world.post(&roles, &world.key, &role).await;
        assert_eq!((taken.status.as_u16(), &taken.json()["status"], keys(&taken, "")), (409, &json!("error"), vec!["status".into(), "error".into()]));
        assert_eq!(keys(&taken, "/error"), ["message", "code"]);
        let invalid = world.post(&roles, &world.key, &json!({})).await;
        assert_eq!((invalid.status.as_u16(), keys(&invalid, "/error")), (400, vec!["message".into(), "code".into(), "details".into()]));
    }

    async fn the_message_names_the_first_invalid_field(world) {
        let body = json!({ "projectId": world.applied.project_id, "organization": { "externalId": 5 }, "user": {}, "expiration": "9y" });
        let error = world.post("/v1/api/projects/embed-token", &world.key, &body).await.refused(400, "VALIDATION_FAILED");
        let first = error["details"].as_object().expect("details").keys().next().expect("a field").clone();
        assert_eq!(first, "organization.externalId");
        assert!(error["message"].as_str().expect("a message").contains(&first), "{error}");
    }

    async fn every_other_answer_has_the_envelope(world) {
        let unknown = [(Method::GET, "/v1/api/nothing"), (Method::POST, "/v2/api/nothing/at/all"), (Method::GET, "/v2/api")];
        for (method, path) in unknown {
            world.call(method, path, &world.key, None).await.refused(404, "NOT_FOUND");
        }
        for (method, path) in [(Method::GET, "/v1/api/projects/embed-token"), (Method::DELETE, "/v2/api/applications")] {
            world.call(method, path, &world.key, None).await.refused(405, "METHOD_NOT_ALLOWED");
        }
    }

    async fn ids_are_of_version_seven_and_any_is_taken(world) {
        let data = world.sign_in_as(ACME, "ada", None).await;
        for field in ["projectUserId", "projectOrganizationId"] {
            let text = data[field].as_str().expect("an id");
            let id: Uuid = text.parse().expect("a UUID");
            assert_eq!((id.get_version_num(), id.get_variant(), text), (7, Variant::RFC4122, text.to_lowercase().as_str()), "{field}");
        }
        // A user's id may be the host's own: of another version, and in capitals.
        let chosen = "5A0B6A1C-6C1F-4A5E-9B1D-3F2E1D0C9B8A";
        let body = json!({ "projectId": world.applied.project_id.to_string().to_uppercase(), "name": "Ada", "userId": chosen });
        let made = world.post("/v1/api/projects/register-user", &world.key, &body).await.data();
        assert_eq!(made["userId"], json!(chosen.to_lowercase()));
        world.post("/v1/api/projects/user-token", &world.key, &json!({ "userId": chosen })).await.data();
    }

    async fn a_connection_id_is_accepted_on_each_v1_write(world) {
        let post = async |action: &str, fields: Value| {
            let mut body = json!({ "connectionId": world.applied.connections["warehouse"] });
            body.as_object_mut().expect("an object").extend(fields.as_object().expect("fields").clone());
            world.post(&format!("/v1/api/dashboard/{action}"), &world.key, &body).await.data()
        };
        let charts = json!([{ "chartId": world.applied.charts["Rates"], "chartVersion": 1 }]);
        let made = post("create", json!({ "workspaceId": world.applied.workspaces["Ask"], "name": "Made" })).await;
        assert_eq!(made["name"], json!("Made"));
        let dashboard = &made["dashboardId"];
        let added = post("add-charts", json!({ "targetDashboardId": dashboard, "charts": charts })).await["addedChartIds"].clone();
        let copy = post("clone", json!({ "sourceDashboardId": dashboard })).await["dashboardId"].clone();
        post("append-charts-from", json!({ "sourceDashboardId": dashboard, "targetDashboardId": copy })).await;
        post("remove-charts", json!({ "dashboardId": dashboard, "chartIds": added })).await;
    }
}

#[tokio::test]
async fn a_panic_answers_with_the_envelope() {
    let response = middleware::on_panic(Box::new("a secret of the program"));
    assert_eq!(response.status(), 500);
    let text = String::from_utf8(to_bytes(response.into_body(), 10_000).await.expect("a body").to_vec()).expect("text");
    let body: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(body["status"], json!("error"));
    assert!(body["error"]["code"].is_string() && body["error"]["message"].is_string() && !text.contains("secret"), "{text}");
}

#[tokio::test]
async fn health_and_readiness_answer() {
    for kind in [StoreKind::Sqlite, StoreKind::Postgres] {
        let world = World::new(kind).await;
        for path in ["/healthz", "/readyz"] {
            assert_eq!(world.get(path, "").await.status.as_u16(), 200, "{path}");
        }
        world.app.part::<crate::faces::operations::Readiness>().leave();
        assert_eq!(
            (world.get("/healthz", "").await.status.as_u16(), world.get("/readyz", "").await.status.as_u16()),
            (200, 503)
        );
    }
}

#[tokio::test]
async fn a_query_that_takes_too_long_answers_504() {
    let world = World::with(StoreKind::Sqlite, &["--query-timeout-seconds", "1"]).await;
    let endless = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) as n from n";
    let file = World::project_file().replace("select count(*) as n from orders", endless);
    world.apply(&file).await.unwrap_or_else(|problem| panic!("{problem}"));
    let reply = world.post(&world.chart_path("Count"), &world.token(ACME).await, &json!({})).await;
    let error = reply.refused(504, "QUERY_TIMEOUT");
    assert!(!error.to_string().contains("recursive"), "{error}");
}
