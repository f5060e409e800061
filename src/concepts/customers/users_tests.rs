//! `PUT users`, `user-token`, `register-organization` and `register-user` through the router, on both stores.

use crate::{
    concepts::organizations::MemberRole,
    ground::error::Code,
    testing::{ACME, GLOBEX, World, bad_fields, on_both_stores, refusals},
};
use axum::http::Method;
use inlay_contract::ids::{ProjectUserId, RoleId};
use serde_json::{Value, json};

const USER_TOKEN: &str = "/v1/api/projects/user-token";
const REGISTER_ORGANIZATION: &str = "/v1/api/projects/register-organization";
const REGISTER_USER: &str = "/v1/api/projects/register-user";

fn user_path(world: &World, id: &Value) -> String {
    format!("/v1/api/projects/{}/users/{}", world.applied.project_id, id.as_str().expect("an id"))
}

async fn put(world: &World, id: &Value, body: Value) -> Value {
    world.call(Method::PUT, &user_path(world, id), &world.key, Some(&body)).await.data()["projectUser"].clone()
}

async fn signed_in(world: &World) -> Value {
    world.sign_in_as(ACME, "ada", None).await["projectUserId"].clone()
}

on_both_stores! {
    async fn put_answers_and_merges(world) {
        let id = signed_in(&world).await;
        let user = put(&world, &id, json!({"name": "Zoë", "properties": {"a": 1, "b": [2]}, "unknown": true})).await;
        let keys: Vec<&String> = user.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["id", "externalId", "name", "properties", "userRoleId", "projectOrganizationId", "createdAt", "updatedAt"]);
        let merged = put(&world, &id, json!({"properties": {"a": null, "c": {"d": 1}}})).await;
        assert_eq!((&merged["name"], &merged["properties"]), (&json!("Zoë"), &json!({"b": [2], "c": {"d": 1}})));
        assert_eq!(put(&world, &id, json!({})).await, merged, "nothing to change leaves updatedAt");
        let analyst = world.applied.roles["Analyst"];
        for (sent, expected) in [(json!({"userRoleId": analyst}), json!(analyst)), (json!({}), json!(analyst)), (json!({"userRoleId": null}), json!(null))] {
            assert_eq!(put(&world, &id, sent).await["userRoleId"], expected);
        }
    }

    async fn put_refuses(world) {
        let id = signed_in(&world).await;
        let path = user_path(&world, &id);
        let wrong = [("userRoleId", json!("x")), ("userRoleId", json!(1)), ("name", json!(5)), ("properties", json!([]))];
        bad_fields(&world, &Method::PUT, &path, &json!({}), &wrong).await;
        refusals(&world, &Method::PUT, &path, &json!({"name": "x"}), true).await;
        let (neighbour, key) = world.neighbour().await;
        for role in [RoleId::generate(), neighbour.roles["Analyst"]] {
            let reply = world.call(Method::PUT, &path, &world.key, Some(&json!({"userRoleId": role}))).await;
            let error = reply.refused(404, "USER_ROLE_NOT_FOUND");
            assert!(error["message"].as_str().expect("a message").starts_with("User role not found"));
        }
        let mut body = world.sign_in_body(ACME, "theirs");
        body["projectId"] = json!(neighbour.project_id);
        let theirs = world.post("/v1/api/projects/embed-token", &key, &body).await.data()["projectUserId"].clone();
        let unknown = json!(ProjectUserId::generate());
        let mut told = Vec::new();
        for id in [theirs, unknown] {
            told.push(world.call(Method::PUT, &user_path(&world, &id), &world.key, Some(&json!({"name": "x"}))).await.refused(404, "NOT_FOUND"));
        }
        assert_eq!(told[0], told[1]);
    }

    async fn a_role_that_vanished_meanwhile_is_told_as_missing(world) {
        let id: ProjectUserId = serde_json::from_value(signed_in(&world).await).expect("an id");
        let mut user = crate::concepts::customers::users::of_project(&world.app, world.applied.project_id, id).await.expect("a user");
        user.user_role_id = Some(RoleId::generate());
        let mut tx = world.app.db.write().await.expect("a transaction");
        let changed = crate::concepts::customers::store::update_user(&mut tx.conn(), &user).await;
        assert_eq!(changed.expect_err("refused").code, Code::UserRoleNotFound);
        drop(tx);
        (user.id, user.external_id) = (ProjectUserId::generate(), "other".to_owned());
        let mut tx = world.app.db.write().await.expect("a transaction");
        let made = crate::concepts::customers::store::insert_user(&mut tx.conn(), &user).await;
        assert_eq!(made.expect_err("refused").code, Code::UserRoleNotFound);
    }

    async fn user_token_is_like_an_embed_token(world) {
        let id = signed_in(&world).await;
        let body = json!({"userId": id, "apiKey": world.key, "expiration": "5m", "unknown": 1});
        let data = world.post(USER_TOKEN, "", &body).await.data();
        let keys: Vec<&String> = data.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["token", "expiresAt", "projectUserId", "projectOrganizationId"]);
        let token = data["token"].as_str().expect("a token");
        let claims = crate::concepts::tokens::verify(&crate::concepts::tokens::known(&world.app).keyring, &world.app.base_url, token, world.app.now()).expect("valid");
        assert_eq!((json!(claims.sub), claims.exp - claims.iat), (id, 300));
        assert_eq!(world.post(&world.chart_path("Rates"), token, &json!({})).await.status.as_u16(), 200);
    }

    async fn user_token_refuses(world) {
        let id = signed_in(&world).await;
        let good = json!({"userId": id});
        bad_fields(&world, &Method::POST, USER_TOKEN, &good, &[("userId!", json!("me")), ("userId", json!(5)), ("expiration", json!("1y"))]).await;
        refusals(&world, &Method::POST, USER_TOKEN, &good, false).await;
        world.post(&format!("{USER_TOKEN}?apiKey={}", world.key), "", &good).await.refused(401, "INVALID_API_KEY");
        world.post(USER_TOKEN, "", &json!({"userId": id, "apiKey": ""})).await.refused(401, "INVALID_API_KEY");
        let (_, foreign) = world.neighbour().await;
        let theirs = world.post(USER_TOKEN, &foreign, &good).await.refused(404, "NOT_FOUND");
        let unknown = world.post(USER_TOKEN, &foreign, &json!({"userId": ProjectUserId::generate()})).await.refused(404, "NOT_FOUND");
        assert_eq!(theirs, unknown);
        let scoped = world.member_key(MemberRole::Admin, true).await;
        world.post(USER_TOKEN, &scoped, &json!({"userId": id, "organizationId": world.organization})).await.data();
    }

    async fn registered_customers_are_those_of_embed_token(world) {
        let body = json!({"projectId": world.applied.project_id, "name": "Globex", "externalId": GLOBEX, "properties": {"company": GLOBEX, "none": null}});
        let data = world.post(REGISTER_ORGANIZATION, &world.key, &body).await.data();
        assert_eq!(data["externalId"], GLOBEX);
        let signed_in = world.sign_in_as(GLOBEX, "ada", None).await;
        assert_eq!((&signed_in["organizationCreated"], &signed_in["projectOrganizationId"]), (&json!(false), &data["projectOrganizationId"]));
        world.post(REGISTER_ORGANIZATION, &world.key, &body).await.refused(409, "EXTERNAL_ID_TAKEN");
        let unnamed = json!({"projectId": world.applied.project_id, "name": "Other"});
        let other = world.post(REGISTER_ORGANIZATION, &world.key, &unnamed).await.data();
        assert_eq!(other["externalId"], other["projectOrganizationId"]);
        let wrong = [("projectId!", json!("x")), ("name!", json!(5)), ("externalId", json!(7)), ("properties", json!("x"))];
        bad_fields(&world, &Method::POST, REGISTER_ORGANIZATION, &unnamed, &wrong).await;
        refusals(&world, &Method::POST, REGISTER_ORGANIZATION, &unnamed, true).await;
    }

    async fn registered_users_are_those_of_embed_token(world) {
        let customer = world.sign_in_as(ACME, "first", None).await["projectOrganizationId"].clone();
        let analyst = world.applied.roles["Analyst"];
        let base = json!({"projectId": world.applied.project_id, "name": "Ada", "userRoleId": analyst, "properties": {"a": 1, "b": null}});
        for (external, named) in [("ada", customer.clone()), ("bob", json!(ACME))] {
            let mut body = base.clone();
            body["externalId"] = json!(external);
            body["projectOrganizationId"] = named;
            let made = world.post(REGISTER_USER, &world.key, &body).await.data();
            assert!(made["message"].is_string());
            let signed_in = world.sign_in_as(ACME, external, None).await;
            assert_eq!((&signed_in["projectUserId"], &signed_in["userCreated"]), (&made["userId"], &json!(false)));
            let user = put(&world, &made["userId"], json!({})).await;
            assert_eq!((&user["userRoleId"], &user["properties"]), (&json!(analyst), &json!({"a": 1})));
            world.post(REGISTER_USER, &world.key, &body).await.refused(409, "EXTERNAL_ID_TAKEN");
        }
    }

    async fn a_registered_user_may_have_an_id_and_no_customer(world) {
        let chosen = ProjectUserId::generate();
        let body = json!({"projectId": world.applied.project_id, "name": "Loner", "userId": chosen});
        assert_eq!(world.post(REGISTER_USER, &world.key, &body).await.data()["userId"], json!(chosen));
        assert_eq!(put(&world, &json!(chosen), json!({})).await["projectOrganizationId"], json!(null));
        let data = world.post(USER_TOKEN, &world.key, &json!({"userId": chosen})).await.data();
        assert_eq!(data["projectOrganizationId"], json!(null));
        world.post(REGISTER_USER, &world.key, &body).await.refused(409, "EXTERNAL_ID_TAKEN");
    }

    async fn register_user_refuses(world) {
        let good = json!({"projectId": world.applied.project_id, "name": "Ada"});
        let wrong = [("projectId!", json!("x")), ("name!", json!(5)), ("externalId", json!(7)), ("properties", json!("x")),
            ("userRoleId", json!("x")), ("userId", json!("x")), ("projectOrganizationId", json!(5))];
        bad_fields(&world, &Method::POST, REGISTER_USER, &good, &wrong).await;
        refusals(&world, &Method::POST, REGISTER_USER, &good, true).await;
        let (neighbour, key) = world.neighbour().await;
        let theirs = json!({"projectId": neighbour.project_id, "name": "Theirs", "externalId": "theirs"});
        let theirs = world.post(REGISTER_ORGANIZATION, &key, &theirs).await.data()["projectOrganizationId"].clone();
        for customer in [theirs, json!("theirs"), json!(RoleId::generate())] {
            let mut body = good.clone();
            body["projectOrganizationId"] = customer;
            world.post(REGISTER_USER, &world.key, &body).await.refused(404, "NOT_FOUND");
        }
        for role in [RoleId::generate(), neighbour.roles["Analyst"]] {
            let mut body = good.clone();
            body["userRoleId"] = json!(role);
            world.post(REGISTER_USER, &world.key, &body).await.refused(404, "USER_ROLE_NOT_FOUND");
        }
    }
}
