//! How a source's driver gets to its place, once that has been judged.

use super::{
    Addresses, Place, PrivateSources, RefusedAddress, Server,
    relay::{PATIENCE, Relay},
};
use crate::source::Source;
use std::{
    net::IpAddr,
    path::{Path, PathBuf},
    sync::Arc,
};
use tokio::net::TcpStream;

/// A way that may be taken.
#[derive(Clone, Debug)]
pub(crate) enum Route {
    /// As the address says: it holds no name that could mean something else at the next connection.
    Direct,
    /// This file, links followed.
    File(PathBuf),
    /// Through a socket of our own, behind which each connection's name is looked up and judged.
    Through(Arc<Relay>),
}

impl Route {
    /// The file to open.
    pub(crate) fn file(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Direct | Self::Through(_) => None,
        }
    }

    /// The socket to go through.
    pub(crate) fn socket(&self) -> Option<&Path> {
        match self {
            Self::Through(relay) => Some(relay.path()),
            Self::Direct | Self::File(_) => None,
        }
    }

    /// The folder of the socket to go through.
    pub(crate) fn socket_folder(&self) -> Option<&Path> {
        match self {
            Self::Through(relay) => Some(relay.folder()),
            Self::Direct | Self::File(_) => None,
        }
    }
}

/// Why nobody was heard at a server's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unheard {
    /// Its host refuses the port.
    Closed,
    /// No word came in time.
    Silent,
}

impl Addresses {
    /// The way to a source, for a driver that makes connections over time.
    pub(crate) async fn route(self: &Arc<Self>, source: &Source) -> Result<Route, RefusedAddress> {
        match Place::of(source)? {
            Place::File(path) => self.file(&path).map(Route::File),
            Place::Data(path) => self.data(&path).map(Route::File),
            Place::Socket(folder) => self.socket(&folder).map(|()| Route::Direct),
            Place::Server(server) => {
                self.resolve(&server).await?;
                self.route_to(server)
            }
        }
    }

    /// An address stays what it is. A name is looked up again for each connection, unless every address is allowed.
    fn route_to(self: &Arc<Self>, server: Server) -> Result<Route, RefusedAddress> {
        if server.host.parse::<IpAddr>().is_ok() || self.private == PrivateSources::Allowed {
            return Ok(Route::Direct);
        }
        let relay = Relay::open(Arc::clone(self), server);
        relay.map(|relay| Route::Through(Arc::new(relay))).map_err(|_| RefusedAddress::new("no socket can be opened for it"))
    }

    /// Whether anything listens where a source's server should be: drivers tell that late, and in words of their own.
    pub(crate) async fn knock(&self, source: &Source) -> Result<(), Unheard> {
        let Ok(Place::Server(server)) = Place::of(source) else { return Ok(()) };
        // What the address itself is refused for is told by whoever judges it.
        let Ok(found) = self.resolve(&server).await else { return Ok(()) };
        let mut unheard = Unheard::Closed;
        for address in found {
            match tokio::time::timeout(PATIENCE, TcpStream::connect(address)).await {
                Ok(Ok(_)) => return Ok(()),
                Ok(Err(_)) => {}
                Err(_) => unheard = Unheard::Silent,
            }
        }
        Err(unheard)
    }

    /// Judges a source's address, when it is saved and before a connection that is kept is used again.
    pub(crate) async fn check(&self, source: &Source) -> Result<(), RefusedAddress> {
        match Place::of(source)? {
            Place::File(path) => self.file(&path).map(drop),
            Place::Data(path) => self.data(&path).map(drop),
            Place::Socket(folder) => self.socket(&folder),
            Place::Server(server) => self.resolve(&server).await.map(drop),
        }
    }
}
