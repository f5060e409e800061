//! What a project file may say of addresses.

use super::Browser;
use crate::{
    connections,
    organizations::MemberRole,
    testing::{StoreKind, World},
};
use inlay_contract::ids::ConnectionId;
use inlay_query::{Source, SourceKind};
use std::{io::ErrorKind, net::TcpListener};

/// A port at which nothing answers.
fn nobody() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

/// A world whose project has a PostgreSQL connection `ledger` beside its own.
async fn with_ledger() -> (World, String) {
    let world = World::with(StoreKind::Sqlite, &["--allow-private-sources", "true"]).await;
    let url = format!("postgres://app:s3aled@127.0.0.1:{}/d", nobody());
    let source = Source::new(ConnectionId::generate(), "ledger", SourceKind::Postgres, &url);
    let mut tx = world.app.db.write().await.expect("a transaction");
    connections::store::put(&mut tx.conn(), &world.app.sealer, world.applied.project_id, &source).await.expect("stored");
    tx.commit().await.expect("committed");
    (world, url)
}

async fn addresses(world: &World) -> Vec<String> {
    let mut lease = world.app.db.read().await.expect("a connection");
    let all = connections::store::list(&mut lease.conn(), &world.app.sealer, world.applied.project_id).await.expect("read");
    all.into_iter().map(|source| source.url).collect()
}

fn file(connection: &str) -> String {
    format!("version: 1\nproject: {{ name: Shop }}\nconnections:\n  - {{ {connection} }}\n")
}

fn path(world: &World) -> String {
    format!("/console/projects/{}/file", world.applied.project_id)
}

#[tokio::test]
async fn a_sealed_address_goes_nowhere_else() {
    let (world, _) = with_ledger().await;
    let before = addresses(&world).await;
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.set_nonblocking(true).expect("set");
    let there = format!("127.0.0.1:{}", listener.local_addr().expect("an address").port());
    let mut browser = Browser::signed_in(&world, MemberRole::Owner).await;
    for connection in [
        format!("name: x, kind: postgres, url: \"postgres://u:p@{there}/d?application_name=${{LEDGER_URL}}\""),
        format!("name: ledger, kind: postgres, url: \"${{LEDGER_URL}}?host={}&port={}\"", "127.0.0.1", &there[10..]),
        format!("name: ledger, kind: clickhouse, url: \"http://{there}/${{LEDGER_URL}}\""),
        "name: ledger, kind: mysql, url: \"${LEDGER_URL}\"".to_owned(),
        "name: x, kind: postgres, url: \"${LEDGER_URL}\"".to_owned(),
        "name: warehouse, kind: sqlite, url: \"${WAREHOUSE_URL}/../other.db\"".to_owned(),
    ] {
        let refused = browser.submit(&path(&world), &[("file", &file(&connection))]).await;
        assert!(refused.status == 400 && refused.text.contains("reads a variable"), "{connection}: {}", refused.text);
        assert!(!refused.text.contains("s3aled"), "{}", refused.text);
        let reached = listener.accept().expect_err("nobody connects");
        assert_eq!(reached.kind(), ErrorKind::WouldBlock, "{connection}");
    }
    assert_eq!(addresses(&world).await, before);
}

#[tokio::test]
async fn a_connection_keeps_its_address_by_its_variable() {
    let (world, url) = with_ledger().await;
    let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
    let applied =
        browser.submit(&path(&world), &[("file", &file("name: ledger, kind: postgres, url: \"${LEDGER_URL}\""))]).await;
    assert_eq!(applied.status, 303, "{}", applied.text);
    assert!(addresses(&world).await.contains(&url));
}
