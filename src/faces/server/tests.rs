//! Connections over real sockets: those that do nothing lose their place, requests under way do not.

use super::{Stop, accepting::Connections, patience::Limits};
use crate::{
    faces::router::router,
    testing::{StoreKind, World},
};
use axum::{Router, routing::get};
use futures::{StreamExt, stream};
use std::{
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{Notify, watch},
    task::JoinHandle,
    time::timeout,
};

const SHORT: Duration = Duration::from_millis(300);
const LONG: Duration = Duration::from_secs(20);

struct Running {
    address: SocketAddr,
    stop: watch::Sender<bool>,
    serving: JoinHandle<()>,
    go_on: Arc<Notify>,
}

/// A service with `/quick`; `/slow`, which waits to be told; and `/large`, which has more bytes than sockets hold.
async fn serve(most: usize, limits: Limits, farewell: Duration) -> Running {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let go_on = Arc::new(Notify::new());
    let told = Arc::clone(&go_on);
    let slow = move || {
        let told = Arc::clone(&told);
        async move {
            told.notified().await;
            "slow"
        }
    };
    let large = || async {
        let parts = stream::repeat_with(|| Ok::<_, std::io::Error>(vec![b'x'; 64 * 1024])).take(1_000);
        axum::body::Body::from_stream(parts)
    };
    let router = Router::new().route("/quick", get(|| async { "quick" })).route("/slow", get(slow)).route("/large", get(large));
    let (stop, stopped) = watch::channel(false);
    let serving = tokio::spawn(Connections::new(most, limits).serve(listener, router, stopped, farewell));
    Running { address, stop, serving, go_on }
}

fn limits(idle: Duration, header: Duration, stalled: Duration) -> Limits {
    Limits { idle, header, stalled }
}

async fn send(address: SocketAddr, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.expect("connected");
    stream.write_all(text.as_bytes()).await.expect("sent");
    stream
}

/// Everything until the service closes the connection.
async fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = timeout(LONG, stream.read_to_end(&mut bytes)).await.expect("the service closes the connection");
    String::from_utf8_lossy(&bytes).into_owned()
}

