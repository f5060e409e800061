//! The connections to the store.

use crate::ground::store::{connect::Opening, patience::Patience};
use clap::{Args, value_parser};
use std::time::Duration;

/// How many connections a node has to its store, and how long a request waits for one.
#[derive(Args, Clone, Debug)]
pub struct StoreSettings {
    /// Connections of this node to PostgreSQL, or connections that read the embedded store [default: 16, or one for each
    /// processor and at least 4]
    #[arg(long, env = "INLAY_STORE_CONNECTIONS", global = true, value_parser = value_parser!(u32).range(1..=1_000))]
    pub store_connections: Option<u32>,

    /// Milliseconds for which a request waits for a connection to the store
    #[arg(long, env = "INLAY_STORE_WAIT_MS", global = true, default_value_t = 5_000, value_parser = value_parser!(u64).range(1..))]
    pub store_wait_ms: u64,
}

impl StoreSettings {
    /// How the store is opened.
    pub fn opening(&self) -> Opening {
        let patience = Patience { connection: Duration::from_millis(self.store_wait_ms), ..Patience::default() };
        Opening { connections: self.store_connections, patience }
    }
}
