//! What an issued token says and how long it lives, and the headers of every answer (docs/spec/contract.md, sections 1 and 2).

use crate::{
    ground::config::limits::Limits,
    testing::{
        ACME, World,
        endpoints::{Takes, endpoints},
        on_both_stores,
    },
};
use axum::{body::Body, http::Request};
use inlay_contract::permissions::Flag;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, jwk::JwkSet};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

const LIFETIMES: [(Option<&str>, i64); 10] = [
    (None, 3_600),
    (Some("5m"), 300),
    (Some("15m"), 900),
    (Some("30m"), 1_800),
    (Some("1h"), 3_600),
    (Some("2h"), 7_200),
    (Some("6h"), 21_600),
    (Some("12h"), 43_200),
    (Some("24h"), 86_400),
    (Some("7d"), 604_800),
];

/// The claims of a token, verified with the published keys alone, as a host would.
async fn published(world: &World, token: &str, audience: &str) -> Map<String, Value> {
    let reply = world.get("/.well-known/jwks.json", "").await;
    assert_eq!(reply.status, 200);
    let keys: JwkSet = serde_json::from_value(reply.json()).expect("a key set");
    let header = jsonwebtoken::decode_header(token).expect("a header");
    assert_eq!(header.alg, Algorithm::EdDSA);
    let key = keys.find(&header.kid.expect("a key's id")).expect("the key");
    let mut rules = Validation::new(Algorithm::EdDSA);
    rules.set_audience(&[audience]);
    rules.set_issuer(&[world.app.base_url.as_str()]);
    jsonwebtoken::decode::<Map<String, Value>>(token, &DecodingKey::from_jwk(key).expect("a key"), &rules)
        .expect("valid")
        .claims
}

fn names(fields: &Map<String, Value>) -> BTreeSet<&str> {
    fields.keys().map(String::as_str).collect()
}

