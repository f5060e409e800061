//! Clients for models on this machine.

use async_trait::async_trait;
use inlay_assistant::Clients;
use reqwest::{Client, redirect::Policy};
use url::Url;

/// Allows every host.
#[derive(Debug)]
pub struct Anywhere;

#[async_trait]
impl Clients for Anywhere {
    async fn client(&self, _address: &Url) -> Result<Client, String> {
        Client::builder().redirect(Policy::none()).no_proxy().build().map_err(|problem| problem.to_string())
    }
}
