//! A network that goes silent: nothing arrives any more, and nothing tells so.

use crate::{
    databases::{Database, SCHEMA, catalog, engine, query, viewer},
    server::{Server, text},
};
use axum::{body::Body, response::Response};
use futures::StreamExt;
use inlay_contract::ids::ConnectionId;
use inlay_query::{Engine, Limits, Source, SourceKind};
use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
};

/// A way to a server on which connections can go silent.
struct Way {
    address: SocketAddr,
    /// The connections so far.
    made: Arc<AtomicUsize>,
    /// Those with lower numbers carry nothing any more.
    silent_below: Arc<AtomicUsize>,
}

impl Way {
    async fn to(server: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (made, silent_below) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let way = Self { address, made: Arc::clone(&made), silent_below: Arc::clone(&silent_below) };
        tokio::spawn(async move {
            while let Ok((inside, _)) = listener.accept().await {
                let outside = TcpStream::connect(&server).await.expect("the server");
                let number = made.fetch_add(1, Ordering::SeqCst);
                let ((from, to), (back_from, back_to)) = (inside.into_split(), outside.into_split());
                tokio::spawn(carry(from, back_to, number, Arc::clone(&silent_below)));
                tokio::spawn(carry(back_from, to, number, Arc::clone(&silent_below)));
            }
        });
        way
    }

    /// Silences all connections that there are, once they have rested.
    async fn silence(&self) {
        tokio::time::sleep(Duration::from_millis(300)).await;
        self.silent_below.store(self.made.load(Ordering::SeqCst), Ordering::SeqCst);
    }
}

async fn carry(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, number: usize, silent_below: Arc<AtomicUsize>) {
    let mut bytes = [0; 4096];
    while let Ok(length @ 1..) = from.read(&mut bytes).await {
        if number < silent_below.load(Ordering::SeqCst) {
            // Neither carried on nor closed.
            std::future::pending::<()>().await;
        }
        if to.write_all(&bytes[..length]).await.is_err() {
            return;
        }
    }
}

async fn rows(engine: &Engine, source: &Source, sql: &str) -> Result<usize, &'static str> {
    let answer = engine.run(source, &catalog(), &viewer("acme"), &query(sql)).await;
    answer.map(|answer| answer.rows.len()).map_err(|problem| problem.code().as_str())
}

#[tokio::test]
async fn a_silent_network_takes_no_connection_away_for_good() {
    let database = Database::postgres(SCHEMA, Limits::default()).await;
    let mut url: url::Url = database.source.url.parse().expect("an address");
    let way = Way::to(format!("{}:{}", url.host_str().expect("a host"), url.port().unwrap_or(5432))).await;
    url.set_host(Some("127.0.0.1")).expect("a host");
    url.set_port(Some(way.address.port())).expect("a port");
    // One customer has half of the places: two.
    let limits = Limits { connections: 4, timeout: Duration::from_secs(2), ..Limits::default() };
    let (engine, source) =
        (engine(limits), Source { id: ConnectionId::generate(), url: url.into(), ..database.source.clone() });
    let both = async |number: usize| {
        let [one, other] = [0, 1].map(|which| format!("select id, {number}{which} as n from orders"));
        let (one, other) = tokio::join!(rows(&engine, &source, &one), rows(&engine, &source, &other));
        [one, other]
    };
    // On a busy machine a connection may not be back in the pool when all become silent. Then no query meets it.
    let mut numbers = 1..40;
    let mut failed = 0;
    while failed == 0 {
        assert_eq!(both(numbers.next().expect("a query that meets a silent connection")).await, [Ok(4), Ok(4)]);
        way.silence().await;
        // The network is back for new connections. The silent ones do not hold the two places: each fails one query at most.
        let silent = way.silent_below.load(Ordering::SeqCst);
        loop {
            let answers = both(numbers.next().expect("two queries that are answered")).await;
            for told in answers.iter().filter_map(|answer| answer.err()) {
                // After three queries without an answer, the source is left alone for a while.
                assert!(told == "QUERY_TIMEOUT" || failed >= 3 && told == "SOURCE_UNAVAILABLE", "{answers:?} after {failed}");
                failed += usize::from(told == "QUERY_TIMEOUT");
            }
            assert!(failed <= silent, "{failed} queries failed over {silent} silent connections");
            if answers == [Ok(4), Ok(4)] {
                break;
            }
            if answers.contains(&Err("SOURCE_UNAVAILABLE")) {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
    }
    database.remove().await;
}

#[tokio::test]
async fn a_silent_network_while_columns_are_read_takes_none_either() {
    let database = Database::postgres(SCHEMA, Limits::default()).await;
    let mut url: url::Url = database.source.url.parse().expect("an address");
    let way = Way::to(format!("{}:{}", url.host_str().expect("a host"), url.port().unwrap_or(5432))).await;
    url.set_host(Some("127.0.0.1")).expect("a host");
    url.set_port(Some(way.address.port())).expect("a port");
    let limits = Limits { connections: 1, timeout: Duration::from_millis(1_500), ..Limits::default() };
    let (engine, source) =
        (engine(limits), Source { id: ConnectionId::generate(), url: url.into(), ..database.source.clone() });
    assert_eq!(rows(&engine, &source, "select id from orders").await, Ok(4));
    way.silence().await;
    assert_eq!(engine.describe(&source, "rates").await.map_err(|problem| problem.code().as_str()).err(), Some("QUERY_TIMEOUT"));
    assert_eq!(rows(&engine, &source, "select id from rates").await, Ok(2));
    database.remove().await;
}

/// The most questions of all that a server works on at a time.
async fn at_once(kind: SourceKind, columns: &'static str, answer: &'static str) -> usize {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let seen = Arc::clone(&most);
    let server = Server::new(move |asked, _| {
        if asked.body.contains("columns") {
            return text(200, columns);
        }
        seen.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        let now = Arc::clone(&now);
        let body = futures::stream::once(async move {
            tokio::time::sleep(Duration::from_millis(50)).await;
            now.fetch_sub(1, Ordering::SeqCst);
            Ok::<_, std::io::Error>(answer)
        });
        Response::new(Body::from_stream(body.boxed()))
    })
    .await;
    let source = Source::new(ConnectionId::generate(), "far", kind, format!("{kind}://ada@{}/sales/web", server.address));
    // One customer has half of the places: three.
    let engine = engine(Limits { connections: 6, ..Limits::default() });
    let questions: Vec<_> = (0..20).map(|number| format!("select id, {number} as n from orders")).collect();
    let asked = futures::future::join_all(questions.iter().map(|sql| rows(&engine, &source, sql))).await;
    assert_eq!(asked, [Ok(1); 20], "each is answered in its turn");
    most.load(Ordering::SeqCst)
}

#[tokio::test]
async fn connections_over_http_are_limited_too() {
    let columns = "[\"name\",\"type\"]\n[\"String\",\"String\"]\n[\"id\",\"UInt64\"]\n[\"company_id\",\"String\"]\n";
    let answer = "[\"id\",\"n\"]\n[\"UInt64\",\"UInt8\"]\n[\"1\",1]\n";
    assert_eq!(at_once(SourceKind::Clickhouse, columns, answer).await, 3);
    let columns = r#"{"columns": [{"name": "column_name", "type": "varchar"}, {"name": "data_type", "type": "varchar"}],
        "data": [["id", "bigint"], ["company_id", "varchar"]]}"#;
    let answer = r#"{"columns": [{"name": "id", "type": "bigint"}, {"name": "n", "type": "bigint"}], "data": [[1, 1]]}"#;
    assert_eq!(at_once(SourceKind::Trino, columns, answer).await, 3);
}