async fn ask(stream: &mut TcpStream, path: &str) -> String {
    stream.write_all(format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n").as_bytes()).await.expect("sent");
    let mut answer = vec![0; 4096];
    let read = timeout(LONG, stream.read(&mut answer)).await.expect("an answer").expect("read");
    String::from_utf8_lossy(&answer[..read]).into_owned()
}

#[tokio::test]
async fn a_header_that_never_ends_is_cut_off_and_an_idle_connection_is_not() {
    let running = serve(10, limits(LONG, SHORT, LONG), LONG).await;
    let mut idle = TcpStream::connect(running.address).await.expect("connected");
    let mut kept = TcpStream::connect(running.address).await.expect("connected");
    assert!(ask(&mut kept, "/quick").await.ends_with("quick"));
    let began = Instant::now();
    let mut trickling = send(running.address, "GET /quick HTTP/1.1\r\n").await;
    let (mut reading, mut writing) = trickling.split();
    let mut bytes = Vec::new();
    // Each byte is progress, and no excuse.
    let trickle = async {
        while writing.write_all(b"a").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::select! {
        _ = reading.read_to_end(&mut bytes) => {}
        () = trickle => {}
    }
    assert!(began.elapsed() < LONG / 2, "{:?}", began.elapsed());
    assert!(ask(&mut kept, "/quick").await.ends_with("quick"), "a connection between two requests");
    assert!(ask(&mut idle, "/quick").await.ends_with("quick"), "a connection before its first request");
}

#[tokio::test]
async fn a_connection_that_lies_idle_is_closed_and_a_slow_request_is_not() {
    let running = serve(10, limits(SHORT, LONG, LONG), LONG).await;
    let mut slow = send(running.address, "GET /slow HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    let mut idle = TcpStream::connect(running.address).await.expect("connected");
    assert!(ask(&mut idle, "/quick").await.ends_with("quick"));
    assert_eq!(rest(&mut idle).await, "");
    running.go_on.notify_one();
    assert!(rest(&mut slow).await.ends_with("slow"));
}

#[tokio::test]
async fn a_caller_that_takes_nothing_of_its_answer_is_cut_off() {
    let running = serve(1, limits(LONG, LONG, SHORT), LONG).await;
    let _stalled = send(running.address, "GET /large HTTP/1.1\r\nhost: x\r\n\r\n").await;
    // The only place is free again after the limit.
    let mut other = TcpStream::connect(running.address).await.expect("connected");
    assert!(ask(&mut other, "/quick").await.ends_with("quick"));
}

#[tokio::test]
async fn the_connection_that_is_idle_longest_makes_room() {
    let running = serve(3, limits(LONG, LONG, LONG), LONG).await;
    let mut slow = send(running.address, "GET /slow HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    let mut oldest = TcpStream::connect(running.address).await.expect("connected");
    assert!(ask(&mut oldest, "/quick").await.ends_with("quick"));
    let mut newer = TcpStream::connect(running.address).await.expect("connected");
    assert!(ask(&mut newer, "/quick").await.ends_with("quick"));
    let mut next = TcpStream::connect(running.address).await.expect("connected");
    assert!(ask(&mut next, "/quick").await.ends_with("quick"));
    assert_eq!(rest(&mut oldest).await, "");
    assert!(ask(&mut newer, "/quick").await.ends_with("quick"));
    running.go_on.notify_one();
    assert!(rest(&mut slow).await.ends_with("slow"));
}

#[tokio::test]
async fn a_stop_lets_requests_end_and_waits_for_no_half_one() {
    let running = serve(10, limits(LONG, LONG, LONG), SHORT * 4).await;
    let mut slow = send(running.address, "GET /slow HTTP/1.1\r\nhost: x\r\n\r\n").await;
    let mut idle = TcpStream::connect(running.address).await.expect("connected");
    assert!(ask(&mut idle, "/quick").await.ends_with("quick"));
    let _half = send(running.address, "GET /quick HTTP/1.1\r\nho").await;
    tokio::time::sleep(SHORT / 3).await;
    running.stop.send(true).expect("told");
    assert_eq!(rest(&mut idle).await, "");
    assert!(TcpStream::connect(running.address).await.is_err(), "nobody new");
    running.go_on.notify_one();
    assert!(rest(&mut slow).await.ends_with("slow"));
    timeout(LONG, running.serving).await.expect("the farewell has a limit").expect("no panic");
}

#[tokio::test]
async fn metrics_have_a_port_of_their_own_when_one_is_set() {
    crate::faces::operations::collect();
    let free = TcpListener::bind(("127.0.0.1", 0)).await.and_then(|listener| listener.local_addr()).expect("a free port");
    let world = World::with(StoreKind::Sqlite, &["--metrics-listen", &free.to_string()]).await;
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let stopping = async {
        let _ = stopped.await;
        Stop::Now
    };
    let serving = tokio::spawn(super::serve(world.app.clone(), listener, stopping));
    let get = async |address: SocketAddr, path: &str| {
        let mut stream = loop {
            match TcpStream::connect(address).await {
                Ok(stream) => break stream,
                Err(_) => tokio::time::sleep(SHORT / 10).await,
            }
        };
        let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.expect("sent");
        rest(&mut stream).await
    };
    let measured = timeout(LONG, get(free, "/metrics")).await.expect("an answer");
    assert!(measured.starts_with("HTTP/1.1 200") && measured.contains("inlay_connections"), "{measured}");
    for (address, path) in [(address, "/metrics"), (free, "/healthz"), (free, "/v1/api/projects")] {
        let refused = get(address, path).await;
        assert!(refused.starts_with("HTTP/1.1 404"), "{path}: {refused}");
    }
    assert!(get(address, "/healthz").await.starts_with("HTTP/1.1 200"));
    stop.send(()).expect("told");
    timeout(LONG, serving).await.expect("it stops").expect("no panic").expect("it served");
    assert!(TcpStream::connect(free).await.is_err(), "nobody listens any more");
}

/// Reads until the text holds this.
async fn until(stream: &mut TcpStream, wanted: &str) -> String {
    let mut read = Vec::new();
    let mut part = [0; 4096];
    while !String::from_utf8_lossy(&read).contains(wanted) {
        let count = stream.read(&mut part).await.expect("readable");
        assert!(count > 0, "closed before {wanted}: {}", String::from_utf8_lossy(&read));
        read.extend_from_slice(&part[..count]);
    }
    String::from_utf8_lossy(&read).into_owned()
}

#[tokio::test]
async fn who_is_refused_before_the_body_is_answered_at_once() {
    let world = World::new(StoreKind::Sqlite).await;
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let (_stop, stopped) = watch::channel(false);
    let service = Connections::new(10, Limits::default()).serve(listener, router(world.app.clone()), stopped, SHORT);
    tokio::spawn(service);
    let request = |authorization: &str, length: &str, body: &str| {
        format!(
            "POST /v1/api/projects/register-user HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n{authorization}\r\n{body}"
        )
    };
    let (key, wrong) = (format!("authorization: Bearer {}\r\n", world.key), "authorization: Bearer inlay_x_y\r\n");
    for (authorization, status) in [(key.as_str(), "413"), (wrong, "401"), ("", "413")] {
        let mut stream = send(address, &request(authorization, "10737418240", "{")).await;
        timeout(Duration::from_secs(2), until(&mut stream, &format!("HTTP/1.1 {status}"))).await.expect("an answer at once");
        let closed = timeout(LONG, async { while stream.read(&mut [0; 4096]).await.is_ok_and(|count| count > 0) {} });
        closed.await.expect("and the connection is closed");
    }
    // A body that was sent whole does not cost its sender the connection.
    let whole = request(wrong, "2", "{}");
    let mut stream = send(address, &whole).await;
    for _ in 0..3 {
        timeout(LONG, until(&mut stream, "INVALID_API_KEY")).await.expect("an answer");
        stream.write_all(whole.as_bytes()).await.expect("sent");
    }
}
