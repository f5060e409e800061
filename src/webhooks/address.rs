//! Where messages may go: to servers on the internet, by https; elsewhere only where the operator allows it. A name is looked up once,
//! the result is judged, and the message goes to that very address; no redirect is followed.

use crate::config::reports::ReportSettings;
use inlay_query::{Addresses, PrivateSources};
use std::net::SocketAddr;
use url::Url;

/// The longest address of a webhook.
const LONGEST: usize = 2048;

/// Reads an address. What it leads to is looked up when a message is sent.
///
/// # Errors
/// What is wrong with it; completes «`url` …».
pub(super) fn read(settings: &ReportSettings, text: &str) -> Result<Url, String> {
    let url = Url::parse(text.trim()).map_err(|_| "must be an address like https://example.com/hooks".to_owned())?;
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
        return Err("must hold no user and no password; messages are signed instead".to_owned());
    }
    Ok(url)
}

/// The addresses of a webhook's server that may be connected to, looked up now.
///
/// # Errors
/// Why it may not be reached, or cannot be now.
pub(super) async fn resolve(settings: &ReportSettings, url: &Url) -> Result<Vec<SocketAddr>, String> {
    let allowed = Addresses::default().with_private(settings.allow_private_webhooks.clone());
    let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else {
        return Err("The address names no host.".to_owned());
    };
    allowed.look_up(host, port).await.map_err(|refused| {
        if refused.may_be_away() {
            return "The host could not be looked up.".to_owned();
        }
        "The host is on a private network or on Inlay's own machine; the operator allows such hosts with INLAY_ALLOW_PRIVATE_WEBHOOKS."
            .to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Given {
        #[command(flatten)]
        settings: ReportSettings,
    }

    fn settings(flags: &[&str]) -> ReportSettings {
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
            let settings = settings(flags);
            resolve(&settings, &Url::parse(text).expect("an address")).await.is_ok()
        };
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
            assert!(!leads(private, &[]).await, "{private}");
        }
        assert!(leads("https://1.1.1.1/", &[]).await);
        assert!(leads("https://127.0.0.1/", &["--allow-private-webhooks", "127.0.0.0/8"]).await);
        assert!(!leads("https://10.0.0.1/", &["--allow-private-webhooks", "127.0.0.0/8"]).await);
    }
}
