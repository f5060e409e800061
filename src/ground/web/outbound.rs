//! Connections to servers whose URLs people enter: webhooks, identity providers, language models. A host name is resolved once
//! per connection, the result is checked, and the connection goes to exactly that address, without a proxy; redirects are not
//! followed. So changing the DNS entry after the check has no effect.

use inlay_query::{Addresses, PrivateSources, RefusedAddress};
use reqwest::{Client, ClientBuilder, redirect::Policy};
use std::{net::SocketAddr, time::Duration};
use url::Url;

/// The allowed addresses: the internet, and those that the operator adds.
#[derive(Clone, Debug)]
pub struct Outbound(Addresses);

/// Why a connection is not possible: part of a sentence, without the URL itself.
#[derive(Debug, thiserror::Error)]
pub enum Unreachable {
    /// The URL is incomplete.
    #[error("its address names no host")]
    NoHost,
    /// The host's address is not allowed, or cannot be resolved now.
    #[error(transparent)]
    Refused(#[from] RefusedAddress),
    /// The HTTP client cannot be created.
    #[error("no connection can be set up: {0}")]
    Unready(reqwest::Error),
}

impl Unreachable {
    /// Whether a later attempt may succeed, because the address itself is not forbidden.
    pub const fn may_pass(&self) -> bool {
        match self {
            Self::NoHost => false,
            Self::Refused(refused) => refused.may_be_away(),
            Self::Unready(_) => true,
        }
    }
}

impl Outbound {
    /// Allows the internet and these private addresses.
    pub fn new(private: PrivateSources) -> Self {
        Self(Addresses::default().with_private(private))
    }

    /// The addresses that a URL's host resolves to now.
    ///
    /// # Errors
    /// Why they may not be reached, or cannot be resolved now.
    pub async fn look_up(&self, url: &Url) -> Result<Vec<SocketAddr>, Unreachable> {
        let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else {
            return Err(Unreachable::NoHost);
        };
        Ok(self.0.look_up(host, port).await?)
    }

    /// An HTTP client that connects only to the URL's current addresses, with a timeout.
    pub async fn client(&self, url: &Url, connect: Duration) -> Result<ClientBuilder, Unreachable> {
        Ok(Self::client_to(url, &self.look_up(url).await?, connect))
    }

    /// The same to addresses that were looked up.
    pub fn client_to(url: &Url, found: &[SocketAddr], connect: Duration) -> ClientBuilder {
        let client = Client::builder().redirect(Policy::none()).no_proxy().connect_timeout(connect);
        client.resolve_to_addrs(url.host_str().unwrap_or_default(), found)
    }
}
