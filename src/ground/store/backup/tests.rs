//! The drill: back up while writes go on, restore into an empty store, compare everything, and start the service on it.

use super::{BackupProblem, look, restore, take, try_out};
use crate::{
    concepts::connections,
    faces::router::router,
    ground::{
        state::App,
        store::{Conn, Db, connect, seal::Sealer},
    },
    on,
    testing::{
        self, ACME, GLOBEX, StoreKind, World, new_store,
        rows::{fill, run, schema},
    },
};
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use sqlx::AssertSqlSafe;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};
use tower::ServiceExt;

const KEY: &str = "0123456789abcdef0123456789abcdef";

/// Every table's rows, each as text, in order.
type Content = BTreeMap<String, Vec<String>>;

/// What a store holds, read without the backup's own SQL.
async fn content(db: &Db) -> Content {
    let mut lease = db.read().await.expect("a connection");
    let conn = &mut lease.conn();
    let mut content = Content::new();
    for (table, columns) in schema(conn).await {
        if table == "answers" {
            continue;
        }
        let quoted: Vec<String> = columns.iter().map(|column| format!("quote(\"{}\")", column.column_name)).collect();
        let sql = match conn {
            Conn::Sqlite(_) => format!("SELECT {} FROM \"{table}\"", quoted.join(" || ',' || ")),
            Conn::Postgres(_) => format!("SELECT CAST(t AS TEXT) FROM \"{table}\" AS t"),
        };
        let mut rows: Vec<String> =
            on!(&mut *conn, |c| sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(c).await).expect("the rows");
        rows.sort();
        content.insert(table, rows);
    }
    content
}

async fn empty(kind: StoreKind, folder: &Path) -> Db {
    fs::create_dir_all(folder).expect("a folder");
    connect::open(&new_store(kind, folder).await, connect::Opening::default()).await.expect("an empty store")
}

/// Users, dashboards, texts that are hard to quote, and a row in tables that nothing here fills.
async fn filled(kind: StoreKind) -> World {
    let world = World::new(kind).await;
    world.listen().await;
    for user in ["viewer", "it's \"quoted\" \\ and\nbroken 😀", "{\"table\":[1]}"] {
        world.sign_in_as(ACME, user, Some("Analyst")).await;
        world.sign_in_as(GLOBEX, user, None).await;
    }
    world.neighbour().await;
    let mut tx = world.app.db.write().await.expect("a transaction");
    let schema = schema(&mut tx.conn()).await;
    // Tables that refer to nothing.
    for table in ["v1_calls", "page_loads", "console_attempts"].iter().filter(|table| schema.contains_key(**table)) {
        run(&mut tx.conn(), format!("DELETE FROM {table}")).await;
        fill(&mut tx.conn(), &schema, table, &[]).await;
    }
    tx.commit().await.expect("committed");
    world
}

fn file(world: &World, name: &str) -> PathBuf {
    world.folder().join(name)
}

async fn starts_on(db: Db, world: &World) {
    let (sealer, settings) = (Sealer::new(KEY), world.app.settings.clone());
    let engine = connections::engine(&settings, &db, &sealer);
    let configured = crate::faces::background::configured();
    let app = App::new(db, sealer, settings, engine, testing::renderer(), configured).await.expect("the service starts");
    let request = Request::post("/v1/api/projects/embed-token")
        .header("authorization", format!("Bearer {}", world.key))
        .header("content-type", "application/json")
        .body(Body::from(world.sign_in_body(ACME, "viewer").to_string()))
        .expect("a request");
    assert_eq!(router(app).oneshot(request).await.expect("an answer").status(), StatusCode::OK);
}

