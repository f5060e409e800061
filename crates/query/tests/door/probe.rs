//! The columns of a query, without reading a row.

use crate::databases::{Database, SCHEMA, catalog};
use inlay_query::{Limits, Probed, Source, SourceKind};
use std::time::{Duration, Instant};

#[tokio::test]
async fn a_query_is_tried_without_rows() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        let Database { engine, source, .. } = database;
        let probe = async |sql: &str| engine.probe(source, &catalog(), sql).await;
        let names = |probed: Probed| match probed {
            Probed::Gives(columns) => columns.into_iter().map(|column| column.name).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        };
        let sql = "select region, count(*) as n, sum(amount) as total from orders group by region";
        assert_eq!(names(probe(sql).await), ["region", "n", "total"], "a table with a rule, without anybody asking");
        assert_eq!(names(probe("select note from notes").await), ["note"], "a table that is closed");
        assert!(!names(probe("select * from orders").await).contains(&"margin".to_owned()));
        let refused = async |sql: &str| match probe(sql).await {
            Probed::Refused(told) => told,
            other => panic!("{sql}: {other:?}"),
        };
        let hidden = refused("select region, sum(margin) as m from orders group by region").await;
        assert!(hidden.contains("`margin` of orders is hidden from project users"), "{hidden}");
        let unknown = refused("select nothing_like_it from orders").await;
        assert!(!unknown.contains("hidden") && !unknown.is_empty(), "{unknown}");
        assert!(refused("select * from unlisted").await.contains("unlisted"));
        assert!(!refused("select count(* from orders").await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_source_that_is_away_refuses_no_query() {
    let database = Database::postgres("", Limits::default()).await;
    let mut url: url::Url = database.source.url.parse().expect("an address");
    url.set_port(Some(1)).expect("a port");
    let away = Source { url: url.to_string(), ..database.source.clone() };
    assert_eq!(database.engine.probe(&away, &catalog(), "select region from orders").await, Probed::Unasked);
}

#[tokio::test]
async fn a_closed_port_is_told_at_once_whatever_the_database() {
    let database = Database::postgres("", Limits::default()).await;
    for (kind, scheme) in [
        (SourceKind::Postgres, "postgres"),
        (SourceKind::Mysql, "mysql"),
        (SourceKind::Clickhouse, "clickhouse"),
        (SourceKind::Trino, "trino"),
    ] {
        let closed =
            Source::new(inlay_contract::ids::ConnectionId::generate(), "w", kind, format!("{scheme}://u@127.0.0.1:1/d"));
        let began = Instant::now();
        let told = database.engine.check(&closed).await.expect_err("nothing is there");
        assert!(told.detail().contains("connection refused"), "{scheme}: {}", told.detail());
        assert!(began.elapsed() < Duration::from_secs(5), "{scheme}: the database's own time limit was waited for");
    }
}
