//! The origin of a request.

use super::middleware::RequestId;
use crate::ground::config::Settings;
use axum::{extract::ConnectInfo, http::request::Parts};
use std::net::SocketAddr;

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
}