async fn drill(kind: StoreKind) {
    let world = filled(kind).await;
    let (first, second) = (file(&world, "first.backup"), file(&world, "second.backup"));
    // While writes go on: each user stands there whole, with the event that tells of it.
    let stop = AtomicBool::new(false);
    let writing = async {
        let mut written = 0;
        while !stop.load(Ordering::SeqCst) || written < 5 {
            world.sign_in_as(ACME, &format!("meanwhile-{written}"), None).await;
            written += 1;
        }
    };
    let taking = async {
        let taken = take(&world.app.db, &world.app.sealer, &first).await;
        stop.store(true, Ordering::SeqCst);
        taken.expect("a backup")
    };
    let (counts, ()) = tokio::join!(taking, writing);
    let restored = empty(kind, &file(&world, "first")).await;
    restore(&restored, &world.app.sealer, &first).await.expect("restored");
    let held: BTreeMap<String, u64> =
        content(&restored).await.into_iter().map(|(table, rows)| (table, rows.len() as u64)).collect();
    assert_eq!(held, counts);
    starts_on(restored, &world).await;

    // Now that nobody writes, everything is compared.
    take(&world.app.db, &world.app.sealer, &second).await.expect("a backup");
    let restored = empty(kind, &file(&world, "second")).await;
    restore(&restored, &world.app.sealer, &second).await.expect("restored");
    let (before, after) = (content(&world.app.db).await, content(&restored).await);
    assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
    for (table, rows) in &before {
        assert_eq!(rows, &after[table], "{table}");
    }
    assert!(before.values().filter(|rows| !rows.is_empty()).count() > 15, "much of the store is compared");

    // From one store to the other.
    let other = match kind {
        StoreKind::Sqlite => StoreKind::Postgres,
        StoreKind::Postgres => StoreKind::Sqlite,
    };
    let moved = empty(other, &file(&world, "moved")).await;
    restore(&moved, &world.app.sealer, &second).await.expect("restored");
    starts_on(moved, &world).await;
    assert!(matches!(restore(&world.app.db, &world.app.sealer, &second).await, Err(BackupProblem::NotEmpty)));
}

#[tokio::test]
async fn what_is_backed_up_while_writes_go_on_is_restored_whole_on_sqlite() {
    drill(StoreKind::Sqlite).await;
}

#[tokio::test]
async fn what_is_backed_up_while_writes_go_on_is_restored_whole_on_postgres() {
    drill(StoreKind::Postgres).await;
}

#[tokio::test]
async fn a_backup_that_is_not_whole_or_not_ours_is_refused_and_leaves_nothing() {
    let world = World::new(StoreKind::Sqlite).await;
    let (whole, other) = (file(&world, "whole.backup"), file(&world, "other.backup"));
    take(&world.app.db, &world.app.sealer, &whole).await.expect("a backup");
    assert!(
        matches!(take(&world.app.db, &world.app.sealer, &whole).await, Err(BackupProblem::File { .. })),
        "never overwritten"
    );
    try_out(Some(&world.app.sealer), &whole).await.expect("it can be restored");
    let text = fs::read_to_string(&whole).expect("a text");
    let target = empty(StoreKind::Sqlite, &file(&world, "target")).await;

    let lines: Vec<&str> = text.lines().collect();
    let cut = lines[..lines.len() / 2].join("\n") + "\n";
    let changed = text.replacen("Acme Analytics", "Acme Analytica", 1);
    let longer = format!("{text}\n");
    for damaged in [cut, changed, longer, "PRAGMA x;\n".to_owned(), text[..text.len() - 10].to_owned(), String::new()] {
        fs::write(&other, &damaged).expect("written");
        let told = restore(&target, &world.app.sealer, &other).await.expect_err("refused");
        assert!(matches!(told, BackupProblem::Damaged(..)), "{told}: {}", &damaged[..damaged.len().min(80)]);
    }
    fs::write(&other, text.replacen("\"migration\":", "\"migration\":9", 1)).expect("written");
    assert!(matches!(look(&other, None), Err(BackupProblem::Newer)));
    let stranger = Sealer::new("another key of 32 bytes, as it has to be");
    assert!(matches!(restore(&target, &stranger, &whole).await, Err(BackupProblem::OtherKey)));

    let mut lease = target.read().await.expect("a connection");
    assert!(schema(&mut lease.conn()).await.is_empty(), "nothing was left behind");
    drop(lease);
    restore(&target, &world.app.sealer, &whole).await.expect("restored");
    assert!(matches!(
        take(&empty(StoreKind::Sqlite, &file(&world, "none")).await, &world.app.sealer, &other).await,
        Err(BackupProblem::Empty)
    ));
}
