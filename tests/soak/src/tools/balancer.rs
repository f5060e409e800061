//! A load balancer as operators have it: it asks each node for `/readyz` and sends new connections to those that are ready.

use super::wire::Caller;
use std::{
    net::SocketAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    task::JoinHandle,
    time::sleep,
};

/// How often it asks.
const EVERY: Duration = Duration::from_millis(250);

/// A balancer. It ends when this is dropped.
pub struct Balancer {
    pub address: SocketAddr,
    nodes: Arc<Mutex<Vec<(SocketAddr, bool)>>>,
    tasks: [JoinHandle<()>; 2],
}

impl Balancer {
    pub async fn start(nodes: &[SocketAddr]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let nodes: Arc<Mutex<Vec<_>>> = Arc::new(Mutex::new(nodes.iter().map(|node| (*node, true)).collect()));
        let watching = tokio::spawn(watch(Arc::clone(&nodes)));
        let serving = tokio::spawn(serve(listener, Arc::clone(&nodes)));
        Self { address, nodes, tasks: [watching, serving] }
    }

    /// A node takes the place of another. It gets requests as soon as it is ready.
    pub fn replace(&self, old: SocketAddr, new: SocketAddr) {
        for node in self.nodes.lock().unwrap_or_else(PoisonError::into_inner).iter_mut().filter(|node| node.0 == old) {
            *node = (new, false);
        }
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

async fn watch(nodes: Arc<Mutex<Vec<(SocketAddr, bool)>>>) {
    loop {
        let all = nodes.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for (address, _) in all {
            let ready = Caller::new(address, "").afresh().patient(Duration::from_secs(2)).get("/readyz").await.is_ok();
            for node in nodes.lock().unwrap_or_else(PoisonError::into_inner).iter_mut().filter(|node| node.0 == address) {
                node.1 = ready;
            }
        }
        sleep(EVERY).await;
    }
}

async fn serve(listener: TcpListener, nodes: Arc<Mutex<Vec<(SocketAddr, bool)>>>) {
    let turn = AtomicUsize::new(0);
    while let Ok((mut client, _)) = listener.accept().await {
        let all = nodes.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let ready: Vec<SocketAddr> = all.iter().filter(|node| node.1).map(|node| node.0).collect();
        if ready.is_empty() {
            continue;
        }
        let node = ready[turn.fetch_add(1, Ordering::Relaxed) % ready.len()];
        tokio::spawn(async move {
            if let Ok(mut server) = TcpStream::connect(node).await {
                drop(copy_bidirectional(&mut client, &mut server).await);
            }
        });
    }
}
