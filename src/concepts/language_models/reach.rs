//! Connections to language models: members enter the URL, and must not reach Inlay's own machine or its private network. A URL
//! is checked at each call, because its host may resolve to another address since it was saved.

use crate::ground::web::outbound::Outbound;
use async_trait::async_trait;
use inlay_assistant::Clients;
use inlay_query::PrivateSources;
use reqwest::Client;
use std::time::Duration;
use url::Url;

/// The timeout of a connection to a model's server.
const CONNECT: Duration = Duration::from_secs(10);

/// The locations of models that the operator allows.
#[derive(Clone, Debug)]
pub struct Reach(Outbound);

impl Reach {
    /// The internet, and the private addresses that databases may have.
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
