//! Drafts of a project's model, on both stores: read, applied and queried, and what a draft never does.

use super::{
    apply::Target,
    draft::{Asked, Undrafted, draft},
    export::export,
    model::{AllRows, ProjectFile},
    tests::{compared, edited},
};
use crate::{
    concepts::connections,
    testing::{ACME, World, on_both_stores},
};
use inlay_ossie::Note;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, Executor};
use sqlx_sqlite::SqliteConnection;
use std::fs;

/// Tables that the project does not list. The keys of `boxes` and `twins` are not declared, and rows of `twins` share theirs.
const MORE: &str = r#"
    create table customers (id integer primary key, company text, segment text);
    insert into customers values (1, 'acme', 'small'), (2, 'globex', 'large');
    create table boxes (box_id integer, name text);
    insert into boxes values (7, 'red'), (8, 'blue');
    create table twins (id integer, amount real);
    insert into twins values (1, 10), (1, 20), (null, 30);
    create table shipments (nr integer primary key, order_id integer, customer integer references customers, box_id integer,
        twin_id integer, shipped_at date, created_at timestamp, weight real, "Unit Price" real, zip_code integer);
    insert into shipments values (1, 1, 1, 7, 1, '2024-01-10', '2024-01-01 10:00:00', 2.5, 10, 10115),
        (2, 2, 1, 8, 1, '2024-01-20', '2024-01-01 10:00:00', 4, 20, 10115), (3, 11, 2, 7, 1, '2024-02-01', '2024-01-01 10:00:00', 1, 60, 10115);"#;

/// Runs a script on the customers' database.
async fn fill(world: &World, script: &str) {
    let path = world.folder().join("warehouse.db");
    let mut connection = SqliteConnection::connect(&format!("sqlite:{}", path.display())).await.expect("a connection");
    connection.execute(AssertSqlSafe(script.to_owned())).await.expect("the script runs");
    connection.close().await.expect("it closes");
}

async fn drafted(world: &World, listed_only: bool) -> (ProjectFile, Vec<Note>) {
    let asked = Asked { project: "Shop", connection: None, listed_only };
    draft(&world.target(), &asked).await.unwrap_or_else(|problem| panic!("{problem}"))
}

async fn exported(world: &World) -> ProjectFile {
    export(&world.app.db, &world.app.sealer, world.organization, "Shop").await.expect("a project")
}

fn told(notes: &[Note]) -> String {
    notes.iter().map(|note| format!("{note}\n")).collect()
}

/// What a file says about a table, as JSON.
fn section(file: &ProjectFile, table: &str) -> Value {
    let section = file.tables.iter().find(|section| section.table.value == table).expect("the table");
    serde_json::to_value(section).expect("JSON")
}

/// The file as somebody decides who read it: every user may see every row of the new tables.
fn opened(mut file: ProjectFile) -> String {
    for table in file.tables.iter_mut().filter(|table| table.row_rule.is_none() && table.table.value != "notes") {
        table.rows = Some(AllRows::All);
    }
    file.to_yaml().expect("YAML")
}

async fn rows(world: &World, query: &Value) -> Value {
    let path = format!("/v2/api/projects/{}/query", world.applied.project_id);
    world.post(&path, &world.token(ACME).await, query).await.data()["rows"].clone()
}

