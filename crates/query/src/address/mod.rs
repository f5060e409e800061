//! Where sources may be. Addresses are typed by people: without a look at them, a connection could be made to the machine
//! itself, to its neighbours, to a cloud's metadata, or to Inlay's own store.
//!
//! A name is looked up once for each connection, the result is judged, and the connection goes to that very address: a name
//! that points elsewhere a moment later (DNS rebinding) gains nothing.

pub(crate) mod driver;
mod place;
mod ranges;
mod relay;
mod route;

pub(crate) use place::{Place, Server};
pub(crate) use route::{Route, Unheard};

use ipnet::IpNet;
use std::{
    fs, io,
    net::{IpAddr, SocketAddr},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    str::FromStr,
};

/// Where sources may be. The default: servers on the internet, and files that are not the system's own.
#[derive(Clone, Debug, Default)]
pub struct Addresses {
    private: PrivateSources,
    folders: Vec<PathBuf>,
    own_store: Option<OwnStore>,
}

/// Which private addresses the operator lets sources have: `true`, `false`, or a list of hosts, addresses and networks
/// separated by commas (`db.internal, 10.1.0.0/16`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PrivateSources {
    /// None.
    #[default]
    Refused,
    /// Those of these hosts and networks.
    Listed {
        /// Names, whatever address they have.
        hosts: Vec<String>,
        /// Networks, whatever their hosts are called.
        networks: Vec<IpNet>,
    },
    /// All.
    Allowed,
}

/// Inlay's own store, which no source may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnStore {
    /// SQLite: its file.
    File(PathBuf),
    /// PostgreSQL: its address, as the store's own driver reads it.
    Postgres(String),
}

/// Why a source's address is refused: a sentence for the operator, without the address itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct RefusedAddress {
    reason: String,
    away: bool,
}

impl RefusedAddress {
    fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), away: false }
    }

    /// Nothing is there now.
    fn away(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), away: true }
    }

    /// Whether nothing was found there, which may be otherwise later; nothing forbids the place itself.
    #[must_use]
    pub const fn may_be_away(&self) -> bool {
        self.away
    }
}

/// A word of `INLAY_ALLOW_PRIVATE_SOURCES` that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a host, address or network; write true, false, or a list such as db.internal,10.1.0.0/16")]
pub struct InvalidPrivateSources(String);

impl FromStr for PrivateSources {
    type Err = InvalidPrivateSources;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim() {
            "true" => return Ok(Self::Allowed),
            "false" | "" => return Ok(Self::Refused),
            _ => {}
        }
        let (mut hosts, mut networks) = (Vec::new(), Vec::new());
        for word in text.split(',').map(str::trim) {
            let is_name = |word: &str| {
                let letters = |part: &str| part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
                !word.is_empty() && word.split('.').all(|part| !part.is_empty() && letters(part))
            };
            if let Ok(network) = word.parse::<IpNet>() {
                networks.push(network.trunc());
            } else if let Ok(address) = word.trim_matches(['[', ']']).parse::<IpAddr>() {
                networks.push(address.into());
            } else if is_name(word) && !word.rsplit('.').next().is_some_and(|last| last.bytes().all(|b| b.is_ascii_digit())) {
                hosts.push(word.to_ascii_lowercase());
            } else {
                return Err(InvalidPrivateSources(word.to_owned()));
            }
        }
        Ok(Self::Listed { hosts, networks })
    }
}

impl Addresses {
    /// With the private addresses that the operator allows.
    #[must_use]
    pub fn with_private(self, private: PrivateSources) -> Self {
        Self { private, ..self }
    }

    /// With files inside these folders alone; without any, a file may stand anywhere but in the system's own folders.
    #[must_use]
    pub fn with_folders(self, folders: Vec<PathBuf>) -> Self {
        Self { folders, ..self }
    }

    /// With Inlay's own store, which stays out of reach whatever else is allowed.
    #[must_use]
    pub fn with_own_store(self, store: OwnStore) -> Self {
        Self { own_store: Some(store), ..self }
    }

