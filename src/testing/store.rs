//! New stores for tests.

use crate::ground::store::{Db, connect, patience::Patience};
use sqlx::{AssertSqlSafe, Connection};
use sqlx_postgres::PgConnection;
use std::{env, fs, path::Path, time::Duration};
use tokio::sync::OnceCell;
use uuid::Uuid;

/// A file of the embedded store with the present schema.
static FILE: OnceCell<Vec<u8>> = OnceCell::const_new();
/// The name of a database with the present schema.
static DATABASE: OnceCell<String> = OnceCell::const_new();

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
        StoreKind::Postgres => new_database("").await,
    }
}

/// The URL of a new store with the present schema: a copy of one that was migrated once for all tests.
pub(super) async fn migrated(kind: StoreKind, folder: &Path) -> String {
    match kind {
        StoreKind::Sqlite => {
            let file = FILE.get_or_init(async || migrated_file(folder).await).await;
            fs::write(folder.join("store.db"), file).expect("the store's file");
            address(kind, folder).await
        }
        StoreKind::Postgres => {
            let database = DATABASE.get_or_init(migrated_database).await;
            new_database(&format!("TEMPLATE {database}")).await
        }
    }
}

async fn migrated_file(folder: &Path) -> Vec<u8> {
    let path = folder.join("migrated.db");
    open(&format!("sqlite:{}", path.display())).await.close().await;
    assert!(!folder.join("migrated.db-wal").exists(), "what was written is in the file");
    fs::read(path).expect("a file")
}

async fn migrated_database() -> String {
    let address = new_database("").await;
    open(&address).await.close().await;
    url::Url::parse(&address).expect("an address").path().trim_start_matches('/').to_owned()
}

/// Makes a database with further words of `CREATE DATABASE`. Returns its address.
async fn new_database(how: &str) -> String {
    let server = env::var("INLAY_TEST_POSTGRES")
        .expect("the tests on PostgreSQL need a server: run them by `make test` or `scripts/with-postgres cargo test`");
    let name = format!("inlay_{}", Uuid::now_v7().simple());
    let mut admin = PgConnection::connect(&server).await.expect("INLAY_TEST_POSTGRES names a server that answers");
    let sql = format!("CREATE DATABASE {name} {how}");
    sqlx::query(AssertSqlSafe(sql)).execute(&mut admin).await.expect("a database can be made");
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
