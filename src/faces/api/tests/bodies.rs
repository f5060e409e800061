//! What each endpoint makes of bad fields: empty texts, nulls, wrong types, unknown keys (docs/spec/contract.md, sections 1 and
//! 12: D1, D6, P15).

use crate::testing::{
    ACME, Reply, World,
    endpoints::{Endpoint, Takes, endpoints},
    on_both_stores,
};
use axum::http::Method;
use inlay_contract::ids::{ChartId, DashboardId};
use serde_json::{Map, Value, json};

/// Values that do not belong where they are sent.
fn odd_values() -> [Value; 13] {
    [
        json!(null),
        json!(""),
        json!("  "),
        json!(0),
        json!(-1.5),
        json!(true),
        json!([]),
        json!([null]),
        json!({}),
        json!({"x": null}),
        json!("x".repeat(9_000)),
        json!("00000000-0000-0000-0000-000000000000"),
        json!("a\u{0}b"),
    ]
}

/// The place of every value in a body, as a JSON pointer.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(number, item)| (number.to_string(), item)).collect(),
        _ => Vec::new(),
    };
    for (name, value) in inner {
        let at = format!("{at}/{name}");
        places(value, &at, found);
        found.push(at);
    }
}

async fn call(world: &World, one: &Endpoint, token: &str, body: &Value) -> Reply {
    let credential = if one.takes == Takes::Viewer { token } else { &world.key };
    world.call(one.method.clone(), &one.path, credential, Some(body)).await
}

fn replaced(body: &Value, place: &str, value: Value) -> Value {
    let mut body = body.clone();
    *body.pointer_mut(place).expect("a place") = value;
    body
}

fn find<'e>(all: &'e [Endpoint], method: &Method, end: &str) -> &'e Endpoint {
    all.iter().find(|one| one.method == *method && one.path.ends_with(end)).expect("an endpoint")
}

