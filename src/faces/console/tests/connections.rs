//! A connection's form: its address in parts, pasted as a whole, and the stored password.

use super::{Browser, browser::target};
use crate::{
    concepts::{connections, organizations::MemberRole},
    testing::{StoreKind, World},
};
use inlay_contract::ids::ConnectionId;
use inlay_query::{Source, SourceKind};
use std::net::TcpListener;

const SECRET: &str = "p@ss:w0rd/#";
const WRITTEN: &str = "p%40ss%3Aw0rd%2F%23";

fn list(world: &World) -> String {
    format!("/console/projects/{}/connections", world.applied.project_id)
}

async fn world() -> World {
    let folder = std::env::temp_dir().to_string_lossy().into_owned();
    World::with(StoreKind::Sqlite, &["--sqlite-folders", &folder, "--allow-private-sources", "true"]).await
}

/// The tag of a field.
fn tag<'p>(page: &'p str, name: &str) -> &'p str {
    let (before, after) = page.split_once(&format!(" name=\"{name}\"")).expect(name);
    let begin = before.rfind('<').expect("a tag");
    &page[begin..page.len() - after.len() + after.find('>').expect("its end")]
}

/// The fields with errors.
fn wrong(page: &str) -> Vec<&'static str> {
    let fields =
        ["url", "host", "port", "database", "user", "password", "encrypted", "path", "catalog", "schema", "parameters"];
    fields.into_iter().filter(|name| tag(page, name).contains("aria-invalid=\"true\"")).collect()
}

/// The form as a browser sends it: also the fields that are empty.
fn form<'f>(kind: &'f str, fields: &[(&'f str, &'f str)]) -> Vec<(&'f str, &'f str)> {
    let mut all = vec![("name", "second"), ("kind", kind), ("auth", "none"), ("url", "")];
    all.extend(
        ["host", "port", "database", "user", "password", "path", "catalog", "schema", "parameters"].map(|name| (name, "")),
    );
    all.retain(|(name, _)| fields.iter().all(|(given, _)| given != name));
    all.extend_from_slice(fields);
    all
}

/// A port on which nothing listens.
fn closed_port() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port().to_string()
}

/// Stores a connection to a PostgreSQL server on a port of this machine. Returns its page.
async fn stored(world: &World, port: &str) -> String {
    let url = format!("postgres://reader:{WRITTEN}@127.0.0.1:{port}/shop?application_name=inlay");
    let source = Source::new(ConnectionId::generate(), "server", SourceKind::Postgres, url);
    let mut tx = world.app.db.write().await.expect("a transaction");
    connections::put(&mut tx.conn(), &world.app.sealer, world.applied.project_id, &source).await.expect("stored");
    tx.commit().await.expect("committed");
    world.app.refresh().await.expect("refreshed");
    format!("{}/{}", list(world), source.id)
}

#[tokio::test]
async fn a_file_is_connected_by_its_path_or_by_its_address() {
    let world = world().await;
    let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
    let warehouse = format!("{}/{}", list(&world), world.applied.connections["warehouse"]);
    let page = browser.get(&warehouse).await.text;
    let (_, rest) = tag(&page, "path").split_once("value=\"").expect("a path");
    let path = rest.split('"').next().expect("its end").to_owned();
    let made = browser.submit(&list(&world), &form("sqlite", &[("path", &path)])).await;
    assert!(target(&made).starts_with(&list(&world)));
    // The address wins, also over the chosen kind.
    let url = format!("sqlite:{path}");
    let made = browser.submit(&list(&world), &form("postgres", &[("name", "third"), ("url", &url), ("host", "x")])).await;
    assert!(browser.get(target(&made)).await.text.contains(&format!("value=\"{path}\"")));
    let alone = [("name", "fourth"), ("kind", "postgres"), ("url", url.as_str()), ("auth", "none")];
    let refused = browser.submit(&list(&world), &alone).await;
    assert!(refused.status == 400 && refused.text.contains("must begin with postgres://"), "{}", refused.text);
    let unchanged = form("sqlite", &[("name", "warehouse"), ("path", &path), ("cacheSeconds", "5")]);
    assert_eq!(browser.save(&warehouse, &unchanged).await.status, 303);
}

