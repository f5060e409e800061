//! A network between this node and PostgreSQL that falls silent: no byte arrives, and nobody says so.

use super::{
    connect::{self, Opening},
    patience::Patience,
    seal::Sealer,
};
use crate::{
    concepts::connections,
    faces::router::router,
    ground::state::App,
    on,
    testing::{self, ACME, StoreKind, World},
};
use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Request, StatusCode},
};
use secrecy::ExposeSecret;
use serde_json::Value;
use std::time::{Duration, Instant};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    sync::watch,
};
use tower::ServiceExt;
use url::Url;

/// The limits of the test: a quarter of those of a service.
const PATIENCE: Patience = Patience {
    connection: Duration::from_millis(1_250),
    statement: Duration::from_millis(1_750),
    lock: Duration::from_millis(1_000),
    answer: Duration::from_millis(2_000),
    ping: Duration::from_millis(250),
};

/// Within which a caller has an answer: a quarter of ten seconds.
const ANSWERED: Duration = Duration::from_millis(2_500);

/// How the network is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Network {
    Well,
    Silent,
    /// Well again, for new connections. Those of before are cut, or stay silent.
    Back {
        cut: bool,
    },
}

/// A way to PostgreSQL through a network that can fall silent.
async fn proxy(upstream: String) -> (u16, watch::Sender<Network>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let (network, state) = watch::channel(Network::Well);
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            tokio::spawn(pass_on(client, upstream.clone(), state.clone()));
        }
    });
    (port, network)
}

async fn pass_on(mut client: TcpStream, upstream: String, mut state: watch::Receiver<Network>) {
    if *state.borrow_and_update() != Network::Silent {
        let mut server = TcpStream::connect(upstream).await.expect("the server");
        tokio::select! {
            _ = copy_bidirectional(&mut client, &mut server) => return,
            silent = state.wait_for(|network| *network == Network::Silent) => drop(silent),
        }
        // Both ends stay open, and nothing that either sends arrives, not even its end.
        drop(state.wait_for(|network| *network == Network::Back { cut: true }).await);
        return;
    }
    drop(state.wait_for(|network| *network == Network::Back { cut: true }).await);
}

/// Another node of the world's service, behind the network.
async fn node(world: &World, port: u16) -> App {
    let mut settings = world.app.settings.clone();
    let mut address = Url::parse(settings.database_url.as_ref().expect("an address").expose_secret()).expect("an address");
    address.set_host(Some("127.0.0.1")).expect("a host");
    address.set_port(Some(port)).expect("a port");
    settings.database_url = Some(address.to_string().into());
    let opening = Opening { connections: Some(8), patience: PATIENCE };
    let db = connect::open(address.as_str(), opening).await.expect("the store");
    let sealer = Sealer::new("0123456789abcdef0123456789abcdef");
    let engine = connections::engine(&settings, &db, &sealer);
    let configured = crate::faces::background::configured();
    App::new(db, sealer, settings, engine, testing::renderer(), configured).await.expect("the state")
}

/// The status of a user's sign-in, its error's code, and the time until it was answered.
async fn sign_in(router: Router, world: &World, user: &str) -> (StatusCode, String, Duration) {
    let started = Instant::now();
    let request = Request::post("/v1/api/projects/embed-token")
        .header("authorization", format!("Bearer {}", world.key))
        .header("content-type", "application/json")
        .body(Body::from(world.sign_in_body(ACME, user).to_string()))
        .expect("a request");
    let response = router.oneshot(request).await.expect("the router does not fail");
    let status = response.status();
    let bytes = to_bytes(response.into_body(), usize::MAX).await.expect("a body");
    let body: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    (status, body["error"]["code"].as_str().unwrap_or_default().to_owned(), started.elapsed())
}

async fn open_transactions(world: &World) -> i64 {
    const SQL: &str =
        "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'";
    let mut lease = world.app.db.read().await.expect("a connection");
    on!(&mut lease.conn(), |c| sqlx::query_scalar(SQL).fetch_one(c).await).expect("the activity")
}

