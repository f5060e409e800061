//! How models are reached. The operator decides which hosts are allowed.

use async_trait::async_trait;
use reqwest::Client;
use std::fmt::Debug;
use url::Url;

/// Creates the client for each model call.
#[async_trait]
pub trait Clients: Debug + Send + Sync {
    /// A client that connects only to the host that the address resolves to now, if that is allowed. It follows no redirect, so
    /// that the key is not sent elsewhere.
    ///
    /// # Errors
    /// The reason, for the operator. It does not contain the address, which may hold a secret.
    async fn client(&self, address: &Url) -> Result<Client, String>;
}
