//! What is counted, on both stores.

use super::{
    Band,
    manage::{Period, report, within},
};
use crate::{
    access::Viewer,
    customers::people,
    organizations::{
        self, MemberRole,
        members::{self, Member, Worker},
    },
    testing::{ACME, GLOBEX, World, on_both_stores},
    web::origin::Origin,
};
use axum::{body::Body, http::Request};
use inlay_contract::ids::{ChartId, ProjectUserId};

async fn worker(world: &World) -> Member<Worker> {
    let mut tx = world.app.db.write().await.expect("a transaction");
    organizations::store::put_member(&mut tx.conn(), world.organization, "w@example.test", MemberRole::Member, None)
        .await
        .expect("a member");
    let all = members::store::of_organization(&mut tx.conn(), world.organization).await.expect("read");
    tx.commit().await.expect("committed");
    let found = all.into_iter().find(|member| member.email == "w@example.test").expect("there");
    Member::new(&found, Origin::default()).expect("a member")
}

async fn open(world: &World, token: &str) {
    let application = world.applied.applications["Orders"].id;
    let reply = world.get(&format!("/share/application/{application}?jwt={token}"), "").await;
    assert_eq!(reply.status, 200);
}

on_both_stores! {
    async fn what_viewers_open_is_counted_and_what_members_look_at_is_not(world) {
        let by = worker(&world).await;
        let project = world.applied.project_id;
        let signed = world.sign_in_as(ACME, "ada", Some("Analyst")).await;
        world.sign_in_as(GLOBEX, "bob", None).await;
        let user: ProjectUserId = signed["projectUserId"].as_str().expect("an id").parse().expect("an id");
        assert_eq!(people::seen_at(&world.app, &by, project, user).await.expect("read"), None);
        open(&world, signed["token"].as_str().expect("a token")).await;
        open(&world, &people::view_as(&world.app, &by, project, user).await.expect("a token").token).await;
        let counted = report(&world.app, &by, project, Period::of(7)).await.expect("read");
        let of = |name: &str| counted.customers.iter().find(|one| one.name == name).map(|one| (one.sign_ins, one.views));
        assert_eq!((of(ACME), of(GLOBEX)), (Some((1, 1)), Some((1, 0))));
        let overview = counted.dashboards.iter().find(|one| one.id == world.applied.dashboards["Orders/Overview"].id);
        assert_eq!(overview.map(|one| (one.views, one.shared)), Some((1, true)));
        let charts = |name: &str| counted.charts.iter().find(|one| one.name == name).map(|one| (one.asked, one.failures));
        assert_eq!((charts("Orders"), charts("Notes")), (Some((1, 0)), Some((1, 1))), "nobody may read the notes");
        assert!(people::seen_at(&world.app, &by, project, user).await.expect("read").is_some());
        let again = report(&world.app, &by, project, Period::of(7)).await.expect("read");
        assert_eq!(again, counted, "what was written is not counted again");
    }

    async fn browsers_tell_how_long_a_dashboard_took(world) {
        let by = worker(&world).await;
        let dashboard = world.applied.dashboards["Orders/Overview"].id;
        let tell = async |told: String| {
            let request = Request::post("/share/loaded").header("content-type", "text/plain;charset=UTF-8").body(Body::from(told));
            world.send(request.expect("a request")).await.status.as_u16()
        };
        let token = world.token(ACME).await;
        assert_eq!(tell(format!("420 {dashboard} {token}")).await, 204);
        let unknown = uuid::Uuid::now_v7();
        let wrong = [String::new(), "420 x y".to_owned(), format!("420 {dashboard} nobody's"), format!("420 {unknown} {token}")];
        for (told, status) in wrong.into_iter().zip([400, 400, 401, 404]) {
            assert_eq!(tell(told.clone()).await, status, "{told}");
        }
        let counted = report(&world.app, &by, world.applied.project_id, Period::of(7)).await.expect("read");
        assert_eq!(counted.loads, [0, 1, 0, 0, 0, 0, 0]);
    }

    async fn times_and_failures_add_up(world) {
        let by = worker(&world).await;
        let project = world.applied.project_id;
        let token = world.token(ACME).await;
        let viewer = Viewer::by_token(&world.app, &token).await.expect("a viewer");
        let chart: ChartId = world.applied.charts["Orders"];
        let dashboard = world.applied.dashboards["Orders/Overview"].id;
        let rows = |cached, duration_ms| inlay_contract::data::ChartData { columns: Vec::new(), rows: Vec::new(), truncated: false, cached, duration_ms };
        for answer in [Ok(&rows(false, 40)), Ok(&rows(true, 0)), Ok(&rows(false, 80)), Err("QUERY_TIMEOUT")] {
            world.app.usage.asked(&viewer, chart, answer);
        }
        world.app.usage.write_down(&world.app).await.expect("written");
        world.app.usage.asked(&viewer, chart, Err("QUERY_FAILED"));
        for milliseconds in [200, 300, 900, 60_000] {
            world.app.usage.loaded(&viewer, dashboard, milliseconds);
        }
        let counted = report(&world.app, &by, project, Period::of(1)).await.expect("read");
        let one = counted.charts.iter().find(|one| one.id == chart).expect("counted");
        assert_eq!((one.asked, one.ran, one.failures, one.mean, one.longest), (5, 4, 2, Some(60), 80));
        assert_eq!(one.failed.as_ref().map(|(code, _)| code.as_str()), Some("QUERY_FAILED"), "the last counts");
        assert_eq!(counted.loads, [1, 1, 1, 0, 0, 0, 1]);
        assert_eq!((within(&counted.loads, 0.5), within(&counted.loads, 0.95)), (Some(500), None));
    }
}

#[test]
fn a_time_falls_into_the_band_that_ends_at_it_or_later() {
    let ends: Vec<_> = [0, 250, 251, 8_000, 8_001].into_iter().map(|time| Band::of(time).0).collect();
    assert_eq!(ends, [0, 0, 1, 5, 6]);
}
