//! Temporary databases, with short functions for queries.

use chrono::NaiveDate;
use inlay_contract::{data::ChartData, filter::FilterValue, ids::ConnectionId};
use inlay_query::{
    Addresses, Catalog, Engine, EngineOptions, Filter, Limits, Query, QueryError, RowAccess, SecurityContext, Source,
    SourceKind, Table,
};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, Executor};
use sqlx_mysql::MySqlConnection;
use sqlx_postgres::PgConnection;
use sqlx_sqlite::SqliteConnection;

/// Rows of several companies. Some names break SQL that is built by concatenation.
pub(crate) const SCHEMA: &str = "
    create table orders (id integer primary key, company_id text, region text, amount numeric, placed date, margin integer);
    insert into orders values
        (1, 'acme', 'north', 10.5, '2024-01-15', 901), (2, 'acme', 'north', 20, '2024-02-01', 902),
        (3, 'acme', 'south', null, '2024-02-27', 903), (4, 'acme', null, 40, '2024-02-28', 904),
        (11, 'globex', 'MARK', 1000, '2024-02-28', 905), (12, 'globex', 'north', 2000, '2024-01-15', 906),
        (21, 'O''Brien \"& Sons\" \\ 50% -- ; é', 'north', 1, '2024-01-01', 907),
        (31, ''' OR ''1''=''1', 'north', 1, '2024-01-01', 908),
        (41, null, 'MARK', 1, '2024-01-01', 909), (42, 'null', 'MARK', 1, '2024-01-01', 910);
    create table rates (id integer primary key, name text, rate numeric);
    insert into rates values (1, 'EUR', 0.25), (2, 'GBP', 0.5);
    create table notes (id integer primary key, note text);
    insert into notes values (1, 'MARK');
    create table unlisted (id integer primary key, note text);
    insert into unlisted values (1, 'MARK');
";

pub(crate) fn table(name: &str, rows: RowAccess, hidden: &[&str]) -> Table {
    Table { name: name.to_owned(), rows, hidden: hidden.iter().map(|&column| column.to_owned()).collect() }
}

pub(crate) fn rule(text: &str) -> RowAccess {
    RowAccess::Rule(text.to_owned())
}

pub(crate) fn catalog() -> Catalog {
    Catalog::new(vec![
        table("orders", rule("company_id = {{organization.company}}"), &["margin"]),
        table("rates", RowAccess::All, &[]),
        table("notes", RowAccess::Nothing, &[]),
    ])
}

pub(crate) fn viewer(company: impl Into<Value>) -> SecurityContext {
    let organization = json!({ "company": company.into() });
    SecurityContext {
        organization: organization.as_object().cloned(),
        user: Some(serde_json::Map::new()),
        database_auth_token: None,
        share: 0,
    }
}

pub(crate) fn today() -> NaiveDate {
    NaiveDate::from_ymd_opt(2024, 2, 28).expect("a day")
}

pub(crate) fn query(sql: &str) -> Query {
    Query::new(sql, today())
}

pub(crate) fn filter(table: &str, column: &str, value: Value) -> Filter {
    let value = FilterValue::from_json(value).expect("a filter");
    Filter { table: table.to_owned(), column: column.to_owned(), value }
}

/// An engine that may reach the test's servers on this machine.
pub(crate) fn engine(limits: Limits) -> Engine {
    let private = "127.0.0.1".parse().expect("an address");
    Engine::open(EngineOptions { limits, addresses: Addresses::default().with_private(private), ..EngineOptions::default() })
}

/// A database that is removed after the test.
pub(crate) struct Database {
    pub engine: Engine,
    pub source: Source,
    folder: Option<tempfile::TempDir>,
}

impl Database {
    /// Runs a test on every kind of database, with the same data.
    pub(crate) async fn each(script: &str, limits: Limits, test: impl AsyncFn(&Self)) {
        let databases = [
            Self::sqlite(script, limits.clone()).await,
            Self::postgres(script, limits.clone()).await,
            Self::mysql(&in_mysql(script), limits).await,
        ];
        for database in databases {
            test(&database).await;
            database.remove().await;
        }
    }

    pub(crate) async fn sqlite(script: &str, limits: Limits) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data.db");
        let mut connection =
            SqliteConnection::connect(&format!("sqlite:{}?mode=rwc", path.display())).await.expect("a new database");
        connection.execute(AssertSqlSafe(script.to_owned())).await.expect("the script runs");
        connection.close().await.expect("it closes");
        Self::new(SourceKind::Sqlite, format!("sqlite:{}", path.display()), limits, Some(folder))
    }

    pub(crate) async fn postgres(script: &str, limits: Limits) -> Self {
        let name = format!("inlay_query_{}", ConnectionId::generate().0.simple());
        let mut server = server().await;
        server.execute(AssertSqlSafe(format!("create database {name}"))).await.expect("a new database");
        let mut url: url::Url = server_url().parse().expect("INLAY_TEST_POSTGRES is an address");
        url.set_path(&name);
        let database = Self::new(SourceKind::Postgres, url.to_string(), limits, None);
        database.execute(script).await;
        database
    }

    /// A database whose collation treats `ACME` and `acme` as equal, as MySQL's default does.
    pub(crate) async fn mysql(script: &str, limits: Limits) -> Self {
        let name = format!("inlay_query_{}", ConnectionId::generate().0.simple());
        let create = format!("create database {name} character set utf8mb4 collate utf8mb4_general_ci");
        mysql_server().await.execute(AssertSqlSafe(create)).await.expect("a new database");
        let mut url: url::Url = mysql_url().parse().expect("INLAY_TEST_MYSQL is an address");
        url.set_path(&name);
        let database = Self::new(SourceKind::Mysql, url.to_string(), limits, None);
        database.execute(script).await;
        database
    }

    #[cfg(feature = "duckdb")]
    pub(crate) fn duckdb(script: &str, limits: Limits) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data.duckdb");
        let connection = duckdb::Connection::open(&path).expect("a new database");
        connection.execute_batch(script).expect("the script runs");
        connection.close().expect("it closes");
        Self::new(SourceKind::Duckdb, format!("duckdb:{}", path.display()), limits, Some(folder))
    }

    fn new(kind: SourceKind, url: String, limits: Limits, folder: Option<tempfile::TempDir>) -> Self {
        let source = Source::new(ConnectionId::generate(), "warehouse", kind, url);
        Self { engine: engine(limits), source, folder }
    }

    /// Runs a script as the owner of the data, without the engine.
    pub(crate) async fn execute(&self, script: &str) {
        let script = AssertSqlSafe(script.to_owned());
        match self.source.kind {
            SourceKind::Sqlite => {
                let mut connection = SqliteConnection::connect(&self.source.url).await.expect("a connection");
                connection.execute(script).await.expect("the script runs");
            }
            SourceKind::Postgres => {
                let mut connection = PgConnection::connect(&self.source.url).await.expect("a connection");
                connection.execute(script).await.expect("the script runs");
                connection.close().await.expect("it closes");
            }
            SourceKind::Mysql => {
                let mut connection = MySqlConnection::connect(&self.source.url).await.expect("a connection");
                // The scripts are standard SQL.
                let modes = "set sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT'";
                connection.execute(modes).await.expect("the session's modes");
                connection.execute(script).await.expect("the script runs");
                connection.close().await.expect("it closes");
            }
            kind => panic!("no test makes a database of kind {kind}"),
        }
    }

    /// A number from a server, without the engine.
    pub(crate) async fn number(&self, sql: &str) -> i64 {
        let sql = AssertSqlSafe(sql.to_owned());
        if self.is_mysql() {
            let mut connection = MySqlConnection::connect(&self.source.url).await.expect("a connection");
            return sqlx::query_scalar(sql).fetch_one(&mut connection).await.expect("a number");
        }
        let mut connection = PgConnection::connect(&self.source.url).await.expect("a connection");
        sqlx::query_scalar(sql).fetch_one(&mut connection).await.expect("a number")
    }

    pub(crate) async fn remove(self) {
        if self.source.kind == SourceKind::Postgres {
            let url: url::Url = self.source.url.parse().expect("an address");
            let name = url.path().trim_start_matches('/').to_owned();
            server().await.execute(AssertSqlSafe(format!("drop database {name} with (force)"))).await.expect("dropped");
        }
        if self.source.kind == SourceKind::Mysql {
            let url: url::Url = self.source.url.parse().expect("an address");
            let drop = format!("drop database {}", url.path().trim_start_matches('/'));
            mysql_server().await.execute(AssertSqlSafe(drop)).await.expect("dropped");
        }
        if let Some(folder) = self.folder {
            folder.close().expect("removed");
        }
    }

    pub(crate) const fn is_postgres(&self) -> bool {
        matches!(self.source.kind, SourceKind::Postgres)
    }

    pub(crate) const fn is_sqlite(&self) -> bool {
        matches!(self.source.kind, SourceKind::Sqlite)
    }

    pub(crate) const fn is_mysql(&self) -> bool {
        matches!(self.source.kind, SourceKind::Mysql)
    }

    pub(crate) async fn ask(&self, viewer: &SecurityContext, query: &Query) -> Result<ChartData, QueryError> {
        self.engine.run(&self.source, &catalog(), viewer, query).await
    }

    /// The rows of a company's viewer.
    pub(crate) async fn rows(&self, company: &str, sql: &str) -> Vec<Vec<Value>> {
        let answer = self.ask(&viewer(company), &query(sql)).await;
        answer.unwrap_or_else(|problem| panic!("{} {sql}\n{}", self.source.kind, problem.detail())).rows
    }

    /// The first column of the rows of an acme viewer with filters.
    pub(crate) async fn filtered(&self, sql: &str, filters: Vec<Filter>) -> Vec<Value> {
        let answer = self.ask(&viewer("acme"), &Query { filters, ..query(sql) }).await;
        let rows = answer.unwrap_or_else(|problem| panic!("{} {sql}\n{}", self.source.kind, problem.detail())).rows;
        rows.into_iter().map(|mut row| row.swap_remove(0)).collect()
    }
}

/// A script with MySQL's equivalents of the types: decimals with digits after the point, times without a zone, text that can be
/// indexed.
pub(crate) fn in_mysql(script: &str) -> String {
    let types = [(" numeric", " decimal(20, 4)"), (" timestamp", " datetime"), (" text", " varchar(191)")];
    let script = types.iter().fold(script.to_owned(), |script, (theirs, its)| script.replace(theirs, its));
    // MySQL accepts no empty statements.
    script.replace(";\n;", ";")
}

fn server_url() -> String {
    std::env::var("INLAY_TEST_POSTGRES").expect(
        "INLAY_TEST_POSTGRES is missing: run these tests by `scripts/with-postgres scripts/with-mariadb cargo test -p inlay-query`",
    )
}

fn mysql_url() -> String {
    std::env::var("INLAY_TEST_MYSQL").expect(
        "INLAY_TEST_MYSQL is missing: run these tests by `scripts/with-postgres scripts/with-mariadb cargo test -p inlay-query`",
    )
}

async fn mysql_server() -> MySqlConnection {
    MySqlConnection::connect(&mysql_url()).await.expect("the server at INLAY_TEST_MYSQL answers")
}

async fn server() -> PgConnection {
    PgConnection::connect(&server_url()).await.expect("the server at INLAY_TEST_POSTGRES answers")
}
