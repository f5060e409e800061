//! The origin of a request.

use super::middleware::RequestId;
use crate::ground::config::Settings;
use axum::{extract::ConnectInfo, http::request::Parts};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// The origin of a request, for the audit log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The client's IP address, if known.
    pub address: Option<String>,
    /// The request's id, which links audit events to log lines.
    pub request: Option<String>,
}

/// The maximum length of a stored address: IPv6 with a zone.
const LONGEST_ADDRESS: usize = 64;

impl Origin {
    /// The origin of a request. A header is only trusted if the settings name the one that a trusted proxy sets.
    pub fn of(parts: &Parts, settings: &Settings) -> Self {
        let told = settings.client_address_header.as_ref().and_then(|name| parts.headers.get_all(name).iter().next_back());
        // The proxy appends the address that it saw. Everything before it may be invented by the client.
        let told = told.and_then(|value| value.to_str().ok()?.rsplit(',').next()).map(str::trim);
        let told = told.filter(|address| (1..=LONGEST_ADDRESS).contains(&address.len())).map(str::to_owned);
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip().to_string());
        let request = parts.extensions.get::<RequestId>().map(|id| id.0.clone());
        Self { address: told.or(peer), request }
    }

    /// The network of the client; empty if it is not known. An IPv6 client usually has the whole /64.
    pub fn network(&self) -> String {
        let address = self.address.as_deref().unwrap_or_default();
        match address.parse::<IpAddr>().map(|address| address.to_canonical()) {
            Ok(IpAddr::V6(address)) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).to_string(),
            Ok(IpAddr::V4(address)) => address.to_string(),
            Err(_) => address.to_owned(),
        }
    }
}
