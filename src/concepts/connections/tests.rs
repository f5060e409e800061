//! Allowed addresses of connections, and their error messages.

use super::open;
use crate::{
    flows::project_file::{apply::ApplyProblem, export::export},
    ground::store::Conn,
    on,
    testing::{ACME, GLOBEX, StoreKind, World, on_both_stores},
};
use serde_json::json;
use sqlx::Connection;
use sqlx_sqlite::SqliteConnection;
use std::env;

const SQLITE: &str = r#"{ name: warehouse, kind: sqlite, url: "sqlite:warehouse.db" }"#;

/// The project file with a second connection.
fn beside(connection: &str) -> String {
    let text = World::project_file();
    assert!(text.contains(SQLITE));
    text.replacen(SQLITE, &format!("{SQLITE}\n  - {connection}"), 1)
}

async fn refused(world: &World, url: &str) -> String {
    let text = beside(&format!("{{ name: other, kind: {}, url: \"{url}\" }}", url.split(':').next().expect("a scheme")));
    match world.apply(&text).await.expect_err(url) {
        ApplyProblem::File(problems) => problems.iter().map(ToString::to_string).collect(),
        ApplyProblem::Store(problem) => panic!("no problem of the file: {problem}"),
    }
}

fn server() -> String {
    env::var("INLAY_TEST_POSTGRES").expect("run by `make test` or `scripts/with-postgres`")
}

/// The store's own URL.
async fn own_address(world: &World) -> String {
    let mut lease = world.app.db.read().await.expect("the store");
    let mut conn = lease.conn();
    if matches!(conn, Conn::Sqlite(_)) {
        return "sqlite:store.db".to_owned();
    }
    let name: String = on!(&mut conn, |c| sqlx::query_scalar("SELECT current_database()").fetch_one(c).await).expect("a name");
    let mut url: url::Url = server().parse().expect("an address");
    url.set_path(&name);
    url.into()
}

