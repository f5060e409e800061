//! Roles through the router, on both stores.

use crate::testing::{World, bad_fields, on_both_stores, refusals};
use axum::http::Method;
use inlay_contract::permissions::Flag;
use serde_json::{Value, json};

fn path(world: &World) -> String {
    format!("/v1/api/projects/{}/user-roles", world.applied.project_id)
}

async fn create(world: &World, name: &str, permissions: Value) -> String {
    let body = json!({"name": name, "permissions": permissions});
    let made = world.post(&path(world), &world.key, &body).await.data();
    made["userRole"]["id"].as_str().expect("an id").to_owned()
}

async fn listed(world: &World, id: &str) -> Option<Value> {
    let roles = world.get(&path(world), &world.key).await.data();
    roles["userRoles"].as_array().expect("roles").iter().find(|role| role["id"] == json!(id)).cloned()
}

async fn patch(world: &World, id: &str, body: Value) -> crate::testing::Reply {
    world.call(Method::PATCH, &format!("{}/{id}", path(world)), &world.key, Some(&body)).await
}

on_both_stores! {
    async fn a_role_lives_from_making_to_removal(world) {
        let id = create(&world, "Editor", json!({"addChart": true})).await;
        let role = listed(&world, &id).await.expect("listed");
        let keys: Vec<&String> = role.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["id", "name", "organization_id", "project_id", "permissions", "created_at", "updated_at"]);
        assert_eq!((&role["organization_id"], &role["permissions"]), (&json!(world.organization), &json!({"addChart": true})));
        let changed = patch(&world, &id, json!({"permissions": {"readOnly": true}})).await.data();
        assert_eq!((&changed["userRole"]["name"], &changed["userRole"]["permissions"]), (&json!("Editor"), &json!({"readOnly": true})));
        let renamed = patch(&world, &id, json!({"name": "Reader"})).await.data();
        assert_eq!(renamed["userRole"]["permissions"], json!({"readOnly": true}));
        let removed = world.call(Method::DELETE, &format!("{}/{id}", path(&world)), &world.key, None).await.data();
        assert_eq!(removed, json!({"id": id}));
        assert_eq!(listed(&world, &id).await, None);
        world.call(Method::DELETE, &format!("{}/{id}", path(&world)), &world.key, None).await.refused(404, "USER_ROLE_NOT_FOUND");
    }

    async fn a_change_of_nothing_changes_nothing(world) {
        let id = create(&world, "Editor", json!({"addChart": true})).await;
        let before = listed(&world, &id).await;
        patch(&world, &id, json!({})).await.data();
        patch(&world, &id, json!({"name": "Editor", "permissions": {"addChart": true}, "unknown": 1})).await.data();
        assert_eq!(listed(&world, &id).await, before);
    }

    async fn names_are_unique_within_a_project(world) {
        let id = create(&world, "Editor", json!({})).await;
        let body = json!({"name": "Editor", "permissions": {}});
        world.post(&path(&world), &world.key, &body).await.refused(409, "ROLE_NAME_TAKEN");
        patch(&world, &id, json!({"name": "Analyst"})).await.refused(409, "ROLE_NAME_TAKEN");
        patch(&world, &id, json!({"name": "Editor"})).await.data();
        let (neighbour, key) = world.neighbour().await;
        world.post(&format!("/v1/api/projects/{}/user-roles", neighbour.project_id), &key, &body).await.data();
    }

    async fn bad_fields_are_told_by_their_place(world) {
        let good = json!({"name": "Editor", "permissions": {}});
        let wrong = [("name!", json!(5)), ("name", json!("")), ("name", json!("x".repeat(513))), ("permissions!", json!([])), ("permissions", json!("addChart"))];
        bad_fields(&world, &Method::POST, &path(&world), &good, &wrong).await;
        for value in [json!("true"), json!(1), json!(null), json!([])] {
            let body = json!({"name": "Editor", "permissions": {"addChart": value}});
            let error = world.post(&path(&world), &world.key, &body).await.refused(400, "VALIDATION_FAILED");
            assert_eq!(error["details"], json!({"permissions.addChart": "must be true or false"}));
        }
        for flag in ["addcharts", "", "__proto__", "addChart "] {
            let body = json!({"name": "Editor", "permissions": {flag: true}});
            let error = world.post(&path(&world), &world.key, &body).await.refused(400, "VALIDATION_FAILED");
            assert_eq!(error["details"], json!({format!("permissions.{flag}"): "is not a permission flag"}));
        }
        let id = create(&world, "Editor", json!({"addChart": true})).await;
        patch(&world, &id, json!({"name": "Other", "permissions": {"root": true}})).await.refused(400, "VALIDATION_FAILED");
        assert_eq!(listed(&world, &id).await.expect("listed")["name"], "Editor");
    }

    async fn every_flag_comes_back_as_it_was_sent(world) {
        let half = |on| Flag::ALL.into_iter().map(move |flag| (flag.name().to_owned(), json!((flag as u8).is_multiple_of(2) == on)));
        for (name, on) in [("One", true), ("Two", false)] {
            let permissions: Value = half(on).collect::<serde_json::Map<_, _>>().into();
            let id = create(&world, name, permissions.clone()).await;
            assert_eq!(listed(&world, &id).await.expect("listed")["permissions"], permissions);
        }
    }

    async fn foreign_roles_do_not_exist(world) {
        let (neighbour, _) = world.neighbour().await;
        let theirs = neighbour.roles["Analyst"].to_string();
        patch(&world, &theirs, json!({"name": "Mine"})).await.refused(404, "USER_ROLE_NOT_FOUND");
        world.call(Method::DELETE, &format!("{}/{theirs}", path(&world)), &world.key, None).await.refused(404, "USER_ROLE_NOT_FOUND");
        assert_eq!(listed(&world, &theirs).await, None);
        let foreign = format!("/v1/api/projects/{}/user-roles", neighbour.project_id);
        world.get(&foreign, &world.key).await.refused(404, "PROJECT_NOT_FOUND");
        world.get("/v1/api/projects/x/user-roles", &world.key).await.refused(400, "VALIDATION_FAILED");
    }

    async fn the_list_takes_the_key_in_the_query(world) {
        assert!(!world.get(&format!("{}?apiKey={}", path(&world), world.key), "").await.data()["userRoles"].as_array().expect("roles").is_empty());
        world.get(&format!("{}?apiKey=nonsense", path(&world)), "").await.refused(401, "INVALID_API_KEY");
        world.get(&path(&world), "").await.refused(401, "INVALID_API_KEY");
        let body = json!({"name": "Editor", "permissions": {}});
        world.post(&format!("{}?apiKey={}", path(&world), world.key), "", &body).await.refused(401, "INVALID_API_KEY");
        let in_body = json!({"name": "Editor", "permissions": {}, "apiKey": world.key});
        world.post(&path(&world), "", &in_body).await.data();
        world.post(&path(&world), "hello", &in_body).await.refused(401, "INVALID_API_KEY");
    }

    async fn credentials_and_bodies_that_should_not_do(world) {
        let body = json!({"name": "Editor", "permissions": {}});
        refusals(&world, &Method::POST, &path(&world), &body, true).await;
        let id = create(&world, "Other", json!({})).await;
        refusals(&world, &Method::PATCH, &format!("{}/{id}", path(&world)), &json!({"name": "Third"}), true).await;
    }

    async fn an_issued_token_keeps_what_it_was_issued_with(world) {
        let id = create(&world, "Editor", json!({"addChart": true})).await;
        let mut body = world.sign_in_body("acme", "ada");
        body["user"]["userRoleId"] = json!(id);
        let sign_in = async || world.post("/v1/api/projects/embed-token", &world.key, &body).await.data()["token"].as_str().expect("a token").to_owned();
        let claims = |token: &str| crate::concepts::tokens::verify(&crate::concepts::tokens::known(&world.app).keyring, &world.app.base_url, token, world.app.now()).expect("valid");
        let before = sign_in().await;
        patch(&world, &id, json!({"permissions": {"readOnly": true}})).await.data();
        assert!(claims(&before).permissions.allows(Flag::AddChart));
        let after = claims(&sign_in().await);
        assert!(after.permissions.allows(Flag::ReadOnly) && !after.permissions.can_edit());
    }
}