#[tokio::test]
async fn files_are_offered_only_where_the_operator_named_folders() {
    let closed = World::with(StoreKind::Sqlite, &[]).await;
    let mut browser = Browser::signed_in(&closed, MemberRole::Member).await;
    let page = browser.get(&format!("{}/new", list(&closed))).await.text;
    assert!(page.contains("value=\"postgres\"") && !page.contains("value=\"sqlite\""), "{page}");
    assert!(page.contains("must first name their folders in INLAY_SQLITE_FOLDERS"), "{page}");
    // A connection of the project file stays what it is when its form is saved.
    let warehouse = format!("{}/{}", list(&closed), closed.applied.connections["warehouse"]);
    let page = browser.get(&warehouse).await.text;
    let own = page.split("<option").find(|option| option.contains("value=\"sqlite\"")).expect("its own kind");
    assert!(own.split('>').next().is_some_and(|option| option.contains("selected")), "{own}");

    let open = world().await;
    let mut browser = Browser::signed_in(&open, MemberRole::Member).await;
    let page = browser.get(&format!("{}/new", list(&open))).await.text;
    assert!(page.contains("value=\"sqlite\"") && !page.contains("INLAY_SQLITE_FOLDERS"), "{page}");
}

#[tokio::test]
async fn relatives_of_postgres_are_taken_by_their_schemes() {
    let world = world().await;
    let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
    let port = closed_port();
    for scheme in ["cockroachdb", "cockroach", "redshift", "postgresql"] {
        let url = format!("{scheme}://reader:{WRITTEN}@127.0.0.1:{port}/shop");
        for fields in
            [vec![("name", "second"), ("kind", "postgres"), ("url", &*url), ("auth", "none")], form("mysql", &[("url", &url)])]
        {
            // The address was taken: its server was looked for, and does not listen.
            let refused = browser.submit(&list(&world), &fields).await;
            assert_eq!((refused.status.as_u16(), wrong(&refused.text)), (422, vec!["url"]), "{scheme}: {}", refused.text);
        }
    }
    let other = format!("oracle://reader@127.0.0.1:{port}/shop");
    let refused = browser.submit(&list(&world), &form("postgres", &[("url", &other)])).await;
    assert!(refused.status == 400 && refused.text.contains("cockroach:// or redshift://"), "{}", refused.text);
}

#[tokio::test]
async fn the_port_of_an_address_is_the_one_that_it_names() {
    let world = world().await;
    let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
    let source =
        Source::new(ConnectionId::generate(), "events", SourceKind::Clickhouse, "https://reader@db.invalid:443/events");
    let mut tx = world.app.db.write().await.expect("a transaction");
    connections::put(&mut tx.conn(), &world.app.sealer, world.applied.project_id, &source).await.expect("stored");
    tx.commit().await.expect("committed");
    world.app.refresh().await.expect("refreshed");
    let page = browser.get(&format!("{}/{}", list(&world), source.id)).await.text;
    assert!(tag(&page, "port").contains("value=\"443\"") && tag(&page, "encrypted").contains("checked"), "{page}");
}

