//! While a source does not answer, its last rows may take the place of an answer: the same query's, with the same rights, not older than
//! the operator allows.

use crate::{
    databases::{Database, SCHEMA, catalog, engine, filter, query, rule, table, viewer},
    server::{Server, text, unfinished},
};
use axum::response::Response;
use inlay_contract::{data::ChartData, ids::ConnectionId};
use inlay_query::{Catalog, Engine, Limits, Query, QueryError, SecurityContext, Source, SourceKind, SourceLimits};
use serde_json::json;
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

const COLUMNS: &str = "[\"name\",\"type\"]\n[\"String\",\"String\"]\n[\"company_id\",\"String\"]\n[\"region\",\"String\"]\n";

/// What a server does when it is asked.
#[derive(Clone, Copy, Debug)]
enum Does {
    Answers,
    Fails,
    Hangs,
    RefusesTheLogin,
    RefusesTheQuery,
}

impl Does {
    fn response(self) -> Response {
        match self {
            Self::Answers => text(200, "[\"n\"]\n[\"UInt8\"]\n[7]\n"),
            Self::Fails => text(503, "overloaded"),
            Self::Hangs => unfinished("[\"n\"]\n"),
            Self::RefusesTheLogin => text(403, "Code: 516. DB::Exception: ada: Authentication failed"),
            Self::RefusesTheQuery => text(400, "Code: 62. DB::Exception: Syntax error"),
        }
    }
}

/// A source that was asked once while its server answered.
struct Known {
    engine: Engine,
    source: Source,
    catalog: Catalog,
    does: Arc<Mutex<Does>>,
    _server: Server,
}

impl Known {
    async fn new(stale_seconds: Option<u32>) -> Self {
        let does = Arc::new(Mutex::new(Does::Answers));
        let state = Arc::clone(&does);
        let server = Server::new(move |asked, _| {
            let describes = asked.part("query").is_some_and(|sql| sql.contains("system.columns"));
            if describes { text(200, COLUMNS) } else { state.lock().expect("a lock").response() }
        })
        .await;
        let engine = engine(Limits { timeout: Duration::from_secs(1), ..Limits::default() });
        let limits = SourceLimits { cache_seconds: Some(0), stale_seconds, ..SourceLimits::default() };
        let url = format!("clickhouse://ada:s3cret@{}/sales", server.address);
        let source = Source { limits, ..Source::new(ConnectionId::generate(), "warehouse", SourceKind::Clickhouse, url) };
        let catalog = Catalog::new(vec![table("orders", rule("company_id = {{organization.company}}"), &[])]);
        let known = Self { engine, source, catalog, does, _server: server };
        let first = known.ask(&viewer("acme"), &stale()).await.expect("an answer");
        assert_eq!((json!(first.rows), first.cached, first.as_of), (json!([[7]]), false, None));
        known
    }

    fn now(&self, does: Does) {
        *self.does.lock().expect("a lock") = does;
    }

    async fn ask(&self, viewer: &SecurityContext, query: &Query) -> Result<ChartData, QueryError> {
        self.engine.run(&self.source, &self.catalog, viewer, query).await
    }
}

/// Asks once while the server answers, and `then` once while it does something else.
async fn asked(
    stale_seconds: Option<u32>,
    does: Does,
    wait: Duration,
    then: (SecurityContext, Query),
) -> Result<ChartData, QueryError> {
    let known = Known::new(stale_seconds).await;
    known.now(does);
    tokio::time::sleep(wait).await;
    known.ask(&then.0, &then.1).await
}

fn stale() -> Query {
    Query { stale: true, ..query("select count(*) as n from orders") }
}

#[tokio::test]
async fn the_last_rows_take_the_place_of_those_that_a_silent_source_does_not_give() {
    for does in [Does::Fails, Does::Hangs] {
        let told = asked(Some(60), does, Duration::ZERO, (viewer("acme"), stale())).await;
        let told = told.unwrap_or_else(|problem| panic!("{does:?}: {problem:?}"));
        assert_eq!((json!(told.rows), told.cached), (json!([[7]]), true));
        let as_of: chrono::DateTime<chrono::Utc> = told.as_of.expect("a time").parse().expect("RFC 3339");
        let age = chrono::Utc::now() - as_of;
        assert!(age >= chrono::TimeDelta::zero() && age < chrono::TimeDelta::seconds(30), "{does:?}: {age}");
    }
}

