//! How models are reached: whoever runs the service decides where they may be.

use async_trait::async_trait;
use reqwest::Client;
use std::fmt::Debug;
use url::Url;

/// Makes the client of each call of a model.
#[async_trait]
pub trait Clients: Debug + Send + Sync {
    /// A client that connects to where an address leads now, if that is allowed, and nowhere else. It follows no redirect: a key
    /// must not go to somebody else.
    ///
    /// # Errors
    /// Why there is none, for the operator: without the address, which may hold a secret.
    async fn client(&self, address: &Url) -> Result<Client, String>;
}
