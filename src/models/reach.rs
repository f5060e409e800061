//! Where language models are reached: members type the address, and Inlay's own machine and its neighbours are not theirs to
//! reach. A name is looked up for each call, judged as those of databases are, and connected to at that very address: where it
//! led when it was saved says nothing of where it leads now.

use async_trait::async_trait;
use inlay_assistant::Clients;
use inlay_query::{Addresses, PrivateSources};
use reqwest::{Client, redirect::Policy};
use std::time::Duration;
use url::Url;

/// How long a model's server may take to be reached.
const CONNECT: Duration = Duration::from_secs(10);

/// Where the operator lets models be.
#[derive(Clone, Debug)]
pub struct Reach(Addresses);

impl Reach {
    /// On the internet, and at the private addresses that databases may have.
    pub fn new(private: &PrivateSources) -> Self {
        Self(Addresses::default().with_private(private.clone()))
    }
}

#[async_trait]
impl Clients for Reach {
    async fn client(&self, address: &Url) -> Result<Client, String> {
        let (Some(host), Some(port)) = (address.host_str(), address.port_or_known_default()) else {
            return Err("its address names no host".to_owned());
        };
        let found = self.0.look_up(host.trim_matches(['[', ']']), port).await.map_err(|refused| refused.to_string())?;
        let client = Client::builder().redirect(Policy::none()).no_proxy().connect_timeout(CONNECT);
        client.resolve_to_addrs(host, &found).build().map_err(|problem| problem.to_string())
    }
}
