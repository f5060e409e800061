//! The v1 writes and lists: keys, tenants, users.

use super::{add, at, everything, id, ids, names, nothing, overview, rows, sign_in};
use crate::testing::{ACME, GLOBEX, Reply, World, on_both_stores};
use serde_json::{Value, json};

async fn v1(world: &World, credential: &str, action: &str, body: &Value) -> Reply {
    world.post(&format!("/v1/api/dashboard/{action}"), credential, body).await
}

fn workspace(world: &World) -> Value {
    json!(world.applied.workspaces["Ask"])
}

async fn create(world: &World, credential: &str, name: &str) -> String {
    let reply = v1(world, credential, "create", &json!({"workspaceId": workspace(world), "name": name})).await;
    id(&reply.data()["dashboardId"])
}

async fn add_rates(world: &World, credential: &str, dashboard: &str) -> Reply {
    let charts = json!([{"chartId": world.applied.charts["Rates"], "chartVersion": 1}]);
    v1(world, credential, "add-charts", &json!({"targetDashboardId": dashboard, "charts": charts})).await
}

async fn tenant(world: &World, key: &str, permissions: &Value) -> (String, Value) {
    let body = json!({"displayName": key, "key": key, "prefilters": {"company": ACME}, "projectId": world.applied.project_id,
        "tenantEditingPermissions": permissions});
    let data = world.post("/v1/api/tenant/register-tenant", &world.key, &body).await.data();
    (id(&data["token"]), data["tenantId"].clone())
}

async fn listed(world: &World, credential: &str, workspace: &Value) -> Vec<Value> {
    let path = format!("/v1/api/dashboard/list-workspace-dashboards?workspaceId={}", id(workspace));
    world.get(&path, credential).await.data()["dashboards"].as_array().expect("a list").clone()
}

/// Each write with a valid body for a dashboard with one chart.
fn writes(world: &World, dashboard: &str, chart: &str) -> Vec<(&'static str, Value)> {
    let charts = json!([{"chartId": world.applied.charts["Rates"], "chartVersion": 1}]);
    vec![
        ("create", json!({"workspaceId": workspace(world), "name": "x"})),
        ("clone", json!({"sourceDashboardId": dashboard})),
        ("add-charts", json!({"targetDashboardId": dashboard, "charts": charts})),
        ("append-charts-from", json!({"sourceDashboardId": overview(world), "targetDashboardId": dashboard})),
        ("remove-charts", json!({"dashboardId": dashboard, "chartIds": [chart]})),
    ]
}