#[tokio::test]
async fn a_source_that_refuses_is_not_silent() {
    for (does, code) in [(Does::RefusesTheLogin, "SOURCE_UNAVAILABLE"), (Does::RefusesTheQuery, "QUERY_FAILED")] {
        let told = asked(Some(60), does, Duration::ZERO, (viewer("acme"), stale())).await;
        assert_eq!(told.expect_err("an error").code().as_str(), code, "{does:?}");
    }
    let fresh = asked(Some(60), Does::Answers, Duration::ZERO, (viewer("acme"), stale())).await.expect("an answer");
    assert_eq!((fresh.cached, fresh.as_of), (false, None));
}

#[tokio::test]
async fn after_a_refusal_nothing_old_is_shown_until_the_source_answers() {
    let known = Known::new(Some(60)).await;
    let ask = async || known.ask(&viewer("acme"), &stale()).await.map(|answer| answer.as_of.is_some());
    known.now(Does::RefusesTheLogin);
    // After three refusals the source is left alone for some seconds: it does not answer, and is still one that refused.
    for number in 0..5 {
        assert!(ask().await.is_err(), "question {number}");
    }
    known.now(Does::Fails);
    assert!(ask().await.is_err(), "it refused last");
    known.now(Does::Answers);
    let mut told = ask().await;
    for _ in 0..40 {
        if told.is_ok() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
        told = ask().await;
    }
    assert_eq!(told.ok(), Some(false), "it answers again");
    known.now(Does::Fails);
    assert_eq!(ask().await.ok(), Some(true), "now it is only silent");
}

#[tokio::test]
async fn nobody_gets_old_rows_of_others_or_of_another_query_or_unasked() {
    let narrowed = Query { filters: vec![filter("orders", "region", json!("north"))], ..stale() };
    let unlike = [
        ("another customer", (viewer("globex"), stale())),
        ("another filter", (viewer("acme"), narrowed)),
        ("who shows no age", (viewer("acme"), Query { stale: false, ..stale() })),
        ("who wants fresh rows", (viewer("acme"), Query { refresh: true, ..stale() })),
    ];
    for (name, then) in unlike {
        let told = asked(Some(60), Does::Fails, Duration::ZERO, then).await;
        assert_eq!(told.expect_err(name).code().as_str(), "SOURCE_UNAVAILABLE", "{name}");
    }
    for (allowed, wait) in [(None, 0), (Some(0), 0), (Some(1), 1_100)] {
        let told = asked(allowed, Does::Fails, Duration::from_millis(wait), (viewer("acme"), stale())).await;
        assert_eq!(told.expect_err("too old").code().as_str(), "SOURCE_UNAVAILABLE", "{allowed:?}");
    }
}

#[tokio::test]
async fn a_database_that_no_longer_lets_its_connection_in_gives_no_old_rows() {
    const READER: &str = "inlay_stale_reader";
    let database = Database::postgres(SCHEMA, Limits::default()).await;
    let grant = format!(
        "drop role if exists {READER}; create role {READER} login password 'reader'; grant select on all tables in schema public to {READER}"
    );
    database.execute(&grant).await;
    let mut url: url::Url = database.source.url.parse().expect("an address");
    url.set_username(READER).expect("a user");
    url.set_password(Some("reader")).expect("a password");
    let limits = SourceLimits { cache_seconds: Some(0), stale_seconds: Some(60), ..SourceLimits::default() };
    let source = Source { limits, url: url.to_string(), ..database.source.clone() };
    let engine = engine(Limits::default());
    let ask = async |engine: &Engine| {
        let query = Query { stale: true, ..query("select id from orders order by id") };
        engine.run(&source, &catalog(), &viewer("acme"), &query).await
    };
    assert_eq!(ask(&engine).await.expect("an answer").rows.len(), 4);
    let closed = format!(
        "alter role {READER} nologin; select pg_terminate_backend(pid) from pg_stat_activity where usename = '{READER}'"
    );
    database.execute(&closed).await;
    let refused = ask(&engine).await;
    assert!(matches!(&refused, Err(QueryError::Refused(_))), "{refused:?}");
    database.execute(&format!("drop owned by {READER}; drop role {READER}")).await;
    database.remove().await;
}