on_both_stores! {
    async fn a_draft_is_applied_and_answers(world) {
        fill(&world, MORE).await;
        let (file, notes) = drafted(&world, false).await;
        let shipments = section(&file, "shipments");
        assert_eq!(shipments["key"], "nr");
        assert_eq!(shipments["time"], "shipped_at");
        assert_eq!(shipments["columns"], json!({"customer": {"references": "customers.id"}, "box_id": {"references": "boxes.box_id"},
            "order_id": {"references": "orders.id"}}));
        assert_eq!(shipments["measures"], json!({"shipments": {"aggregate": "count", "label": "Shipments"},
            "weight": {"aggregate": "sum", "of": "weight", "label": "Weight"},
            "average_unit_price": {"aggregate": "average", "of": "\"Unit Price\"", "label": "Average unit price"}}));
        assert!(section(&file, "twins").get("key").is_none() && section(&file, "boxes")["key"] == "box_id");
        let told = told(&notes);
        for part in [
            "tables.boxes.key: `box_id` is guessed; the database does not declare it as a key, but no two rows share a value now.",
            "tables.twins.key: `id` is not proposed: 1 of its values are each on several rows. Declare `key: id`",
            "tables.shipments.columns.twin_id.references: twins has no key", "tables.shipments.columns.order_id.references: that it refers to orders.id is guessed",
            "tables.shipments.time: `shipped_at` is chosen by its name; the table has more dates: created_at",
            "tables.shipments: the project did not list this table, so nobody may read its rows",
        ] {
            assert!(told.contains(part), "{part}\n{told}");
        }

        let text = opened(file);
        world.apply(&text).await.unwrap_or_else(|problem| panic!("{problem}\n{text}"));
        assert_eq!(compared(&world, &text).await.expect("compared"), "", "applied again, it changes nothing");
        world.apply(&text).await.unwrap_or_else(|problem| panic!("{problem}\n{text}"));
        let by_box = json!({"measures": ["shipments", "weight", "average_unit_price"], "dimensions": [{"name": "boxes.box_id"}]});
        assert_eq!(rows(&world, &by_box).await, json!([[7, 2, 3.5, 35.0], [8, 1, 4.0, 20.0]]));
        let by_month = json!({"measures": ["weight"], "dimensions": [{"name": "time", "grain": "month"}], "totals": true});
        assert_eq!(rows(&world, &by_month).await, json!([["2024-01-01", 6.5], ["2024-02-01", 1.0]]));
        // Only the orders that acme may see have a row; the others count without one.
        let by_order = json!({"measures": ["shipments"], "dimensions": [{"name": "orders.id"}]});
        assert_eq!(rows(&world, &by_order).await, json!([[1, 1], [2, 1], [null, 1]]));
        let (again, notes) = drafted(&world, false).await;
        assert_eq!(again.to_yaml().expect("YAML"), exported(&world).await.to_yaml().expect("YAML"), "nothing is left to propose");
        assert!(!self::told(&notes).contains("guessed"), "{}", self::told(&notes));
    }

    async fn what_the_project_says_stays(world) {
        let text = edited("columns: { name: { label: Currency } }", "columns: { name: { label: Currency }, rate: { hidden: true } }")
            .replace("measures: { mean_rate: { aggregate: average, of: rate } }", "measures: { rate_count: { aggregate: count } }");
        world.apply(&text).await.unwrap_or_else(|problem| panic!("{problem}"));
        let before = exported(&world).await;
        let (file, notes) = drafted(&world, false).await;
        for table in ["orders", "rates"] {
            assert_eq!(section(&file, table), section(&before, table), "all of it is there, and what is hidden is not used");
        }
        let drafted_notes = section(&file, "notes");
        assert_eq!(drafted_notes["measures"], json!({"notes": {"aggregate": "count", "label": "Notes"}}));
        assert!(drafted_notes["key"] == "id" && drafted_notes.get("rows").is_none() && drafted_notes.get("rowRule").is_none());
        assert_eq!(notes.len(), 1, "{}", told(&notes));
        assert_eq!(exported(&world).await.to_yaml().expect("YAML"), before.to_yaml().expect("YAML"), "a draft changes nothing");
    }

    async fn tables_that_are_not_listed_can_be_left_out(world) {
        fill(&world, MORE).await;
        let (file, _) = drafted(&world, true).await;
        assert_eq!(file.tables.len(), 3);
        world.apply(&file.to_yaml().expect("YAML")).await.unwrap_or_else(|problem| panic!("{problem}"));
        let many: String = (0..210).map(|number| format!("create table many_{number} (id integer primary key);")).collect();
        fill(&world, &many).await;
        let (file, notes) = drafted(&world, false).await;
        assert_eq!(file.tables.len(), 200);
        assert!(told(&notes).contains("connections.warehouse: of 217 tables, the first 200 are drafted"), "{}", told(&notes));
        assert!(file.tables.iter().any(|table| table.table.value == "orders"), "the listed ones come first");
    }

    async fn a_table_is_one_in_every_spelling(world) {
        let text = edited("table: orders,", "table: main.Orders,").replace("warehouse.orders.", "warehouse.main.Orders.")
            .replace("columns: { name: { label: Currency } }", "columns: { name: { label: Currency }, rate: { hidden: true } }")
            .replace("measures: { mean_rate: { aggregate: average, of: rate } }", "measures: { rate_count: { aggregate: count } }")
            .replace("table: rates,", "table: RATES,");
        world.apply(&text).await.unwrap_or_else(|problem| panic!("{problem}"));
        fill(&world, "create table lines (id integer primary key, order_id integer references orders)").await;
        let (file, notes) = drafted(&world, false).await;
        let mut names: Vec<&str> = file.tables.iter().map(|section| section.table.value.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["RATES", "lines", "main.Orders", "notes"], "{}", told(&notes));
        assert_eq!(section(&file, "lines")["columns"], json!({"order_id": {"references": "main.Orders.id"}}));
        assert!(!section(&file, "RATES").to_string().contains("average"), "what is hidden is not used");
        let (listed, _) = drafted(&world, true).await;
        assert_eq!(listed.tables.len(), 3);
    }

    async fn hostile_names_stay_names(world) {
        fill(&world, "create table \"- evil: {rows: all} # &x\" (id integer primary key, \"total # rows: all\" real, \"%amount: !!x ''y\" real, \"fee\nrows: all\" real);
            create table \"line\u{2028}rows: all\" (id integer primary key); create table \"line\nrows: all\" (id integer primary key);
            create table \"yes\" (id integer primary key, \"null\" integer references orders, \"~_cost\" real);").await;
        let (file, notes) = drafted(&world, false).await;
        assert!(told(&notes).contains("tables whose names have invisible letters are left out: 1"), "{}", told(&notes));
        assert!(file.tables.iter().all(|table| !table.table.value.starts_with("line")));
        let evil = section(&file, "- evil: {rows: all} # &x");
        assert_eq!(evil["measures"].as_object().expect("measures").len(), 3, "{evil}");
        let text = opened(file);
        let read = ProjectFile::parse(&text).unwrap_or_else(|problem| panic!("{problem}\n{text}"));
        assert_eq!(section(&read, "- evil: {rows: all} # &x")["measures"], evil["measures"], "{text}");
        assert_eq!(section(&read, "yes")["columns"], json!({"null": {"references": "orders.id"}}));
        world.apply(&text).await.unwrap_or_else(|problem| panic!("{problem}\n{text}"));
        assert_eq!(rows(&world, &json!({"measures": ["yes"]})).await, json!([[0]]));
    }

    async fn a_database_that_is_away_says_what_to_do(world) {
        fs::remove_file(world.folder().join("warehouse.db")).expect("removed");
        let engine = connections::engine(&world.app.settings, &world.app.db, &world.app.sealer);
        let target = Target { engine: &engine, ..world.target() };
        let away = draft(&target, &Asked { project: "Shop", connection: None, listed_only: false }).await.expect_err("away");
        assert!(matches!(away, Undrafted::Unread(..)));
        let away = away.to_string();
        assert!(away.starts_with("connection `warehouse` cannot be read: ") && away.contains("inlay doctor"), "{away}");
        let unknown = Asked { project: "Shop", connection: Some("lake"), listed_only: false };
        let unknown = draft(&target, &unknown).await.expect_err("unknown").to_string();
        assert_eq!(unknown, "the project has no connection `lake`; its connections are warehouse");
    }
}