on_both_stores! {
    async fn what_v1_makes_has_a_v1_id(world) {
        let made = create(&world, &world.key, "Made").await;
        let place = world.get(&format!("/v2/api/dashboards/lookup?dashboardId={made}"), &world.key).await.data();
        assert_eq!(place["applicationId"], json!(world.applied.applications["Orders"].id));
        assert!(place["dashboardId"] != json!(made));
        let list = super::listed(&world, &world.key).await;
        let shown = list.iter().find(|one| one["id"] == place["dashboardId"]).expect("listed");
        assert_eq!((&shown["legacyDashboardId"], &shown["kind"]), (&json!(made), &json!("template")));
        for named in [&made, &id(&place["dashboardId"])] {
            assert_eq!(add_rates(&world, &world.key, named).await.data()["dashboardId"], json!(made), "v1 answers v1 ids");
        }
    }

    async fn what_a_key_puts_on_a_tenant_s_dashboard_is_that_tenant_s(world) {
        let (owner, _) = tenant(&world, "owner", &everything()).await;
        let thief = sign_in(&world, GLOBEX, "thief", &everything()).await;
        let theirs = create(&world, &owner, "Theirs").await;
        let chart = ids(&add_rates(&world, &world.key, &theirs).await.data()["addedChartIds"]).remove(0);
        let body = json!({"dashboardId": theirs, "chartIds": [chart]});
        v1(&world, &world.key, "remove-charts", &body).await.data();
        let own = super::create(&world, &thief, "Own").await;
        let charts = json!([{"chartId": chart, "chartVersion": 1}]);
        world.post(&format!("{}/charts", at(&world, &own)), &thief, &json!({"charts": charts})).await.refused(404, "NOT_FOUND");
        v1(&world, &owner, "add-charts", &json!({"targetDashboardId": theirs, "charts": charts})).await.data();
    }

    async fn the_five_writes_work_together(world) {
        let (source, target) = (create(&world, &world.key, "Source").await, create(&world, &world.key, "Target").await);
        let first = add_rates(&world, &world.key, &source).await.data();
        assert_eq!(first["message"], json!("1 chart added."));
        add_rates(&world, &world.key, &source).await.data();
        let appended = v1(&world, &world.key, "append-charts-from", &json!({"sourceDashboardId": source, "targetDashboardId": target})).await.data();
        let appended = ids(&appended["addedChartIds"]);
        assert_eq!(appended.len(), 2);
        let body = json!({"dashboardId": target, "chartIds": [appended[0], appended[0]]});
        let removed = v1(&world, &world.key, "remove-charts", &body).await.data();
        assert_eq!(removed, json!({"message": "1 chart removed.", "removedChartIds": [appended[0]], "dashboardId": target}));
        let body = json!({"dashboardId": target, "chartIds": [appended[1], appended[0]]});
        v1(&world, &world.key, "remove-charts", &body).await.refused(404, "NOT_FOUND");
        let copy = v1(&world, &world.key, "clone", &json!({"sourceDashboardId": target})).await.data();
        assert_eq!(copy["name"], json!("Target (Copy)"));
        let body = json!({"sourceDashboardId": copy["dashboardId"], "targetDashboardId": source});
        let left = v1(&world, &world.key, "append-charts-from", &body).await.data();
        assert_eq!(ids(&left["addedChartIds"]).len(), 1, "all or none was removed");
    }

    async fn a_workspace_without_an_application_gets_one(world) {
        let more = "  - { name: Orders, connection: warehouse }\n  - { name: Empty, connection: warehouse }\napplications:";
        let applied = world.apply(&World::project_file().replace("applications:", more)).await.expect("applied");
        let alone = json!(applied.workspaces["Orders"]);
        assert_eq!(listed(&world, &world.key, &alone).await, Vec::<Value>::new());
        let body = json!({"workspaceId": alone, "name": "First"});
        let (one, two) = tokio::join!(v1(&world, &world.key, "create", &body), v1(&world, &world.key, "create", &body));
        one.data();
        two.data();
        assert_eq!(names(&listed(&world, &world.key, &alone).await), ["First", "First"]);
        let applications = world.get("/v2/api/applications", &world.key).await.data();
        let made: Vec<&Value> = applications["applications"].as_array().expect("a list").iter()
            .filter(|one| one["legacyWorkspaceId"] == alone).map(|one| &one["name"]).collect();
        assert_eq!(made, [&json!("Orders (2)")], "one application, under a free name");
        let moved = v1(&world, &world.key, "clone", &json!({"sourceDashboardId": overview(&world), "targetWorkspaceId": alone})).await.data();
        assert_eq!(listed(&world, &world.key, &alone).await.last().expect("the copy")["id"], moved["dashboardId"]);
        let refused = json!({"workspaceId": applied.workspaces["Empty"], "name": "x"});
        v1(&world, &tenant(&world, "viewer", &json!({})).await.0, "create", &refused).await.refused(403, "VIEW_ONLY");
        let list = world.get("/v1/api/dashboard/list-workspaces", &world.key).await.data();
        let empty = json!({"workspace_id": applied.workspaces["Empty"], "dashboard_id": null, "dashboard_name": null});
        assert!(list["workspaces"].as_array().expect("a list").contains(&empty), "a refused write makes nothing");
    }

    async fn workspaces_are_listed_with_their_first_dashboard(world) {
        let (_, foreign_key) = world.neighbour().await;
        let viewer = world.token(ACME).await;
        let list = world.get("/v1/api/dashboard/list-workspaces", &world.key).await.data();
        let legacy = world.applied.dashboards["Orders/Overview"].legacy_dashboard_id;
        let expected = json!([{"workspace_id": workspace(&world), "dashboard_id": legacy, "dashboard_name": "Overview"}]);
        assert_eq!(list["workspaces"], expected);
        assert!(world.get("/v1/api/dashboard/list-workspaces", &foreign_key).await.data()["workspaces"] != expected);
        world.get("/v1/api/dashboard/list-workspaces", &viewer).await.refused(401, "INVALID_API_KEY");
        world.get("/v1/api/dashboard/list-workspaces", &tenant(&world, "t", &everything()).await.0).await.refused(401, "INVALID_API_KEY");
    }

    async fn tenants_have_dashboards_of_their_own(world) {
        let (one, one_id) = tenant(&world, "one", &everything()).await;
        let (other, _) = tenant(&world, "other", &everything()).await;
        let own = create(&world, &one, "Own").await;
        let shared = create(&world, &world.key, "Shared").await;
        let copy = id(&v1(&world, &one, "clone", &json!({"sourceDashboardId": shared})).await.data()["dashboardId"]);
        let list = listed(&world, &one, &workspace(&world)).await;
        assert_eq!(names(&list), ["Overview", "More", "Own", "Shared", "Shared (Copy)"]);
        for entry in &list {
            let mine = [&own, &copy].iter().any(|id| entry["id"] == json!(id));
            assert_eq!(entry["tenantId"], if mine { one_id.clone() } else { Value::Null });
            assert_eq!(entry["ownerProjectUserId"], Value::Null);
        }
        assert_eq!(names(&listed(&world, &other, &workspace(&world)).await), ["Overview", "More", "Shared"]);
        let chart = ids(&add_rates(&world, &one, &own).await.data()["addedChartIds"]).remove(0);
        for (action, body) in writes(&world, &own, &chart).into_iter().skip(1) {
            v1(&world, &other, action, &body).await.refused(404, "NOT_FOUND");
        }
        add_rates(&world, &one, &shared).await.refused(409, "SHARED_DASHBOARD_READ_ONLY");
        let stolen = json!({"targetDashboardId": create(&world, &other, "x").await, "charts": [{"chartId": chart, "chartVersion": 1}]});
        v1(&world, &other, "add-charts", &stolen).await.refused(404, "NOT_FOUND");
        v1(&world, &one, "remove-charts", &json!({"dashboardId": own, "chartIds": [chart]})).await.data();
        v1(&world, &other, "add-charts", &stolen).await.refused(404, "NOT_FOUND");
        let again = json!({"targetDashboardId": own, "charts": [{"chartId": chart, "chartVersion": 1}]});
        v1(&world, &one, "add-charts", &again).await.data();
        let source = json!({"sourceDashboardId": own, "targetDashboardId": shared});
        v1(&world, &other, "append-charts-from", &source).await.refused(404, "NOT_FOUND");
    }

    async fn a_key_writes_tenants_dashboards_which_stay_theirs(world) {
        let (one, one_id) = tenant(&world, "one", &everything()).await;
        let own = create(&world, &one, "Own").await;
        let chart = ids(&add_rates(&world, &world.key, &own).await.data()["addedChartIds"]).remove(0);
        let entry = |list: Vec<Value>| list.into_iter().find(|entry| entry["name"] == "Own").expect("listed");
        assert_eq!(entry(listed(&world, &one, &workspace(&world)).await)["tenantId"], one_id);
        assert_eq!(entry(listed(&world, &world.key, &workspace(&world)).await)["tenantId"], one_id);
        assert!(names(&super::listed(&world, &world.key).await).iter().all(|name| *name != "Own"), "not in v2");
        rows(&world, &world.key, &own, &chart).await.refused(404, "NOT_FOUND");
        add(&world, &world.key, &own, &["Rates"]).await.refused(404, "NOT_FOUND");
        v1(&world, &world.key, "remove-charts", &json!({"dashboardId": own, "chartIds": [chart]})).await.data();
        let copy = v1(&world, &world.key, "clone", &json!({"sourceDashboardId": own})).await.data();
        assert_eq!(super::listed(&world, &world.key).await.last().expect("the clone")["legacyDashboardId"], copy["dashboardId"]);
    }

    async fn a_user_s_dashboards_are_no_key_s_in_either_generation(world) {
        let me = sign_in(&world, ACME, "me", &everything()).await;
        let mine = create(&world, &me, "Mine").await;
        let entry = listed(&world, &me, &workspace(&world)).await.into_iter().find(|entry| entry["id"] == json!(mine)).expect("listed");
        assert!(entry["ownerProjectUserId"].is_string() && entry["tenantId"].is_null());
        let chart = ids(&add_rates(&world, &me, &mine).await.data()["addedChartIds"]).remove(0);
        for (action, body) in writes(&world, &mine, &chart).into_iter().skip(1) {
            v1(&world, &world.key, action, &body).await.refused(404, "NOT_FOUND");
        }
        assert!(listed(&world, &world.key, &workspace(&world)).await.iter().all(|entry| entry["id"] != json!(mine)));
    }

    async fn every_bad_field_is_told(world) {
        let made = create(&world, &world.key, "Made").await;
        let chart = world.applied.charts["Rates"];
        let many: Vec<String> = (0..501).map(|_| nothing()).collect();
        for (action, body, fields) in [
            ("create", json!({}), vec!["workspaceId", "name"]),
            ("create", json!({"workspaceId": "x", "name": ""}), vec!["workspaceId", "name"]),
            ("create", json!({"workspaceId": 5, "name": null}), vec!["workspaceId", "name"]),
            ("clone", json!({}), vec!["sourceDashboardId"]),
            ("clone", json!({"sourceDashboardId": "x", "targetWorkspaceId": "y", "name": 5}), vec!["sourceDashboardId", "targetWorkspaceId", "name"]),
            ("add-charts", json!({}), vec!["targetDashboardId", "charts"]),
            ("add-charts", json!({"targetDashboardId": made, "charts": [{"chartId": chart}]}), vec!["charts[0].chartVersion"]),
            ("add-charts", json!({"targetDashboardId": made, "charts": [{"chartId": chart, "chartVersion": "x"}]}), vec!["charts[0].chartVersion"]),
            ("add-charts", json!({"targetDashboardId": made, "charts": []}), vec!["charts"]),
            ("append-charts-from", json!({}), vec!["sourceDashboardId", "targetDashboardId"]),
            ("remove-charts", json!({}), vec!["dashboardId", "chartIds"]),
            ("remove-charts", json!({"dashboardId": made, "chartIds": []}), vec!["chartIds"]),
            ("remove-charts", json!({"dashboardId": made, "chartIds": [nothing(), "x"]}), vec!["chartIds[1]"]),
            ("remove-charts", json!({"dashboardId": made, "chartIds": many}), vec!["chartIds"]),
        ] {
            let error = v1(&world, &world.key, action, &body).await.refused(400, "VALIDATION_FAILED");
            assert!(fields.iter().all(|field| error["details"][field].is_string()), "{action} {body}: {error}");
        }
        world.get("/v1/api/dashboard/list-workspace-dashboards", &world.key).await.refused(400, "VALIDATION_FAILED");
        world.get("/v1/api/dashboard/list-workspace-dashboards?workspaceId=x", &world.key).await.refused(400, "VALIDATION_FAILED");
    }

    async fn foreign_and_missing_ids_answer_alike(world) {
        let sibling = world.apply(&World::project_file().replace("name: Shop", "name: Sibling")).await.expect("applied");
        let (neighbour, foreign_key) = world.neighbour().await;
        let made = create(&world, &world.key, "Made").await;
        let chart = ids(&add_rates(&world, &world.key, &made).await.data()["addedChartIds"]).remove(0);
        for (action, body) in writes(&world, &made, &chart) {
            v1(&world, &foreign_key, action, &body).await.refused(404, "NOT_FOUND");
            v1(&world, "", action, &body).await.refused(401, "MISSING_CREDENTIALS");
        }
        let me = sign_in(&world, ACME, "me", &everything()).await;
        for workspace in [json!(nothing()), json!(neighbour.workspaces["Ask"]), json!(sibling.workspaces["Ask"])] {
            v1(&world, &me, "create", &json!({"workspaceId": workspace, "name": "x"})).await.refused(404, "NOT_FOUND");
            let body = json!({"sourceDashboardId": made, "targetWorkspaceId": workspace});
            v1(&world, &world.key, "clone", &body).await.refused(404, "NOT_FOUND");
            let path = format!("/v1/api/dashboard/list-workspace-dashboards?workspaceId={}", id(&workspace));
            world.get(&path, &me).await.refused(404, "NOT_FOUND");
        }
        let charts = json!([{"chartId": sibling.charts["Rates"], "chartVersion": 1}]);
        v1(&world, &world.key, "add-charts", &json!({"targetDashboardId": made, "charts": charts})).await.refused(404, "NOT_FOUND");
        let source = sibling.dashboards["Orders/Overview"].id;
        let body = json!({"sourceDashboardId": source, "targetDashboardId": made});
        v1(&world, &world.key, "append-charts-from", &body).await.refused(404, "NOT_FOUND");
        world.get(&at(&world, &made), &world.key).await.refused(404, "NOT_FOUND");
    }

    async fn the_key_may_stand_in_the_body(world) {
        let mut body = json!({"workspaceId": workspace(&world), "name": "x", "apiKey": world.key});
        v1(&world, "", "create", &body).await.data();
        body["apiKey"] = json!("inlay_x_y");
        v1(&world, "", "create", &body).await.refused(401, "INVALID_API_KEY");
        v1(&world, &world.key, "create", &body).await.data();
    }
}
