//! The URLs that a project file may contain.

use super::Browser;
use crate::{
    concepts::{connections, organizations::MemberRole},
    testing::{StoreKind, World},
};
use inlay_contract::ids::ConnectionId;
use inlay_query::{Source, SourceKind};
use std::{io::ErrorKind, net::TcpListener};

/// A port on which nothing listens.
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
    connections::put(&mut tx.conn(), &world.app.sealer, world.applied.project_id, &source).await.expect("stored");
    tx.commit().await.expect("committed");
    (world, url)
}

async fn addresses(world: &World) -> Vec<String> {
    let mut lease = world.app.db.read().await.expect("a connection");
    let all = connections::list(&mut lease.conn(), &world.app.sealer, world.applied.project_id).await.expect("read");
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
    let applied = browser.save(&path(&world), &[("file", &file("name: ledger, kind: postgres, url: \"${LEDGER_URL}\""))]).await;
    assert_eq!(applied.status, 303, "{}", applied.text);
    assert!(addresses(&world).await.contains(&url));
}

/// The text of a page without its tags.
fn told(page: &str) -> String {
    let mut text = String::new();
    let mut within = false;
    for letter in page.chars() {
        match letter {
            '<' => within = true,
            '>' => within = false,
            _ if within => {}
            _ => text.push(letter),
        }
    }
    text
}

#[tokio::test]
async fn comparing_tells_what_applying_does_or_why_it_is_refused() {
    let world = World::new(StoreKind::Sqlite).await;
    let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
    let page = browser.get(&path(&world)).await.text;
    let (_, rest) = page.split_once("aria-label=\"Project file\">").expect("the export");
    let yaml = rest
        .split('<')
        .next()
        .expect("text")
        .replace("&quot;", "\"")
        .replace("&#x27;", "'")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
    let compare = async |browser: &mut Browser<'_>, text: &str| {
        let reply = browser.submit(&path(&world), &[("file", text), ("compare", "on")]).await;
        (reply.status.as_u16(), told(&reply.text))
    };
    let (status, same) = compare(&mut browser, &yaml).await;
    assert!(status == 200 && same.contains("Applying this file would change nothing."), "{same}");
    let (_, renamed) = compare(&mut browser, &yaml.replace("Analyst", "Watcher")).await;
    for part in [
        "Applying this file would create 1 object.",
        "Created role Watcher",
        "Stays, although the file does not name it role Analyst",
    ] {
        assert!(renamed.contains(part), "{part}: {renamed}");
    }
    let url = yaml.lines().find(|line| line.contains("url:")).expect("an address");
    for (text, part) in [
        (String::new(), "is empty: paste a project file, or choose one"),
        (yaml.replacen("name: Shop", "name: Another", 1), "the file is for the project `Another`"),
        (yaml.replace("chart: Count", "chart: Nothing"), "there is no chart named `Nothing`"),
        (yaml.replace(url, "  url: ${HOME}"), "reads a variable"),
        (yaml.replace(url, "  url: sqlite:/etc/passwd"), "the address"),
    ] {
        let (status, refused) = compare(&mut browser, &text).await;
        assert!(
            status == 400 && refused.contains(part) && refused.contains("Applying this file would be refused."),
            "{part}: {refused}"
        );
        let (status, applied) = {
            let reply = browser.save(&path(&world), &[("file", &text)]).await;
            (reply.status.as_u16(), told(&reply.text))
        };
        assert!(status == 400 && applied.contains(part) && applied.contains("Nothing was applied."), "{part}: {applied}");
    }
}

#[tokio::test]
async fn a_file_that_others_have_overtaken_is_not_applied_unseen() {
    let world = World::new(StoreKind::Sqlite).await;
    let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
    let page = browser.get(&path(&world)).await.text;
    let seen_on =
        |page: &str| page.split_once("name=\"seen\" value=\"").and_then(|(_, rest)| rest.split('"').next()).map(str::to_owned);
    let seen = seen_on(&page).expect("a fingerprint");
    let text = "version: 1\nproject: { name: Shop, timezone: UTC }\n";
    world.apply(&World::project_file().replace("name: Shop,", "name: Shop, timezone: Europe/Berlin,")).await.expect("applied");
    let refused = browser.submit(&path(&world), &[("file", text), ("seen", &seen)]).await;
    assert_eq!(refused.status, 409, "{}", refused.text);
    let words = told(&refused.text);
    assert!(words.contains("This project was changed since you opened the page") && words.contains("timezone"), "{words}");
    let again = seen_on(&refused.text).expect("a fingerprint");
    assert_ne!(again, seen);
    assert_eq!(browser.submit(&path(&world), &[("file", text), ("seen", &again)]).await.status, 303);
}

#[tokio::test]
async fn a_file_that_takes_away_what_is_used_names_the_uses_and_asks() {
    let world = World::new(StoreKind::Sqlite).await;
    let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
    let shown = |page: &str, name: &str| {
        let (_, rest) = page.split_once(&format!("name=\"{name}\" value=\""))?;
        rest.split('"').next().map(str::to_owned)
    };
    let page = browser.get(&path(&world)).await.text;
    let seen = shown(&page, "seen").expect("a fingerprint");
    let source = format!("url: \"sqlite:{}\"", world.folder().join("warehouse.db").display());
    let text = World::project_file().replace("url: \"sqlite:warehouse.db\"", &source);
    let text =
        text.replace("{{organization.company}}\" }", "{{organization.company}}\", columns: { amount: { hidden: true } } }");
    let compared = browser.submit(&path(&world), &[("file", &text), ("seen", &seen), ("compare", "on")]).await;
    let words = told(&compared.text);
    assert!(words.contains("column amount of warehouse.orders is hidden") && words.contains("chart Orders"), "{words}");
    let asked = browser.submit(&path(&world), &[("file", &text), ("seen", &seen)]).await;
    let words = told(&asked.text);
    assert!(asked.status == 409 && words.contains("Nothing was applied yet") && words.contains("chart Orders"), "{words}");
    let despite = shown(&asked.text, "despiteUses").expect("what was told");
    assert_eq!(shown(&compared.text, "despiteUses").as_ref(), Some(&despite));
    let applied = browser.submit(&path(&world), &[("file", &text), ("seen", &seen), ("despiteUses", &despite)]).await;
    assert_eq!(applied.status, 303, "{}", applied.text);
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_told_beside_its_field() {
    let world = World::new(StoreKind::Sqlite).await;
    let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
    let picture = browser.upload(&path(&world), &[("file", "version: 1")], ("upload", b"\x89PNG\r\n\x1a\n")).await;
    let words = told(&picture.text);
    assert!(picture.status == 400 && words.contains("is not UTF-8 text") && words.contains("Nothing was applied."), "{words}");
    assert!(picture.text.contains("version: 1</textarea>"), "what was typed stays: {}", picture.text);
    let large = browser.upload(&path(&world), &[("file", "version: 1")], ("upload", &vec![b'a'; 2 << 20])).await;
    let words = told(&large.text);
    assert!(large.status == 413 && words.contains("is too large: file and text together may have at most 1024 KiB"), "{words}");
    let foreign = browser.upload(&path(&world), &[("csrf", "another session's")], ("upload", b"\xff")).await;
    assert_eq!(foreign.status, 403, "{}", foreign.text);
}
