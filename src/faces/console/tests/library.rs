//! The chart library: errors, copies on dashboards, and updating them.

use super::{Browser, browser::target};
use crate::{
    concepts::{charts, organizations::MemberRole},
    testing::{ACME, Reply, StoreKind, World, on_both_stores},
};
use axum::http::Method;
use inlay_contract::ids::DashboardId;
use serde_json::json;

fn project(world: &World, rest: &str) -> String {
    format!("/console/projects/{}/{rest}", world.applied.project_id)
}

fn chart(world: &World, name: &str) -> String {
    project(world, &format!("charts/{}", world.applied.charts[name]))
}

fn table(world: &World, name: &str) -> String {
    let connection = world.applied.connections["warehouse"];
    project(world, &format!("connections/{connection}/tables/{}", world.applied.tables[name]))
}

fn overview(world: &World) -> DashboardId {
    world.applied.dashboards["Orders/Overview"].id
}

/// Saves a library chart with a name, a query and a value column.
async fn save(browser: &mut Browser<'_>, path: &str, fields: &[(&str, &str)]) -> Reply {
    let connection = browser.world.applied.connections["warehouse"].to_string();
    browser.save(path, &[&[("connection", connection.as_str()), ("kind", "number")][..], fields].concat()).await
}

/// The names and versions of the charts on a dashboard.
async fn standing(world: &World, dashboard: DashboardId) -> Vec<(String, i64)> {
    let mut lease = world.app.db.read().await.expect("a lease");
    let placed = crate::concepts::dashboards::charts_on(&mut lease.conn(), dashboard).await.expect("read");
    placed.into_iter().map(|placed| (placed.chart.name, placed.chart.version)).collect()
}

