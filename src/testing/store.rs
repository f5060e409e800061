//! New stores for tests.

use crate::ground::store::{Db, connect, patience::Patience};
use sqlx::{AssertSqlSafe, Connection};
use sqlx_postgres::PgConnection;
use std::{env, path::Path, time::Duration};
use uuid::Uuid;

/// The store of a test.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StoreKind {
    /// The embedded store.
    Sqlite,
    /// The store for several nodes.
    Postgres,
}

/// The URL of a new store.
pub(crate) async fn address(kind: StoreKind, folder: &Path) -> String {
    match kind {
        StoreKind::Sqlite => format!("sqlite:{}", folder.join("store.db").display()),
        StoreKind::Postgres => fresh_database().await,
    }
}

async fn fresh_database() -> String {
    let server = env::var("INLAY_TEST_POSTGRES")
        .expect("the tests on PostgreSQL need a server: run them by `make test` or `scripts/with-postgres cargo test`");
    let name = format!("inlay_{}", Uuid::now_v7().simple());
    let mut admin = PgConnection::connect(&server).await.expect("INLAY_TEST_POSTGRES names a server that answers");
    sqlx::query(AssertSqlSafe(format!("CREATE DATABASE {name}"))).execute(&mut admin).await.expect("a database can be made");
    let mut url = url::Url::parse(&server).expect("INLAY_TEST_POSTGRES is an address");
    url.set_path(&name);
    url.into()
}

/// Opens a store and migrates it. A machine that runs all tests at once is slow; what limits of time do is tested with limits of its own.
pub(super) async fn open(address: &str) -> Db {
    let long = Duration::from_secs(60);
    let patience = Patience { statement: long, answer: long, ..Patience::default() };
    let db = connect::open(address, connect::Opening { patience, ..Default::default() }).await.expect("the store opens");
    db.migrate().await.expect("the store is up to date");
    db
}
