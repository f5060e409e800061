//! Applying and exporting, on both stores.

use super::{
    apply::{ApplyProblem, Incoming},
    export::export,
    preview::preview,
    project_state::ProjectState,
};
use crate::{
    ground::{audit::Actor, error::Code},
    testing::{ACME, World, on_both_stores},
};
use serde_json::json;

pub(super) fn edited(from: &str, to: &str) -> String {
    let text = World::project_file();
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

/// The problems of a file, one per line.
pub(super) async fn problems(world: &World, text: &str) -> String {
    match world.apply(text).await.expect_err("refused") {
        ApplyProblem::File(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        ApplyProblem::Store(problem) => panic!("no problem of the file: {problem}"),
    }
}

/// The preview of applying a file: one object per line, with its fields below.
pub(super) async fn compared(world: &World, text: &str) -> Result<String, String> {
    let incoming =
        Incoming { text, folder: world.folder(), environment: &|_| None, seen: None, despite: None, check_data: false };
    let found = preview(&world.target(), &Actor::operator(world.organization), &incoming).await;
    let found = found.map_err(|problem| problem.to_string())?;
    Ok(found.changes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

async fn project_state(world: &World) -> ProjectState {
    let mut lease = world.app.db.read().await.expect("a connection");
    ProjectState::read(&mut lease.conn(), &world.app.sealer, world.organization, "Shop").await.expect("read")
}

on_both_stores! {
    async fn comparing_says_what_applying_does_and_changes_nothing(world) {
        let before = project_state(&world).await;
        assert_eq!(compared(&world, World::project_file()).await.expect("compared"), "");
        for (from, to, told) in [
            ("name: Analyst", "name: Watcher", "role Watcher: created\nrole Analyst: stays, although the file does not list it"),
            ("drillDown: true", "drillDown: false", "role Analyst: changed\n  permissions › drillDown: true → false"),
            ("table: rates, rows: all }", "table: rates, rowRule: \"name = {{user.name}}\" }",
                "table warehouse.rates: changed\n  rows: all (removed)\n  rowRule: name = {{user.name}} (new)"),
            ("          - { chart: Notes, x: 0, y: 6, w: 12, h: 4 }\n", "",
                "dashboard Orders / Overview: changed\n  charts › Notes: x: 0, y: 6, w: 12, h: 4, version: 1 (removed)"),
            ("x: 8, y: 0, w: 4, h: 3", "x: 8, y: 0, w: 4, h: 2", "dashboard Orders / Overview: changed\n  charts › Count › h: 3 → 2"),
            ("      - name: More\n        charts:\n          - { chart: Count, x: 0, y: 0, w: 12, h: 4 }\n", "",
                "application Orders: changed\n  dashboards: Overview, More → Overview\ndashboard Orders / More: removed"),
            ("      - name: More\n", "      - name: More\n        refresh: 60\n", "dashboard Orders / More: changed\n  refresh: 60 (new)"),
            ("How many orders?", "How many?", "workspace Ask: changed\n  exampleQuestions: How many orders? → How many?\n  version: 1 → 2"),
            ("url: \"sqlite:warehouse.db\"", "url: \"sqlite:./warehouse.db\"", "connection warehouse: changed"),
            ("name: Shop,", "name: Shop, timezone: Europe/Berlin,", "project Shop: changed\n  timezone: UTC → Europe/Berlin"),
        ] {
            let found = compared(&world, &edited(from, to)).await.expect("compared");
            assert!(found == told || (told.ends_with(": changed") && found.starts_with(told)), "{from} → {to}: {found}");
        }
        let chart = compared(&world, &edited("select count(*) as n from orders", "select count(*) + 0 as n from orders")).await.expect("compared");
        for part in ["chart Count: changed", "sql: select count(*) as n from orders → select count(*) + 0 as n from orders", "  version: 1 → 2",
            "dashboard Orders / More: changed\n  charts › Count › version: 1 → 2", "dashboard Orders / Overview: changed\n  charts › Count › version: 1 → 2"] {
            assert!(chart.contains(part), "{part}: {chart}");
        }
        assert_eq!(project_state(&world).await, before);
        let other = compared(&world, &edited("name: Shop", "name: Another")).await.expect("compared");
        assert!(other.starts_with("project Another: created\n") && !other.contains("stays"), "{other}");
    }

    async fn comparing_refuses_what_applying_refuses(world) {
        for (from, to) in [
            ("chart: Orders, x: 0", "chart: Nothing, x: 0"), ("table: rates", "table: nothing"), ("company = {{organization.company}}", "company = (select 1)"),
            ("select note from notes", "delete from notes"), ("version: 1", "version: 2"), ("addChart: true", "addCharts: true"),
            ("sqlite:warehouse.db", "sqlite:${NOT_SET}"), ("      - name: More\n", "      - name: More\n        refresh: 29\n"),
        ] {
            let text = edited(from, to);
            assert_eq!(compared(&world, &text).await.expect_err("refused"), problems(&world, &text).await, "{from} → {to}");
        }
    }

    async fn what_others_changed_meanwhile_is_not_overwritten(world) {
        let seen = project_state(&world).await.fingerprint();
        world.apply(&edited("name: Shop,", "name: Shop, timezone: Europe/Berlin,")).await.expect("applied");
        let now = project_state(&world).await;
        assert_ne!(now.fingerprint(), seen);
        let actor = Actor::operator(world.organization);
        let incoming = |seen| Incoming { text: World::project_file(), folder: world.folder(), environment: &|_| None, seen: Some(seen), despite: None, check_data: false };
        let refused = super::apply::apply_as(&world.target(), &actor, &incoming(&seen)).await.expect_err("overtaken");
        assert!(matches!(&refused, ApplyProblem::Store(problem) if problem.code == Code::ChangedMeanwhile), "{refused}");
        assert_eq!(project_state(&world).await, now);
        super::apply::apply_as(&world.target(), &actor, &incoming(&now.fingerprint())).await.expect("applied");
        assert_eq!(project_state(&world).await.fingerprint(), seen, "as it was");
    }

    async fn what_takes_away_what_is_used_names_the_uses(world) {
        let losses = async |text: &str| {
            let incoming = Incoming { text, folder: world.folder(), environment: &|_| None, seen: None, despite: None, check_data: false };
            let found = preview(&world.target(), &Actor::operator(world.organization), &incoming).await;
            found.unwrap_or_else(|problem| panic!("{problem}")).losses
        };
        let hiding = |column: &str| edited("{{organization.company}}\" }", &format!("{{{{organization.company}}}}\", columns: {{ {column}: {{ hidden: true }} }} }}"));
        let hidden = losses(&hiding("amount")).await;
        assert_eq!(hidden.iter().map(ToString::to_string).collect::<Vec<_>>(), ["column amount of warehouse.orders is hidden. These objects use it and will fail: chart Orders"]);
        assert_eq!(losses(&hiding("company")).await, [], "nothing names it");
        let closed = losses(&edited(", rowRule: \"company = {{organization.company}}\"", "")).await;
        assert_eq!(closed[0].lost, "table warehouse.orders is closed to everybody");
        assert_eq!(closed[0].uses, ["chart Count", "chart Orders", "filter Region of Orders / Overview", "filter Period of Orders / Overview"]);
        // The library keeps a chart that the file no longer lists.
        let text = edited("  - { columns: { name: { label: Currency } }, measures: { mean_rate: { aggregate: average, of: rate } }, connection: warehouse, table: rates, rows: all }\n", "");
        let text = text.replace("          - { chart: Rates, x: 8, y: 3, w: 4, h: 3 }\n", "").replace("charts: [{ chart: Rates, x: 0, y: 0, w: 6, h: 4 }]", "charts: []");
        let (start, rest) = text.split_once("  - { name: Rates").expect("a chart");
        let text = format!("{start}{}", rest.split_once("[rate] } }\n").expect("its end").1);
        let gone = losses(&text).await;
        assert_eq!((gone[0].lost.as_str(), gone[0].uses.as_slice()), ("table warehouse.rates is removed from the catalogue", ["chart Rates".to_owned()].as_slice()));
        assert_eq!(losses(&edited("table: rates, rows: all }", "table: rates, rowRule: \"rate > 1\" }")).await, []);
    }

    async fn a_model_that_means_nothing_names_its_place(world) {
        for (from, to, told) in [
            ("key: id, time: day", "key: number, time: day", "line 7, tables[0].key: the table has no column `number`"),
            ("key: id, time: day", "key: id, time: moment", "line 7, tables[0].time: the table has no column `moment`"),
            ("of: amount", "of: sum(amount)", "line 7, tables[0].measures.revenue.of: sum gathers several rows"),
            ("of: amount", "of: \"(select 1)\"", "line 7, tables[0].measures.revenue.of: it holds a SELECT"),
            ("of: amount", "of: load_extension(amount)", "line 7, tables[0].measures.revenue: the function load_extension is not allowed here"),
            ("sql: \"coalesce(region, 'nowhere')\"", "sql: rates.name", "line 7, tables[0].dimensions.place.sql: `rates.name` names a table"),
            ("mean_rate: {", "revenue: {", "another table has a measure of that name"),
            ("[revenue, order_count]", "[revenue, orders]", "line 43, metrics.mean_order: there is no measure `orders`"),
            ("ratio: [revenue, order_count]", "formula: mean_order + 1", "line 43, metrics.mean_order: the metric `mean_order` is made of itself"),
            ("ratio: [revenue, order_count]", "running: mean_rate", "only sums and counts of whole periods add up"),
            ("aggregate: sum, of: amount", "aggregate: sum, off: amount", "line 7, tables[0].measures.revenue.off: `off` is not a field here"),
        ] {
            let found = problems(&world, &edited(from, to)).await;
            assert!(found.contains(told), "{from} → {to}: {found}");
        }
    }

    async fn keys_that_are_not_unique_are_found_in_the_data(world) {
        let actor = Actor::operator(world.organization);
        for (key, told) in [("id", ""), ("region", "line 7, tables[0].key: is not unique: 2 values of region are each on several rows"), ("[company, day]", "")] {
            let text = edited("key: id", &format!("key: {key}"));
            let incoming = |check_data| Incoming { text: &text, folder: world.folder(), environment: &|_| None, seen: None, despite: None, check_data };
            preview(&world.target(), &actor, &incoming(false)).await.unwrap_or_else(|problem| panic!("{key}: {problem}"));
            let found = preview(&world.target(), &actor, &incoming(true)).await.err().map(|problem| problem.to_string()).unwrap_or_default();
            assert!(found.starts_with(told) && found.is_empty() == told.is_empty(), "{key}: {found}");
        }
    }

    async fn a_model_is_exported_as_it_was_applied(world) {
        let file = export(&world.app.db, &world.app.sealer, world.organization, "Shop").await.expect("exported");
        let text = file.to_yaml().expect("YAML");
        for part in ["key: id", "time: day", "aggregate: average", "currency: EUR", "label: Place", "mean_order:"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(compared(&world, &text).await.expect("compared"), "");
        let changed = compared(&world, &edited("[revenue, order_count]", "[order_count, revenue]")).await.expect("compared");
        assert!(changed.starts_with("metric mean_order: changed\n  ratio: "), "{changed}");
        let without = compared(&world, &edited("metrics: { mean_order: { ratio: [revenue, order_count], label: Revenue of an order } }\n", "")).await.expect("compared");
        assert_eq!(without, "metric mean_order: removed");
    }

    async fn words_for_values_and_what_is_better_are_kept(world) {
        let text = edited("name: { label: Currency }", "name: { terms: [{ phrases: [euros], comparison: \"=\", value: EUR }] }")
            .replacen("aggregate: average, of: rate", "aggregate: average, of: rate, lowerIsBetter: true", 1);
        world.apply(&text).await.unwrap_or_else(|problem| panic!("{problem}"));
        let file = export(&world.app.db, &world.app.sealer, world.organization, "Shop").await.expect("exported");
        let exported = file.to_yaml().expect("YAML");
        assert!(exported.contains("value: EUR") && exported.contains("lowerIsBetter: true"), "{exported}");
        assert_eq!(compared(&world, &exported).await.expect("compared"), "");
    }

    async fn a_dashboard_that_refreshes_says_so_to_its_pages(world) {
        let text = edited("      - name: Overview\n", "      - name: Overview\n        refresh: 300\n");
        world.apply(&text).await.unwrap_or_else(|problem| panic!("{problem}"));
        let file = export(&world.app.db, &world.app.sealer, world.organization, "Shop").await.expect("exported");
        let exported = file.to_yaml().expect("YAML");
        assert!(exported.contains("refresh: 300"), "{exported}");
        assert_eq!(compared(&world, &exported).await.expect("compared"), "");
        let overview = world.applied.dashboards["Orders/Overview"].id;
        let shared = crate::concepts::dashboards::find(&mut world.app.db.read().await.expect("a connection").conn(), overview).await;
        assert_eq!(shared.expect("read").expect("a dashboard").refresh, Some(300));
        let token = world.token(ACME).await;
        let request = json!({"request": {"scope": {"application": world.applied.applications["Orders"].id, "timezone": "UTC", "locale": "en"},
            "dashboard": overview, "filters": {}}});
        let opened = world.post("/share/fn/open-dashboard", &token, &request).await.json();
        assert_eq!(opened["content"]["dashboard"]["refresh"], 300, "{opened}");
        world.apply(World::project_file()).await.unwrap_or_else(|problem| panic!("{problem}"));
        let opened = world.post("/share/fn/open-dashboard", &token, &request).await.json();
        assert_eq!(opened["content"]["dashboard"].get("refresh"), None);
    }

    async fn whoever_was_not_told_of_a_loss_is_asked(world) {
        let text = edited(", rowRule: \"company = {{organization.company}}\"", "");
        let actor = Actor::operator(world.organization);
        let incoming = |despite| Incoming { text: &text, folder: world.folder(), environment: &|_| None, seen: None, despite: Some(despite), check_data: false };
        let before = project_state(&world).await;
        for told in ["", "something else"] {
            let refused = super::apply::apply_as(&world.target(), &actor, &incoming(told)).await.expect_err("asked");
            assert!(matches!(&refused, ApplyProblem::Store(problem) if problem.code == Code::StillUsed), "{refused}");
            assert_eq!(project_state(&world).await, before);
        }
        let told = super::losses::fingerprint(&preview(&world.target(), &actor, &incoming("")).await.expect("compared").losses);
        let applied = super::apply::apply_as(&world.target(), &actor, &incoming(&told)).await.expect("applied");
        assert_eq!(applied.losses.len(), 1);
        // Once it is lost, no confirmation is needed.
        assert!(super::apply::apply_as(&world.target(), &actor, &incoming("")).await.expect("applied").losses.is_empty());
    }

    async fn applying_twice_gives_the_same_ids(world) {
        let again = world.apply(World::project_file()).await.expect("applied");
        assert_eq!(json!(again), json!(world.applied));
    }

    async fn a_number_that_a_store_writes_otherwise_is_no_change(world) {
        let text = edited("encoding: { x: id, y: [amount] }", "encoding: { x: id, y: [amount] }, options: { odd: 1e17, other: -0.0 }")
            .replace("column: warehouse.orders.region, control: select", "column: warehouse.orders.region, control: select, default: [1e17, -0.0]");
        for _ in 0..2 {
            world.apply(&text).await.unwrap_or_else(|problem| panic!("{problem}"));
        }
        assert_eq!(compared(&world, &text).await.expect("compared"), "");
        let mut lease = world.app.db.read().await.expect("a connection");
        let chart = crate::concepts::charts::find_newest(&mut lease.conn(), world.applied.project_id, world.applied.charts["Orders"]).await;
        assert_eq!(chart.expect("read").expect("a chart").version, 2);
    }

    async fn a_column_may_be_called_like_a_boolean(world) {
        let text = edited("encoding: { x: name, y: [rate] }", "encoding: { x: on, y: [n, y] }");
        world.apply(&text).await.unwrap_or_else(|problem| panic!("{problem}"));
    }

    async fn what_was_exported_applies_to_the_same_ids(world) {
        let text = export(&world.app.db, &world.app.sealer, world.organization, "Shop").await.expect("exported").to_yaml().expect("YAML");
        let again = world.apply(&text).await.unwrap_or_else(|problem| panic!("{problem}\n{text}"));
        assert_eq!(json!(again), json!(world.applied));
        let second = export(&world.app.db, &world.app.sealer, world.organization, "Shop").await.expect("exported").to_yaml().expect("YAML");
        assert_eq!(text, second);
    }

    async fn a_changed_chart_gets_a_version_and_its_copies_follow(world) {
        let text = edited("select count(*) as n from orders", "select count(*) + 0 as n from orders");
        let again = world.apply(&text).await.expect("applied");
        assert_eq!(again.charts["Count"], world.applied.charts["Count"]);
        let mut lease = world.app.db.read().await.expect("a connection");
        let conn = &mut lease.conn();
        let project = world.applied.project_id;
        let library = crate::concepts::charts::find_newest(conn, project, again.charts["Count"]).await.expect("read").expect("a chart");
        assert_eq!(library.version, 2);
        assert!(crate::concepts::charts::find_version(conn, project, library.id, 1).await.expect("read").is_some(), "the first version stays");
        let copy = again.dashboards["Orders/Overview"].charts["Count"];
        let copy = crate::concepts::charts::find_newest(conn, project, copy).await.expect("read").expect("a copy");
        assert_eq!(copy.definition, library.definition);
    }

    async fn a_dashboard_that_stays_as_it_was_keeps_its_version(world) {
        let version = async |name| {
            let mut lease = world.app.db.read().await.expect("a connection");
            let id = world.applied.dashboards[name].id;
            crate::concepts::dashboards::version(&mut lease.conn(), id).await.expect("read").expect("a dashboard")
        };
        let before = (version("Orders/Overview").await, version("Orders/More").await);
        world.apply(World::project_file()).await.expect("applied");
        assert_eq!((version("Orders/Overview").await, version("Orders/More").await), before);
        // One of its charts is smaller now, its filter has another name, a chart is removed, and a library chart is different.
        for (changed, (from, to)) in [
            ("x: 8, y: 0, w: 4, h: 3", "x: 8, y: 0, w: 4, h: 2"),
            ("label: Region", "label: Area"),
            ("          - { chart: Notes, x: 0, y: 6, w: 12, h: 4 }\n", ""),
        ].into_iter().enumerate() {
            world.apply(&edited(from, to)).await.expect("applied");
            let raised = i64::try_from(changed).expect("a few") * 2 + 1;
            assert_eq!((version("Orders/Overview").await, version("Orders/More").await), (before.0 + raised, before.1), "{from}");
            world.apply(World::project_file()).await.expect("applied");
        }
        let now = (version("Orders/Overview").await, version("Orders/More").await);
        world.apply(&edited("select count(*) as n from orders", "select count(*) + 0 as n from orders")).await.expect("applied");
        assert_eq!((version("Orders/Overview").await, version("Orders/More").await), (now.0 + 1, now.1 + 1));
    }

    async fn what_the_file_no_longer_names_goes(world) {
        let text = edited("- { connection: warehouse, table: notes }", "");
        let text = text.replace("          - { chart: Notes, x: 0, y: 6, w: 12, h: 4 }\n", "");
        let text = text.replace("  - { name: Notes, connection: warehouse, type: table, sql: \"select note from notes\" }\n", "");
        let again = world.apply(&text).await.unwrap_or_else(|problem| panic!("{problem}"));
        assert!(!again.tables.contains_key("notes"));
        assert!(!again.dashboards["Orders/Overview"].charts.contains_key("Notes"));
        let token = world.token("acme").await;
        world.post(&world.chart_path("Notes"), &token, &json!({})).await.refused(404, "NOT_FOUND");
    }

    async fn a_bad_file_names_line_and_field_and_changes_nothing(world) {
        for (from, to, line, field) in [
            ("connection: warehouse, table: orders", "connection: elsewhere, table: orders", 7, "tables[0].connection"),
            ("table: rates", "table: nothing", 8, "tables[1].table"),
            ("company = {{organization.company}}", "nothing = {{organization.company}}", 7, "tables[0].rowRule"),
            ("company = {{organization.company}}", "company = (select 1)", 7, "tables[0].rowRule"),
            ("https://host.example", "host.example/path", 3, "project.allowedOrigins[0]"),
            ("chart: Orders, x: 0", "chart: Nothing, x: 0", 33, "applications[0].dashboards[0].charts[0].chart"),
            ("x: 8, y: 0, w: 4", "x: 9, y: 0, w: 4", 34, "applications[0].dashboards[0].charts[1]"),
            ("select note from notes", "delete from notes", 19, "charts[3].sql"),
            ("select note from notes", "select name from sqlite_master", 19, "charts[3].sql"),
            ("warehouse.orders.region", "warehouse.orders", 30, "applications[0].dashboards[0].filters[0].column"),
            ("workspace: Ask", "workspace: Nobody", 24, "applications[0].workspace"),
            ("version: 1", "version: 2", 2, "version"),
            ("kind: sqlite", "kind: duckdb", 5, "connections[0].kind"),
            ("name: { label: Currency }", "name: { terms: [{ phrases: [euros], comparison: \">\", value: EUR }] }", 8, "tables[1].columns.name.terms[0]"),
            ("name: { label: Currency }", "name: { terms: [{ phrases: [], comparison: \"=\", value: EUR }] }", 8, "tables[1].columns.name.terms[0]"),
            ("\"sqlite:warehouse.db\"", "x, databaseAuth: { setting: app.t, equals: user.t }", 5, "connections[0].databaseAuth"),
        ] {
            let told = problems(&world, &edited(from, to)).await;
            assert!(told.contains(&format!("line {line}, {field}:")), "{from} → {to}: {told}");
        }
        for (from, to, part) in [
            ("rows: all", "rows: some", "line 8"),
            ("addChart: true", "addCharts: true", "addCharts"),
            ("type: bar", "type: bars", "bars"),
            ("version: 1", "version: 1\nsurprise: true", "surprise"),
            ("kind: sqlite", "kind: oracle", "oracle"),
        ] {
            let told = problems(&world, &edited(from, to)).await;
            assert!(told.contains("line ") && told.contains(part), "{from} → {to}: {told}");
        }
        let again = world.apply(World::project_file()).await.expect("applied");
        assert_eq!(json!(again), json!(world.applied));
    }

    async fn a_changed_rule_counts_for_the_running_service(world) {
        let token = world.token("acme").await;
        let path = world.chart_path("Notes");
        world.post(&path, &token, &json!({})).await.refused(422, "ROW_RULE_UNRESOLVED");
        world.apply(&edited("table: notes }", "table: notes, rows: all }")).await.expect("applied");
        assert_eq!(world.post(&path, &token, &json!({})).await.data()["rows"], json!([["nobody may read this"]]));
    }
}
