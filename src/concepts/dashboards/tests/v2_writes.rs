//! The v2 writes: valid calls, invalid fields, foreign ids, wrong credentials.

use super::{
    add, added, at, clone, create, dashboards_of, everything, id, listed, names, nothing, overview, remove, rows, sign_in,
};
use crate::testing::{ACME, World, on_both_stores};
use axum::http::Method;
use serde_json::{Value, json};

/// The paths of the writes, each with a valid body.
fn writes(world: &World, dashboard: &str) -> Vec<(String, Value)> {
    let charts = json!({"charts": [{"chartId": world.applied.charts["Rates"]}]});
    vec![
        (dashboards_of(world, "Orders"), json!({"name": "x"})),
        (format!("{}/clone", at(world, dashboard)), json!({})),
        (format!("{}/charts", at(world, dashboard)), charts),
        (format!("{}/append-charts", at(world, dashboard)), json!({"sourceDashboardId": overview(world)})),
    ]
}

on_both_stores! {
    async fn a_key_s_dashboards_are_shared_and_a_user_s_are_their_own(world) {
        let me = sign_in(&world, ACME, "me", &everything()).await;
        for (credential, kind) in [(&world.key, "template"), (&me, "dashboard")] {
            let data = world.post(&dashboards_of(&world, "Orders"), credential, &json!({"name": "Übersicht '1'", "other": 1})).await.data();
            assert_eq!((&data["name"], &data["kind"]), (&json!("Übersicht '1'"), &json!(kind)));
            assert_eq!(data["applicationId"], json!(world.applied.applications["Orders"].id));
            assert_eq!(added(&add(&world, credential, &id(&data["dashboardId"]), &["Rates"]).await).len(), 1);
        }
        let made = listed(&world, &me).await.into_iter().find(|one| one["kind"] == "dashboard").expect("mine");
        assert_eq!(made["legacyDashboardId"], Value::Null, "only v1 gives v1 ids");
    }

    async fn a_clone_is_deep(world) {
        let copy = clone(&world, &world.key, &overview(&world), json!({})).await;
        assert_eq!((&copy["name"], &copy["kind"]), (&json!("Overview (Copy)"), &json!("template")));
        let copy = id(&copy["dashboardId"]);
        let original = world.applied.dashboards["Orders/Overview"].charts["Rates"].to_string();
        rows(&world, &world.key, &copy, &original).await.refused(404, "NOT_FOUND");
        let appended = world.post(&format!("{}/append-charts", at(&world, &create(&world, &world.key, "x").await)), &world.key,
            &json!({"sourceDashboardId": copy})).await;
        assert_eq!(added(&appended).len(), 4);
        remove(&world, &world.key, &overview(&world), &original).await.data();
        let again = world.post(&format!("{}/append-charts", at(&world, &create(&world, &world.key, "y").await)), &world.key,
            &json!({"sourceDashboardId": copy})).await;
        assert_eq!(added(&again).len(), 4, "the copy keeps what the original lost");
    }

    async fn a_first_clone_of_a_shared_dashboard_replaces_it(world) {
        let me = sign_in(&world, ACME, "me", &everything()).await;
        let beside = clone(&world, &me, &overview(&world), json!({"name": "Beside", "replace": false})).await;
        assert_eq!(names(&listed(&world, &me).await), ["Overview", "More", "Beside"]);
        let copy = clone(&world, &me, &overview(&world), json!({"name": "Copy"})).await;
        assert_eq!(names(&listed(&world, &me).await), ["Copy", "More", "Beside"]);
        clone(&world, &me, &overview(&world), json!({"name": "Second"})).await;
        clone(&world, &me, &id(&beside["dashboardId"]), json!({"name": "Third"})).await;
        assert_eq!(names(&listed(&world, &me).await), ["Copy", "More", "Beside", "Second", "Third"]);
        let original = world.applied.dashboards["Orders/Overview"].charts["Rates"].to_string();
        let own = added(&add(&world, &me, &id(&copy["dashboardId"]), &["Rates"]).await).remove(0);
        for chart in [&original, &own] {
            rows(&world, &me, &overview(&world), chart).await.data();
        }
    }

    async fn clones_at_once_leave_one_replacement(world) {
        let me = sign_in(&world, ACME, "me", &everything()).await;
        let path = format!("{}/clone", at(&world, &overview(&world)));
        let body = json!({"name": "Copy"});
        let (one, two, three) = tokio::join!(world.post(&path, &me, &body), world.post(&path, &me, &body), world.post(&path, &me, &body));
        for reply in [one, two, three] {
            reply.data();
        }
        let list = listed(&world, &me).await;
        assert_eq!(list.iter().filter(|one| !one["replacesDashboardId"].is_null()).count(), 1);
        assert_eq!(names(&list), ["Copy", "More", "Copy", "Copy"]);
    }

    async fn added_charts_are_copies_with_rows(world) {
        let me = sign_in(&world, ACME, "me", &everything()).await;
        let mine = create(&world, &me, "Mine").await;
        let reply = add(&world, &me, &mine, &["Rates", "Rates", "Orders"]).await;
        assert_eq!((&reply.data()["dashboardId"], &reply.data()["message"]), (&json!(mine), &json!("3 charts added.")));
        let charts = added(&reply);
        let library = world.applied.charts["Rates"].to_string();
        assert!(charts[0] != charts[1] && !charts.contains(&library));
        assert_eq!(rows(&world, &me, &mine, &charts[0]).await.data()["rows"][0], json!(["EUR", 1.0]));
        rows(&world, &me, &mine, &library).await.refused(404, "NOT_FOUND");
    }

    async fn a_named_version_is_the_one_that_is_copied(world) {
        let mine = create(&world, &world.key, "Mine").await;
        world.apply(&World::project_file().replace("order by name", "order by name desc")).await.expect("applied");
        let chart = world.applied.charts["Rates"];
        for (version, first) in [(json!(1), "EUR"), (json!(2), "GBP"), (Value::Null, "GBP")] {
            let body = json!({"charts": [{"chartId": chart, "chartVersion": version}]});
            let charts = added(&world.post(&format!("{}/charts", at(&world, &mine)), &world.key, &body).await);
            assert_eq!(rows(&world, &world.key, &mine, &charts[0]).await.data()["rows"][0][0], json!(first));
        }
        let body = json!({"charts": [{"chartId": chart, "chartVersion": 3}]});
        world.post(&format!("{}/charts", at(&world, &mine)), &world.key, &body).await.refused(404, "NOT_FOUND");
    }

    async fn removal_takes_the_chart_off_and_keeps_its_record(world) {
        let me = sign_in(&world, ACME, "me", &everything()).await;
        let mine = create(&world, &me, "Mine").await;
        let chart = added(&add(&world, &me, &mine, &["Rates"]).await).remove(0);
        let data = remove(&world, &me, &mine, &chart).await.data();
        assert_eq!(data, json!({"dashboardId": mine, "removedChartId": chart}));
        remove(&world, &me, &mine, &chart).await.refused(404, "NOT_FOUND");
        rows(&world, &me, &mine, &chart).await.refused(404, "NOT_FOUND");
        let body = json!({"charts": [{"chartId": chart, "chartVersion": 1}]});
        assert_eq!(added(&world.post(&format!("{}/charts", at(&world, &mine)), &me, &body).await).len(), 1);
    }

    async fn charts_added_at_once_stand_apart(world) {
        let mine = create(&world, &world.key, "Mine").await;
        let charts = ["Orders"];
        tokio::join!(add(&world, &world.key, &mine, &charts), add(&world, &world.key, &mine, &charts), add(&world, &world.key, &mine, &charts));
        let mut lease = world.app.db.read().await.expect("a connection");
        let placed = crate::concepts::dashboards::store::charts_on(&mut lease.conn(), mine.parse().expect("an id")).await.expect("charts");
        let tops: Vec<u16> = placed.iter().map(|placed| placed.place.y).collect();
        assert_eq!(tops, [0, 7, 14]);
    }

    async fn every_bad_field_is_told(world) {
        let mine = create(&world, &world.key, "Mine").await;
        let chart = world.applied.charts["Rates"];
        let many: Vec<Value> = (0..501).map(|_| json!({"chartId": chart})).collect();
        let dashboards = dashboards_of(&world, "Orders");
        for (path, body, field) in [
            (dashboards.clone(), json!({}), "name"),
            (dashboards.clone(), json!({"name": null}), "name"),
            (dashboards.clone(), json!({"name": ""}), "name"),
            (dashboards, json!({"name": 5}), "name"),
            (format!("{}/clone", at(&world, &mine)), json!({"name": 5}), "name"),
            (format!("{}/clone", at(&world, &mine)), json!({"replace": "no"}), "replace"),
            (format!("{}/charts", at(&world, &mine)), json!({}), "charts"),
            (format!("{}/charts", at(&world, &mine)), json!({"charts": []}), "charts"),
            (format!("{}/charts", at(&world, &mine)), json!({"charts": "x"}), "charts"),
            (format!("{}/charts", at(&world, &mine)), json!({"charts": many}), "charts"),
            (format!("{}/charts", at(&world, &mine)), json!({"charts": [5]}), "charts[0]"),
            (format!("{}/charts", at(&world, &mine)), json!({"charts": [{}]}), "charts[0].chartId"),
            (format!("{}/charts", at(&world, &mine)), json!({"charts": [{"chartId": chart}, {"chartId": "x"}]}), "charts[1].chartId"),
            (format!("{}/charts", at(&world, &mine)), json!({"charts": [{"chartId": chart, "chartVersion": 0}]}), "charts[0].chartVersion"),
            (format!("{}/charts", at(&world, &mine)), json!({"charts": [{"chartId": chart, "chartVersion": "1"}]}), "charts[0].chartVersion"),
            (format!("{}/charts", at(&world, &mine)), json!({"charts": [{"chartId": chart, "chartVersion": 1.5}]}), "charts[0].chartVersion"),
            (format!("{}/append-charts", at(&world, &mine)), json!({}), "sourceDashboardId"),
            (format!("{}/append-charts", at(&world, &mine)), json!({"sourceDashboardId": [1]}), "sourceDashboardId"),
        ] {
            let error = world.post(&path, &world.key, &body).await.refused(400, "VALIDATION_FAILED");
            assert!(error["details"][field].is_string(), "{error}");
        }
    }

    async fn foreign_and_missing_ids_answer_alike(world) {
        let me = sign_in(&world, ACME, "me", &everything()).await;
        let mine = create(&world, &me, "Mine").await;
        let (neighbour, foreign_key) = world.neighbour().await;
        let theirs = neighbour.dashboards["Orders/Overview"].id.to_string();
        let orders = world.applied.applications["Orders"].id.to_string();
        let office = world.applied.applications["Office"].id.to_string();
        for (path, body) in writes(&world, &mine) {
            let moved = |to: &str| path.replace(&orders, to);
            world.post(&path, &foreign_key, &body).await.refused(404, "NOT_FOUND");
            world.post(&moved(&nothing()), &me, &body).await.refused(404, "NOT_FOUND");
            world.post(&moved(&neighbour.applications["Orders"].id.to_string()), &me, &body).await.refused(404, "NOT_FOUND");
            if path.contains(&mine) {
                world.post(&moved(&office), &me, &body).await.refused(404, "NOT_FOUND");
                world.post(&path, &world.key, &body).await.refused(404, "NOT_FOUND");
                for dashboard in [nothing(), theirs.clone()] {
                    world.post(&path.replace(&mine, &dashboard), &me, &body).await.refused(404, "NOT_FOUND");
                }
            }
        }
        for chart in [nothing(), neighbour.charts["Rates"].to_string()] {
            let body = json!({"charts": [{"chartId": world.applied.charts["Rates"]}, {"chartId": chart}]});
            world.post(&format!("{}/charts", at(&world, &mine)), &me, &body).await.refused(404, "NOT_FOUND");
            remove(&world, &me, &mine, &chart).await.refused(404, "NOT_FOUND");
        }
        let source = json!({"sourceDashboardId": theirs});
        world.post(&format!("{}/append-charts", at(&world, &mine)), &me, &source).await.refused(404, "NOT_FOUND");
    }

    async fn only_a_good_credential_will_do(world) {
        let mine = create(&world, &world.key, "Mine").await;
        let read_only = world.member_key(crate::concepts::organizations::MemberRole::Viewer, false).await;
        for (path, mut body) in writes(&world, &mine) {
            world.post(&path, "", &body).await.refused(401, "MISSING_CREDENTIALS");
            world.post(&path, "hello", &body).await.refused(401, "INVALID_API_KEY");
            world.post(&path, "a.b.c", &body).await.refused(401, "INVALID_TOKEN");
            world.post(&path, &read_only, &body).await.refused(403, "KEY_OWNER_NOT_PERMITTED");
            world.call(Method::POST, &path, &world.key, None).await.refused(415, "UNSUPPORTED_MEDIA_TYPE");
            body["apiKey"] = json!(world.key);
            world.post(&path, "", &body).await.refused(401, "MISSING_CREDENTIALS");
        }
        remove(&world, "", &mine, &nothing()).await.refused(401, "MISSING_CREDENTIALS");
    }
}
