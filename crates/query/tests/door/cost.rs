//! The limits of a query: its source's connections, its time, and no effect on others.

use crate::databases::{Database, SCHEMA, catalog, query, viewer};
use inlay_contract::ids::ConnectionId;
use inlay_query::{Limits, Query, QueryError, SecurityContext, Source, SourceKind, SourceLimits};
use serde_json::json;
use std::time::{Duration, Instant};
use tokio::net::TcpListener;

/// Ten billion rows: hours of work for any database.
const ENDLESS: &str = "with d as (select 1 as i union all select 2 union all select 3 union all select 4 union all select 5 \
    union all select 6 union all select 7 union all select 8 union all select 9 union all select 10) select count(*) \
    from d a cross join d b cross join d c cross join d e cross join d f cross join d g cross join d h cross join d j \
    cross join d k cross join d l cross join rates";

/// A source that accepts connections and never responds.
async fn silent() -> Source {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((stream, _)) = listener.accept().await {
            held.push(stream);
        }
    });
    Source::new(ConnectionId::generate(), "silent", SourceKind::Postgres, format!("postgres://u:p@127.0.0.1:{port}/d"))
}

/// How many of the engine's queries the server is running.
async fn running(database: &Database) -> i64 {
    let sql = if database.is_mysql() {
        "select count(*) from information_schema.processlist where db = database() and id <> connection_id() and command in ('Query', 'Execute')"
    } else {
        "select count(*) from pg_stat_activity where datname = current_database() and application_name = 'inlay' and state = 'active'"
    };
    database.number(sql).await
}

