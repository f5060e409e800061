//! A network that misbehaves: connections to a server on this machine, through which a scenario decides what passes.

use std::{io, net::SocketAddr, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::watch,
    task::JoinHandle,
    time::sleep,
};

/// What passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// Everything.
    All,
    /// Nothing: connections end at once.
    Refused,
    /// Nothing: connections stay open and silent. Afterwards the old ones are cut, or stay silent for ever.
    Silent { forgotten: bool },
    /// So many bytes of each answer; then the connection is cut.
    Cut(usize),
    /// Answers, some bytes at a time.
    Crawling,
}

/// A proxy. It and its connections end when this is dropped.
pub struct Proxy {
    pub address: SocketAddr,
    passing: watch::Sender<Passing>,
    listener: JoinHandle<()>,
}

impl Proxy {
    /// Listens in front of a port of this machine.
    pub async fn start(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (passing, seen) = watch::channel(Passing::All);
        let listener = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let seen = seen.clone();
                tokio::spawn(async move { between(client, port, seen).await });
            }
        });
        Self { address, passing, listener }
    }

    /// Decides what passes from now on.
    pub fn pass(&self, passing: Passing) {
        self.passing.send_replace(passing);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.listener.abort();
    }
}

async fn between(client: TcpStream, port: u16, passing: watch::Receiver<Passing>) {
    let mut first = passing.clone();
    let begun = *first.borrow_and_update();
    let server = match begun {
        Passing::Refused => return,
        Passing::Silent { forgotten } => return silence(&mut first, forgotten).await,
        Passing::All | Passing::Cut(_) | Passing::Crawling => TcpStream::connect(("127.0.0.1", port)).await,
    };
    let Ok(server) = server else { return };
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    // Whichever ends first ends both sockets.
    let _: io::Result<()> = tokio::select! {
        ended = pump(from_client, to_server, passing.clone(), false) => ended,
        ended = pump(from_server, to_client, passing, true) => ended,
    };
}

/// Keeps its caller, and with it the connection, until the silence is over, or until the proxy is gone.
async fn silence(passing: &mut watch::Receiver<Passing>, forgotten: bool) {
    while passing.changed().await.is_ok() {
        if !forgotten {
            return;
        }
    }
}

async fn pump(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut passing: watch::Receiver<Passing>,
    answers: bool,
) -> io::Result<()> {
    let mut bytes = vec![0; 16 * 1024];
    let mut passed = 0;
    loop {
        let now = *passing.borrow_and_update();
        match now {
            Passing::Refused => return Ok(()),
            Passing::Silent { forgotten } => {
                silence(&mut passing, forgotten).await;
                return Ok(());
            }
            Passing::All | Passing::Cut(_) | Passing::Crawling => {}
        }
        let count = tokio::select! {
            count = from.read(&mut bytes) => count?,
            changed = passing.changed() => match changed {
                Ok(()) => { passed = 0; continue }
                Err(_) => return Ok(()),
            },
        };
        if count == 0 {
            return Ok(());
        }
        match now {
            Passing::Cut(most) if answers => {
                to.write_all(&bytes[..count.min(most.saturating_sub(passed))]).await?;
                passed += count;
                if passed >= most {
                    return Ok(());
                }
            }
            Passing::Crawling if answers => {
                for part in bytes[..count].chunks(64) {
                    to.write_all(part).await?;
                    sleep(Duration::from_millis(200)).await;
                }
            }
            _ => to.write_all(&bytes[..count]).await?,
        }
    }
}
