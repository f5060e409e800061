//! Customers of one source beside each other, and sources that go away.

use crate::databases::{Database, SCHEMA, engine, query, viewer};
use inlay_contract::ids::ConnectionId;
use inlay_query::{Limits, QueryError, SecurityContext, Source, SourceKind};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;

/// A viewer of a company, whose queries take that company's share.
fn of(company: &str, share: u128) -> SecurityContext {
    SecurityContext { share, ..viewer(company) }
}

/// Asks different short questions one after another. Returns how long they took, the longest last.
async fn times(database: &Database, viewer: &SecurityContext, from: usize, count: usize) -> Vec<Duration> {
    let mut times = Vec::new();
    for number in from..from + count {
        let begun = Instant::now();
        let sql = format!("select id from orders where id <> {number}");
        database.ask(viewer, &query(&sql)).await.expect("an answer");
        times.push(begun.elapsed());
    }
    times.sort_unstable();
    times
}

#[tokio::test(flavor = "multi_thread")]
async fn a_customer_s_long_questions_leave_places_to_the_others() {
    let limits = Limits { connections: 4, timeout: Duration::from_secs(12), ..Limits::default() };
    Database::each(SCHEMA, limits, async |database| {
        let (acme, globex) = (of("acme", 1), of("globex", 2));
        let alone = times(database, &globex, 1_000, 20).await;
        let long = |number: usize| {
            query(&format!("with recursive n(i) as (select {number} union all select i + 1 from n where i < 900000000) select count(*) from n"))
        };
        let questions: Vec<_> = (0..12).map(long).collect();
        let many = futures::future::join_all(questions.iter().map(|long| database.ask(&acme, long)));
        let beside = async {
            tokio::time::sleep(Duration::from_millis(500)).await;
            times(database, &globex, 2_000, 40).await
        };
        let (_, beside) = futures::future::join(many, beside).await;
        let longest = |times: &[Duration]| times.last().copied().unwrap_or_default();
        assert!(longest(&beside) < Duration::from_secs(1), "alone {:?}, beside long questions {beside:?}", longest(&alone));
    })
    .await;
}

#[tokio::test]
async fn columns_are_known_while_their_source_is_away() {
    let limits = Limits { schema_ttl: Duration::from_millis(50), ..Limits::default() };
    let database = Database::sqlite(SCHEMA, limits).await;
    let has = async |column: &str| database.engine.has_column(&database.source, "orders", column).await;
    assert!(has("region").await.expect("told"));
    let path = database
        .source
        .url
        .trim_start_matches("sqlite:")
        .trim_start_matches("//")
        .split('?')
        .next()
        .unwrap_or_default()
        .to_owned();
    let away = format!("{path}.away");
    std::fs::rename(&path, &away).expect("moved");
    tokio::time::sleep(Duration::from_millis(100)).await;
    for _ in 0..3 {
        assert!(has("region").await.expect("told") && !has("nothing").await.expect("told"));
    }
    let current = database.engine.describe(&database.source, "orders").await;
    assert!(matches!(current, Err(QueryError::SourceUnavailable(_))), "{current:?}");
    std::fs::rename(&away, &path).expect("moved back");
    database.execute("alter table orders add column later integer").await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(has("later").await.expect("told"), "it is back");
    database.remove().await;
}

#[tokio::test]
async fn a_closed_port_is_told_at_once() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    for (kind, scheme) in [(SourceKind::Postgres, "postgres"), (SourceKind::Mysql, "mysql")] {
        let source = Source::new(ConnectionId::generate(), "gone", kind, format!("{scheme}://u:p@{address}/d"));
        let engine = engine(Limits::default());
        let begun = Instant::now();
        let told = engine.describe(&source, "t").await;
        assert!(matches!(&told, Err(QueryError::SourceUnavailable(_))), "{told:?}");
        assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    }
}