#[tokio::test]
async fn each_error_is_told_once_at_its_field() {
    let world = world().await;
    let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
    let port = closed_port();
    let missing = std::env::temp_dir().join("there-is-no-such-file.db").to_string_lossy().into_owned();
    let server = [("host", "127.0.0.1"), ("port", port.as_str()), ("user", "reader"), ("password", SECRET)];
    for (kind, fields, at, told) in [
        ("postgres", vec![], vec!["host", "user"], ""),
        ("postgres", [&server[..], &[("port", "x")]].concat(), vec!["port"], "from 1 to 65535"),
        ("postgres", [&server[..], &[("parameters", "host=10.0.0.1")]].concat(), vec!["parameters"], "has a field of its own"),
        ("postgres", server.to_vec(), vec!["port"], "Nothing listens at this host and port"),
        ("postgres", [&server[..], &[("host", "no.invalid")]].concat(), vec!["host"], "The host name does not exist"),
        ("trino", server.to_vec(), vec!["encrypted"], "only over TLS"),
        ("sqlite", vec![("path", "shop.db")], vec!["path"], "must begin with /"),
        ("sqlite", vec![("path", missing.as_str())], vec!["path"], "No file exists at this path"),
    ] {
        // A later value of a field replaces an earlier one.
        let refused = browser.submit(&list(&world), &form(kind, &fields)).await;
        assert!([400, 422].contains(&refused.status.as_u16()), "{kind} {told}: {}", refused.status);
        assert_eq!(wrong(&refused.text), at, "{kind} {told}");
        assert!(told.is_empty() || refused.text.matches(told).count() == 1, "{kind} {told}: {}", refused.text);
        assert!(!refused.text.contains(SECRET) && !refused.text.contains(WRITTEN), "the password is not sent back");
    }
    let url = format!("postgres://reader:{WRITTEN}@127.0.0.1:{port}/shop");
    let refused =
        browser.submit(&list(&world), &[("name", "second"), ("kind", "postgres"), ("url", &url), ("auth", "none")]).await;
    assert_eq!((refused.status.as_u16(), wrong(&refused.text)), (422, vec!["url"]));
    assert!(!refused.text.contains("127.0.0.1"), "an address is never sent back");
}

#[tokio::test]
async fn a_stored_password_stays_with_its_server() {
    let world = world().await;
    let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
    let port = closed_port();
    let path = stored(&world, &port).await;
    let page = browser.get(&path).await.text;
    for (name, value) in [
        ("host", "127.0.0.1"),
        ("port", &*port),
        ("database", "shop"),
        ("user", "reader"),
        ("parameters", "application_name=inlay"),
    ] {
        assert!(tag(&page, name).contains(&format!("value=\"{value}\"")), "{name}: {page}");
    }
    assert!(page.contains("Leave empty to keep it.") && !page.contains("w0rd"), "{page}");
    let elsewhere = TcpListener::bind("127.0.0.1:0").expect("a port");
    elsewhere.set_nonblocking(true).expect("not blocking");
    let other = elsewhere.local_addr().expect("an address").port().to_string();
    let same = [("name", "server"), ("host", "127.0.0.1"), ("port", port.as_str()), ("database", "shop"), ("user", "reader")];
    let sent = async |browser: &mut Browser<'_>, kind: &'static str, changes: &[(&str, &str)]| {
        let fields: Vec<_> = same.into_iter().filter(|(name, _)| changes.iter().all(|(changed, _)| changed != name)).collect();
        let refused = browser.save(&path, &form(kind, &[&fields[..], changes].concat())).await;
        assert!(!refused.text.contains("w0rd"), "{}", refused.text);
        (refused.status.as_u16(), wrong(&refused.text))
    };
    for changes in
        [&[("port", other.as_str())][..], &[("host", "127.0.0.2")], &[("parameters", "sslmode=prefer"), ("port", &other)]]
    {
        assert_eq!(sent(&mut browser, "postgres", changes).await, (400, vec!["password"]), "{changes:?}");
    }
    assert_eq!(sent(&mut browser, "mysql", &[]).await, (400, vec!["password"]));
    assert!(elsewhere.accept().is_err(), "nothing was connected to");
    // On the same server it is used, which does not respond here.
    for changes in [&[("database", "other")][..], &[("user", "writer")], &[("password", "typed again"), ("database", "x")]] {
        assert_eq!(sent(&mut browser, "postgres", changes).await, (422, vec!["port"]), "{changes:?}");
    }
}

#[tokio::test]
async fn an_address_that_was_only_tried_says_nothing_about_the_stored_one() {
    let world = world().await;
    let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
    let open = connections::open(&world.app, world.applied.connections["warehouse"]).await.expect("a connection");
    let source = &open.source;
    let path = format!("{}/{}", list(&world), source.id);
    let mistyped = world.folder().join("warehose.db");
    let fields = form("sqlite", &[("name", "warehouse"), ("path", mistyped.to_str().expect("a path"))]);
    let refused = browser.save(&path, &fields).await;
    assert_eq!((refused.status.as_u16(), wrong(&refused.text)), (422, vec!["path"]), "{}", refused.text);
    assert_eq!(world.app.engine.failing_for(source), None, "the stored file was not asked");
}
