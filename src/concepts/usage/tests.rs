//! Usage counts, on both stores.

use super::{
    Audience, Band, MOST_FAILED_FOR,
    manage::{Asker, Chat, FailedFor, Period, Report, Spent, chat, report, within},
};
use crate::{
    concepts::{
        access::Viewer,
        language_models::{self, Asking, Whose},
        organizations::{
            self, MemberRole,
            members::{self, Member, Worker},
        },
    },
    faces::server,
    flows::management::people,
    ground::{error::Code, web::origin::Origin},
    testing::{ACME, GLOBEX, World, on_both_stores},
};
use axum::{body::Body, http::Request};
use inlay_assistant::{Prices, Usage};
use inlay_contract::{
    data::{ChartData, Column, ColumnType},
    ids::{ChartId, CustomerId, ProjectUserId},
};
use inlay_query::Answered;
use serde_json::{Value, json};
use tokio::sync::oneshot;

async fn worker(world: &World) -> Member<Worker> {
    let mut tx = world.app.db.write().await.expect("a transaction");
    organizations::put_member(&mut tx.conn(), world.organization, "w@example.test", MemberRole::Member, None)
        .await
        .expect("a member");
    let all = members::of_organization(&mut tx.conn(), world.organization).await.expect("read");
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

    async fn a_graceful_stop_writes_down_what_was_counted(world) {
        let token = world.token(ACME).await;
        let listener = server::listen(([127, 0, 0, 1], 0).into()).await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(server::serve(world.app.clone(), listener, async {
            let _: Result<(), _> = stopped.await;
            server::Stop::Now
        }));
        let application = world.applied.applications["Orders"].id;
        let page = format!("http://{address}/share/application/{application}?jwt={token}");
        let reply = reqwest::get(page).await.expect("an answer");
        assert_eq!(reply.status(), 200);
        drop(reply);
        stop.send(()).expect("it is served");
        serving.await.expect("no panic").expect("it stopped");
        let (db, _) = world.app.settings.open_store().await.expect("the store opens");
        let mut lease = db.read().await.expect("a connection");
        let counted = super::store::customers(&mut lease.conn(), world.applied.project_id, Period::of(1), 9).await.expect("read");
        assert_eq!(counted.iter().map(|one| (one.sign_ins, one.views)).collect::<Vec<_>>(), [(1, 1)]);
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

    async fn charts_that_are_asked_for_again_are_counted_whatever_way_they_come(world) {
        let by = worker(&world).await;
        let signed = world.sign_in_as(ACME, "ada", Some("Analyst")).await;
        let (token, user) = (signed["token"].as_str().expect("a token").to_owned(), signed["projectUserId"].clone());
        open(&world, &token).await;
        let overview = &world.applied.dashboards["Orders/Overview"];
        let (orders, notes) = (overview.charts["Orders"], overview.charts["Notes"]);
        let counted = async || {
            let Report { charts, customers, .. } = report(&world.app, &by, world.applied.project_id, Period::of(1)).await.expect("read");
            let of = |id| charts.iter().find(|one| one.id == id).map(|one| (one.asked, one.ran, one.failures));
            let own = customers.iter().find(|one| one.name == ACME).map_or(0, |one| one.charts);
            (of(orders).expect("counted"), of(notes).expect("counted"), own)
        };
        let (opened, beside, all) = counted().await;
        assert_eq!((opened, beside), ((1, 1, 0), (1, 1, 1)));
        let scope = json!({"application": world.applied.applications["Orders"].id, "timezone": "UTC", "locale": "en"});
        let dashboard = overview.id;
        let tile = |filters: &Value| json!({"scope": scope, "dashboard": dashboard, "chart": orders, "filters": filters});
        let ask = async |token: &str, function: &str, request: Value| {
            let reply = world.post(&format!("/share/fn/{function}"), token, &json!({"request": request})).await;
            assert_eq!(reply.status, 200, "{function}: {}", reply.text);
        };
        // The second request gets the cached result; with other filters the query runs.
        ask(&token, "tile-data", tile(&json!({}))).await;
        assert_eq!(counted().await, ((2, 1, 0), beside, all + 1));
        ask(&token, "tile-data", tile(&json!({"filter_region": "north"}))).await;
        assert_eq!(counted().await, ((3, 2, 0), beside, all + 2));
        // The same in another size: no chart is delivered.
        ask(&token, "tile-picture", json!({"tile": tile(&json!({})), "size": [400, 300]})).await;
        assert_eq!(counted().await, ((3, 2, 0), beside, all + 2));
        ask(&token, "chart-file", tile(&json!({}))).await;
        assert_eq!(counted().await, ((4, 2, 0), beside, all + 3));
        let whole = json!({"scope": scope, "dashboard": dashboard, "filters": {}});
        ask(&token, "dashboard-file", whole.clone()).await;
        let (shown, also, so_far) = counted().await;
        assert_eq!((shown, also), ((5, 2, 0), (2, 2, 2)));
        // Through the API: a user, and a host with its key, without a customer.
        let path = world.chart_path("Orders");
        world.post(&path, &token, &json!({})).await.data();
        assert_eq!(counted().await, ((6, 2, 0), also, so_far + 1));
        world.post(&path, &world.key, &json!({})).await.refused(422, "ROW_RULE_UNRESOLVED");
        assert_eq!(counted().await, ((7, 3, 1), also, so_far + 1));
        // Drill-down runs a query and delivers no chart.
        ask(&token, "drill-down", json!({"tile": tile(&json!({})), "mark": {"name": "1"}})).await;
        let (drilled, _, own) = counted().await;
        assert_eq!((drilled.0, own), (7, so_far + 1));
        assert!(drilled.1 > 3, "{drilled:?}");
        // Previews by members are not counted in any of these ways.
        let user = user.as_str().expect("an id").parse().expect("an id");
        let looks = people::view_as(&world.app, &by, world.applied.project_id, user).await.expect("a token").token;
        let before = counted().await;
        for (function, request) in [("tile-data", tile(&json!({"filter_region": "south"}))), ("chart-file", tile(&json!({}))), ("dashboard-file", whole)] {
            ask(&looks, function, request).await;
        }
        world.post(&path, &looks, &json!({"refresh": true})).await.data();
        assert_eq!(counted().await, before);
    }

    async fn a_chart_that_fails_says_for_whom(world) {
        let by = worker(&world).await;
        let project = world.applied.project_id;
        let usage = &world.app.part::<crate::concepts::usage::Usage>();
        let audience = async |company: &str| {
            Audience::of(&Viewer::by_token(&world.app, &world.token(company).await).await.expect("a viewer"))
        };
        let (acme, globex) = (audience(ACME).await, audience(GLOBEX).await);
        let (orders, notes) = (world.applied.charts["Orders"], world.applied.charts["Notes"]);
        let told = async |chart: ChartId| {
            let counted = report(&world.app, &by, project, Period::of(7)).await.expect("read");
            counted.charts.into_iter().find(|one| one.id == chart).map(|one| one.failed_for).expect("counted")
        };
        usage.asked(acme, orders, Err(Code::QueryFailed));
        let one = told(orders).await;
        assert_eq!((one.count, one.without, one.customers.len()), (1, 0, 1));
        for (who, times) in [(acme, 1), (globex, 3)] {
            for _ in 0..times {
                usage.asked(who, orders, Err(Code::QueryTimeout));
            }
        }
        usage.came(Some(Audience { project, customer: None }), orders, Err(Code::RowRuleUnresolved));
        let both = told(orders).await;
        let named: Vec<_> = both.customers.iter().map(|(_, name, failures)| (name.as_str(), *failures)).collect();
        assert_eq!((both.count, both.without, named), (2, 1, vec![(GLOBEX, 3), (ACME, 2)]));
        assert_eq!(told(orders).await, both, "what was written is not counted again");
        let columns = vec![Column { name: "n".to_owned(), kind: ColumnType::Number }];
        let rows = Answered::new(ChartData { columns, rows: Vec::new(), truncated: false, cached: false, duration_ms: 4, as_of: None });
        usage.came(globex, notes, Ok(&rows));
        assert_eq!(told(notes).await, FailedFor::default());
        let all = report(&world.app, &by, project, Period::of(7)).await.expect("read");
        let of = |name: &str| all.customers.iter().find(|one| one.name == name).map(|one| one.failures);
        assert_eq!((of(ACME), of(GLOBEX)), (Some(2), Some(3)), "as customers are told");
        assert!(all.days.iter().all(|day| day.kind != "failedFor"), "{:?}", all.days);
        // Failures during a preview have no customer.
        usage.asked(None, orders, Err(Code::QueryFailed));
        assert_eq!(told(orders).await, both);
    }

    async fn a_database_that_is_away_makes_no_counter_for_every_customer(world) {
        let by = worker(&world).await;
        let project = world.applied.project_id;
        let chart = world.applied.charts["Orders"];
        let customer = || Some(Audience { project, customer: Some(CustomerId::generate()) });
        for _ in 0..3 {
            for _ in 0..MOST_FAILED_FOR {
                world.app.part::<crate::concepts::usage::Usage>().asked(customer(), chart, Err(Code::SourceUnavailable));
            }
            world.app.part::<crate::concepts::usage::Usage>().write_down(&world.app).await.expect("written");
        }
        let counted = report(&world.app, &by, project, Period::of(1)).await.expect("read");
        let one = counted.charts.iter().find(|one| one.id == chart).expect("counted");
        let most = i64::try_from(MOST_FAILED_FOR).expect("small");
        assert_eq!((one.failed_for.count, one.failures), (most, 3 * most), "each failure counts");
        assert!(counted.was_used);
    }

    async fn the_lines_of_the_chat_are_the_organizations_whole(world) {
        let by = worker(&world).await;
        let (project, organization) = (world.applied.project_id, world.organization);
        let used = |tokens| Usage { input_tokens: tokens, output_tokens: 1 };
        let prices = Some(Prices { input: 2.0, output: 10.0 });
        for (company, tokens) in [(ACME, 700), (GLOBEX, 300)] {
            let viewer = Viewer::by_token(&world.app, &world.token(company).await).await.expect("a viewer");
            language_models::count(&world.app, &viewer, used(tokens), prices).await.expect("counted");
        }
        language_models::count_evaluation(&world.app, Asking { organization, project }, 5, used(90), prices).await.expect("counted");
        let Chat { lines, together } = report(&world.app, &by, project, Period::of(1)).await.expect("read").chat;
        let of = |asker: Asker| lines.iter().find(|(one, _)| *one == asker).map(|(_, spent)| (spent.questions, spent.tokens));
        assert_eq!((of(Asker::Customer(ACME.to_owned())), of(Asker::Evaluations), lines.len()), (Some((1, 701)), Some((5, 91)), 3));
        assert_eq!(lines.iter().fold(Spent::default(), |sum, (_, spent)| sum.plus(*spent)), together);
        let day = chrono::Utc::now().date_naive().to_string();
        let mut lease = world.app.db.read().await.expect("a connection");
        let conn = &mut lease.conn();
        let whole = language_models::taken(conn, Whose::Organization(organization), &day).await.expect("read");
        let cost = language_models::money(together.millionths);
        assert!(u64::try_from(together.tokens) == Ok(whole.tokens) && (cost - whole.cost).abs() < 1e-9, "{together:?} {whole:?}");
        // Customers beyond the list's end are added up in one line.
        let few = chat(conn, project, Period::of(1), 1).await.expect("read");
        let told: Vec<_> = few.lines.iter().map(|(asker, spent)| (asker.clone(), spent.tokens)).collect();
        let dearest = (Asker::Customer(ACME.to_owned()), 701);
        assert_eq!((told, few.together), (vec![dearest, (Asker::Others, 301), (Asker::Evaluations, 91)], together));
    }

    async fn times_and_failures_add_up(world) {
        let by = worker(&world).await;
        let project = world.applied.project_id;
        let token = world.token(ACME).await;
        let viewer = Viewer::by_token(&world.app, &token).await.expect("a viewer");
        let chart: ChartId = world.applied.charts["Orders"];
        let dashboard = world.applied.dashboards["Orders/Overview"].id;
        let columns = || vec![Column { name: "n".to_owned(), kind: ColumnType::Number }];
        let of = |columns, cached, duration_ms| Answered::new(ChartData { columns, rows: Vec::new(), truncated: false, cached, duration_ms, as_of: None });
        let rows = |cached, duration_ms| of(columns(), cached, duration_ms);
        let (usage, audience) = (&world.app.part::<crate::concepts::usage::Usage>(), Audience::of(&viewer));
        for answer in [Ok(&rows(false, 40)), Ok(&rows(true, 0)), Ok(&rows(false, 80)), Err(Code::QueryTimeout)] {
            usage.came(audience, chart, answer);
        }
        // A text chart has no columns and runs no query.
        usage.came(audience, chart, Ok(&of(Vec::new(), false, 0)));
        let slow = *world.applied.dashboards["Orders/Overview"].charts.values().next().expect("a chart");
        usage.came(audience, slow, Ok(&rows(false, 5_000)));
        usage.write_down(&world.app).await.expect("written");
        usage.asked(audience, chart, Err(Code::QueryFailed));
        for milliseconds in [200, 300, 900, 60_000] {
            world.app.part::<crate::concepts::usage::Usage>().loaded(&viewer, dashboard, milliseconds);
        }
        let counted = report(&world.app, &by, project, Period::of(1)).await.expect("read");
        let one = counted.charts.iter().find(|one| one.id == chart).expect("counted");
        assert_eq!((one.asked, one.ran, one.failures, one.mean, one.longest), (5, 4, 2, Some(60), 80));
        assert_eq!(one.failed.as_ref().map(|(code, _)| code.as_str()), Some("QUERY_FAILED"), "the last counts");
        let listed: Vec<_> = counted.charts.iter().map(|one| one.id).collect();
        assert_eq!(listed, [chart, slow], "what fails comes before what is slow");
        let placed = counted.charts[1].place.as_ref().map(|place| (place.dashboard, place.name.as_str(), place.shared));
        assert_eq!((one.place.as_ref(), placed), (None, Some((dashboard, "Overview", true))));
        assert_eq!(counted.loads, [1, 1, 1, 0, 0, 0, 1]);
        assert_eq!((within(&counted.loads, 0.5), within(&counted.loads, 0.95)), (Some(500), None));
        let mean = Some(15_350);
        let opened = counted.dashboards.iter().find(|one| one.id == dashboard).expect("counted");
        assert_eq!((opened.load, counted.customers.iter().map(|one| one.load).collect::<Vec<_>>()), (mean, vec![mean]));
        let of_day = counted.days.iter().filter(|one| one.kind.starts_with("load"));
        assert_eq!(of_day.map(|one| one.milliseconds).sum::<i64>(), 61_400, "and nothing twice");
    }
}

#[test]
fn a_time_falls_into_the_band_that_ends_at_it_or_later() {
    let ends: Vec<_> = [0, 250, 251, 8_000, 8_001].into_iter().map(|time| Band::of(time).0).collect();
    assert_eq!(ends, [0, 0, 1, 5, 6]);
}
