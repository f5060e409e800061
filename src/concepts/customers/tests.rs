//! `embed-token` through the router, on both stores.

use crate::{
    concepts::organizations::MemberRole,
    ground::time::Timestamp,
    testing::{ACME, GLOBEX, World, on_both_stores},
};
use futures::future::join_all;
use inlay_contract::ids::{ProjectUserId, RoleId};
use serde_json::{Value, json};

const PATH: &str = "/v1/api/projects/embed-token";

async fn embed(world: &World, body: &Value) -> Value {
    world.post(PATH, &world.key, body).await.data()
}

/// The stored state of a user: name, properties, role, updated at.
async fn stored(world: &World, data: &Value) -> super::ProjectUser {
    let id: ProjectUserId = data["projectUserId"].as_str().expect("an id").parse().expect("a UUID");
    let mut lease = world.app.db.read().await.expect("a connection");
    super::store::find_user(&mut lease.conn(), world.applied.project_id, id).await.expect("read").expect("a user")
}

fn with(mut body: Value, path: &str, value: Value) -> Value {
    *body.pointer_mut(path).expect("a place") = value;
    body
}

on_both_stores! {
    async fn first_call_creates_and_later_calls_find(world) {
        let body = world.sign_in_body(ACME, "ada");
        let (first, second) = (embed(&world, &body).await, embed(&world, &body).await);
        assert_eq!((&first["userCreated"], &first["organizationCreated"]), (&json!(true), &json!(true)));
        assert_eq!((&second["userCreated"], &second["organizationCreated"]), (&json!(false), &json!(false)));
        assert_eq!(first["projectUserId"], second["projectUserId"]);
        assert_eq!(first["projectOrganizationId"], second["projectOrganizationId"]);
        let other = embed(&world, &world.sign_in_body(GLOBEX, "ada")).await;
        assert_ne!(other["projectUserId"], first["projectUserId"], "a user is unique within its customer only");
    }

    async fn many_simultaneous_first_calls_make_one_user(world) {
        let bodies: Vec<Value> = (0..24).map(|number| {
            let mut body = world.sign_in_body(ACME, "ada");
            body["user"]["properties"] = json!({ format!("key{number}"): number });
            body
        }).collect();
        let answers = join_all(bodies.iter().map(|body| embed(&world, body))).await;
        let created = |field: &str| answers.iter().filter(|data| data[field] == json!(true)).count();
        assert_eq!((created("userCreated"), created("organizationCreated")), (1, 1));
        assert!(answers.iter().all(|data| data["projectUserId"] == answers[0]["projectUserId"]));
        assert_eq!(stored(&world, &answers[0]).await.properties.len(), 24, "no merge is lost");
    }

    async fn a_repeated_call_writes_nothing(world) {
        let mut body = world.sign_in_body(ACME, "ada");
        body["user"]["name"] = json!("Ada");
        body["user"]["properties"] = json!({"a": 1, "b": [1, {"c": null}]});
        let first = embed(&world, &body).await;
        let before = stored(&world, &first).await;
        embed(&world, &body).await;
        embed(&world, &world.sign_in_body(ACME, "ada")).await;
        assert_eq!(stored(&world, &first).await, before);
        let changed = with(body, "/user/properties", json!({"a": null}));
        embed(&world, &changed).await;
        let after = stored(&world, &first).await;
        assert!(after.updated_at > before.updated_at && after.created_at == before.created_at);
        assert_eq!(Value::Object(after.properties), json!({"b": [1, {"c": null}]}));
        assert_eq!(after.name, "Ada");
    }

    async fn roles_are_applied_kept_removed_and_defaulted(world) {
        let analyst = world.applied.roles["Analyst"];
        let user = |role: Value| with(world.sign_in_body(ACME, "ada"), "/user", role);
        let role = async |body: Value| stored(&world, &embed(&world, &body).await).await.user_role_id;
        assert_eq!(role(user(json!({"externalId": "ada"}))).await, None);
        assert_eq!(role(user(json!({"externalId": "ada", "defaultUserRoleId": analyst}))).await, None, "not for an existing user");
        assert_eq!(role(user(json!({"externalId": "ada", "userRoleId": analyst}))).await, Some(analyst));
        assert_eq!(role(user(json!({"externalId": "ada"}))).await, Some(analyst));
        assert_eq!(role(user(json!({"externalId": "ada", "userRoleId": null}))).await, None);
        assert_eq!(role(user(json!({"externalId": "bob", "defaultUserRoleId": analyst}))).await, Some(analyst));
        assert_eq!(role(user(json!({"externalId": "eve", "userRoleId": null, "defaultUserRoleId": analyst}))).await, None);
    }

    async fn unknown_roles_are_refused_only_where_they_apply(world) {
        let unknown = RoleId::generate();
        let user = |user: Value| with(world.sign_in_body(ACME, "x"), "/user", user);
        embed(&world, &user(json!({"externalId": "ada"}))).await;
        let sent = user(json!({"externalId": "ada", "userRoleId": unknown}));
        let error = world.post(PATH, &world.key, &sent).await.refused(404, "USER_ROLE_NOT_FOUND");
        assert!(error["message"].as_str().expect("a message").starts_with("User role not found"));
        embed(&world, &user(json!({"externalId": "ada", "defaultUserRoleId": unknown}))).await;
        let new = user(json!({"externalId": "bob", "defaultUserRoleId": unknown}));
        world.post(PATH, &world.key, &new).await.refused(404, "USER_ROLE_NOT_FOUND");
        let (neighbour, _) = world.neighbour().await;
        let foreign = user(json!({"externalId": "ada", "userRoleId": neighbour.roles["Analyst"]}));
        world.post(PATH, &world.key, &foreign).await.refused(404, "USER_ROLE_NOT_FOUND");
    }

    async fn every_bad_field_is_told_at_once(world) {
        let body = json!({"projectId": "x", "organization": {"externalId": 5}, "user": {"properties": []}, "expiration": "9y"});
        let error = world.post(PATH, &world.key, &body).await.refused(400, "VALIDATION_FAILED");
        let told: Vec<&String> = error["details"].as_object().expect("details").keys().collect();
        assert_eq!(told, ["projectId", "organization.externalId", "user.externalId", "user.properties", "expiration"]);
    }

    async fn credentials_that_should_not_do(world) {
        let body = world.sign_in_body(ACME, "ada");
        for wrong in ["", "x", "inlay_x_y", &world.key[..world.key.len() - 1]] {
            world.post(PATH, wrong, &body).await.refused(401, "INVALID_API_KEY");
        }
        let token = world.token(ACME).await;
        world.post(PATH, &token, &body).await.refused(401, "INVALID_API_KEY");
        let read_only = world.member_key(MemberRole::Viewer, false).await;
        world.post(PATH, &read_only, &body).await.refused(403, "KEY_OWNER_NOT_PERMITTED");
        let user_scoped = world.member_key(MemberRole::Member, true).await;
        let error = world.post(PATH, &user_scoped, &body).await.refused(400, "ORGANIZATION_ID_REQUIRED");
        assert_eq!(error["message"], "organizationId is required when using a user-scoped API key");
        let mut named = body.clone();
        named["organizationId"] = json!(world.organization);
        world.post(PATH, &user_scoped, &named).await.data();
        let (_, foreign) = world.neighbour().await;
        let error = world.post(PATH, &foreign, &body).await.refused(404, "PROJECT_NOT_FOUND");
        assert_eq!(error["message"], "Project not found or does not belong to this organization");
    }

    async fn a_revoked_key_takes_its_tokens_along(world) {
        let token = world.token(ACME).await;
        let path = world.chart_path("Rates");
        assert_eq!(world.post(&path, &token, &json!({})).await.status.as_u16(), 200);
        let id = crate::concepts::organizations::api_keys::PresentedKey::parse(&world.key).expect("a key").id;
        let mut tx = world.app.db.write().await.expect("a transaction");
        crate::concepts::organizations::revoke_key(&mut tx.conn(), id).await.expect("revoked");
        tx.commit().await.expect("committed");
        world.app.refresh().await.expect("refreshed");
        world.post(&path, &token, &json!({})).await.refused(401, "TOKEN_REVOKED");
        world.post(PATH, &world.key, &world.sign_in_body(ACME, "ada")).await.refused(401, "INVALID_API_KEY");
    }

    async fn external_ids_are_any_text(world) {
        for id in ["a b", "O'Brien \"x\"", "日本/é", "../..", "{{user.x}}", "' OR '1'='1", "0", &"x".repeat(512)] {
            let mut body = world.sign_in_body(ACME, id);
            body["organization"]["externalId"] = json!(id);
            let (first, second) = (embed(&world, &body).await, embed(&world, &body).await);
            assert_eq!((&first["projectUserId"], &second["userCreated"]), (&second["projectUserId"], &json!(false)), "{id}");
            assert_eq!(stored(&world, &first).await.external_id, id);
        }
        let nul = json!({"projectId": world.applied.project_id, "organization": {"externalId": "a\u{0}"}, "user": {"externalId": "b"}});
        world.post(PATH, &world.key, &nul).await.refused(400, "VALIDATION_FAILED");
    }

    async fn tokens_end_when_they_say(world) {
        for (text, seconds) in [("5m", 300), ("15m", 900), ("1h", 3600), ("7d", 604_800)] {
            let mut body = world.sign_in_body(ACME, "ada");
            body["expiration"] = json!(text);
            let data = embed(&world, &body).await;
            let claims = crate::concepts::tokens::verify(&crate::concepts::tokens::known(&world.app).keyring, &world.app.base_url, data["token"].as_str().expect("a token"), world.app.now());
            let claims = claims.expect("valid");
            assert_eq!(claims.exp - claims.iat, seconds);
            assert_eq!(data["expiresAt"], json!(Timestamp::from_seconds(claims.exp)));
        }
    }
}
