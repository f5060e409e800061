//! A way to a server by a name, for drivers that look names up themselves: a socket that only this process reaches, behind
//! which each connection is looked up, judged and made here. The driver still knows the server by its name, so that TLS
//! checks the certificate against it.

use super::{Addresses, RefusedAddress, Server};
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

/// How long one address of a name may take to answer.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// A socket that leads to one server, as long as this lives. Connections that were made stay.
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
    /// Opens a socket in a new folder that only this user can enter. Needs a running tokio.
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

    /// The folder; PostgreSQL's drivers make the socket's name themselves.
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
        // Out of file handles: the driver's attempt waits, the loop does not spin.
        let Ok((inside, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let (addresses, server) = (Arc::clone(&addresses), Arc::clone(&server));
        tokio::spawn(async move {
            // A refusal closes the socket, which the driver tells as a connection that broke off.
            if let Ok(outside) = connect(&addresses, &server).await {
                copy(inside, outside).await;
            }
        });
    }
}

/// Connects to the first address of a server that answers.
async fn connect(addresses: &Addresses, server: &Server) -> Result<TcpStream, RefusedAddress> {
    for address in addresses.resolve(server).await? {
        if let Ok(Ok(stream)) = tokio::time::timeout(PATIENCE, TcpStream::connect(address)).await {
            return Ok(stream);
        }
    }
    Err(RefusedAddress::away("its host does not respond"))
}

async fn copy(mut inside: UnixStream, mut outside: TcpStream) {
    drop(outside.set_nodelay(true));
    // Either side's end, error included, ends both.
    drop(tokio::io::copy_bidirectional(&mut inside, &mut outside).await);
}
