//! A node is asked to stop while something is still open.

use crate::{
    report::{Row, show},
    tools::{
        site::{Context, Site, Store, Tenant},
        wire::Caller,
    },
};
use inlay_harness::text;
use std::{net::SocketAddr, time::Duration};
use tokio::{
    io::AsyncWriteExt,
    net::{TcpSocket, TcpStream},
    time::sleep,
};

/// What is open, and what its caller has sent.
const OPEN: [(&str, &str); 5] = [
    ("nothing open", ""),
    ("an idle connection", ""),
    ("half a header", "GET /healthz HTTP/1.1\r\nhost: a\r\nx-"),
    (
        "half a body",
        "POST /v1/api/projects/embed-token HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{",
    ),
    ("a slow reader of pages", ""),
];

/// Every node ends by itself, whatever is open.
pub async fn drained(context: Context) -> Vec<Row> {
    let site = Site::new(&context, Store::Postgres).await;
    let tenant = site.tenant("Stopped", None).await;
    let mut ends = Vec::new();
    let mut nodes = Vec::new();
    for (what, sent) in OPEN {
        let node = site.node().await;
        let open = opened(node.address, what, sent, &tenant).await;
        nodes.push((what, node, open));
    }
    sleep(Duration::from_millis(300)).await;
    for (what, node, open) in nodes {
        node.terminate();
        ends.push(tokio::spawn(async move {
            let ended = node.ended(Duration::from_secs(45)).await;
            drop(open);
            (what, ended)
        }));
    }
    let (mut seen, mut held) = (Vec::new(), true);
    for end in ends {
        let (what, ended) = end.await.expect("it ended");
        seen.push(format!("{what}: {}", ended.map_or("killed after 45 s".to_owned(), show)));
        held &= ended.is_some_and(|ended| ended < Duration::from_secs(30));
    }
    vec![Row::fact("SIGTERM with something open", "ends by itself within 30 s", seen.join("; "), held)]
}

async fn opened(node: SocketAddr, what: &str, sent: &str, tenant: &Tenant) -> Option<TcpStream> {
    if what == "nothing open" {
        return None;
    }
    let socket = TcpSocket::new_v4().expect("a socket");
    drop(socket.set_recv_buffer_size(4096));
    let mut stream = socket.connect(node).await.expect("connected");
    let request = if what == "a slow reader of pages" {
        let caller = Caller::new(node, &tenant.key).afresh();
        let token = text(&tenant.signs_in(&caller, "c1", "reader").await.data()["token"]);
        format!("GET {} HTTP/1.1\r\nhost: a\r\n\r\n", tenant.page(&token)).repeat(40)
    } else {
        sent.to_owned()
    };
    stream.write_all(request.as_bytes()).await.expect("sent");
    Some(stream)
}
