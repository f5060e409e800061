//! How a source's driver connects to its place, after it has been checked.

use super::{
    Addresses, PrivateSources, RefusedAddress, Server, SourceLocation,
    files::Wanted,
    relay::{PATIENCE, Relay},
};
use crate::source::Source;
use std::{
    net::IpAddr,
    path::{Path, PathBuf},
    sync::Arc,
};
use tokio::net::TcpStream;

/// An allowed way to connect.
#[derive(Clone, Debug)]
pub(crate) enum Route {
    /// As the URL says. It contains no name that could resolve differently for the next connection.
    Direct,
    /// This file, with its links resolved.
    File(PathBuf),
    /// Through a relay, which resolves and checks the name for each connection.
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

    /// The socket to connect to.
    pub(crate) fn socket(&self) -> Option<&Path> {
        match self {
            Self::Through(relay) => Some(relay.path()),
            Self::Direct | Self::File(_) => None,
        }
    }

    /// The folder of the socket to connect to.
    pub(crate) fn socket_folder(&self) -> Option<&Path> {
        match self {
            Self::Through(relay) => Some(relay.folder()),
            Self::Direct | Self::File(_) => None,
        }
    }
}

/// Why a server's address does not respond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unheard {
    /// The port is closed.
    Closed,
    /// No response in time.
    Silent,
}

impl Addresses {
    /// The route to a source, for a driver that opens connections over time.
    pub(crate) async fn route(self: &Arc<Self>, source: &Source) -> Result<Route, RefusedAddress> {
        match SourceLocation::of(source)? {
            SourceLocation::File(path) => self.on_disk(path, Wanted::File).await.map(Route::File),
            SourceLocation::Data(path) => self.on_disk(path, Wanted::FileOrFolder).await.map(Route::File),
            SourceLocation::Socket(folder) => self.socket(&folder).map(|()| Route::Direct),
            SourceLocation::Server(server) => {
                self.resolve(&server).await?;
                self.route_to(server)
            }
        }
    }

    /// An IP address needs no relay. A name is resolved again for each connection, unless all addresses are allowed.
    fn route_to(self: &Arc<Self>, server: Server) -> Result<Route, RefusedAddress> {
        if server.host.parse::<IpAddr>().is_ok() || self.private == PrivateSources::Allowed {
            return Ok(Route::Direct);
        }
        let relay = Relay::open(Arc::clone(self), server);
        relay.map(|relay| Route::Through(Arc::new(relay))).map_err(|_| RefusedAddress::new("no socket can be opened for it"))
    }

    /// Checks whether a server listens at a source's address. Drivers report that late, and in their own words.
    pub(crate) async fn knock(&self, source: &Source) -> Result<(), Unheard> {
        let Ok(SourceLocation::Server(server)) = SourceLocation::of(source) else { return Ok(()) };
        // If the address itself is refused, the caller of `check` reports that.
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

    /// Checks a source's address. Called when it is saved and before a kept connection is used again.
    pub(crate) async fn check(&self, source: &Source) -> Result<(), RefusedAddress> {
        match SourceLocation::of(source)? {
            SourceLocation::File(path) => self.on_disk(path, Wanted::File).await.map(drop),
            SourceLocation::Data(path) => self.on_disk(path, Wanted::FileOrFolder).await.map(drop),
            SourceLocation::Socket(folder) => self.socket(&folder),
            SourceLocation::Server(server) => self.resolve(&server).await.map(drop),
        }
    }
}
