//! Connections by host name, for drivers that resolve names themselves. The driver connects to a socket that only this process
//! can reach. For each connection, the name is resolved, checked and connected to here. The driver still knows the server's
//! name, so TLS verifies the certificate against it.

use super::{Addresses, RefusedAddress, Server};
use socket2::{SockRef, TcpKeepalive};
use std::{
    fs::Permissions,
    io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
use tokio::{
    net::{TcpStream, UnixListener, UnixStream},
    task::JoinHandle,
};

/// The timeout for each address of a name.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// The time without traffic after which the other side is asked whether it is there.
pub(crate) const IDLE: Duration = Duration::from_secs(10);
/// The time between two such questions.
pub(crate) const PROBES: Duration = Duration::from_secs(5);
/// The most time that the other side may not confirm what was sent.
pub(crate) const UNHEARD: Duration = Duration::from_secs(15);

/// A socket that leads to one server while this value lives. Established connections stay open.
#[derive(Debug)]
pub(crate) struct Relay {
    folder: tempfile::TempDir,
    path: PathBuf,
    task: JoinHandle<()>,
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Relay {
    /// Creates a socket in a new folder that only this user can access. Requires a running tokio.
    pub(super) fn open(addresses: Arc<Addresses>, server: Server) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("inlay-").permissions(Permissions::from_mode(0o700)).tempdir()?;
        let path = Self::socket_in(folder.path(), server.port);
        let listener = UnixListener::bind(&path)?;
        let task = tokio::spawn(listen(listener, addresses, server));
        Ok(Self { folder, path, task })
    }

    /// The socket itself.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The folder. PostgreSQL's drivers add the socket's name themselves.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn socket_in(folder: &Path, port: u16) -> PathBuf {
        folder.join(format!(".s.PGSQL.{port}"))
    }
}

async fn listen(listener: UnixListener, addresses: Arc<Addresses>, server: Server) {
    let server = Arc::new(server);
    loop {
        // Out of file handles: wait, so that the loop does not spin.
        let Ok((inside, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let (addresses, server) = (Arc::clone(&addresses), Arc::clone(&server));
        tokio::spawn(async move {
            // A refusal closes the socket, which the driver reports as a lost connection.
            if let Ok(outside) = connect(&addresses, &server).await {
                copy(inside, outside).await;
            }
        });
    }
}

/// Connects to the first address of a server that responds.
async fn connect(addresses: &Addresses, server: &Server) -> Result<TcpStream, RefusedAddress> {
    for address in addresses.resolve(server).await? {
        if let Ok(Ok(stream)) = tokio::time::timeout(PATIENCE, TcpStream::connect(address)).await {
            end_in_silence(&stream);
            return Ok(stream);
        }
    }
    Err(RefusedAddress::away("its host does not respond"))
}

/// Lets the system end a connection whose network has gone silent. Otherwise it would stay for as long as the system retries, a
/// quarter of an hour, or for ever if nothing is sent.
fn end_in_silence(stream: &TcpStream) {
    let keepalive = TcpKeepalive::new().with_time(IDLE).with_interval(PROBES).with_retries(3);
    // Where a system lacks one of these, the connection works without it.
    drop(SockRef::from(stream).set_tcp_keepalive(&keepalive));
    #[cfg(target_os = "linux")]
    drop(SockRef::from(stream).set_tcp_user_timeout(Some(UNHEARD)));
}

async fn copy(mut inside: UnixStream, mut outside: TcpStream) {
    drop(outside.set_nodelay(true));
    // If one side ends, also with an error, both are closed.
    drop(tokio::io::copy_bidirectional(&mut inside, &mut outside).await);
}
