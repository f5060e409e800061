//! v1 while tenants are mapped to users, and after finalize.

use super::{everything, id, ids, overview};
use crate::{
    flows::v1_migration,
    ground::audit::Actor,
    testing::{ACME, World, on_both_stores},
};
use serde_json::{Value, json};

struct Migrating {
    tenant: String,
    tenant_id: Value,
    own: String,
    shared: String,
    chart: String,
}

async fn v1(world: &World, credential: &str, action: &str, body: &Value) -> crate::testing::Reply {
    world.post(&format!("/v1/api/dashboard/{action}"), credential, body).await
}

/// A tenant with a dashboard of its own beside a shared one, before the migration.
async fn begin(world: &World) -> Migrating {
    let body = json!({"displayName": "Tenant", "prefilters": {"company": ACME}, "projectId": world.applied.project_id,
        "tenantEditingPermissions": everything()});
    let registered = world.post("/v1/api/tenant/register-tenant", &world.key, &body).await.data();
    let tenant = id(&registered["token"]);
    let workspace = world.applied.workspaces["Ask"];
    let own = v1(world, &tenant, "create", &json!({"workspaceId": workspace, "name": "Own"})).await.data();
    let shared = v1(world, &world.key, "create", &json!({"workspaceId": workspace, "name": "Shared"})).await.data();
    let (own, shared) = (id(&own["dashboardId"]), id(&shared["dashboardId"]));
    let charts = json!([{"chartId": world.applied.charts["Rates"], "chartVersion": 1}]);
    let added = v1(world, &tenant, "add-charts", &json!({"targetDashboardId": own, "charts": charts})).await.data();
    let chart = ids(&added["addedChartIds"]).remove(0);
    Migrating { tenant, tenant_id: registered["tenantId"].clone(), own, shared, chart }
}

async fn map(world: &World) {
    v1_migration::map_tenants(&world.app.db, &Actor::operator(world.organization)).await.expect("mapped");
    world.app.refresh().await.expect("refreshed");
}

async fn finalize(world: &World) {
    map(world).await;
    v1_migration::finalize(&world.app.db, &Actor::operator(world.organization)).await.expect("finalized");
    world.app.refresh().await.expect("refreshed");
}

async fn listed(world: &World, credential: &str, workspace: &str) -> Vec<Value> {
    let path = format!("/v1/api/dashboard/list-workspace-dashboards?workspaceId={workspace}");
    world.get(&path, credential).await.data()["dashboards"].as_array().expect("a list").clone()
}

/// Each v1 write with the end of its v2 counterpart's path.
async fn calls(world: &World, migrating: &Migrating) -> Vec<(&'static str, Value, String)> {
    let application = world.applied.applications["Orders"].id;
    let place = world.get(&format!("/v2/api/dashboards/lookup?dashboardId={}", migrating.own), &world.key).await.data();
    let at = format!("/v2/api/applications/{application}/dashboards/{}", id(&place["dashboardId"]));
    let charts = json!([{"chartId": world.applied.charts["Rates"], "chartVersion": 1}]);
    vec![
        (
            "create",
            json!({"workspaceId": world.applied.workspaces["Ask"], "name": "x"}),
            format!("POST /v2/api/applications/{application}/dashboards"),
        ),
        ("clone", json!({"sourceDashboardId": migrating.own}), format!("POST {at}/clone")),
        ("add-charts", json!({"targetDashboardId": migrating.own, "charts": charts}), format!("POST {at}/charts")),
        (
            "append-charts-from",
            json!({"sourceDashboardId": migrating.shared, "targetDashboardId": migrating.own}),
            format!("POST {at}/append-charts"),
        ),
        (
            "remove-charts",
            json!({"dashboardId": migrating.own, "chartIds": [migrating.chart]}),
            format!("DELETE {at}/charts/{}", migrating.chart),
        ),
    ]
}

