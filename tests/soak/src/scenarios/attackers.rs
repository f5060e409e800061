//! Somebody without a key: idle connections, slow headers, bodies that never end, bodies of numbers, announced bodies.

use super::undisturbed;
use crate::{
    report::{Row, show},
    tools::{
        load::{Load, Tally, at_once},
        node::Node,
        site::{Context, Site, Store, Tenant},
        wire::{Answer, read},
    },
};
use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::JoinHandle,
    time::{sleep, timeout},
};

/// A node with a project, whose users sign in beside the attack.
struct Attacked {
    site: Site,
    tenant: Tenant,
    node: Node,
    /// Memory at rest, in MiB.
    before: u64,
}

impl Attacked {
    async fn new(context: &Context) -> Self {
        let site = Site::new(context, Store::Sqlite).await;
        let tenant = site.tenant("Attacked", None).await;
        let node = site.node().await;
        drop(Load::begin(2, tenant.known_users(node.caller(&tenant.key))).during(Duration::from_secs(1)).await);
        let (before, _) = node.memory();
        node.forget_peak();
        Self { site, tenant, node, before }
    }

    fn others(&self) -> Load {
        // Each over a new connection: who is already connected would not notice a full house.
        Load::begin(2, self.tenant.known_users(self.node.caller(&self.tenant.key).afresh()))
    }

    fn rows(&self, context: &Context, name: &str, others: &Tally, more: u64) -> Vec<Row> {
        let (_, peak) = self.node.memory();
        vec![
            undisturbed(context, name, "sign-ins", others),
            Row::fact(
                name,
                format!("less than {more} MiB more memory"),
                format!("{} MiB, at most {peak}", self.before),
                peak < self.before + more,
            ),
        ]
    }
}

/// Connections that send something and then stay. Returns those that were made.
async fn connections(node: SocketAddr, count: usize, first: &[u8]) -> Vec<TcpStream> {
    let mut all = Vec::with_capacity(count);
    for _ in 0..count {
        if let Ok(Ok(mut stream)) = timeout(Duration::from_secs(5), TcpStream::connect(node)).await {
            drop(stream.write_all(first).await);
            all.push(stream);
        }
    }
    all
}

/// How many of them the server has not let go.
async fn still_held(all: &mut [TcpStream]) -> usize {
    let mut held = 0;
    let mut bytes = [0; 4096];
    for stream in all {
        let ended = loop {
            match timeout(Duration::from_millis(1), stream.read(&mut bytes)).await {
                Ok(Ok(0) | Err(_)) => break true,
                Ok(Ok(_)) => {}
                Err(_) => break false,
            }
        };
        held += usize::from(!ended);
    }
    held
}

pub async fn idle_connections(context: Context) -> Vec<Row> {
    let attacked = Attacked::new(&context).await;
    let count = context.pick(9_900, 2_000);
    let idle = connections(attacked.node.address, count, b"").await;
    let others = attacked.others().during(Duration::from_secs(context.pick(10, 3))).await;
    let name = format!("{} idle connections", idle.len());
    attacked.rows(&context, &name, &others, 200)
}

/// A node with 1,024 descriptors, all of which idle callers would take.
pub async fn few_descriptors(context: Context) -> Vec<Row> {
    let mut attacked = Attacked::new(&context).await;
    let limited = attacked.site.binary.limited("ulimit -n 1024");
    attacked.node = attacked.site.node_of(&limited).await;
    let idle = connections(attacked.node.address, 1_200, b"").await;
    let mut others = Tally::default();
    for number in 0..20 {
        let caller = attacked.node.caller(&attacked.tenant.key).afresh().patient(Duration::from_secs(3));
        others.add(&attacked.tenant.signs_in(&caller, "c1", &format!("known-{number}")).await);
    }
    vec![Row::fact(
        format!("{} idle connections, with 1,024 descriptors", idle.len()),
        "new callers are answered within 3 s",
        format!("{} of 20 not {}", others.failed(), others.faults()),
        others.failed() == 0,
    )]
}

pub async fn slow_headers(context: Context) -> Vec<Row> {
    let attacked = Attacked::new(&context).await;
    let begun = Instant::now();
    let mut slow =
        connections(attacked.node.address, context.pick(2_000, 500), b"GET /healthz HTTP/1.1\r\nhost: a\r\nx-").await;
    let others = attacked.others().during(Duration::from_secs(3)).await;
    // Another letter each second: a header that is always about to end.
    while begun.elapsed() < Duration::from_secs(context.pick(20, 14)) {
        for stream in &mut slow {
            drop(stream.try_write(b"a"));
        }
        sleep(Duration::from_secs(1)).await;
    }
    let held = still_held(&mut slow).await;
    let name = format!("{} headers that never end", slow.len());
    let mut rows = attacked.rows(&context, &name, &others, 200);
    rows.push(Row::fact(
        &name,
        "they are let go after 10 s",
        format!("{held} still held after {}", show(begun.elapsed())),
        held == 0,
    ));
    rows
}

