//! Every shape of a role × every write, compared with the specification's table.

use super::{add, added, at, clone, create, everything, overview, remove, role, sign_in};
use crate::testing::{ACME, Reply, World, on_both_stores};
use axum::http::Method;
use serde_json::{Value, json};

const EDITING: [&str; 7] =
    ["addChart", "addFilter", "createChart", "editCharts", "removeChart", "addDashboard", "canDuplicateDashboard"];
/// The editing permissions that are on by default in a role which grants editing.
const ON_IF_EDITING: [&str; 6] =
    ["addChart", "addFilter", "createChart", "removeChart", "addDashboard", "canDuplicateDashboard"];

/// The permissions of a role, by the table of the specification.
fn allows(role: &Value, flag: &str) -> bool {
    let on = |flag: &str| role[flag] == json!(true);
    let editing = !on("readOnly") && EDITING.iter().any(|flag| on(flag));
    editing && role[flag].as_bool().unwrap_or(ON_IF_EDITING.contains(&flag))
}

fn shapes() -> Vec<Value> {
    let mut shapes =
        vec![Value::Null, json!({}), json!({"readOnly": true}), json!({"drillDown": true, "aiCharts": true}), everything()];
    let mut read_only = everything();
    read_only["readOnly"] = json!(true);
    shapes.push(read_only);
    for flag in EDITING {
        shapes.push(json!({ flag: true }));
        shapes.push(json!({ flag: false }));
        let (mut but, mut alone) = (everything(), json!({}));
        but[flag] = json!(false);
        for other in EDITING {
            alone[other] = json!(other == flag);
        }
        shapes.extend([but, alone]);
    }
    shapes
}

/// Each write on a dashboard of the user's own, and the permission that it needs.
async fn write(world: &World, token: &str, number: usize, dashboard: &str, chart: &str) -> (&'static str, Reply) {
    match number {
        0 => ("addDashboard", world.post(&super::dashboards_of(world, "Orders"), token, &json!({"name": "x"})).await),
        1 => ("canDuplicateDashboard", world.post(&format!("{}/clone", at(world, dashboard)), token, &json!({})).await),
        2 => ("addChart", add(world, token, dashboard, &["Rates"]).await),
        3 => {
            let body = json!({"sourceDashboardId": overview(world)});
            ("addChart", world.post(&format!("{}/append-charts", at(world, dashboard)), token, &body).await)
        }
        _ => ("removeChart", remove(world, token, dashboard, chart).await),
    }
}

/// Sets a user's role, or removes it.
async fn assign(world: &World, user: &str, permissions: &Value) {
    let role = if permissions.is_null() { Value::Null } else { role(world, permissions).await };
    let path = format!("/v1/api/projects/{}/users/{user}", world.applied.project_id);
    world.call(Method::PUT, &path, &world.key, Some(&json!({"userRoleId": role}))).await.data();
}

on_both_stores! {
    async fn every_role_shape_meets_every_write(world) {
        let token = sign_in(&world, ACME, "me", &everything()).await;
        let user = world.post("/v1/api/projects/embed-token", &world.key, &world.sign_in_body(ACME, "me")).await.data();
        let user = user["projectUserId"].as_str().expect("an id").to_owned();
        let mine = create(&world, &token, "Mine").await;
        for shape in shapes() {
            assign(&world, &user, &everything()).await;
            let chart = added(&add(&world, &token, &mine, &["Rates"]).await).remove(0);
            // The token still holds the permissions that it was issued with. The write reads the role's current ones.
            assign(&world, &user, &shape).await;
            for number in 0..5 {
                let (flag, reply) = write(&world, &token, number, &mine, &chart).await;
                if allows(&shape, flag) {
                    reply.data();
                } else if EDITING.iter().any(|flag| allows(&shape, flag)) {
                    assert_eq!(reply.refused(403, "PERMISSION_DENIED")["details"], json!({"permission": flag}), "{shape}");
                } else {
                    reply.refused(403, "VIEW_ONLY");
                }
            }
        }
    }

    async fn refusals_come_in_their_order(world) {
        let owner = sign_in(&world, ACME, "owner", &everything()).await;
        let theirs = create(&world, &owner, "Theirs").await;
        let chart = added(&add(&world, &owner, &theirs, &["Rates"]).await).remove(0);
        let shared = overview(&world);
        let shared_chart = world.applied.dashboards["Orders/Overview"].charts["Rates"].to_string();
        let viewer = sign_in(&world, ACME, "viewer", &json!({})).await;
        let remover = sign_in(&world, ACME, "remover", &json!({"addChart": false, "removeChart": false, "addFilter": true})).await;
        let colleague = sign_in(&world, ACME, "colleague", &everything()).await;
        for (dashboard, chart) in [(&theirs, &chart), (&shared, &shared_chart)] {
            for (token, code) in [(&viewer, "VIEW_ONLY"), (&remover, "PERMISSION_DENIED")] {
                add(&world, token, &super::nothing(), &["Rates"]).await.refused(404, "NOT_FOUND");
                add(&world, token, dashboard, &["Rates"]).await.refused(403, code);
                remove(&world, token, dashboard, chart).await.refused(403, code);
            }
        }
        for token in [&owner, &colleague] {
            add(&world, token, &shared, &["Rates"]).await.refused(409, "SHARED_DASHBOARD_READ_ONLY");
            remove(&world, token, &shared, &shared_chart).await.refused(409, "SHARED_DASHBOARD_READ_ONLY");
        }
        add(&world, &colleague, &theirs, &["Rates"]).await.refused(403, "NOT_DASHBOARD_OWNER");
        remove(&world, &colleague, &theirs, &chart).await.refused(403, "NOT_DASHBOARD_OWNER");
        clone(&world, &colleague, &theirs, json!({})).await;
    }

    async fn a_user_without_a_customer_has_no_space(world) {
        let role = role(&world, &everything()).await;
        let body = json!({"projectId": world.applied.project_id, "name": "Loner", "userRoleId": role});
        let user = world.post("/v1/api/projects/register-user", &world.key, &body).await.data()["userId"].clone();
        let token = world.post("/v1/api/projects/user-token", "", &json!({"userId": user, "apiKey": world.key})).await.data();
        let token = token["token"].as_str().expect("a token");
        for number in 0..2 {
            let (_, reply) = write(&world, token, number, &overview(&world), "").await;
            reply.refused(403, "PROJECT_USER_WITHOUT_ORGANIZATION");
        }
        let path = format!("/v1/api/projects/{}/users/{}", world.applied.project_id, user.as_str().expect("an id"));
        world.call(Method::PUT, &path, &world.key, Some(&json!({"userRoleId": null}))).await.data();
        // Without a role too: what keeps them from writing is first that they have no space (docs/spec/contract.md, section 12, P15).
        for number in 0..4 {
            let (_, reply) = write(&world, token, number, &overview(&world), "").await;
            reply.refused(403, "PROJECT_USER_WITHOUT_ORGANIZATION");
        }
    }
}