on_both_stores! {
    async fn everything_in_v1_works_until_finalize(world) {
        let migrating = begin(&world).await;
        map(&world).await;
        let workspace = world.applied.workspaces["Ask"].to_string();
        let entry = listed(&world, &migrating.tenant, &workspace).await.into_iter().find(|one| one["id"] == json!(migrating.own)).expect("listed");
        assert_eq!(entry["tenantId"], migrating.tenant_id);
        assert!(entry["ownerProjectUserId"].is_string());
        for credential in [&migrating.tenant, &world.key] {
            for (action, body, _) in calls(&world, &migrating).await.into_iter().take(4) {
                v1(&world, credential, action, &body).await.data();
            }
        }
        let remove = json!({"dashboardId": migrating.own, "chartIds": [migrating.chart]});
        v1(&world, &world.key, "remove-charts", &remove).await.data();
        let made: Vec<Value> = listed(&world, &migrating.tenant, &workspace).await.into_iter().filter(|one| one["name"] == "x").collect();
        assert_eq!(made.iter().map(|one| one["tenantId"].clone()).collect::<Vec<_>>(), [migrating.tenant_id, Value::Null]);
    }

    async fn after_finalize_v1_writes_name_their_successor(world) {
        let migrating = begin(&world).await;
        let calls_before = calls(&world, &migrating).await;
        finalize(&world).await;
        for (action, body, endpoint) in calls_before {
            for credential in [&migrating.tenant, &world.key] {
                let error = v1(&world, credential, action, &body).await.refused(410, "MIGRATED_TO_V2");
                assert_eq!(error["details"], json!({"endpoint": endpoint}));
            }
            v1(&world, &world.key, action, &json!({})).await.refused(400, "VALIDATION_FAILED");
            v1(&world, "", action, &body).await.refused(401, "MISSING_CREDENTIALS");
        }
        let missing = json!({"sourceDashboardId": super::nothing()});
        v1(&world, &world.key, "clone", &missing).await.refused(404, "NOT_FOUND");
    }

    async fn after_finalize_the_lists_keep_their_shape(world) {
        let migrating = begin(&world).await;
        finalize(&world).await;
        let workspace = world.applied.workspaces["Ask"].to_string();
        let list = listed(&world, &migrating.tenant, &workspace).await;
        let by_id = |id: &str| list.iter().find(|one| one["id"] == json!(id)).expect("listed");
        assert_eq!(by_id(&migrating.own)["tenantId"], migrating.tenant_id);
        assert_eq!(by_id(&migrating.shared)["tenantId"], Value::Null);
        let legacy = world.applied.dashboards["Orders/Overview"].legacy_dashboard_id.expect("a v1 id").to_string();
        assert_eq!(by_id(&legacy)["name"], json!("Overview"));
        let office = world.applied.applications["Office"].id.to_string();
        let workspaces = world.get("/v1/api/dashboard/list-workspaces", &world.key).await.data();
        assert_eq!(
            workspaces["workspaces"],
            json!([
                {"workspace_id": workspace, "dashboard_id": legacy, "dashboard_name": "Overview"},
                {"workspace_id": office, "dashboard_id": world.applied.dashboards["Office/Desk"].id, "dashboard_name": "Desk"},
            ])
        );
        assert_eq!(listed(&world, &world.key, &office).await.len(), 1, "an application without a workspace goes by its own id");
    }

    async fn other_organizations_go_on_with_v1(world) {
        let (neighbour, foreign_key) = world.neighbour().await;
        finalize(&world).await;
        let body = json!({"workspaceId": neighbour.workspaces["Ask"], "name": "x"});
        v1(&world, &foreign_key, "create", &body).await.data();
        v1(&world, &foreign_key, "clone", &json!({"sourceDashboardId": overview(&world)})).await.refused(404, "NOT_FOUND");
    }

    async fn after_finalize_charts_are_saved_as_before(world) {
        finalize(&world).await;
        let body = json!({"workspaceId": world.applied.workspaces["Ask"],
            "chartConfig": {"title": "Saved", "type": "table", "sqlOverride": "select name from rates"}});
        world.post("/v1/api/chart/save-from-chat", &world.key, &body).await.data();
    }
}