on_both_stores! {
    async fn every_lifetime_is_what_it_says(world) {
        let user = world.sign_in_as(ACME, "ada", None).await["projectUserId"].clone();
        let embed = world.sign_in_body(ACME, "ada");
        let tenant = json!({"projectId": world.applied.project_id, "displayName": "t", "prefilters": {}});
        for (path, body, audience) in [
            ("/v1/api/projects/embed-token", &embed, "inlay:embed"),
            ("/v1/api/projects/user-token", &json!({"userId": user}), "inlay:embed"),
            ("/v1/api/tenant/register-tenant", &tenant, "inlay:tenant"),
        ] {
            for (expiration, seconds) in LIFETIMES {
                let mut body = body.clone();
                if let Some(text) = expiration {
                    body["expiration"] = json!(text);
                }
                let data = world.post(path, &world.key, &body).await.data();
                let claims = published(&world, data["token"].as_str().expect("a token"), audience).await;
                let (iat, exp) = (claims["iat"].as_i64().expect("a time"), claims["exp"].as_i64().expect("a time"));
                assert_eq!(exp - iat, seconds, "{path} {expiration:?}");
                if let Some(told) = data["expiresAt"].as_str() {
                    assert_eq!(told, crate::ground::time::Timestamp::from_seconds(exp).to_string(), "{path}");
                }
            }
            let mut body = body.clone();
            body["expiration"] = json!("3d");
            let error = world.post(path, &world.key, &body).await.refused(400, "VALIDATION_FAILED");
            assert!(error["message"].as_str().expect("a message").contains("expiration"), "{error}");
        }
    }

    async fn a_token_says_who_and_what_they_may_and_no_property(world) {
        let mut body = world.sign_in_body(ACME, "ada");
        body["organization"]["properties"]["secret"] = json!("s3cret");
        body["user"]["properties"] = json!({"secret": "s3cret"});
        body["user"]["userRoleId"] = json!(world.applied.roles["Analyst"]);
        let data = world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
        let claims = published(&world, data["token"].as_str().expect("a token"), "inlay:embed").await;
        let expected = ["iss", "aud", "sub", "org", "project", "customer", "role", "permissions", "azp", "iat", "exp", "jti", "ver"];
        assert_eq!(names(&claims), BTreeSet::from(expected));
        assert_eq!((&claims["sub"], &claims["customer"]), (&data["projectUserId"], &data["projectOrganizationId"]));
        assert_eq!((&claims["org"], &claims["project"]), (&json!(world.organization), &json!(world.applied.project_id)));
        assert_eq!((&claims["role"], &claims["iss"]), (&body["user"]["userRoleId"], &json!(world.app.base_url)));
        let flags: BTreeMap<&str, bool> =
            claims["permissions"].as_object().expect("flags").iter().map(|(name, on)| (name.as_str(), on.as_bool().expect("resolved"))).collect();
        assert_eq!(flags.keys().copied().collect::<BTreeSet<_>>(), Flag::ALL.into_iter().map(Flag::name).collect());
        let on: BTreeSet<&str> = flags.into_iter().filter(|(_, on)| *on).map(|(name, _)| name).collect();
        let wanted = ["addChart", "addFilter", "createChart", "editCharts", "removeChart", "addDashboard", "canDuplicateDashboard",
            "drillDown", "canSetDefaultDashboard", "canEditChartFromSession"];
        assert_eq!(on, BTreeSet::from(wanted));
        assert!(!Value::Object(claims).to_string().contains("s3cret"));
    }

    async fn a_tenant_s_token_says_the_same(world) {
        let body = json!({"projectId": world.applied.project_id, "displayName": "t", "prefilters": {"company": "s3cret"},
            "tenantEditingPermissions": {"addChart": true, "editDashboardName": true}});
        let data = world.post("/v1/api/tenant/register-tenant", &world.key, &body).await.data();
        let claims = published(&world, data["token"].as_str().expect("a token"), "inlay:tenant").await;
        let expected = ["iss", "aud", "sub", "org", "project", "customer", "role", "permissions", "azp", "iat", "exp", "jti", "ver"];
        assert_eq!(names(&claims), BTreeSet::from(expected));
        assert_eq!((&claims["sub"], &claims["customer"], &claims["role"]), (&data["tenantId"], &Value::Null, &Value::Null));
        let flags = claims["permissions"].as_object().expect("flags");
        assert_eq!(names(flags), Flag::ALL.into_iter().map(Flag::name).collect());
        assert!(flags.iter().all(|(name, on)| (name == "addChart") == (on == &json!(true))), "in v1 an unset flag is off");
        assert!(!Value::Object(claims).to_string().contains("s3cret"));
    }

    async fn the_published_keys_hold_no_private_part(world) {
        let keys = world.get("/.well-known/jwks.json", "").await.json();
        for key in keys["keys"].as_array().expect("keys") {
            let parts = key.as_object().expect("a key");
            assert!(["kty", "crv", "x", "kid"].iter().all(|part| parts.contains_key(*part)) && !parts.contains_key("d"), "{key}");
        }
    }

    async fn every_answer_names_its_request(world) {
        let (all, token) = endpoints(&world).await;
        for one in &all {
            let bearer = format!("Bearer {}", if one.takes == Takes::Viewer { &token } else { &world.key });
            for authorization in [vec![bearer.as_str()], vec![]] {
                let reply = one.send(&world, &one.path, &authorization, &one.fresh().to_string()).await;
                assert!(reply.headers["x-request-id"].len() >= 32, "{} {}", one.method, one.path);
            }
        }
        for (path, status) in [("/v2/api/nothing", 404), ("/v1/api/projects/embed-token", 405), ("/healthz", 200), ("/docs", 200)] {
            for (sent, kept) in [("abc-1.2_3", true), ("x", true), ("", false), ("a b", false), ("ü", false), (&"a".repeat(128), true), (&"a".repeat(129), false)] {
                let request = Request::builder().uri(path).header("x-request-id", sent);
                let reply = world.send(request.body(Body::empty()).expect("a request")).await;
                let id = reply.headers["x-request-id"].as_bytes();
                assert_eq!((reply.status.as_u16(), id == sent.as_bytes()), (status, kept), "{path} {sent}");
                assert!(!id.is_empty());
            }
        }
    }
}

#[test]
fn the_limits_are_those_of_the_contract() {
    let limits = Limits::in_tests();
    assert_eq!((limits.max_body_bytes, limits.max_json_depth, limits.max_charts), (1024 * 1024, 64, 500));
    assert_eq!((limits.key_requests_per_second, limits.key_burst), (1_000, 2_000));
    assert_eq!((limits.user_requests_per_second, limits.user_burst), (50, 200));
    let queries = limits.for_queries();
    assert_eq!((queries.timeout.as_secs(), queries.rows, queries.bytes), (30, 50_000, 16 * 1024 * 1024));
}