on_both_stores! {
    /// Each value of each body is replaced by others: the service never fails, tells the field, and accepts only what its
    /// description allows.
    async fn odd_values_never_make_the_service_fail(world) {
        let (all, token) = endpoints(&world).await;
        for one in all.iter().filter(|one| one.has_body()) {
            let mut at = Vec::new();
            places(&one.body, "", &mut at);
            for place in at {
                for odd in odd_values() {
                    let body = replaced(&one.fresh(), &place, odd.clone());
                    let reply = call(&world, one, &token, &body).await;
                    assert!(!reply.status.is_server_error(), "{} {} {place} {odd}: {}", one.method, one.path, reply.text);
                    let error = reply.json()["error"].clone();
                    if reply.status == 400 && !odd.as_str().is_some_and(|text| text.contains('\0')) {
                        let top = place.split('/').nth(1).unwrap_or_default();
                        let fields: Vec<&String> = error["details"].as_object().into_iter().flat_map(Map::keys).collect();
                        let near = fields.iter().any(|field| field.starts_with(top) || *field == "name");
                        assert!(error["code"] == "VALIDATION_FAILED" && near, "{} {place} {odd}: {error}", one.path);
                    }
                }
            }
        }
    }

    async fn unknown_keys_are_ignored_except_among_a_role_s_permissions(world) {
        let (all, token) = endpoints(&world).await;
        for one in all.iter().filter(|one| one.has_body()) {
            let mut at = vec![String::new()];
            places(&one.body, "", &mut at);
            at.retain(|place| one.body.pointer(place).is_some_and(Value::is_object));
            for place in at {
                let mut body = one.fresh();
                let object = body.pointer_mut(&place).and_then(Value::as_object_mut).expect("an object");
                object.insert("editDashboardName".to_owned(), json!(true));
                let reply = call(&world, one, &token, &body).await;
                match place.ends_with("/permissions") {
                    true => drop(reply.refused(400, "VALIDATION_FAILED")),
                    false => one.accepted(&reply, &place),
                }
            }
        }
    }

    async fn what_empty_and_missing_fields_mean(world) {
        let (all, token) = endpoints(&world).await;
        let post = |end: &str| find(&all, &Method::POST, end);
        let put = all.iter().find(|one| one.method == Method::PUT).expect("an endpoint");
        let (embed, tenant, save) = (post("/embed-token"), post("/register-tenant"), post("/save-from-chat"));
        let (v1_clone, v2_clone) = (post("dashboard/clone"), post(&format!("{}/clone", world.applied.dashboards["Orders/Overview"].id)));
        for (one, place, accepted, refused) in [
            (embed, "/projectId", vec![], vec![json!(null), json!(""), json!("shop"), json!(5)]),
            (embed, "/organization", vec![], vec![json!(null), json!([]), json!("acme")]),
            (embed, "/organization/externalId", vec![json!(" "), json!("0")], vec![json!(null), json!(""), json!(5)]),
            (embed, "/organization/name", vec![json!(null), json!(""), json!("A")], vec![json!(5), json!([])]),
            (embed, "/organization/properties", vec![json!(null), json!({})], vec![json!([]), json!("")]),
            (embed, "/user", vec![], vec![json!(null), json!([]), json!({})]),
            (embed, "/user/externalId", vec![json!(" ")], vec![json!(null), json!(""), json!(5)]),
            (embed, "/user/name", vec![json!(null), json!("")], vec![json!(5), json!({})]),
            (embed, "/user/userRoleId", vec![json!(null)], vec![json!(""), json!("Analyst"), json!(5)]),
            (embed, "/user/defaultUserRoleId", vec![json!(null)], vec![json!(""), json!(5)]),
            (embed, "/expiration", vec![json!(null)], vec![json!(""), json!("1d"), json!(3600), json!("1H")]),
            (put, "/name", vec![json!(null), json!("")], vec![json!(5)]),
            (put, "/userRoleId", vec![json!(null)], vec![json!(""), json!([])]),
            (tenant, "/displayName", vec![json!(null), json!("")], vec![json!(5)]),
            (tenant, "/key", vec![json!(null)], vec![json!(""), json!(5)]),
            (tenant, "/prefilters", vec![json!({})], vec![json!(null), json!([])]),
            (tenant, "/tenantEditingPermissions", vec![json!(null), json!({}), json!({"addChart": null, "other": 5})], vec![json!([]), json!({"addChart": 1})]),
            (tenant, "/projectId", vec![json!(null)], vec![json!("")]),
            (post("/analyze-roles"), "/sdkTenantEditingPermissions", vec![json!(null), json!({"readOnly": null, "root": true})], vec![json!("x"), json!({"readOnly": "x"})]),
            (post("/register-organization"), "/name", vec![], vec![json!(null), json!("")]),
            (post("/register-organization"), "/externalId", vec![json!(null)], vec![json!(""), json!(5)]),
            (post("/register-user"), "/externalId", vec![json!(null)], vec![json!("")]),
            (post("dashboard/create"), "/name", vec![json!(" ")], vec![json!(null), json!("")]),
            (post("dashboard/create"), "/connectionId", vec![json!(null), json!(5), json!([])], vec![]),
            (v1_clone, "/name", vec![json!(null), json!("")], vec![json!(5)]),
            (v1_clone, "/targetWorkspaceId", vec![json!(null)], vec![json!(""), json!(5)]),
            (v2_clone, "/name", vec![json!(null), json!("")], vec![json!(5)]),
            (post("dashboard/add-charts"), "/charts", vec![], vec![json!(null), json!([]), json!({}), json!([{}])]),
            (post("dashboard/add-charts"), "/charts/0/chartVersion", vec![], vec![json!(null), json!(0), json!("1"), json!(1.5)]),
            (save, "/chartConfig", vec![], vec![json!(null), json!([]), json!("x"), json!({})]),
            (save, "/chartConfig/sqlOverride", vec![json!(null), json!("")], vec![json!(5)]),
            (save, "/thumbnail", vec![json!(null), json!(""), json!(5), json!("data:image/svg+xml,<svg/>")], vec![]),
        ] {
            for (value, status) in accepted.into_iter().map(|value| (value, 200)).chain(refused.into_iter().map(|value| (value, 400))) {
                let reply = call(&world, one, &token, &replaced(&one.fresh(), place, value.clone())).await;
                assert_eq!(reply.status.as_u16(), status, "{} {place} {value}: {}", one.path, reply.text);
            }
        }
    }

    async fn an_empty_name_is_no_name(world) {
        let signed = |name: Value| {
            let mut body = world.sign_in_body(ACME, "ada");
            body["organization"]["name"] = name.clone();
            body["user"]["name"] = name;
            body
        };
        let user = async |body: Value| {
            let data = world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
            let path = format!("/v1/api/projects/{}/users/{}", world.applied.project_id, data["projectUserId"].as_str().expect("an id"));
            world.call(Method::PUT, &path, &world.key, Some(&json!({"name": ""}))).await.data()["projectUser"]["name"].clone()
        };
        assert_eq!(user(signed(json!(""))).await, "ada");
        assert_eq!(user(signed(json!("Ada"))).await, "Ada");
        assert_eq!(user(signed(json!(""))).await, "Ada", "the stored name stays");
        let overview = world.applied.dashboards["Orders/Overview"].id;
        let clone = json!({"sourceDashboardId": overview, "name": ""});
        assert_eq!(world.post("/v1/api/dashboard/clone", &world.key, &clone).await.data()["name"], "Overview (Copy)");
        let clone = format!("/v2/api/applications/{}/dashboards/{overview}/clone", world.applied.applications["Orders"].id);
        assert_eq!(world.post(&clone, &world.key, &json!({"name": ""})).await.data()["name"], "Overview (Copy)");
        let tenant = async |body: Value| {
            let mut body = body;
            body["projectId"] = json!(world.applied.project_id);
            body["prefilters"] = json!({});
            let id = world.post("/v1/api/tenant/register-tenant", &world.key, &body).await.data()["tenantId"].clone();
            let id = serde_json::from_value(id).expect("an id");
            crate::concepts::tenants::find(&world.app, world.applied.project_id, id).await.expect("read").expect("a tenant").name
        };
        assert_eq!(tenant(json!({"key": "k", "displayName": ""})).await, "k");
        assert_eq!(tenant(json!({"key": "k", "displayName": "Acme"})).await, "Acme");
        assert_eq!(tenant(json!({"key": "k", "displayName": ""})).await, "Acme");
        let nameless = json!({"projectId": world.applied.project_id, "displayName": "", "prefilters": {}});
        let error = world.post("/v1/api/tenant/register-tenant", &world.key, &nameless).await.refused(400, "VALIDATION_FAILED");
        assert_eq!(error["details"], json!({"displayName": "is required"}));
    }

    async fn a_user_without_an_organization_is_told_so_before_their_role(world) {
        let loner = json!({"projectId": world.applied.project_id, "name": "Loner"});
        let user = world.post("/v1/api/projects/register-user", &world.key, &loner).await.data()["userId"].clone();
        let token = world.post("/v1/api/projects/user-token", &world.key, &json!({"userId": user})).await.data()["token"].clone();
        let bearer = format!("Bearer {}", token.as_str().expect("a token"));
        let path = format!("/v1/api/projects/{}/users/{}", world.applied.project_id, user.as_str().expect("an id"));
        let (all, _) = endpoints(&world).await;
        let is_write = |one: &&Endpoint| {
            one.path.contains("/dashboard") && one.method != Method::GET && !one.path.ends_with("/data")
        };
        for role in [json!(null), json!(world.applied.roles["Analyst"])] {
            world.call(Method::PUT, &path, &world.key, Some(&json!({"userRoleId": role}))).await.data();
            assert_eq!(all.iter().filter(is_write).count(), 10);
            for one in all.iter().filter(is_write) {
                let body = one.fresh().to_string();
                one.send(&world, &one.path, &[&bearer], &body).await.refused(403, "PROJECT_USER_WITHOUT_ORGANIZATION");
                let (overview, more) = (&world.applied.dashboards["Orders/Overview"], &world.applied.dashboards["Orders/More"]);
                let elsewhere = |text: &str| {
                    let unknown = DashboardId::generate().to_string();
                    let text = [overview.id, more.id].iter().fold(text.to_owned(), |text, id| text.replace(&id.to_string(), &unknown));
                    let workspace = world.applied.workspaces["Ask"].to_string();
                    text.replace(&workspace, &unknown).replace(&world.applied.applications["Orders"].id.to_string(), &ChartId::generate().to_string())
                };
                one.send(&world, &elsewhere(&one.path), &[&bearer], &elsewhere(&body)).await.refused(404, "NOT_FOUND");
            }
        }
    }
}