pub async fn bodies_from_nobody(context: Context) -> Vec<Row> {
    let attacked = Attacked::new(&context).await;
    let mut request = b"POST /v1/api/projects/embed-token HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\nauthorization: Bearer none\r\n\
        content-length: 1000000\r\n\r\n{\"projectId\":\""
        .to_vec();
    request.resize(990_000, b'a');
    let node = attacked.node.address;
    let count = context.pick(600, 200);
    let sent: Vec<JoinHandle<Option<TcpStream>>> = (0..count)
        .map(|_| {
            let request = request.clone();
            tokio::spawn(async move {
                let mut stream = TcpStream::connect(node).await.ok()?;
                drop(timeout(Duration::from_secs(5), stream.write_all(&request)).await);
                Some(stream)
            })
        })
        .collect();
    let others = attacked.others().during(Duration::from_secs(context.pick(10, 6))).await;
    let mut held = Vec::new();
    for stream in sent {
        held.extend(stream.await.expect("sent"));
    }
    attacked.rows(&context, &format!("{count} bodies of 1 MB that never end, from nobody"), &others, 200)
}

pub async fn numbers_from_nobody(context: Context) -> Vec<Row> {
    let attacked = Attacked::new(&context).await;
    let body = format!("[{}0]", "0,".repeat(520_000));
    let request = attacked.node.caller("not-a-key").afresh().request("POST", "/v1/api/projects/embed-token", &body);
    let node = attacked.node.address;
    let others = attacked.others();
    let mut answers = Tally::default();
    for _ in 0..context.pick(2, 1) {
        let request = request.clone();
        answers.merge(
            at_once(context.pick(200, 100), move |_| {
                let request = request.clone();
                async move { raw(node, request.as_bytes()).await }
            })
            .await,
        );
    }
    let others = others.end().await;
    let name = format!("{} bodies of 520,000 numbers, from nobody", answers.count());
    let mut rows = attacked.rows(&context, &name, &others, 500);
    let refused =
        answers.names.keys().all(|name| name.starts_with("401") || name.starts_with("503") || name.starts_with("no answer"));
    rows.push(Row::fact(&name, "each is refused", answers.faults(), refused));
    rows
}

async fn raw(node: SocketAddr, request: &[u8]) -> Answer {
    let begun = Instant::now();
    let exchange = async {
        let mut stream = TcpStream::connect(node).await?;
        // The server may answer before it has read everything.
        drop(stream.write_all(request).await);
        read(&mut stream).await
    };
    let (status, body, fault) = match timeout(Duration::from_secs(60), exchange).await {
        Ok(Ok((status, body, _))) => (status, String::from_utf8_lossy(&body).into_owned(), String::new()),
        Ok(Err(problem)) => (0, String::new(), problem.kind().to_string()),
        Err(_) => (0, String::new(), "60 s are over".to_owned()),
    };
    Answer { status, body, fault, took: begun.elapsed() }
}

pub async fn announced_bodies(context: Context) -> Vec<Row> {
    let attacked = Attacked::new(&context).await;
    let (node, key) = (attacked.node.address, attacked.tenant.key.clone());
    let head = |of_length: &str| {
        format!(
            "POST /v1/api/projects/embed-token HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\nauthorization: Bearer {key}\r\n{of_length}\r\n\r\n"
        )
    };
    let others = attacked.others();
    let announced =
        timeout(Duration::from_secs(20), raw(node, format!("{}{{", head("content-length: 10737418240")).as_bytes())).await;
    let announced = announced.map_or_else(|_| "no answer in 20 s".to_owned(), |answer| answer.name());
    let sent = chunks(node, &head("transfer-encoding: chunked")).await;
    let deep = raw(
        node,
        attacked.node.caller(&key).afresh().request("POST", "/v1/api/projects/embed-token", &"[".repeat(100_000)).as_bytes(),
    )
    .await;
    let wide = raw(node, format!("GET /healthz HTTP/1.1\r\nhost: a\r\nx: {}\r\n\r\n", "a".repeat(1_000_000)).as_bytes()).await;
    let others = others.end().await;
    let name = "10 GiB announced, 200 MiB in parts, JSON nested 100,000 deep, a header of 1 MB";
    let mut rows = attacked.rows(&context, name, &others, 50);
    rows.push(Row::fact(
        name,
        "refused or cut off",
        format!("{announced}; cut off after {sent} MiB; {}; {}", deep.name(), wide.name()),
        (announced.starts_with("413") || announced.starts_with("no answer:"))
            && sent < 20
            && deep.status == 400
            && [431, 0].contains(&wide.status),
    ));
    rows
}

/// Sends 200 MiB in chunks. Returns how many were taken before the server had enough.
async fn chunks(node: SocketAddr, head: &str) -> usize {
    let Ok(mut stream) = TcpStream::connect(node).await else { return 0 };
    drop(stream.write_all(head.as_bytes()).await);
    let mut part = b"100000\r\n".to_vec();
    part.resize(8 + 0x10_0000, b'a');
    part.extend_from_slice(b"\r\n");
    for sent in 0..200 {
        match timeout(Duration::from_secs(5), stream.write_all(&part)).await {
            Ok(Ok(())) => {}
            _ => return sent,
        }
    }
    200
}
