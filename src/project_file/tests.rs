//! Applying and exporting, on both stores.

use super::{apply::ApplyProblem, export::export};
use crate::testing::{World, on_both_stores};
use serde_json::json;

fn edited(from: &str, to: &str) -> String {
    let text = World::project_file();
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

/// The problems of a file, one a line.
async fn problems(world: &World, text: &str) -> String {
    match world.apply(text).await.expect_err("refused") {
        ApplyProblem::File(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        ApplyProblem::Store(problem) => panic!("no problem of the file: {problem}"),
    }
}

on_both_stores! {
    async fn applying_twice_gives_the_same_ids(world) {
        let again = world.apply(World::project_file()).await.expect("applied");
        assert_eq!(json!(again), json!(world.applied));
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
        let library = crate::charts::store::find(conn, project, again.charts["Count"]).await.expect("read").expect("a chart");
        assert_eq!(library.version, 2);
        assert!(crate::charts::store::find_version(conn, project, library.id, 1).await.expect("read").is_some(), "the first version stays");
        let copy = again.dashboards["Orders/Overview"].charts["Count"];
        let copy = crate::charts::store::find(conn, project, copy).await.expect("read").expect("a copy");
        assert_eq!(copy.definition, library.definition);
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
