//! Where sources may be. People type these addresses. Without a check, a connection could reach this machine, its private
//! network, a cloud's metadata service or Inlay's own store.
//!
//! A host name is resolved once per connection, the result is checked, and the connection goes to exactly that address. So a
//! name that resolves differently a moment later (DNS rebinding) gains nothing.

pub(crate) mod driver;
mod files;
mod location;
mod ranges;
mod relay;
mod route;

pub(crate) use location::{Server, SourceLocation};
pub(crate) use relay::{IDLE, PROBES, UNHEARD};
pub(crate) use route::{Route, Unheard};

use ipnet::IpNet;
use std::{
    io,
    net::{IpAddr, SocketAddr},
    path::{Path, PathBuf},
    str::FromStr,
};

/// Where sources may be. By default: servers on the internet, and files outside the system's own folders.
#[derive(Clone, Debug, Default)]
pub struct Addresses {
    private: PrivateSources,
    folders: Vec<PathBuf>,
    own_store: Option<OwnStore>,
    looks: files::Looks,
}

/// The private addresses that the operator allows for sources: `true`, `false`, or a list of hosts, addresses and networks,
/// separated by commas (`db.internal, 10.1.0.0/16`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PrivateSources {
    /// None.
    #[default]
    Refused,
    /// Those of these hosts and networks.
    Listed {
        /// Host names, whatever their address.
        hosts: Vec<String>,
        /// Networks, whatever their hosts' names.
        networks: Vec<IpNet>,
    },
    /// All.
    Allowed,
}

/// Inlay's own store, which no source may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnStore {
    /// SQLite: its file.
    File(PathBuf),
    /// PostgreSQL: its URL, as the store's own driver reads it.
    Postgres(String),
}

/// Why a source's address is refused: a sentence for the operator that does not contain the address.
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

    /// The place was not found now.
    fn away(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), away: true }
    }

    /// Whether the place was not found, so that a later attempt may succeed. It is not forbidden.
    #[must_use]
    pub const fn may_be_away(&self) -> bool {
        self.away
    }
}

/// An invalid word in `INLAY_ALLOW_PRIVATE_SOURCES`.
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
    /// Allows private addresses.
    #[must_use]
    pub fn with_private(self, private: PrivateSources) -> Self {
        Self { private, ..self }
    }

    /// Allows files only in these folders. If there are none, a file may be anywhere outside the system's own folders.
    #[must_use]
    pub fn with_folders(self, folders: Vec<PathBuf>) -> Self {
        Self { folders, ..self }
    }

    /// Excludes Inlay's own store, whatever else is allowed.
    #[must_use]
    pub fn with_own_store(self, store: OwnStore) -> Self {
        Self { own_store: Some(store), ..self }
    }

    /// The allowed addresses of a server, resolved now. The caller must connect to one of these.
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
        // If any of a name's addresses is private, the name is refused. Legitimate names do not mix them, and rebinding begins
        // that way.
        if found.is_empty() { Err(RefusedAddress::away("its host has no address")) } else { Ok(found) }
    }

    /// The allowed addresses of a host, resolved now, for connections to something other than a source.
    ///
    /// # Errors
    /// The host cannot be resolved, or one of its addresses is not allowed.
    pub async fn look_up(&self, host: &str, port: u16) -> Result<Vec<SocketAddr>, RefusedAddress> {
        self.resolve(&Server::new(host, port, None)).await
    }

    /// Checks whether connections to a host at this address are allowed.
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

    /// The addresses of Inlay's own store, if a source names the same database.
    async fn own_addresses(&self, server: &Server) -> Vec<SocketAddr> {
        let Some(OwnStore::Postgres(url)) = &self.own_store else { return Vec::new() };
        let Some(SourceLocation::Server(own)) = SourceLocation::of_own_store(url) else { return Vec::new() };
        if own.database != server.database {
            return Vec::new();
        }
        tokio::net::lookup_host((own.host.as_str(), own.port)).await.map(Iterator::collect).unwrap_or_default()
    }

    /// Checks whether connections to a socket of this machine are allowed.
    pub(crate) fn socket(&self, folder: &Path) -> Result<(), RefusedAddress> {
        if let Some(OwnStore::Postgres(url)) = &self.own_store
            && SourceLocation::of_own_store(url) == Some(SourceLocation::Socket(folder.to_owned()))
        {
            return Err(own_store());
        }
        if self.private == PrivateSources::Allowed { Ok(()) } else { Err(private()) }
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
