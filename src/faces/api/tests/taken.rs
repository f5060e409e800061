//! What is taken answers 409 by its code, also when several ask for it at once, and never 500 (docs/spec/contract.md, section 3).

use crate::testing::{ACME, Reply, World, on_both_stores};
use axum::http::Method;
use futures::future::join_all;
use serde_json::{Value, json};
use uuid::Uuid;

/// Six requests at once, and one later: one gets it, the others are told that it is taken.
async fn one_gets_it(world: &World, path: &str, body: &Value, code: &str) {
    let mut replies = join_all((0..6).map(|_| world.post(path, &world.key, body))).await;
    replies.push(world.post(path, &world.key, body).await);
    told_once(&replies, code);
}

#[track_caller]
fn told_once(replies: &[Reply], code: &str) {
    let (got, taken): (Vec<&Reply>, Vec<&Reply>) = replies.iter().partition(|reply| reply.status == 200);
    assert_eq!(got.len(), 1, "{code}: {replies:?}");
    for reply in taken {
        reply.refused(409, code);
    }
}

on_both_stores! {
    async fn what_is_taken_is_409_also_at_once(world) {
        let project = world.applied.project_id;
        world.sign_in_as(ACME, "ada", None).await;
        let roles = format!("/v1/api/projects/{project}/user-roles");
        let (customer, user) = ("/v1/api/projects/register-organization", "/v1/api/projects/register-user");
        let chosen = json!([{"name": "Chosen", "permissions": {}, "tenantIds": []}]);
        for (path, body, code) in [
            (customer, json!({"name": "One", "externalId": "one"}), "EXTERNAL_ID_TAKEN"),
            (user, json!({"name": "One", "externalId": "one", "projectOrganizationId": ACME}), "EXTERNAL_ID_TAKEN"),
            (user, json!({"name": "Two", "userId": Uuid::now_v7()}), "EXTERNAL_ID_TAKEN"),
            (roles.as_str(), json!({"name": "One", "permissions": {}}), "ROLE_NAME_TAKEN"),
            ("/v1/api/migration/create-roles", json!({"roles": chosen}), "ROLE_NAME_TAKEN"),
        ] {
            let mut body = body;
            body["projectId"] = json!(project);
            one_gets_it(&world, path, &body, code).await;
        }
        let known = json!({"projectId": project, "name": "Acme", "externalId": ACME});
        world.post(customer, &world.key, &known).await.refused(409, "EXTERNAL_ID_TAKEN");
        let known = json!({"projectId": project, "name": "Ada", "externalId": "ada", "projectOrganizationId": ACME});
        world.post(user, &world.key, &known).await.refused(409, "EXTERNAL_ID_TAKEN");
    }

    async fn a_role_s_new_name_is_given_once(world) {
        let roles = format!("/v1/api/projects/{}/user-roles", world.applied.project_id);
        let mut made = Vec::new();
        for name in ["A", "B", "C"] {
            let role = world.post(&roles, &world.key, &json!({"name": name, "permissions": {}})).await.data()["userRole"].clone();
            made.push(format!("{roles}/{}", role["id"].as_str().expect("an id")));
        }
        let rename = async |path: &String| world.call(Method::PATCH, path, &world.key, Some(&json!({"name": "New"}))).await;
        told_once(&join_all(made.iter().map(rename)).await, "ROLE_NAME_TAKEN");
    }

    async fn the_same_tenant_is_registered_once(world) {
        let body = json!({"projectId": world.applied.project_id, "displayName": "Initech", "prefilters": {}});
        let replies = join_all((0..6).map(|_| world.post("/v1/api/tenant/register-tenant", &world.key, &body))).await;
        let ids: Vec<Value> = replies.iter().map(|reply| reply.data()["tenantId"].clone()).collect();
        assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    }
}
