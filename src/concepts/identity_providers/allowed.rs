//! The allowed locations of identity providers: an organization's admins enter their URLs, and must not reach Inlay's own
//! machine or its private network.

use super::fetchable;
use crate::ground::{config::Settings, web::outbound::Outbound};
use inlay_query::PrivateSources;
use reqwest::Client;
use std::time::Duration;
use url::Url;

/// This machine's own networks.
const LOOPBACK: &str = "127.0.0.0/8,::1";

/// The timeout of a provider's response.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The locations that the operator allows.
#[derive(Clone, Debug)]
pub struct Allowed {
    /// Whether plain http from this machine is allowed, for trials.
    loopback: bool,
    ways: Outbound,
}

impl Allowed {
    /// As the operator set it.
    pub fn of(settings: &Settings) -> Self {
        Self::new(settings.allow_loopback_identity_providers, &settings.sources.allow_private_sources)
    }

    /// Allows the private addresses that databases may have, and this machine if wanted.
    pub fn new(loopback: bool, private: &PrivateSources) -> Self {
        let own = if loopback { LOOPBACK.parse().unwrap_or_default() } else { PrivateSources::Refused };
        let private = match (private.clone(), own) {
            (PrivateSources::Listed { hosts, mut networks }, PrivateSources::Listed { networks: own, .. }) => {
                networks.extend(own);
                PrivateSources::Listed { hosts, networks }
            }
            (PrivateSources::Refused, own) => own,
            (private, _) => private,
        };
        Self { loopback, ways: Outbound::new(private) }
    }

    /// Checks a URL, without resolving its host.
    ///
    /// # Errors
    /// A sentence for the operator.
    pub fn check(&self, url: &Url) -> Result<(), String> {
        fetchable(url, self.loopback)
    }

    /// An HTTP client that connects only to the URL's current addresses and follows no redirect.
    ///
    /// # Errors
    /// A sentence for the operator.
    pub async fn client(&self, url: &Url) -> Result<Client, String> {
        self.check(url)?;
        let client = self.ways.client(url, TIMEOUT).await.map_err(|problem| problem.to_string())?;
        client.timeout(TIMEOUT).build().map_err(|problem| problem.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn leads(allowed: &Allowed, url: &str) -> bool {
        allowed.client(&url.parse().expect("an address")).await.is_ok()
    }

    #[tokio::test]
    async fn keys_come_from_no_private_address_however_it_is_written() {
        let plain = Allowed::new(false, &PrivateSources::Refused);
        for private in [
            "https://127.0.0.1/keys",
            "https://localhost/keys",
            "https://[::1]/keys",
            "https://10.0.0.1/keys",
            "https://192.168.0.1/keys",
            "https://169.254.169.254/latest/meta-data",
            "https://2852039166/",
            "https://[::ffff:10.0.0.1]/keys",
            "https://[fd00::1]/keys",
            "http://1.1.1.1/keys",
            "https://u:p@1.1.1.1/keys",
        ] {
            assert!(!leads(&plain, private).await, "{private}");
        }
        assert!(leads(&plain, "https://1.1.1.1/keys").await);
    }

    #[tokio::test]
    async fn the_operator_opens_their_own_network() {
        let listed = Allowed::new(false, &"10.1.0.0/16".parse().expect("a network"));
        assert!(leads(&listed, "https://10.1.2.3/keys").await);
        assert!(!leads(&listed, "https://10.2.2.3/keys").await);
        for private in [PrivateSources::Refused, "10.1.0.0/16".parse().expect("a network"), PrivateSources::Allowed] {
            let trying = Allowed::new(true, &private);
            assert!(leads(&trying, "http://127.0.0.1:9/keys").await && leads(&trying, "https://[::1]/keys").await);
            assert!(!leads(&trying, "http://10.1.2.3/keys").await);
        }
    }
}
