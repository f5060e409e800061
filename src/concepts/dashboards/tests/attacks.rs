//! Attempts to reach another customer's or project's objects by id, or to use a permission that was withdrawn.

use super::{add, added, at, clone, create, dashboards_of, everything, id, listed, nothing, overview, remove, rows, sign_in};
use crate::testing::{ACME, GLOBEX, World, on_both_stores};
use serde_json::{Value, json};

/// The reply to adding charts by their ids.
async fn add_ids(world: &World, token: &str, dashboard: &str, charts: &[&str]) -> crate::testing::Reply {
    let charts: Vec<Value> = charts.iter().map(|chart| json!({"chartId": chart})).collect();
    world.post(&format!("{}/charts", at(world, dashboard)), token, &json!({ "charts": charts })).await
}

on_both_stores! {
    async fn another_customer_s_dashboard_answers_as_one_that_is_not_there(world) {
        let owner = sign_in(&world, ACME, "owner", &everything()).await;
        let thief = sign_in(&world, GLOBEX, "thief", &everything()).await;
        let theirs = create(&world, &owner, "Theirs").await;
        let chart = added(&add(&world, &owner, &theirs, &["Rates"]).await).remove(0);
        let own = create(&world, &thief, "Own").await;
        let missing = nothing();
        for dashboard in [&theirs, &missing] {
            let replies = [
                world.post(&format!("{}/clone", at(&world, dashboard)), &thief, &json!({"name": "Stolen"})).await,
                add(&world, &thief, dashboard, &["Rates"]).await,
                world.post(&format!("{}/append-charts", at(&world, dashboard)), &thief, &json!({"sourceDashboardId": own})).await,
                world.post(&format!("{}/append-charts", at(&world, &own)), &thief, &json!({"sourceDashboardId": dashboard})).await,
                remove(&world, &thief, dashboard, &chart).await,
                rows(&world, &thief, dashboard, &chart).await,
                world.get(&format!("/v2/api/dashboards/lookup?dashboardId={dashboard}"), &thief).await,
            ];
            for reply in replies {
                let error = reply.refused(404, "NOT_FOUND");
                assert_eq!(error["message"], json!("Dashboard not found. Check the id and the credential that was sent."));
            }
        }
        let source = json!({"sourceDashboardId": overview(&world)});
        assert_eq!(added(&world.post(&format!("{}/append-charts", at(&world, &own)), &thief, &source).await).len(), 4);
        rows(&world, &owner, &theirs, &chart).await.data();
    }

    async fn charts_of_dashboards_out_of_sight_cannot_be_taken(world) {
        let owner = sign_in(&world, ACME, "owner", &everything()).await;
        let colleague = sign_in(&world, ACME, "colleague", &everything()).await;
        let thief = sign_in(&world, GLOBEX, "thief", &everything()).await;
        let theirs = create(&world, &owner, "Theirs").await;
        let chart = added(&add(&world, &owner, &theirs, &["Rates"]).await).remove(0);
        let own = create(&world, &thief, "Own").await;
        let same = create(&world, &colleague, "Same customer").await;
        let missing = nothing();
        let refused = |reply: crate::testing::Reply| reply.refused(404, "NOT_FOUND")["message"].clone();
        assert_eq!(refused(add_ids(&world, &thief, &own, &[&chart]).await), refused(add_ids(&world, &thief, &own, &[&missing]).await));
        add_ids(&world, &colleague, &same, &[&chart]).await.data();
        remove(&world, &owner, &theirs, &chart).await.data();
        add_ids(&world, &thief, &own, &[&chart]).await.refused(404, "NOT_FOUND");
        add_ids(&world, &owner, &theirs, &[&chart]).await.data();
        let shared = world.applied.dashboards["Orders/Overview"].charts["Rates"].to_string();
        add_ids(&world, &thief, &own, &[&shared]).await.data();
    }

    async fn a_chart_that_a_user_saved_is_its_customer_s(world) {
        let mut permissions = everything();
        permissions["createChartSQL"] = json!(true);
        let owner = sign_in(&world, ACME, "owner", &permissions).await;
        let colleague = sign_in(&world, ACME, "colleague", &everything()).await;
        let thief = sign_in(&world, GLOBEX, "thief", &everything()).await;
        let body = json!({"workspaceId": world.applied.workspaces["Ask"],
            "chartConfig": {"title": "Secret plans", "type": "table", "sqlOverride": "select name from rates"}});
        let chart = id(&world.post("/v1/api/chart/save-from-chat", &owner, &body).await.data()["chartId"]);
        let own = create(&world, &thief, "Own").await;
        add_ids(&world, &thief, &own, &[&chart]).await.refused(404, "NOT_FOUND");
        let same = create(&world, &colleague, "Same customer").await;
        add_ids(&world, &colleague, &same, &[&chart]).await.data();
        let shared = create(&world, &world.key, "Shared").await;
        add_ids(&world, &world.key, &shared, &[&chart]).await.data();
    }

    async fn a_token_of_another_project_of_the_organization_reaches_nothing(world) {
        let sibling = world.apply(&World::project_file().replace("name: Shop", "name: Sibling")).await.expect("applied");
        let role = |applied: &crate::flows::project_file::apply::Applied| json!(applied.roles["Analyst"]);
        let mut body = world.sign_in_body(ACME, "me");
        body["projectId"] = json!(sibling.project_id);
        body["user"]["userRoleId"] = role(&sibling);
        let token = id(&world.post("/v1/api/projects/embed-token", &world.key, &body).await.data()["token"]);
        world.get(&dashboards_of(&world, "Orders"), &token).await.refused(404, "NOT_FOUND");
        clone_refused(&world, &token).await;
        let theirs = format!("/v2/api/applications/{}/dashboards", sibling.applications["Orders"].id);
        let mine = id(&world.post(&theirs, &token, &json!({"name": "Mine"})).await.data()["dashboardId"]);
        let charts = format!("{theirs}/{mine}/charts");
        world.post(&charts, &token, &json!({"charts": [{"chartId": world.applied.charts["Rates"]}]})).await.refused(404, "NOT_FOUND");
        let source = json!({"sourceDashboardId": overview(&world)});
        world.post(&format!("{theirs}/{mine}/append-charts"), &token, &source).await.refused(404, "NOT_FOUND");
        // The organization's key reaches both projects, and still copies no chart from one into the other.
        let shared = format!("{theirs}/{}", sibling.dashboards["Orders/More"].id);
        let charts = json!({"charts": [{"chartId": world.applied.charts["Rates"]}]});
        world.post(&format!("{shared}/charts"), &world.key, &charts).await.refused(404, "NOT_FOUND");
        world.post(&format!("{shared}/append-charts"), &world.key, &source).await.refused(404, "NOT_FOUND");
    }

    async fn a_copy_is_its_owner_s_alone(world) {
        let owner = sign_in(&world, ACME, "owner", &everything()).await;
        let colleague = sign_in(&world, ACME, "colleague", &everything()).await;
        let copy = id(&clone(&world, &owner, &overview(&world), json!({"name": "Copy"})).await["dashboardId"]);
        let chart = added(&add(&world, &owner, &copy, &["Rates"]).await).remove(0);
        assert!(listed(&world, &colleague).await.iter().all(|one| one["id"] != json!(copy)));
        rows(&world, &colleague, &copy, &chart).await.data();
        remove(&world, &colleague, &copy, &chart).await.refused(403, "NOT_DASHBOARD_OWNER");
        // The colleague's clone of a copy is a new dashboard and replaces nothing.
        clone(&world, &colleague, &copy, json!({"name": "Mine"})).await;
        assert_eq!(super::names(&listed(&world, &colleague).await), ["Overview", "More", "Mine"]);
    }

    async fn names_are_data(world) {
        let me = sign_in(&world, ACME, "me", &everything()).await;
        for name in ["'); drop table dashboards; --", "<img src=x onerror=alert(1)>", "\u{202e}x", "{{organization.company}}", "a\r\nb"] {
            let made = create(&world, &me, name).await;
            let list = listed(&world, &me).await;
            assert!(list.iter().any(|one| one["id"] == json!(made) && one["name"] == json!(name)));
        }
    }

    async fn writes_are_in_the_audit_log(world) {
        let me = sign_in(&world, ACME, "me", &everything()).await;
        let mine = create(&world, &me, "Mine").await;
        let chart = added(&add(&world, &me, &mine, &["Rates"]).await).remove(0);
        remove(&world, &me, &mine, &chart).await.data();
        clone(&world, &me, &mine, json!({})).await;
        remove(&world, &me, &mine, &chart).await.refused(404, "NOT_FOUND");
        let events = super::audit_of(&world).await;
        let of = |action: &str| events.iter().filter(|event| event.action == action && event.actor_kind == "projectUser").count();
        assert_eq!(["dashboard.created", "dashboard.chartsAdded", "dashboard.chartsRemoved", "dashboard.cloned"].map(of), [1, 1, 1, 1]);
    }
}

async fn clone_refused(world: &World, token: &str) {
    world.post(&format!("{}/clone", at(world, &overview(world))), token, &json!({})).await.refused(404, "NOT_FOUND");
}
