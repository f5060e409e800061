use super::*;
use crate::source::{Source, SourceKind};
use inlay_contract::ids::ConnectionId;
use std::sync::Arc;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, UnixStream},
};

fn source(kind: SourceKind, url: &str) -> Source {
    Source::new(ConnectionId::generate(), "warehouse", kind, url)
}

fn allowing(text: &str) -> Addresses {
    Addresses::default().with_private(text.parse().expect("a list"))
}

async fn verdict(addresses: &Addresses, url: &str) -> Result<(), String> {
    addresses.check(&source(SourceKind::Postgres, url)).await.map_err(|refused| refused.to_string())
}

#[test]
fn the_operators_list_is_read_or_refused() {
    assert_eq!("true".parse(), Ok(PrivateSources::Allowed));
    assert_eq!(" false ".parse(), Ok(PrivateSources::Refused));
    assert_eq!("".parse(), Ok(PrivateSources::Refused));
    let listed = "DB.internal, 10.1.2.3/16,127.0.0.1 , ::1".parse();
    let networks = ["10.1.0.0/16", "127.0.0.1/32", "::1/128"].map(|text| text.parse().expect("a network")).to_vec();
    assert_eq!(listed, Ok(PrivateSources::Listed { hosts: vec!["db.internal".into()], networks }));
    for bad in ["yes please", "10.0.0.0/33", "db.internal:5432", "http://x", "10.0.0", "a,,b", "*"] {
        assert!(bad.parse::<PrivateSources>().is_err(), "{bad}");
    }
}

#[tokio::test]
async fn private_servers_are_refused_however_they_are_written() {
    let addresses = Addresses::default();
    for url in [
        "postgres://u@127.0.0.1/d",
        "postgres://u@localhost/d",
        "postgres://u@LOCALHOST./d",
        "postgres://u@127.1/d",
        "postgres://u@2130706433/d",
        "postgres://u@0x7f000001/d",
        "postgres://u@0177.0.0.1/d",
        "postgres://u@0/d",
        "postgres://u@[::1]/d",
        "postgres://u@[::ffff:127.0.0.1]/d",
        "postgres://u@[::ffff:7f00:1]/d",
        "postgres://u@169.254.169.254/d",
        "postgres://u@8.8.8.8/d?host=10.0.0.1",
        "postgres://u@8.8.8.8/d?hostaddr=192.168.1.1",
        "postgres://u@8.8.8.8/d?host=/var/run/postgresql",
        "postgres://u@%2Fvar%2Frun%2Fpostgresql/d",
    ] {
        let refused = verdict(&addresses, url).await.expect_err(url);
        assert!(!refused.contains("127") && !refused.contains("local"), "no address in {refused}");
    }
    assert_eq!(verdict(&addresses, "postgres://u@8.8.8.8/d").await, Ok(()));
}

#[tokio::test]
async fn the_operator_allows_hosts_networks_or_everything() {
    let local = "postgres://u@localhost/d";
    assert_eq!(verdict(&allowing("localhost"), local).await, Ok(()));
    assert_eq!(verdict(&allowing("127.0.0.0/8,::1"), local).await, Ok(()));
    assert_eq!(verdict(&allowing("true"), local).await, Ok(()));
    assert_eq!(verdict(&allowing("true"), "postgres://u@x/d?host=/tmp").await, Ok(()));
    for other in ["localhost.example", "10.0.0.0/8", "false"] {
        assert!(verdict(&allowing(other), local).await.is_err(), "{other}");
    }
    // An allowed name does not allow its address.
    assert!(verdict(&allowing("localhost"), "postgres://u@127.0.0.1/d").await.is_err());
}

#[tokio::test]
async fn our_own_store_stays_closed_even_where_everything_is_open() {
    let own = OwnStore::Postgres("postgres://inlay:secret@localhost:5432/inlay".into());
    let addresses = allowing("true").with_own_store(own);
    for url in ["postgres://u@127.0.0.1/inlay", "postgres://other@localhost:5432/inlay", "postgres://u@127.1/x?dbname=inlay"] {
        assert!(verdict(&addresses, url).await.expect_err(url).contains("own store"), "{url}");
    }
    for url in ["postgres://u@127.0.0.1/sales", "postgres://u@127.0.0.1:6432/inlay"] {
        assert_eq!(verdict(&addresses, url).await, Ok(()), "{url}");
    }
    // Without a database name in the URL, the store is in the database with its user's name.
    let unnamed = OwnStore::Postgres("postgres://inlay:secret@localhost:5432".into());
    assert!(verdict(&allowing("true").with_own_store(unnamed), "postgres://u@127.0.0.1/inlay").await.is_err());
    let socket = OwnStore::Postgres("postgres://x/inlay?host=/run/postgresql".into());
    assert!(verdict(&allowing("true").with_own_store(socket), "postgres://u@x/y?host=/run/postgresql").await.is_err());
}