on_both_stores! {
    async fn where_a_chart_is_used_follows_its_copies_not_their_names(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let path = chart(&world, "Count");
        // A user's own copy of the dashboard, and a chart with the same name that is not a copy.
        let user = world.sign_in_as(ACME, "ada", Some("Analyst")).await;
        let clone = format!("/v2/api/applications/{}/dashboards/{}/clone", world.applied.applications["Orders"].id, overview(&world));
        world.call(Method::POST, &clone, user["token"].as_str().expect("a token"), Some(&json!({}))).await.data();
        let saved = save(&mut browser, &path, &[("name", "How many"), ("sql", "select count(*) as n from orders"), ("value", "n")]).await;
        let notice = browser.get(target(&saved)).await.text;
        assert!(notice.contains("Saved as version 2. 2 dashboards show an earlier version"), "{notice}");
        for used in ["Orders / Overview", "Orders / More", "1 user&#x27;s own copy", "Update 2 dashboards"] {
            assert!(notice.contains(used) || notice.contains(&used.replace("&#x27;", "'")), "{used}: {notice}");
        }
        let list = browser.get(&project(&world, "charts")).await.text;
        assert!(list.contains("Orders / More"), "{list}");
        let dashboard = format!("applications/{}/dashboards/{}", world.applied.applications["Orders"].id, overview(&world));
        let tiles = browser.get(&project(&world, &dashboard)).await.text;
        assert!(tiles.contains("Version 1 of 2"), "{tiles}");
    }

    async fn a_chart_that_queries_the_model_is_edited_among_its_options(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let path = chart(&world, "Count");
        let asks = |measure: &str| format!("{{\"query\": {{\"measures\": [\"{measure}\"]}}}}");
        let saved = save(&mut browser, &path, &[("name", "Count"), ("sql", ""), ("value", "revenue"), ("options", &asks("revenue"))]).await;
        let page = browser.get(target(&saved)).await.text;
        assert!(page.contains("This chart queries the semantic model") && page.contains("Saved as version 2"), "{page}");
        let refused = save(&mut browser, &path, &[("name", "Count"), ("sql", ""), ("value", "profit"), ("options", &asks("profit")), ("seen", "2")]).await;
        assert!(refused.text.contains("there is no measure `profit`"), "{}", refused.text);
        let plain = browser.get(&chart(&world, "Rates")).await.text;
        assert!(!plain.contains("semantic model"), "{plain}");
    }

    async fn a_new_version_comes_to_the_dashboards_that_are_chosen(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let path = chart(&world, "Count");
        save(&mut browser, &path, &[("name", "How many"), ("sql", "select count(*) + 1 as n from orders"), ("value", "n")]).await;
        let tick = format!("update.{}", overview(&world));
        let copies = format!("{path}/copies");
        let late = browser.submit(&copies, &[("version", "1"), (&tick, "on")]).await;
        assert!(late.status == 409 && late.text.contains("has changed since you opened the page"), "{}", late.text);
        let before = crate::concepts::dashboards::version(&mut world.app.db.read().await.expect("a lease").conn(), overview(&world)).await.expect("read");
        let (neighbour, _) = world.neighbour().await;
        let foreign = neighbour.dashboards["Orders/Overview"].id;
        let version = async |id| crate::concepts::dashboards::version(&mut world.app.db.read().await.expect("a lease").conn(), id).await.expect("read");
        let theirs = version(foreign).await;
        assert_eq!(browser.submit(&copies, &[("version", "2"), (&format!("update.{foreign}"), "on")]).await.status, 303);
        assert_eq!(version(foreign).await, theirs, "a dashboard of another organization");
        let updated = browser.submit(&copies, &[("version", "2"), (&tick, "on")]).await;
        assert!(browser.get(target(&updated)).await.text.contains("1 chart on a dashboard is now version 2."));
        assert!(standing(&world, overview(&world)).await.contains(&("How many".to_owned(), 2)));
        let more = world.applied.dashboards["Orders/More"].id;
        assert_eq!(standing(&world, more).await, [("Count".to_owned(), 1)], "a dashboard that was not chosen");
        let after = crate::concepts::dashboards::version(&mut world.app.db.read().await.expect("a lease").conn(), overview(&world)).await.expect("read");
        assert!(after > before, "an editor that is open meanwhile notices");
        let rows = world.post(&world.chart_path("Count"), &world.token(ACME).await, &json!({})).await.data();
        assert_eq!(rows["rows"], json!([[4]]), "viewers see the new version");
        let page = browser.get(&path).await.text;
        assert!(page.contains("Update 1 dashboard"), "{page}");
        let audit = browser.get(&format!("/console/organizations/{}/audit", world.organization)).await.text;
        assert!(audit.contains("dashboard.chartsUpdated"), "{audit}");
        let file = browser.get(&project(&world, "file/download")).await.text;
        assert!(file.matches("How many").count() >= 2, "in the library and on the dashboard: {file}");
    }

    async fn a_copy_that_was_changed_on_its_dashboard_is_told_and_not_ticked(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let more = world.applied.dashboards["Orders/More"].id;
        {
            let mut tx = world.app.db.write().await.expect("a transaction");
            let conn = &mut tx.conn();
            let mut copy = crate::concepts::dashboards::charts_on(conn, more).await.expect("read").remove(0).chart;
            copy.definition.sql_override = Some("select 7 as n".to_owned());
            copy.version += 1;
            charts::update(conn, &copy).await.expect("changed");
            tx.commit().await.expect("committed");
        }
        let page = browser.get(&chart(&world, "Count")).await.text;
        assert!(page.contains("1, changed there") && page.contains("Update 1 dashboard"), "{page}");
        let (_, tick) = page.split_once(&format!("name=\"update.{more}\"")).expect("a box");
        assert!(!tick.split('>').next().unwrap_or_default().contains("checked"), "{page}");
    }

    async fn a_chart_that_no_viewer_could_see_is_refused_with_the_reason(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let rule = [("access", "rule"), ("rowRule", "company = {{organization.company}}"), ("column.company.label", ""), ("column.company.hidden", "on")];
        assert_eq!(browser.save(&table(&world, "orders"), &rule).await.status, 303);
        let path = chart(&world, "Count");
        let hidden = save(&mut browser, &path, &[("name", "Count"), ("sql", "select company, count(*) as n from orders group by 1"), ("value", "n")]).await;
        assert!(hidden.status == 400 && hidden.text.contains("`company` of orders is hidden from project users"), "{}", hidden.text);
        let unknown = save(&mut browser, &path, &[("name", "Count"), ("sql", "select nothing_like_it as n from orders"), ("value", "n")]).await;
        assert!(unknown.status == 400 && unknown.text.contains("nothing_like_it") && !unknown.text.contains("hidden from"), "{}", unknown.text);
        let blind = [("name", "Count"), ("sql", "select count(*) as n from orders"), ("value", "nope"), ("parts", "{\"compare\": \"alsonope\"}")];
        let blind = save(&mut browser, &path, &blind).await;
        assert!(blind.status == 400 && blind.text.contains("names `nope`, but the query does not return that column; it returns n"), "{}", blind.text);
        assert!(blind.text.contains("names `alsonope`"), "{}", blind.text);
        let user = world.sign_in_as(ACME, "ada", None).await["projectUserId"].as_str().expect("an id").to_owned();
        let tried = [("name", "Count"), ("sql", "select company from orders"), ("user", &user), ("try", "on")];
        let tried = save(&mut browser, &path, &tried).await;
        assert!(tried.status == 422 && tried.text.contains("is hidden from project users"), "{}", tried.text);
        let made = save(&mut browser, &project(&world, "charts"), &[("name", "New"), ("sql", "select count(*) as n from orders"), ("value", "n")]).await;
        let notice = browser.get(target(&made)).await.text;
        assert!(notice.contains("Saved. You can add the chart to dashboards now.") && !notice.contains("earlier"), "{notice}");
    }

    async fn a_chart_s_columns_are_offered_before_anybody_tries_it(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let path = chart(&world, "Count");
        let page = browser.get(&path).await.text;
        assert!(page.contains("The query returns n.") && page.contains("<option value=\"n\">"), "{page}");
        let connection = world.applied.connections["warehouse"].to_string();
        let ask = async |browser: &mut Browser<'_>, fields: &[(&str, &str)]| {
            let all = [&[("connection", connection.as_str()), ("kind", "bar")][..], fields].concat();
            browser.submit(&project(&world, "charts/columns"), &all).await.data()
        };
        let sql = ("sql", "select region, count(*) as orders from orders group by 1");
        let known = ask(&mut browser, &[sql, ("x", "regoin"), ("y", "orders, returns")]).await;
        assert_eq!(known["columns"], json!(["region", "orders"]));
        for (field, name) in [("x", "regoin"), ("y", "returns")] {
            let told = known["problems"][field].as_str().unwrap_or_default();
            assert!(told.contains(&format!("names `{name}`, but the query does not return that column; it returns region, orders")), "{known}");
        }
        let right = ask(&mut browser, &[sql, ("x", "region"), ("y", "orders")]).await;
        assert_eq!(right["problems"], json!({}));
        let unknown = ask(&mut browser, &[("sql", "select nothing_like_it from orders")]).await;
        assert!(unknown["columns"].is_null() && unknown["problems"]["sql"].as_str().is_some_and(|told| told.contains("nothing_like_it")), "{unknown}");
        let empty = ask(&mut browser, &[("sql", ""), ("x", "day"), ("parts", "[")]).await;
        assert_eq!((&empty["columns"], &empty["problems"]), (&json!([]), &json!({"parts": "is not a JSON object"})));
        let elsewhere = [("connection", "0190a1b2-0000-7000-8000-000000000001"), sql];
        assert!(browser.submit(&project(&world, "charts/columns"), &elsewhere).await.data()["columns"].is_null());
        let mut viewer = Browser::signed_in(&world, MemberRole::Viewer).await;
        assert!(!viewer.get(&path).await.text.contains("The query returns"), "for whoever may change it");
    }

    async fn a_column_that_a_saved_chart_names_in_vain_is_told_beside_its_field(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let user = world.sign_in_as(ACME, "ada", None).await["projectUserId"].as_str().expect("an id").to_owned();
        let tried = [("name", "Count"), ("sql", "select count(*) as n from orders"), ("value", "m"), ("user", &user), ("try", "on")];
        let tried = save(&mut browser, &chart(&world, "Count"), &tried).await;
        assert!(tried.status == 200 && tried.text.contains("names `m`, but the query does not return that column"), "{}", tried.text);
        {
            let mut tx = world.app.db.write().await.expect("a transaction");
            let conn = &mut tx.conn();
            let mut one = charts::find_newest(conn, world.applied.project_id, world.applied.charts["Count"]).await.expect("read").expect("there");
            one.definition.encoding.value = Some("gone".to_owned());
            one.version += 1;
            charts::update(conn, &one).await.expect("changed");
            tx.commit().await.expect("committed");
        }
        let page = browser.get(&chart(&world, "Count")).await.text;
        assert!(page.contains("names `gone`, but the query does not return that column; it returns n"), "{page}");
    }

    async fn an_earlier_version_keeps_its_columns(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let (path, id) = (chart(&world, "Count"), world.applied.charts["Count"]);
        for sql in ["select count(*) as n from orders", "select count(*) as m from orders"] {
            let value = if sql.contains("as n") { "n" } else { "m" };
            assert_eq!(save(&mut browser, &path, &[("name", "Count"), ("sql", sql), ("value", value)]).await.status, 303);
        }
        assert_eq!(browser.submit(&format!("{path}/restore"), &[("number", "2")]).await.status, 303);
        let kept = async |version| charts::columns(&mut world.app.db.read().await.expect("a lease").conn(), id, version).await.expect("read");
        assert_eq!(kept(1).await, None, "a project file tries no chart");
        let name = |name: &str| Some(vec![name.to_owned()]);
        assert_eq!((kept(2).await, kept(3).await, kept(4).await), (name("n"), name("m"), name("n")));
    }

    async fn an_example_that_could_never_run_is_refused(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let path = project(&world, &format!("workspaces/{}", world.applied.workspaces["Ask"]));
        let connection = world.applied.connections["warehouse"].to_string();
        let form = [("connection", connection.as_str()), ("example.0.question", "How many?"), ("example.0.query", "select count(* from orders")];
        let refused = browser.save(&path, &form).await;
        assert!(refused.status == 400 && refused.text.contains("is refused"), "{}", refused.text);
        for (query, told) in [
            (r#"{"measures": ["profit"]}"#, "there is no measure `profit`"),
            (r#"{"measure": ["revenue"]}"#, "is not a query of the semantic model: unknown field"),
        ] {
            let form = [form[0], form[1], ("example.0.query", query)];
            let refused = browser.save(&path, &form).await;
            assert!(refused.status == 400 && refused.text.contains(told), "{told}: {}", refused.text);
        }
        let form = [form[0], form[1], ("example.0.query", r#"{"measures": ["revenue"]}"#)];
        assert_eq!(browser.save(&path, &form).await.status, 303);
        assert!(browser.get(&path).await.text.contains("\"revenue\""), "it is shown again");
    }

    async fn a_chart_that_is_tried_is_drawn_and_keeps_what_was_typed(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let user = world.sign_in_as(ACME, "ada", None).await["projectUserId"].as_str().expect("an id").to_owned();
        let connection = world.applied.connections["warehouse"].to_string();
        let form = |x: &'static str| [
            ("name", "Typed"), ("connection", connection.as_str()), ("kind", "bar"), ("sql", "select id, amount from orders"), ("x", x),
            ("y", "amount"), ("user", user.as_str()), ("try", "on"), ("cacheSeconds", "60"),
        ];
        let tried = browser.submit(&project(&world, "charts"), &form("id")).await;
        assert!(tried.status == 200 && tried.text.contains("src=\"data:image/svg+xml;base64,"), "{}", tried.text);
        assert!(tried.text.contains("value=\"Typed\"") && tried.text.contains("<option value=\"amount\">"), "{}", tried.text);
        let wrong = browser.submit(&project(&world, "charts"), &form("nope")).await;
        assert!(wrong.status == 200 && wrong.text.contains("nope") && wrong.text.contains("does not return"), "{}", wrong.text);
        let saved: Vec<_> = form("id").into_iter().filter(|(name, _)| *name != "try").collect();
        let made = browser.submit(&project(&world, "charts"), &saved).await;
        assert!(browser.get(target(&made)).await.text.contains("value=\"60\""));
    }
}

#[tokio::test]
async fn a_database_out_of_reach_keeps_nobody_from_saving() {
    let world = World::new(StoreKind::Sqlite).await;
    let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
    let open =
        crate::concepts::connections::open(&world.app, world.applied.connections["warehouse"]).await.expect("the connection");
    let path = open.source.url.trim_start_matches("sqlite:").to_owned();
    let before = [("name", "Count"), ("sql", "select count(*) as counted from orders"), ("value", "counted")];
    assert_eq!(save(&mut browser, &chart(&world, "Count"), &before).await.status, 303);
    std::fs::rename(&path, format!("{path}.away")).expect("moved");
    let page = browser.get(&chart(&world, "Count")).await.text;
    assert!(page.contains("The query returns counted."), "what it gave when it was saved: {page}");
    let fields = [("name", "Count"), ("sql", "select count(*) as n from orders"), ("value", "anything")];
    let saved = save(&mut browser, &chart(&world, "Count"), &fields).await;
    let notice = browser.get(target(&saved)).await.text;
    assert!(notice.contains("could not be checked"), "{notice}");
}
