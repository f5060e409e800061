//! Migrations: two processes at once, two versions of Inlay on one store.

use super::{
    Conn, Db,
    connect::{self, Opening, StoreProblem},
    migrating::{Standing, newest},
};
use crate::{
    ground::config::Settings,
    on,
    testing::{StoreKind, World, new_store, on_both_stores},
};
use clap::Parser;
use sqlx::AssertSqlSafe;
use std::{
    env, fs,
    path::{Path, PathBuf},
};
use uuid::Uuid;

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    settings: Settings,
}

fn settings(flags: &[&str]) -> Settings {
    Flags::parse_from(["inlay"].iter().chain(flags)).settings
}

fn folder() -> PathBuf {
    env::temp_dir().join(format!("inlay-migrating-{}", Uuid::now_v7().simple()))
}

async fn run(db: &Db, sql: &str) {
    let mut tx = db.write().await.expect("a transaction");
    let sql = sql.to_owned();
    on!(&mut tx.conn(), |c| sqlx::query(AssertSqlSafe(sql)).execute(c).await.map(drop)).expect("done");
    tx.commit().await.expect("committed");
}

/// What a later version does: a migration that this build does not know, and a column that it does not name.
async fn upgrade(db: &Db, oldest_build: i64) {
    let again = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
        SELECT 99999, 'later', success, checksum, execution_time FROM _sqlx_migrations WHERE version = 1";
    run(db, again).await;
    run(db, "ALTER TABLE organizations ADD COLUMN later TEXT").await;
    run(db, &format!("UPDATE store_state SET oldest_build = {oldest_build}")).await;
}

on_both_stores! {
    /// A rolling upgrade and the way back: the older version goes on and starts again on the store that the newer one has migrated.
    async fn a_newer_store_is_used_while_it_is_compatible(world) {
        let db = &world.app.db;
        assert_eq!(db.standing().await.expect("a store"), Standing::Fitting);
        upgrade(db, newest()).await;
        db.migrate().await.expect("it starts again");
        assert_eq!(db.standing().await.expect("a store"), Standing::Fitting);
        world.sign_in_as("Acme", "somebody new", None).await;
    }

    async fn a_newer_store_is_refused_when_this_version_cannot_work_with_it(world) {
        let db = &world.app.db;
        upgrade(db, 99_999).await;
        assert!(matches!(db.migrate().await, Err(StoreProblem::Newer)));
        let told = db.standing().await.expect_err("refused").to_string();
        assert!(told.contains("newer version"), "{told}");
    }

    /// The newest migration is missing, as in a store of before.
    async fn commands_leave_an_older_store_as_it_is(world) {
        let db = &world.app.db;
        run(db, &format!("DELETE FROM _sqlx_migrations WHERE version = {}", newest())).await;
        assert_eq!(db.standing().await.expect("a store"), Standing::Older);
    }
}

#[tokio::test]
async fn a_command_names_what_to_do_with_an_older_store() {
    let folder = folder();
    let settings = settings(&["--data-dir", folder.to_str().expect("text")]);
    let (db, _) = settings.open_store().await.expect("a new store is made");
    run(&db, "DELETE FROM _sqlx_migrations WHERE version = (SELECT MAX(version) FROM _sqlx_migrations)").await;
    let told = settings.open_store().await.expect_err("refused").to_string();
    assert!(told.contains("older version") && told.contains("inlay migrate"), "{told}");
    fs::remove_dir_all(folder).ok();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn processes_that_start_together_on_an_empty_folder_all_come_up() {
    for _ in 0..3 {
        let folder = folder();
        let starts: Vec<_> = (0..4)
            .map(|_| {
                let settings = settings(&["--data-dir", folder.to_str().expect("text")]);
                tokio::spawn(async move {
                    let (db, _) = settings.open_and_migrate_store().await.map_err(|problem| problem.to_string())?;
                    db.close().await;
                    Ok::<_, String>(())
                })
            })
            .collect();
        for start in starts {
            start.await.expect("no panic").expect("it comes up");
        }
        fs::remove_dir_all(folder).ok();
    }
}

/// The number of a table's rows.
async fn synchronous(db: &Db) -> String {
    const SQLITE: &str = "SELECT CAST(synchronous AS TEXT) FROM pragma_synchronous";
    const POSTGRES: &str = "SELECT current_setting('synchronous_commit')";
    let mut tx = db.write().await.expect("a transaction");
    let sql = if matches!(tx.conn(), Conn::Sqlite(_)) { SQLITE } else { POSTGRES };
    on!(&mut tx.conn(), |c| sqlx::query_scalar(sql).fetch_one(c).await).expect("a setting")
}

#[tokio::test]
async fn what_is_acknowledged_is_on_disk() {
    let world = World::new(StoreKind::Sqlite).await;
    assert_eq!(synchronous(&world.app.db).await, "2", "FULL");
    // A server that acknowledges too early by itself.
    let address = new_store(StoreKind::Postgres, Path::new("")).await;
    let name = address.rsplit('/').next().expect("a name").to_owned();
    let db = connect::open(&address, Opening::default()).await.expect("a store");
    run(&db, &format!("ALTER DATABASE {name} SET synchronous_commit = off")).await;
    let db = connect::open(&address, Opening::default()).await.expect("a store");
    assert_eq!(synchronous(&db).await, "on");
}
