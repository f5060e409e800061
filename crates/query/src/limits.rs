//! The limits of queries.

use crate::{
    memory::{Budget, Meter},
    parsing::Parsers,
};
use std::time::Duration;

/// The limits of a query and of the caches. The defaults are those of the contract.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The most time of a query, including the wait for a connection.
    pub timeout: Duration,
    /// The most rows of a result. If there are more, `truncated` is set.
    pub rows: usize,
    /// The most bytes of a result's values as JSON. If there are more, `truncated` is set.
    pub bytes: usize,
    /// How long a result is cached.
    pub cache_ttl: Duration,
    /// The size of the cache in bytes.
    pub cache_bytes: u64,
    /// How long a table's columns are cached.
    pub schema_ttl: Duration,
    /// The most connections per source.
    pub connections: u32,
    /// The most queries that run or wait per source. Further ones are refused at once.
    pub waiting: usize,
    /// The most queries that run on one server, by host and port, for all sources together.
    pub server_connections: u32,
    /// The memory of all results under way.
    pub memory: Budget,
    /// The room of one result. The engine sets it for each query.
    pub meter: Meter,
    /// The threads on which large results are read.
    pub parsers: Parsers,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(30),
            rows: 50_000,
            bytes: 16 << 20,
            cache_ttl: Duration::from_secs(30),
            cache_bytes: 64 << 20,
            schema_ttl: Duration::from_secs(60),
            connections: 8,
            waiting: 2_000,
            server_connections: 64,
            memory: Budget::default(),
            meter: Meter::default(),
            parsers: Parsers::default(),
        }
    }
}