#[tokio::test]
async fn a_source_is_a_plain_file_that_is_not_ours() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    for name in ["data.db", "inlay.db"] {
        std::fs::write(path(name), "x").expect("written");
    }
    std::fs::create_dir(path("inner")).expect("made");
    std::fs::write(path("inner/deep.db"), "x").expect("written");
    std::os::unix::fs::symlink(path("inlay.db"), path("link.db")).expect("linked");
    std::fs::hard_link(path("inlay.db"), path("inner/hard.db")).expect("linked");
    std::os::unix::fs::symlink("/proc/self/environ", path("environ.db")).expect("linked");
    let addresses = Addresses::default().with_own_store(OwnStore::File(path("inlay.db")));
    let verdict = async |addresses: &Addresses, path: &Path| {
        addresses.check(&source(SourceKind::Sqlite, &format!("sqlite:{}", path.display()))).await
    };
    assert_eq!(verdict(&addresses, &path("data.db")).await, Ok(()));
    assert_eq!(verdict(&addresses, &path("inner/../data.db")).await, Ok(()));
    for name in ["inlay.db", "inner/../inlay.db", "link.db", "inner/hard.db", "environ.db", "missing.db", "inner"] {
        assert!(verdict(&addresses, &path(name)).await.is_err(), "{name}");
    }
    for system in ["/dev/zero", "/dev/stdin", "/proc/self/mem", "/proc/self/root/etc/passwd", "/sys/kernel/notes", "/"] {
        assert!(verdict(&addresses, Path::new(system)).await.is_err(), "{system}");
    }
    let inside = addresses.with_folders(vec![path("inner")]);
    assert_eq!(verdict(&inside, &path("inner/deep.db")).await, Ok(()));
    for name in ["data.db", "inner/../data.db", "inner/hard.db"] {
        assert!(verdict(&inside, &path(name)).await.is_err(), "{name}");
    }
}

/// A server that sends one line to each client.
async fn greeter() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            drop(stream.write_all(b"hello").await);
        }
    });
    port
}

async fn through(route: &Route, port: u16) -> String {
    let folder = route.socket_folder().expect("a name goes through a socket");
    let mut stream = UnixStream::connect(folder.join(format!(".s.PGSQL.{port}"))).await.expect("the socket is open");
    let mut text = String::new();
    drop(stream.read_to_string(&mut text).await);
    text
}

#[tokio::test]
async fn a_name_is_judged_again_at_each_connection() {
    use std::os::unix::fs::PermissionsExt;
    let port = greeter().await;
    let named = source(SourceKind::Postgres, &format!("postgres://u@localhost:{port}/d"));
    let route = Arc::new(allowing("localhost")).route(&named).await.expect("a route");
    assert_eq!(through(&route, port).await, "hello");
    let folder = route.socket_folder().expect("a folder").to_owned();
    let mode = std::fs::metadata(&folder).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o077, 0, "only this user enters it");
    drop(route);
    assert!(!folder.exists(), "the socket goes with its source");
    // What a rebinding name would meet: the relay resolves the name itself and allows no private address.
    let rebound = Relay(port).open(Addresses::default());
    assert_eq!(through(&rebound, port).await, "");
}

/// A relay that was created while the name still resolved to another address.
struct Relay(u16);

impl Relay {
    fn open(self, addresses: Addresses) -> Route {
        let server = Server::new("localhost", self.0, Some("d"));
        Route::Through(Arc::new(relay::Relay::open(Arc::new(addresses), server).expect("a socket")))
    }
}

#[tokio::test]
async fn an_address_needs_no_relay() {
    let route = async |addresses: Addresses, url: &str| {
        let route = Arc::new(addresses).route(&source(SourceKind::Postgres, url)).await;
        route.map(|route| matches!(route, Route::Direct))
    };
    assert_eq!(route(allowing("127.0.0.1"), "postgres://u@127.0.0.1/d").await, Ok(true));
    assert_eq!(route(allowing("true"), "postgres://u@localhost/d").await, Ok(true));
    assert_eq!(route(allowing("localhost"), "postgres://u@localhost/d").await, Ok(false));
    assert!(route(Addresses::default(), "postgres://u@localhost/d").await.is_err());
}