on_both_stores! {
    async fn private_addresses_are_refused_with_line_and_field(world) {
        for url in ["postgres://u:hunter2@127.0.0.1/d", "postgres://u:hunter2@localhost:5432/d", "postgres://u:hunter2@[::1]/d",
            "postgres://u:hunter2@169.254.169.254/d", "postgres://u:hunter2@8.8.8.8/d?host=/run/postgresql", "sqlite:/dev/zero",
            "sqlite:/proc/self/environ", "sqlite:/etc/passwd"]
        {
            let told = refused(&world, url).await;
            assert!(told.contains("line 6, connections[1].url: is not allowed"), "{url}: {told}");
            assert!(!told.contains("hunter2"));
        }
        world.apply(World::project_file()).await.expect("the file itself is as it was");
    }

    async fn what_is_refused_at_saving_is_refused_at_every_question(world) {
        let connection = open(&world.app, world.applied.connections["warehouse"]).await.expect("the connection");
        let path = connection.source.url.trim_start_matches("sqlite:").to_owned();
        let token = world.token(ACME).await;
        let path_of_chart = world.chart_path("Rates");
        world.post(&path_of_chart, &token, &json!({})).await.data();
        std::fs::rename(&path, format!("{path}.old")).expect("moved");
        std::os::unix::fs::symlink("/etc/passwd", &path).expect("linked");
        world.post(&path_of_chart, &token, &json!({ "refresh": true })).await.refused(503, "SOURCE_UNAVAILABLE");
    }

    async fn the_last_rows_are_told_with_their_age_while_a_file_is_away_and_only_then(world) {
        let stale = SQLITE.replace(" }", ", cacheSeconds: 0, staleSeconds: 600 }");
        world.apply(&World::project_file().replacen(SQLITE, &stale, 1)).await.unwrap_or_else(|problem| panic!("{problem}"));
        let connection = open(&world.app, world.applied.connections["warehouse"]).await.expect("the connection");
        let path = connection.source.url.trim_start_matches("sqlite:").to_owned();
        let chart = world.chart_path("Count");
        let [acme, globex] = [world.token(ACME).await, world.token(GLOBEX).await];
        let before = world.post(&chart, &acme, &json!({})).await.data();
        assert_eq!(before.get("asOf"), None, "{before}");
        std::fs::rename(&path, format!("{path}.old")).expect("moved");
        let old = world.post(&chart, &acme, &json!({})).await.data();
        assert_eq!((&old["rows"], &old["cached"]), (&before["rows"], &json!(true)));
        let as_of: chrono::DateTime<chrono::Utc> = old["asOf"].as_str().expect("a time").parse().expect("RFC 3339");
        assert!((chrono::Utc::now() - as_of).num_seconds() < 60, "{as_of}");
        world.post(&chart, &globex, &json!({})).await.refused(503, "SOURCE_UNAVAILABLE");
        world.post(&chart, &acme, &json!({ "refresh": true })).await.refused(503, "SOURCE_UNAVAILABLE");
        std::os::unix::fs::symlink("/etc/passwd", &path).expect("linked");
        world.post(&chart, &acme, &json!({})).await.refused(503, "SOURCE_UNAVAILABLE");
        for bad in ["staleSeconds: 86401", "staleSeconds: -1"] {
            let text = World::project_file().replacen(SQLITE, &stale.replace("staleSeconds: 600", bad), 1);
            assert!(world.apply(&text).await.expect_err(bad).to_string().contains("connections[0].staleSeconds"), "{bad}");
        }
    }

    async fn a_hidden_column_is_as_good_as_absent_however_it_is_spelled(world) {
        let hiding = "{{organization.company}}\", columns: { company: { hidden: true } } }";
        let text = World::project_file().replace("{{organization.company}}\" }", hiding);
        assert!(text.contains("hidden: true"));
        world.apply(&text).await.unwrap_or_else(|problem| panic!("{problem}"));
        let connection = open(&world.app, world.applied.connections["warehouse"]).await.expect("the connection");
        for column in ["company", "COMPANY", "Company"] {
            assert!(connection.column(&format!("warehouse.orders.{column}")).is_none(), "{column}");
        }
        assert!(connection.column("warehouse.orders.region").is_some());
    }

    async fn a_refresh_brings_what_has_changed(world) {
        let connection = open(&world.app, world.applied.connections["warehouse"]).await.expect("the connection");
        let token = world.token(ACME).await;
        let path = world.chart_path("Count");
        let rows = async |body| {
            let data = world.post(&path, &token, &body).await.data();
            (data["rows"].clone(), data["cached"].clone())
        };
        assert_eq!(rows(json!({})).await, (json!([[3]]), json!(false)));
        let mut source = SqliteConnection::connect(&connection.source.url).await.expect("the source");
        sqlx::query("DELETE FROM orders WHERE id = 1").execute(&mut source).await.expect("deleted");
        assert_eq!(rows(json!({})).await, (json!([[3]]), json!(true)));
        assert_eq!(rows(json!({ "refresh": true })).await, (json!([[2]]), json!(false)));
        assert_eq!(rows(json!({})).await, (json!([[2]]), json!(true)));
        world.post(&path, &token, &json!({ "refresh": "yes" })).await.refused(400, "VALIDATION_FAILED");
    }

    async fn foreign_keys_of_the_database_are_asked_for_once(world) {
        let connection = open(&world.app, world.applied.connections["warehouse"]).await.expect("the connection");
        let mut source = SqliteConnection::connect(&connection.source.url).await.expect("the source");
        let sql = "drop table notes; create table notes (id integer references orders (id), note text, other integer references buyers (id))";
        sqlx::raw_sql(sql).execute(&mut source).await.expect("keys");
        // A table that is not in the catalogue stays unknown.
        for _ in 0..2 {
            let keys = connection.foreign_keys(&world.app).await;
            let told: Vec<[&str; 3]> = keys.iter().map(|key| [&*key.table, &*key.column, &*key.references]).collect();
            assert_eq!(told, [["notes", "id", "orders.id"]]);
            sqlx::raw_sql("drop table if exists notes").execute(&mut source).await.expect("no keys");
        }
    }

    async fn limits_of_connections_and_charts_are_kept_and_exported(world) {
        let text = World::project_file()
            .replacen(SQLITE, "{ name: warehouse, kind: sqlite, url: \"sqlite:warehouse.db\", cacheSeconds: 0, maxConnections: 3, staleSeconds: 60 }", 1)
            .replacen("encoding: { x: name, y: [rate] } }", "encoding: { x: name, y: [rate] }, cacheSeconds: 60 }", 1);
        world.apply(&text).await.unwrap_or_else(|problem| panic!("{problem}"));
        let exported = export(&world.app.db, &world.app.sealer, world.organization, "Shop").await.expect("exported");
        let limits = &exported.connections[0];
        assert_eq!((limits.cache_seconds, limits.max_connections, limits.stale_seconds), (Some(0), Some(3), Some(60)));
        let token = world.token(ACME).await;
        for (chart, cached) in [("Orders", false), ("Rates", true)] {
            for again in [false, true] {
                let data = world.post(&world.chart_path(chart), &token, &json!({})).await.data();
                assert_eq!(data["cached"], json!(again && cached), "{chart}");
            }
        }
        for bad in ["maxConnections: 0", "maxConnections: 1000"] {
            let text = text.replacen("maxConnections: 3", bad, 1);
            assert!(world.apply(&text).await.expect_err(bad).to_string().contains("connections[0].maxConnections"));
        }
    }
}

async fn the_own_store_is_no_source(kind: StoreKind) {
    let world = World::with(kind, &["--allow-private-sources", "true"]).await;
    let url = own_address(&world).await;
    let told = refused(&world, &url).await;
    assert!(told.contains("is not allowed: it is Inlay's own store"), "{told}");
}

#[tokio::test]
async fn the_own_store_is_no_source_on_sqlite() {
    the_own_store_is_no_source(StoreKind::Sqlite).await;
}

#[tokio::test]
async fn the_own_store_is_no_source_on_postgres() {
    the_own_store_is_no_source(StoreKind::Postgres).await;
}

#[tokio::test]
async fn an_operator_is_warned_of_a_role_that_may_too_much() {
    let world = World::with(StoreKind::Sqlite, &["--allow-private-sources", "127.0.0.0/8"]).await;
    let applied = world.apply(&beside(&format!("{{ name: sales, kind: postgres, url: \"{}\" }}", server()))).await;
    let applied = applied.unwrap_or_else(|problem| panic!("{problem}"));
    let told = json!(applied.warnings);
    assert_eq!((&told[0]["connection"], told.as_array().map(Vec::len)), (&json!("sales"), Some(1)), "{told}");
    assert!(told[0]["message"].as_str().is_some_and(|message| message.contains("superuser")), "{told}");
    assert!(world.apply(World::project_file()).await.expect("applied").warnings.is_empty());
}