    /// The addresses of a server that may be connected to, looked up now. The caller connects to one of these.
    pub(crate) async fn resolve(&self, server: &Server) -> Result<Vec<SocketAddr>, RefusedAddress> {
        let unknown = |_: io::Error| RefusedAddress::away("its host cannot be looked up");
        let found: Vec<_> = tokio::net::lookup_host((server.host.as_str(), server.port)).await.map_err(unknown)?.collect();
        let own = self.own_addresses(server).await;
        for address in &found {
            self.admit(&server.host, address.ip())?;
            if own.iter().any(|own| (ranges::plain(own.ip()), own.port()) == (ranges::plain(address.ip()), address.port())) {
                return Err(own_store());
            }
        }
        // A name with one address outside and one inside is refused whole: nobody needs it, and it is how rebinding begins.
        if found.is_empty() { Err(RefusedAddress::away("its host has no address")) } else { Ok(found) }
    }

    /// The addresses that a host may be connected to at, looked up now, for whoever connects to something else than a source.
    ///
    /// # Errors
    /// The host cannot be looked up, or one of its addresses is not allowed.
    pub async fn look_up(&self, host: &str, port: u16) -> Result<Vec<SocketAddr>, RefusedAddress> {
        self.resolve(&Server::new(host, port, None)).await
    }

    /// Whether a host may be connected to at an address.
    pub(crate) fn admit(&self, host: &str, address: IpAddr) -> Result<(), RefusedAddress> {
        let listed = match &self.private {
            PrivateSources::Allowed => true,
            PrivateSources::Refused => false,
            PrivateSources::Listed { hosts, networks } => {
                hosts.iter().any(|known| known == host) || networks.iter().any(|network| ranges::holds(network, address))
            }
        };
        if listed || ranges::is_public(address) { Ok(()) } else { Err(private()) }
    }

    /// The addresses of our own store, if a source names the database that it is in.
    async fn own_addresses(&self, server: &Server) -> Vec<SocketAddr> {
        let Some(OwnStore::Postgres(url)) = &self.own_store else { return Vec::new() };
        let Some(Place::Server(own)) = Place::of_own_store(url) else { return Vec::new() };
        if own.database != server.database {
            return Vec::new();
        }
        tokio::net::lookup_host((own.host.as_str(), own.port)).await.map(Iterator::collect).unwrap_or_default()
    }

    /// Whether a socket of this machine may be connected to.
    pub(crate) fn socket(&self, folder: &Path) -> Result<(), RefusedAddress> {
        if let Some(OwnStore::Postgres(url)) = &self.own_store
            && Place::of_own_store(url) == Some(Place::Socket(folder.to_owned()))
        {
            return Err(own_store());
        }
        if self.private == PrivateSources::Allowed { Ok(()) } else { Err(private()) }
    }

    /// The file that a path leads to, links followed, if a source may be there.
    pub(crate) fn file(&self, path: &Path) -> Result<PathBuf, RefusedAddress> {
        self.on_disk(path, fs::Metadata::is_file)
    }

    /// The file or folder that a path leads to, as for a file.
    pub(crate) fn data(&self, path: &Path) -> Result<PathBuf, RefusedAddress> {
        self.on_disk(path, |about| about.is_file() || about.is_dir())
    }

    fn on_disk(&self, path: &Path, fits: impl Fn(&fs::Metadata) -> bool) -> Result<PathBuf, RefusedAddress> {
        let missing = |_: io::Error| RefusedAddress::away("its file cannot be opened");
        let found = fs::canonicalize(path).map_err(missing)?;
        let about = fs::metadata(&found).map_err(missing)?;
        let systems = ["/proc", "/sys", "/dev", "/etc"].iter().any(|folder| found.starts_with(folder));
        if systems || !fits(&about) {
            return Err(RefusedAddress::new("its path is not a regular file"));
        }
        let own = match &self.own_store {
            Some(OwnStore::File(own)) => fs::metadata(own).ok(),
            _ => None,
        };
        if own.is_some_and(|own| (own.dev(), own.ino()) == (about.dev(), about.ino())) {
            return Err(own_store());
        }
        let inside = |folder: &PathBuf| fs::canonicalize(folder).is_ok_and(|folder| found.starts_with(folder));
        if self.folders.is_empty() || self.folders.iter().any(inside) {
            return Ok(found);
        }
        Err(RefusedAddress::new("its file is outside the folders listed in INLAY_SQLITE_FOLDERS"))
    }
}

fn own_store() -> RefusedAddress {
    RefusedAddress::new("it is Inlay's own store")
}

fn private() -> RefusedAddress {
    RefusedAddress::new(
        "its host is on this machine or in a private network; the operator allows such hosts with INLAY_ALLOW_PRIVATE_SOURCES",
    )
}

#[cfg(test)]
mod tests;
