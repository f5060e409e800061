//! `inlay ready`: asks the node of this machine or container, for health checks where no other client is at hand.

use super::{Failure, output::Output};
use crate::ground::config::Settings;
use serde_json::json;
use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

/// How long the node may take to answer.
const WAIT: Duration = Duration::from_secs(3);

pub async fn run(settings: &Settings, output: Output) -> Result<(), Failure> {
    let url = format!("http://{}/readyz", own_address(settings.listen));
    let client = reqwest::Client::builder().no_proxy().timeout(WAIT).build()?;
    let response = client.get(&url).send().await;
    let response =
        response.map_err(|_| format!("nothing answers at {url}. Start the service, or set INLAY_LISTEN as it has it"))?;
    let status = response.status().as_u16();
    if status != 200 {
        return Err(format!("the node is not ready: {url} answered {status}").into());
    }
    output.print(&json!({ "ready": true }), || "The node is ready.".to_owned())
}

/// Where this machine reaches what listens at an address.
pub(super) fn own_address(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, listen.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_addresses_are_reached_by_loopback() {
        for (listen, asked) in [
            ("0.0.0.0:3000", "127.0.0.1:3000"),
            ("[::]:3000", "[::1]:3000"),
            ("10.0.0.7:80", "10.0.0.7:80"),
            ("127.0.0.1:3000", "127.0.0.1:3000"),
        ] {
            assert_eq!(own_address(listen.parse().expect("an address")).to_string(), asked);
        }
    }
}