/// The network is silent while the node's connections are in use, and comes back.
async fn goes_silent_and_comes_back(cut: bool) {
    const LOCK: &str = "UPDATE customers SET external_id = external_id";
    let world = World::new(StoreKind::Postgres).await;
    let server = Url::parse(world.app.settings.database_url.as_ref().expect("an address").expose_secret()).expect("an address");
    let upstream = format!("{}:{}", server.host_str().unwrap_or("127.0.0.1"), server.port().unwrap_or(5432));
    let (port, network) = proxy(upstream).await;
    let node = node(&world, port).await;
    let router = router(node.clone());
    let many = |name: &'static str| {
        let calls = (0..24).map(|number| {
            let (router, world) = (router.clone(), &world);
            async move { sign_in(router, world, &format!("{name}-{}", number % 12)).await }
        });
        futures::future::join_all(calls)
    };
    for (status, code, _) in many("known").await {
        assert_eq!(status, StatusCode::OK, "{code}");
    }
    let mut held = node.db.write().await.expect("a transaction");
    on!(&mut held.conn(), |c| sqlx::query(LOCK).execute(c).await.map(drop)).expect("locked");

    network.send(Network::Silent).expect("told");
    let (known, new) = tokio::join!(many("known"), many("new"));
    for (status, code, took) in known.into_iter().chain(new) {
        assert_eq!((status, code.as_str()), (StatusCode::SERVICE_UNAVAILABLE, "STORE_UNAVAILABLE"));
        assert!(took < ANSWERED, "{took:?}");
    }
    drop(held);

    network.send(Network::Back { cut }).expect("told");
    let back = Instant::now();
    while sign_in(router.clone(), &world, "known-1").await.0 != StatusCode::OK {
        assert!(back.elapsed() < Duration::from_secs(5), "sign-ins work again");
    }
    while sign_in(router.clone(), &world, "somebody new").await.0 != StatusCode::OK {
        assert!(back.elapsed() < Duration::from_secs(5), "a new user of a customer that was being written");
    }
    // Connections that are opened anew by all at once take a busy machine longer than a caller waits for one.
    let mut failed = true;
    while failed {
        failed = many("new").await.iter().any(|(status, ..)| *status != StatusCode::OK);
        assert!(!failed || back.elapsed() < Duration::from_secs(10), "all sign in again");
    }
    assert_eq!(open_transactions(&world).await, 0);
    node.refresh().await.expect("it looks for changes again");
}

#[tokio::test]
async fn a_silent_network_holds_nobody_up_and_is_over_when_its_connections_are_cut() {
    goes_silent_and_comes_back(true).await;
}

#[tokio::test]
async fn a_silent_network_holds_nobody_up_and_is_over_though_its_connections_stay_silent() {
    goes_silent_and_comes_back(false).await;
}

/// Whoever leaves in the middle of a statement takes no place of the pool along.
#[tokio::test]
async fn a_caller_who_leaves_leaves_the_connection() {
    let world = World::new(StoreKind::Postgres).await;
    let address = world.app.settings.database_url.as_ref().expect("an address").expose_secret().to_owned();
    let db = connect::open(&address, Opening { connections: Some(2), patience: PATIENCE }).await.expect("the store");
    for _ in 0..6 {
        let mut tx = db.write().await.expect("a transaction");
        let conn = &mut tx.conn();
        let sleep = async { on!(conn, |c| sqlx::query("SELECT pg_sleep(30)").execute(c).await.map(drop)) };
        assert!(tokio::time::timeout(Duration::from_millis(50), sleep).await.is_err());
    }
    let started = Instant::now();
    let mut tx = db.write().await.expect("a transaction");
    let slow = on!(&mut tx.conn(), |c| sqlx::query("SELECT pg_sleep(30)").execute(c).await.map(drop));
    let refused = crate::ground::error::Error::from(slow.expect_err("too slow"));
    assert_eq!(refused.code, crate::ground::error::Code::StoreUnavailable);
    assert!(started.elapsed() < Duration::from_secs(4), "{:?}", started.elapsed());
}
