use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor};
use sqlx_postgres::PgConnection;
use sqlx_sqlite::{SqliteConnectOptions, SqliteConnection};
use std::{net::TcpListener, path::Path};
use url::Url;
use uuid::Uuid;

/// A port of this machine that nobody listens at.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port").port()
}

/// Runs statements on an SQLite file, which is made if it is not there.
pub async fn write_sqlite(path: &Path, statements: &str) {
    let options = SqliteConnectOptions::new().filename(path).create_if_missing(true);
    let mut connection: SqliteConnection = options.connect().await.expect("the database opens");
    connection.execute(AssertSqlSafe(statements.to_owned())).await.expect("the statements run");
}

/// Makes a database on a PostgreSQL server, given by its superuser's address. Returns the database's address.
pub async fn fresh_database(server: &str) -> String {
    let name = format!("inlay_{}", Uuid::now_v7().simple());
    let mut admin = PgConnection::connect(server).await.expect("the server answers");
    sqlx::query(AssertSqlSafe(format!("CREATE DATABASE {name}"))).execute(&mut admin).await.expect("a database can be made");
    let mut url = Url::parse(server).expect("an address");
    url.set_path(&name);
    url.into()
}
