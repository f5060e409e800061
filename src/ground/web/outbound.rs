//! The way to servers whose addresses people type: hosts' webhooks, identity providers, language models. A name is looked up once for
//! each connection, the result is judged, and the connection goes to that very address, by no proxy; no redirect is followed. So a name
//! that leads elsewhere a moment later leads nowhere.

use inlay_query::{Addresses, PrivateSources, RefusedAddress};
use reqwest::{Client, ClientBuilder, redirect::Policy};
use std::{net::SocketAddr, time::Duration};
use url::Url;

/// Where an address may lead: to the internet, and to what the operator allows beside.
#[derive(Clone, Debug)]
pub struct Outbound(Addresses);

/// Why nothing is connected to: a part of a sentence, without the address itself.
#[derive(Debug, thiserror::Error)]
pub enum Unreachable {
    /// The address is incomplete.
    #[error("its address names no host")]
    NoHost,
    /// What it leads to is not allowed, or not there now.
    #[error(transparent)]
    Refused(#[from] RefusedAddress),
    /// No connection can be set up on this machine.
    #[error("no connection can be set up: {0}")]
    Unready(reqwest::Error),
}

impl Unreachable {
    /// Whether it may be otherwise later; nothing forbids the place itself.
    pub const fn may_pass(&self) -> bool {
        match self {
            Self::NoHost => false,
            Self::Refused(refused) => refused.may_be_away(),
            Self::Unready(_) => true,
        }
    }
}

impl Outbound {
    /// To the internet, and to these private addresses.
    pub fn new(private: PrivateSources) -> Self {
        Self(Addresses::default().with_private(private))
    }

    /// Where an address leads now.
    ///
    /// # Errors
    /// Why it may not be reached, or cannot be now.
    pub async fn look_up(&self, url: &Url) -> Result<Vec<SocketAddr>, Unreachable> {
        let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else {
            return Err(Unreachable::NoHost);
        };
        Ok(self.0.look_up(host, port).await?)
    }

    /// A client that connects to where an address leads now and nowhere else, within a time.
    ///
    /// # Errors
    /// As [`Self::look_up`].
    pub async fn client(&self, url: &Url, connect: Duration) -> Result<ClientBuilder, Unreachable> {
        let found = self.look_up(url).await?;
        let client = Client::builder().redirect(Policy::none()).no_proxy().connect_timeout(connect);
        Ok(client.resolve_to_addrs(url.host_str().unwrap_or_default(), &found))
    }
}
