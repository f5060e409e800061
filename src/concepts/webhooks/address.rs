//! The allowed URLs of webhooks: https on the internet; others only if the operator allows them.

use crate::ground::{
    config::webhooks::WebhookSettings,
    web::outbound::{Outbound, Unreachable},
};
use inlay_query::PrivateSources;
use moka::sync::Cache;
use reqwest::Client;
use std::{net::SocketAddr, time::Duration};
use url::Url;

/// The maximum length of a webhook's URL, in characters.
pub const LONGEST: usize = 2048;

/// Parses a URL. Its host is resolved when a message is sent.
///
/// # Errors
/// The problem; it completes «`url` …».
pub(super) fn read(settings: &WebhookSettings, text: &str) -> Result<Url, String> {
    let url = Url::parse(text.trim()).map_err(|_| "must be a URL such as https://example.com/hooks".to_owned())?;
    if text.len() > LONGEST {
        return Err(format!("must have at most {LONGEST} characters"));
    }
    let plain = url.scheme() == "http" && settings.allow_private_webhooks != PrivateSources::Refused;
    if url.scheme() != "https" && !plain {
        return Err("must begin with https://".to_owned());
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err("must name a host".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("must not contain a user name or password; messages are signed instead".to_owned());
    }
    Ok(url)
}

/// The HTTP clients of the last webhooks. Each connects only to the addresses that were looked up and checked for a message,
/// and keeps its connection for the next one.
#[derive(Debug)]
pub(super) struct Clients(Cache<(String, Vec<SocketAddr>), Client>);

/// How many there are, and how long an unused one is kept.
const CLIENTS: (u64, Duration) = (200, Duration::from_secs(30));

/// How long a connection without a message is kept: less than servers do.
const IDLE: Duration = Duration::from_secs(4);

impl Default for Clients {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(CLIENTS.0).time_to_idle(CLIENTS.1).build())
    }
}

impl Clients {
    /// An HTTP client that connects only to the webhook's server, with a timeout.
    ///
    /// # Errors
    /// Why it may not or cannot be reached, as a sentence for the host.
    pub(super) async fn get(&self, settings: &WebhookSettings, url: &Url, timeout: Duration) -> Result<Client, String> {
        let mut found = Outbound::new(settings.allow_private_webhooks.clone()).look_up(url).await.map_err(told)?;
        found.sort_unstable();
        let key = (url.host_str().unwrap_or_default().to_owned(), found);
        if let Some(client) = self.0.get(&key) {
            return Ok(client);
        }
        let client = Outbound::client_to(url, &key.1, timeout).timeout(timeout).pool_idle_timeout(IDLE).build();
        let client = client.map_err(|problem| told(Unreachable::Unready(problem)))?;
        self.0.insert(key, client.clone());
        Ok(client)
    }
}

fn told(problem: Unreachable) -> String {
    let told = match problem {
        Unreachable::NoHost => "The URL has no host.",
        Unreachable::Refused(refused) if !refused.may_be_away() => {
            "The host is on a private network or on Inlay's own machine; the operator allows such hosts with \
             INLAY_ALLOW_PRIVATE_WEBHOOKS."
        }
        Unreachable::Refused(_) => "The host name could not be resolved.",
        Unreachable::Unready(_) => "The connection could not be created.",
    };
    told.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Given {
        #[command(flatten)]
        settings: WebhookSettings,
    }

    fn settings(flags: &[&str]) -> WebhookSettings {
        Given::parse_from(["inlay"].iter().chain(flags)).settings
    }

    #[test]
    fn an_address_is_https_and_holds_no_password() {
        let read = |text: &str| read(&settings(&[]), text).is_ok();
        assert!(read("https://hooks.example.com/a?b=c") && read("https://hooks.example.com:8443"));
        for wrong in
            ["", "hooks.example.com", "http://hooks.example.com", "ftp://x.test", "file:///etc/passwd", "https://u:p@x.test"]
        {
            assert!(!read(wrong), "{wrong}");
        }
        assert!(super::read(&settings(&["--allow-private-webhooks", "127.0.0.1"]), "http://127.0.0.1:1/x").is_ok());
    }

    #[tokio::test]
    async fn private_addresses_are_out_of_reach_however_they_are_written() {
        let leads = async |text: &str, flags: &[&str]| {
            let url = Url::parse(text).expect("an address");
            Clients::default().get(&settings(flags), &url, Duration::from_secs(1)).await.map(drop)
        };
        let is_private = |told: Result<(), String>| told.is_err_and(|told| told.contains("private network"));
        for private in [
            "https://127.0.0.1/",
            "https://2130706433/",
            "https://0x7f.1/",
            "https://localhost/",
            "https://[::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://10.0.0.1/",
            "https://169.254.169.254/latest/meta-data",
            "https://192.168.0.1/",
            "https://0.0.0.0/",
        ] {
            assert!(is_private(leads(private, &[]).await), "{private}");
        }
        let own = ["--allow-private-webhooks", "127.0.0.0/8"];
        assert_eq!(leads("https://1.1.1.1/", &[]).await, Ok(()));
        assert_eq!(leads("https://127.0.0.1/", &own).await, Ok(()));
        assert!(is_private(leads("https://10.0.0.1/", &own).await));
    }
}
