//! Where language models are reached: members type the address, and Inlay's own machine and its neighbours are not theirs to
//! reach. An address is judged for each call: where it led when it was saved says nothing of where it leads now.

use crate::ground::web::outbound::Outbound;
use async_trait::async_trait;
use inlay_assistant::Clients;
use inlay_query::PrivateSources;
use reqwest::Client;
use std::time::Duration;
use url::Url;

/// How long a model's server may take to be reached.
const CONNECT: Duration = Duration::from_secs(10);

/// Where the operator lets models be.
#[derive(Clone, Debug)]
pub struct Reach(Outbound);

impl Reach {
    /// On the internet, and at the private addresses that databases may have.
    pub fn new(private: &PrivateSources) -> Self {
        Self(Outbound::new(private.clone()))
    }
}

#[async_trait]
impl Clients for Reach {
    async fn client(&self, address: &Url) -> Result<Client, String> {
        let client = self.0.client(address, CONNECT).await.map_err(|problem| problem.to_string())?;
        client.build().map_err(|problem| problem.to_string())
    }
}
