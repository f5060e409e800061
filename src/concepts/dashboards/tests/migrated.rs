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
            v1(&world, "", action, &body).await.refused(401, "MISSING_CREDENTIALS");
            v1(&world, "inlay_x_y", action, &json!({})).await.refused(401, "INVALID_API_KEY");
        }
    }

    async fn after_finalize_v1_writes_answer_410_whatever_they_name(world) {
        let viewer = world.token(ACME).await;
        let (neighbour, _) = world.neighbour().await;
        finalize(&world).await;
        let applications = "/v2/api/applications";
        let gone = super::nothing();
        for (action, body, endpoint) in [
            ("create", json!({}), format!("POST {applications}/dashboards")),
            ("create", json!({"workspaceId": "x", "name": ""}), format!("POST {applications}/dashboards")),
            ("create", json!({"workspaceId": gone, "name": "x"}), format!("POST {applications}/dashboards")),
            ("create", json!({"workspaceId": neighbour.workspaces["Ask"], "name": "x"}), format!("POST {applications}/dashboards")),
            ("clone", json!({"sourceDashboardId": gone}), format!("POST {applications}/dashboards/clone")),
            ("add-charts", json!({"targetDashboardId": 5, "charts": []}), format!("POST {applications}/dashboards/charts")),
            ("append-charts-from", json!({"sourceDashboardId": overview(&world)}), format!("POST {applications}/dashboards/append-charts")),
            ("remove-charts", json!({"dashboardId": gone, "chartIds": [gone]}), format!("DELETE {applications}/dashboards/charts/{gone}")),
            ("remove-charts", json!({"chartIds": {}}), format!("DELETE {applications}/dashboards/charts")),
        ] {
            for credential in [&viewer, &world.key] {
                let error = v1(&world, credential, action, &body).await.refused(410, "MIGRATED_TO_V2");
                assert_eq!(error["details"], json!({"endpoint": endpoint}), "{action} {body}");
                assert!(error["message"].as_str().is_some_and(|told| told.contains("{applicationId}")), "{error}");
            }
        }
    }

    async fn every_workspace_becomes_an_application(world) {
        let with = |name: &str| World::project_file().replace("applications:", &format!("  - {{ name: {name}, connection: warehouse }}\napplications:"));
        let alone = world.apply(&with("Orders")).await.expect("applied").workspaces["Orders"];
        let step = v1_migration::map_tenants(&world.app.db, &Actor::operator(world.organization)).await.expect("mapped");
        assert_eq!(step.made_applications, 1);
        let again = v1_migration::map_tenants(&world.app.db, &Actor::operator(world.organization)).await.expect("mapped");
        assert_eq!(again.made_applications, 0);
        let late = world.apply(&with("Later")).await.expect("applied").workspaces["Later"];
        finalize(&world).await;
        let applications = world.get("/v2/api/applications", &world.key).await.data();
        for (workspace, name) in [(alone, "Orders (2)"), (late, "Later")] {
            let all = applications["applications"].as_array().expect("a list");
            let made = all.iter().find(|one| one["legacyWorkspaceId"] == json!(workspace)).expect("its application");
            assert_eq!(made["name"], json!(name));
            let body = json!({"workspaceId": workspace, "name": "First"});
            let error = v1(&world, &world.key, "create", &body).await.refused(410, "MIGRATED_TO_V2");
            let path = format!("/v2/api/applications/{}/dashboards", id(&made["applicationId"]));
            assert_eq!(error["details"]["endpoint"], json!(format!("POST {path}")));
            world.post(&path, &world.key, &json!({"name": "First"})).await.data();
            assert_eq!(listed(&world, &world.key, &workspace.to_string()).await.len(), 1);
        }
    }

    async fn after_finalize_the_lists_keep_their_shape(world) {
        let migrating = begin(&world).await;
        finalize(&world).await;
        let workspace = world.applied.workspaces["Ask"].to_string();
        let list = listed(&world, &migrating.tenant, &workspace).await;
        let by_id = |id: &str| list.iter().find(|one| one["id"] == json!(id)).expect("listed");
        assert!(by_id(&migrating.own)["tenantId"].is_string() && by_id(&migrating.own)["tenantId"] != migrating.tenant_id);
        assert_eq!(by_id(&migrating.shared)["tenantId"], Value::Null);
        let legacy = world.applied.dashboards["Orders/Overview"].legacy_dashboard_id.expect("a v1 id").to_string();
        assert_eq!(by_id(&legacy)["name"], json!("Overview"));
        let office = world.applied.applications["Office"].id.to_string();
        let workspaces = world.get("/v1/api/dashboard/list-workspaces", &world.key).await.data();
        assert_eq!(
            workspaces["workspaces"],
            json!([
                {"workspace_id": office, "dashboard_id": world.applied.dashboards["Office/Desk"].id, "dashboard_name": "Desk"},
                {"workspace_id": workspace, "dashboard_id": legacy, "dashboard_name": "Overview"},
            ])
        );
        assert_eq!(listed(&world, &world.key, &office).await.len(), 1, "an application without a workspace goes by its own id");
    }

    async fn every_application_of_a_workspace_is_listed_once(world) {
        let second = "  - { name: Another, workspace: Ask, dashboards: [{ name: Second, charts: [] }] }\n  - name: Office";
        let applied = world.apply(&World::project_file().replace("  - name: Office", second)).await.expect("applied");
        let (ask, another) = (world.applied.workspaces["Ask"].to_string(), applied.applications["Another"].id.to_string());
        let workspaces = async || world.get("/v1/api/dashboard/list-workspaces", &world.key).await.data()["workspaces"].clone();
        let legacy = world.applied.dashboards["Orders/Overview"].legacy_dashboard_id;
        let oldest = json!({"workspace_id": ask, "dashboard_id": legacy, "dashboard_name": "Overview"});
        assert_eq!(workspaces().await, json!([oldest]), "the one that lists and writes of the workspace mean");
        finalize(&world).await;
        let entries = workspaces().await;
        let ids: Vec<String> = entries.as_array().expect("a list").iter().map(|entry| id(&entry["workspace_id"])).collect();
        assert_eq!(ids, [another.clone(), world.applied.applications["Office"].id.to_string(), ask]);
        assert_eq!(entries[2], oldest);
        assert_eq!(listed(&world, &world.key, &another).await[0]["name"], json!("Second"));
        let error = v1(&world, &world.key, "create", &json!({"workspaceId": another, "name": "x"})).await.refused(410, "MIGRATED_TO_V2");
        assert_eq!(error["details"]["endpoint"], json!(format!("POST /v2/api/applications/{another}/dashboards")));
    }

    async fn after_finalize_the_tenant_of_a_dashboard_is_its_owner_s_customer(world) {
        let migrating = begin(&world).await;
        map(&world).await;
        let me = super::sign_in(&world, "Tenant", "me", &everything()).await;
        let stranger = super::sign_in(&world, ACME, "stranger", &everything()).await;
        let (mine, theirs) = (super::create(&world, &me, "Mine").await, super::create(&world, &stranger, "Theirs").await);
        let workspace = world.applied.workspaces["Ask"].to_string();
        let owner = async |credential: &str, dashboard: &str| {
            let list = listed(&world, credential, &workspace).await;
            list.into_iter().find(|one| one["id"] == json!(dashboard)).expect("listed")["tenantId"].clone()
        };
        assert_eq!(owner(&migrating.tenant, &migrating.own).await, migrating.tenant_id);
        assert_eq!(owner(&me, &mine).await, Value::Null, "before finalize a user is no tenant");
        finalize(&world).await;
        let customer = async |company: &str| world.sign_in_as(company, "me", None).await["projectOrganizationId"].clone();
        let tenants = customer("Tenant").await;
        assert_eq!(owner(&migrating.tenant, &migrating.own).await, tenants);
        assert_eq!(owner(&me, &mine).await, tenants, "for a user who never was a tenant too");
        assert_eq!(owner(&stranger, &theirs).await, customer(ACME).await);
        assert_eq!(owner(&me, &migrating.own).await, Value::Null, "a colleague's dashboard is not the user's own");
        assert_eq!(owner(&world.key, &migrating.own).await, tenants);
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
