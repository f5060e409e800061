//! Those who receive slowly: readers of responses, and hosts' servers for webhooks.

use crate::{
    report::{Row, show},
    tools::{
        load::Load,
        node::Node,
        site::{Context, Site, Store, Tenant},
        wire::read,
    },
};
use inlay_harness::text;
use serde_json::json;
use std::{
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket},
    task::JoinHandle,
    time::sleep,
};

/// Many ask for pages and hardly read them.
pub async fn slow_readers(context: Context) -> Vec<Row> {
    let site = Site::new(&context, Store::Sqlite).await;
    let tenant = site.tenant("Slow", None).await;
    let node = site.node().await;
    let calm = Load::begin(2, tenant.known_users(node.caller(&tenant.key))).during(Duration::from_secs(2)).await;
    let (before, _) = node.memory();
    let signed = tenant.signs_in(&node.caller(&tenant.key), "c1", "reader").await.data();
    let page = tenant.page(&text(&signed["token"]));
    let request = format!("GET {page} HTTP/1.1\r\nhost: inlay.test\r\n\r\n").repeat(8);
    let readers: Vec<_> = (0..context.pick(200, 50)).map(|_| tokio::spawn(slowly(node.address, request.clone()))).collect();
    sleep(Duration::from_secs(2)).await;
    let beside =
        Load::begin(2, tenant.known_users(node.caller(&tenant.key))).during(Duration::from_secs(context.pick(10, 3))).await;
    let (after, _) = node.memory();
    readers.iter().for_each(JoinHandle::abort);
    let (p99, limit) = (beside.percentile(99), context.limit(Duration::from_millis(250)));
    vec![
        Row::timed(
            format!("{} slow readers of pages", readers.len()),
            "sign-ins: none refused, p99 < 250 ms",
            format!(
                "{} of {} refused {}, p99 {} ({} calm)",
                beside.failed(),
                beside.count(),
                beside.faults(),
                show(p99),
                show(calm.percentile(99))
            ),
            beside.failed() == 0 && p99 < limit,
        ),
        Row::fact(
            format!("{} slow readers of pages", readers.len()),
            "less than 200 MiB more memory",
            format!("{before} → {after} MiB"),
            after < before + 200,
        ),
    ]
}

async fn slowly(node: SocketAddr, request: String) {
    let socket = TcpSocket::new_v4().expect("a socket");
    drop(socket.set_recv_buffer_size(4096));
    let Ok(mut stream) = socket.connect(node).await else { return };
    drop(stream.write_all(request.as_bytes()).await);
    let mut byte = [0; 64];
    while stream.read(&mut byte).await.is_ok_and(|count| count > 0) {
        sleep(Duration::from_millis(500)).await;
    }
}

/// One organization's webhook never answers, and has 200 messages to be sent. Another's messages arrive.
pub async fn webhooks(context: Context) -> Vec<Row> {
    let site = Site::new(&context, Store::Sqlite).await;
    let (noisy, quiet) = (site.tenant("Noisy", None).await, site.tenant("Quiet", None).await);
    let node = site.node().await;
    let silent = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    hook(&node, &noisy, silent.local_addr().expect("an address")).await;
    let held = tokio::spawn(async move {
        let mut all = Vec::new();
        while let Ok((stream, _)) = silent.accept().await {
            all.push(stream);
        }
    });
    let arrivals: Arc<Mutex<Vec<Instant>>> = Arc::default();
    let (address, receiver) = receiver(Arc::clone(&arrivals)).await;
    hook(&node, &quiet, address).await;
    let calm = arrival(&node, &quiet, &arrivals).await;
    let host = node.caller(&noisy.key);
    for number in 0..200 {
        host.post(&noisy.dashboards(), &json!({ "name": format!("Noise {number}") })).await.data();
    }
    sleep(Duration::from_secs(2)).await;
    let mut worst = Duration::ZERO;
    for _ in 0..5 {
        worst = worst.max(arrival(&node, &quiet, &arrivals).await);
    }
    held.abort();
    receiver.abort();
    vec![Row::timed(
        "a webhook that never answers has 200 messages",
        "another organization's message arrives within 5 s",
        format!("{} calm, at most {}{}", show(calm), show(worst), if worst >= LONG { " or never" } else { "" }),
        worst < Duration::from_secs(5),
    )]
}

/// After this time a message counts as not arriving.
const LONG: Duration = Duration::from_secs(15);

/// How long one message takes to its receiver.
async fn arrival(node: &Node, tenant: &Tenant, arrivals: &Mutex<Vec<Instant>>) -> Duration {
    let count = || arrivals.lock().unwrap_or_else(PoisonError::into_inner).len();
    let (before, begun) = (count(), Instant::now());
    node.caller(&tenant.key).post(&tenant.dashboards(), &json!({ "name": format!("Told {before}") })).await.data();
    while count() <= before && begun.elapsed() < LONG {
        sleep(Duration::from_millis(10)).await;
    }
    begun.elapsed()
}

/// Three hundred messages to a server that answers at once.
pub async fn many_messages(context: Context) -> Vec<Row> {
    let site = Site::new(&context, Store::Sqlite).await;
    let tenant = site.tenant("Told", None).await;
    let node = site.node().await;
    let arrivals: Arc<Mutex<Vec<Instant>>> = Arc::default();
    let (address, receiver) = receiver(Arc::clone(&arrivals)).await;
    hook(&node, &tenant, address).await;
    let begun = Instant::now();
    for number in 0..300 {
        node.caller(&tenant.key).post(&tenant.dashboards(), &json!({ "name": format!("Told {number}") })).await.data();
    }
    let made = begun.elapsed();
    let count = || arrivals.lock().unwrap_or_else(PoisonError::into_inner).len();
    while count() < 300 && begun.elapsed() < Duration::from_secs(60) {
        sleep(Duration::from_millis(10)).await;
    }
    receiver.abort();
    let took = begun.elapsed();
    let seen = format!("{} arrived after {}, the last event after {}", count(), show(took), show(made));
    let name = "300 messages to a webhook that answers at once";
    vec![Row::timed(
        name,
        "all arrive within 3 s of the last event",
        seen,
        count() >= 300 && took < made + Duration::from_secs(3),
    )]
}

async fn hook(node: &Node, tenant: &Tenant, address: SocketAddr) {
    let body = json!({ "url": format!("http://{address}/"), "events": ["dashboard.saved"] });
    let made = node.caller(&tenant.key).post(&format!("/v2/api/projects/{}/webhooks", tenant.project()), &body).await;
    assert!(made.is_ok(), "{}", made.body);
}

/// A host's server that answers at once and notes when messages came.
async fn receiver(arrivals: Arc<Mutex<Vec<Instant>>>) -> (SocketAddr, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let task = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            // A request reads like a response: a head and a body of its length.
            drop(read(&mut stream).await);
            arrivals.lock().unwrap_or_else(PoisonError::into_inner).push(Instant::now());
            drop(stream.write_all(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n").await);
        }
    });
    (address, task)
}