async fn until(database: &Database, wanted: i64) {
    let start = Instant::now();
    while running(database).await != wanted {
        assert!(start.elapsed() < Duration::from_secs(5), "still {} running", running(database).await);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_source_that_never_answers_blocks_nobody_else() {
    let limits = Limits { timeout: Duration::from_secs(2), ..Limits::default() };
    Database::each(SCHEMA, limits, async |database| {
        let dead = silent().await;
        let ask_dead = |number: usize| {
            let (engine, dead) = (database.engine.clone(), dead.clone());
            tokio::spawn(async move {
                let sql = format!("select {number} from orders");
                engine.run(&dead, &catalog(), &viewer("acme"), &query(&sql)).await
            })
        };
        let dead: Vec<_> = (0..100).map(ask_dead).collect();
        tokio::time::sleep(Duration::from_millis(50)).await;
        for number in 0..20 {
            let start = Instant::now();
            database.rows("acme", &format!("select count(*), {number} from orders")).await;
            assert!(start.elapsed() < Duration::from_millis(1_000), "{:?}", start.elapsed());
        }
        for answer in dead {
            let problem = answer.await.expect("no panic").expect_err("nobody answers");
            assert!(matches!(problem, QueryError::Timeout(_) | QueryError::SourceUnavailable(_)), "{problem:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn what_gathers_behind_a_dead_source_has_an_end() {
    let limits = Limits { timeout: Duration::from_secs(20), waiting: 3, connections: 1, ..Limits::default() };
    let database = Database::postgres(SCHEMA, limits).await;
    let ask = |number: usize| {
        let (engine, source) = (database.engine.clone(), database.source.clone());
        let sql = format!("{ENDLESS} where {number} = {number}");
        tokio::spawn(async move { engine.run(&source, &catalog(), &viewer("acme"), &query(&sql)).await })
    };
    let waiting: Vec<_> = (0..3).map(ask).collect();
    until(&database, 1).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    let start = Instant::now();
    let refused = ask(4).await.expect("no panic").expect_err("one too many");
    assert!(refused.detail().contains("too many") && start.elapsed() < Duration::from_secs(1), "{refused:?}");
    waiting.iter().for_each(tokio::task::JoinHandle::abort);
    until(&database, 0).await;
    database.remove().await;
}

#[tokio::test]
async fn a_source_holds_no_more_connections_than_it_is_allowed() {
    let database = Database::postgres(SCHEMA, Limits::default()).await;
    let few = SourceLimits { max_connections: Some(2), ..SourceLimits::default() };
    let source = Source { limits: few, ..database.source.clone() };
    let ask = |number: usize| {
        let (engine, source) = (database.engine.clone(), source.clone());
        let sql = format!("{ENDLESS} where {number} = {number}");
        // Of six customers: one alone has half of the places.
        let viewer = SecurityContext { share: number as u128, ..viewer("acme") };
        tokio::spawn(async move { engine.run(&source, &catalog(), &viewer, &query(&sql)).await })
    };
    let waiting: Vec<_> = (0..6).map(ask).collect();
    until(&database, 2).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(running(&database).await, 2);
    waiting.iter().for_each(tokio::task::JoinHandle::abort);
    until(&database, 0).await;
    database.remove().await;
}

#[tokio::test]
async fn the_work_stops_in_the_source_when_the_last_viewer_leaves() {
    let limits = Limits { timeout: Duration::from_secs(60), connections: 1, ..Limits::default() };
    Database::each(SCHEMA, limits, async |database| {
        let ask = || {
            let (engine, source) = (database.engine.clone(), database.source.clone());
            tokio::spawn(async move { engine.run(&source, &catalog(), &viewer("acme"), &query(ENDLESS)).await })
        };
        let (one, other) = (ask(), ask());
        if !database.is_sqlite() {
            until(database, 1).await;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        one.abort();
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(!other.is_finished(), "the one who stays goes on waiting");
        if !database.is_sqlite() {
            assert_eq!(running(database).await, 1, "and the work goes on");
        }
        let start = Instant::now();
        other.abort();
        if !database.is_sqlite() {
            until(database, 0).await;
        }
        // The only connection is free again, long before any timeout.
        assert_eq!(json!(database.rows("acme", "select count(*) from orders").await), json!([[4]]));
        assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    })
    .await;
}

#[tokio::test]
async fn a_refresh_asks_the_source_and_replaces_what_is_remembered() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        let count = query("select count(*) from orders");
        let refresh = Query { refresh: true, ..count.clone() };
        let ask = async |query: &Query| {
            let answer = database.ask(&viewer("acme"), query).await.expect("an answer");
            (json!(answer.rows), answer.cached)
        };
        assert_eq!(ask(&count).await, (json!([[4]]), false));
        database.execute("delete from orders where id = 1").await;
        assert_eq!(ask(&count).await, (json!([[4]]), true));
        assert_eq!(ask(&refresh).await, (json!([[3]]), false));
        assert_eq!(ask(&count).await, (json!([[3]]), true));
    })
    .await;
}

#[tokio::test]
async fn connections_and_charts_say_how_old_an_answer_may_be() {
    let database = Database::sqlite(SCHEMA, Limits::default()).await;
    let never = SourceLimits { cache_seconds: Some(0), ..SourceLimits::default() };
    let careful = Source { limits: never, ..database.source.clone() };
    let count = query("select count(*) from orders");
    let cached = async |source: &Source, query: &Query| {
        let answer = database.engine.run(source, &catalog(), &viewer("acme"), query).await;
        answer.expect("an answer").cached
    };
    assert!(!cached(&careful, &count).await);
    assert!(!cached(&careful, &count).await, "the connection wants none remembered");
    let minute = Query { max_age: Some(Duration::from_secs(60)), ..count.clone() };
    assert!(!cached(&careful, &minute).await);
    assert!(cached(&careful, &minute).await, "the chart's word counts before the connection's");
    assert!(!cached(&careful, &count).await);
    let none = Query { max_age: Some(Duration::ZERO), ..count };
    assert!(!cached(&database.source, &none).await);
    database.remove().await;
    // With the cache turned off, nothing is cached.
    let off = Database::sqlite(SCHEMA, Limits { cache_ttl: Duration::ZERO, ..Limits::default() }).await;
    for _ in 0..2 {
        assert!(!off.ask(&viewer("acme"), &minute).await.expect("an answer").cached);
    }
    off.remove().await;
}

#[tokio::test]
async fn viewers_of_one_dashboard_cost_one_run_for_each_of_their_rights() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        const COMPANIES: [&str; 4] = ["acme", "globex", "initech", "' OR '1'='1"];
        let ask = |number: usize| {
            let company = COMPANIES[number % COMPANIES.len()];
            let (engine, source) = (database.engine.clone(), database.source.clone());
            tokio::spawn(async move {
                let question = query("select count(*) from orders, rates, rates as r");
                let answer = engine.run(&source, &catalog(), &viewer(company), &question).await.expect("an answer");
                (company, answer.cached, json!(answer.rows).to_string())
            })
        };
        let asked: Vec<_> = (0..64).map(ask).collect();
        let mut answers = Vec::new();
        for answer in asked {
            answers.push(answer.await.expect("no panic"));
        }
        for (company, rows) in [("acme", "[[16]]"), ("globex", "[[8]]"), ("initech", "[[0]]"), ("' OR '1'='1", "[[4]]")] {
            let own: Vec<_> = answers.iter().filter(|(asker, _, _)| *asker == company).collect();
            assert_eq!(own.len(), 16);
            assert!(own.iter().all(|(_, _, answer)| answer == rows), "{company}");
            assert_eq!(own.iter().filter(|(_, cached, _)| !cached).count(), 1, "{company}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_remembered_answer_comes_at_once() {
    let database = Database::postgres(SCHEMA, Limits::default()).await;
    let question = query("select region, count(*), sum(amount) from orders where placed > '2024-01-01' group by region");
    database.ask(&viewer("acme"), &question).await.expect("an answer");
    let mut times = Vec::new();
    for _ in 0..51 {
        let start = Instant::now();
        assert!(database.ask(&viewer("acme"), &question).await.expect("an answer").cached);
        times.push(start.elapsed());
    }
    times.sort();
    // A debug build on a busy machine. `make bench` measures the release build.
    assert!(times[25] < Duration::from_millis(20), "{:?}", times[25]);
    database.remove().await;
}
