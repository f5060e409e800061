//! Roles and the users who hold them, through the router and on both stores.

use crate::testing::{ACME, World, on_both_stores};
use axum::http::Method;
use serde_json::{Value, json};

fn roles(world: &World) -> String {
    format!("/v1/api/projects/{}/user-roles", world.applied.project_id)
}

/// Creates a role. Returns its id.
async fn create(world: &World, permissions: &Value) -> Value {
    let body = json!({ "name": format!("Role with {permissions}"), "permissions": permissions });
    world.post(&roles(world), &world.key, &body).await.data()["userRole"]["id"].clone()
}

/// Signs a user in with a role. Returns the response's data.
async fn sign_in(world: &World, role: &Value) -> Value {
    let mut body = world.sign_in_body(ACME, "ada");
    body["user"]["userRoleId"] = role.clone();
    world.post("/v1/api/projects/embed-token", &world.key, &body).await.data()
}

/// Tries to create a dashboard.
async fn write(world: &World, signed_in: &Value) -> crate::testing::Reply {
    let path = format!("/v2/api/applications/{}/dashboards", world.applied.applications["Orders"].id);
    world.post(&path, signed_in["token"].as_str().expect("a token"), &json!({ "name": "Mine" })).await
}

on_both_stores! {
    async fn a_removed_role_leaves_its_users_without_one(world) {
        let role = create(&world, &json!({ "addDashboard": true })).await;
        let signed_in = sign_in(&world, &role).await;
        write(&world, &signed_in).await.data();
        let path = format!("{}/{}", roles(&world), role.as_str().expect("an id"));
        world.call(Method::DELETE, &path, &world.key, None).await.data();
        let user = format!("/v1/api/projects/{}/users/{}", world.applied.project_id, signed_in["projectUserId"].as_str().expect("an id"));
        let user = world.call(Method::PUT, &user, &world.key, Some(&json!({}))).await.data();
        assert_eq!(user["projectUser"]["userRoleId"], Value::Null);
        write(&world, &signed_in).await.refused(403, "VIEW_ONLY");
        // The id of a removed role is that of none.
        let mut body = world.sign_in_body(ACME, "ada");
        body["user"]["userRoleId"] = role;
        let error = world.post("/v1/api/projects/embed-token", &world.key, &body).await.refused(404, "USER_ROLE_NOT_FOUND");
        assert!(error["message"].as_str().expect("a message").starts_with("User role not found"));
    }

    async fn the_legacy_flag_has_no_effect(world) {
        for (permissions, code) in [
            (json!({ "editMarketplace": true }), Some("VIEW_ONLY")),
            (json!({ "editMarketplace": true, "addChart": true, "addDashboard": false }), Some("PERMISSION_DENIED")),
            (json!({ "editMarketplace": false, "addDashboard": true }), None),
        ] {
            let signed_in = sign_in(&world, &create(&world, &permissions).await).await;
            let reply = write(&world, &signed_in).await;
            match code {
                Some(code) => drop(reply.refused(403, code)),
                None => drop(reply.data()),
            }
        }
    }
}
