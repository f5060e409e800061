//! Applications, lists of dashboards, lookup.

use super::{at, clone, create, dashboards_of, everything, listed, names, nothing, overview, sign_in};
use crate::testing::{ACME, GLOBEX, on_both_stores};
use serde_json::{Value, json};

on_both_stores! {
    async fn applications_are_those_within_reach(world) {
        let viewer = world.token(ACME).await;
        let (neighbour, _) = world.neighbour().await;
        for credential in [&world.key, &viewer] {
            let data = world.get("/v2/api/applications", credential).await.data();
            let orders = &world.applied.applications["Orders"];
            let expected = json!([
                {"applicationId": world.applied.applications["Office"].id, "legacyWorkspaceId": null,
                 "defaultDashboardId": world.applied.dashboards["Office/Desk"].id, "name": "Office"},
                {"applicationId": orders.id, "legacyWorkspaceId": orders.legacy_workspace_id,
                 "defaultDashboardId": overview(&world), "name": "Orders"},
            ]);
            assert_eq!(data["applications"], expected);
        }
        world.get("/v2/api/applications", "").await.refused(401, "MISSING_CREDENTIALS");
        world.get("/v2/api/applications", "inlay_x_y").await.refused(401, "INVALID_API_KEY");
        world.get("/v2/api/applications", "a.b.c").await.refused(401, "INVALID_TOKEN");
        assert!(neighbour.applications.values().all(|theirs| theirs.id != world.applied.applications["Orders"].id));
    }

    async fn a_user_scoped_key_names_its_organization(world) {
        let key = world.member_key(crate::concepts::organizations::MemberRole::Admin, true).await;
        world.get("/v2/api/applications", &key).await.refused(400, "ORGANIZATION_ID_REQUIRED");
        let path = format!("/v2/api/applications?organizationId={}", world.organization);
        assert_eq!(world.get(&path, &key).await.data()["applications"].as_array().map(Vec::len), Some(2));
    }

    async fn a_list_has_the_contract_s_fields(world) {
        let viewer = world.token(ACME).await;
        let list = listed(&world, &viewer).await;
        assert_eq!(names(&list), ["Overview", "More"]);
        let created_at = list[0]["createdAt"].clone();
        let expected = json!({
            "id": overview(&world), "legacyDashboardId": world.applied.dashboards["Orders/Overview"].legacy_dashboard_id,
            "kind": "template", "ownerProjectUserId": null, "name": "Overview", "createdAt": created_at,
            "isDefault": true, "replacesDashboardId": null
        });
        assert_eq!(list[0], expected);
        assert!(created_at.as_str().is_some_and(|time| time.ends_with('Z')));
        assert_eq!(list[1]["isDefault"], json!(false));
    }

    async fn each_caller_sees_their_own_list(world) {
        let me = sign_in(&world, ACME, "me", &everything()).await;
        let colleague = sign_in(&world, ACME, "colleague", &Value::Null).await;
        let stranger = sign_in(&world, GLOBEX, "me", &everything()).await;
        create(&world, &me, "Mine").await;
        create(&world, &world.key, "Shared").await;
        clone(&world, &me, &overview(&world), json!({"name": "My overview"})).await;
        assert_eq!(names(&listed(&world, &me).await), ["My overview", "More", "Mine", "Shared"]);
        assert_eq!(names(&listed(&world, &colleague).await), ["Overview", "More", "Mine", "Shared"]);
        assert_eq!(names(&listed(&world, &stranger).await), ["Overview", "More", "Shared"]);
        assert_eq!(names(&listed(&world, &world.key).await), ["Overview", "More", "Shared"]);
        let list = listed(&world, &me).await;
        assert_eq!((&list[0]["kind"], &list[0]["replacesDashboardId"]), (&json!("dashboard"), &json!(overview(&world))));
        assert_eq!(list[0]["isDefault"], json!(true), "the copy of the default");
        assert!(list[2]["ownerProjectUserId"].is_string());
    }

    async fn the_default_is_what_the_caller_s_page_opens(world) {
        let me = sign_in(&world, ACME, "me", &everything()).await;
        let colleague = sign_in(&world, ACME, "colleague", &everything()).await;
        let mine = create(&world, &me, "Mine").await;
        let orders = world.applied.applications["Orders"].id;
        let told = async |credential: &str| {
            let list = listed(&world, credential).await;
            let defaults: Vec<Value> = list.iter().filter(|one| one["isDefault"] == json!(true)).map(|one| one["id"].clone()).collect();
            let applications = world.get("/v2/api/applications", credential).await.data();
            let all = applications["applications"].as_array().expect("a list").clone();
            let told = all.iter().find(|one| one["applicationId"] == json!(orders)).expect("Orders")["defaultDashboardId"].clone();
            assert_eq!(defaults, std::slice::from_ref(&told), "both say the same");
            told
        };
        let opened = async |token: &str| {
            let page = world.get(&format!("/share/application/{orders}?jwt={token}"), "").await.text;
            let start = page.find("id=\"inlay-page\">").expect("a block") + "id=\"inlay-page\">".len();
            let end = page[start..].find("</script>").expect("its end") + start;
            let page: Value = serde_json::from_str(&page[start..end]).expect("JSON");
            page["content"]["content"]["application"]["dashboard"]["id"].clone()
        };
        assert_eq!(told(&me).await, json!(overview(&world)));
        let scope = json!({"application": orders, "timezone": "UTC", "locale": "en"});
        let target = json!({"target": {"scope": scope, "dashboard": mine}});
        assert_eq!(world.post("/share/fn/default-dashboard", &me, &target).await.status.as_u16(), 200);
        let copy = clone(&world, &colleague, &overview(&world), json!({})).await["dashboardId"].clone();
        for (credential, expected) in [(&me, json!(mine)), (&colleague, copy)] {
            assert_eq!(told(credential).await, expected);
            assert_eq!(opened(credential).await, expected);
        }
        assert_eq!(told(&world.key).await, json!(overview(&world)));
        let office = world.applied.applications["Office"].id;
        let mut lease = world.app.db.write().await.expect("a transaction");
        crate::concepts::applications::set_default(&mut lease.conn(), office, None).await.expect("set");
        lease.commit().await.expect("committed");
        let applications = world.get("/v2/api/applications", &me).await.data();
        let desk = json!(world.applied.dashboards["Office/Desk"].id);
        assert_eq!(applications["applications"][0]["defaultDashboardId"], desk, "without a default the first one opens");
    }

    async fn look_up_takes_the_ids_of_both_generations(world) {
        let me = sign_in(&world, ACME, "me", &everything()).await;
        let mine = create(&world, &me, "Mine").await;
        let application = world.applied.applications["Orders"].id;
        let legacy = world.applied.dashboards["Orders/Overview"].legacy_dashboard_id.expect("a v1 id").to_string();
        for (credential, asked, found) in [
            (&me, overview(&world), overview(&world)),
            (&me, legacy.to_uppercase(), overview(&world)),
            (&world.key, legacy, overview(&world)),
            (&me, mine.clone(), mine.clone()),
            (&world.key, mine.clone(), mine.clone()),
        ] {
            let data = world.get(&format!("/v2/api/dashboards/lookup?dashboardId={asked}"), credential).await.data();
            assert_eq!(data, json!({"applicationId": application, "dashboardId": found}));
        }
    }

    async fn what_a_caller_does_not_see_is_not_found(world) {
        let me = sign_in(&world, ACME, "me", &everything()).await;
        let stranger = sign_in(&world, GLOBEX, "me", &everything()).await;
        let mine = create(&world, &me, "Mine").await;
        let (neighbour, foreign_key) = world.neighbour().await;
        let theirs = neighbour.dashboards["Orders/Overview"].id.to_string();
        let look_up = async |credential: &str, dashboard: &str| {
            let path = format!("/v2/api/dashboards/lookup?dashboardId={dashboard}");
            world.get(&path, credential).await.refused(404, "NOT_FOUND")
        };
        let shared = overview(&world);
        for (credential, dashboard) in
            [(&stranger, &mine), (&foreign_key, &mine), (&foreign_key, &shared), (&me, &theirs), (&world.key, &theirs)]
        {
            assert_eq!(look_up(credential, dashboard).await, look_up(credential, &nothing()).await);
        }
        let foreign = neighbour.applications["Orders"].id.to_string();
        for application in [foreign, nothing()] {
            world.get(&format!("/v2/api/applications/{application}/dashboards"), &me).await.refused(404, "NOT_FOUND");
        }
        world.get("/v2/api/dashboards/lookup", &me).await.refused(400, "VALIDATION_FAILED");
        world.get("/v2/api/dashboards/lookup?dashboardId=x", &me).await.refused(400, "VALIDATION_FAILED");
        world.get("/v2/api/applications/x/dashboards", &me).await.refused(400, "VALIDATION_FAILED");
        world.get(&dashboards_of(&world, "Orders"), "").await.refused(401, "MISSING_CREDENTIALS");
        world.get("/v2/api/dashboards/lookup?dashboardId=x", "").await.refused(401, "MISSING_CREDENTIALS");
        world.get(&at(&world, &mine), &me).await.refused(404, "NOT_FOUND");
    }
}
